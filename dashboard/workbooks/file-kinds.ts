/** Shown for old or encrypted Excel files, which have another format. */
export const OLD_WORKBOOK = 'This is an old Excel file (.xls), or one with a password. Save it as .xlsx.';

/** Whether a file begins like a ZIP archive, which every Excel file is. */
export function seemsWorkbook(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

export function seemsOldWorkbook(bytes: Uint8Array): boolean {
  return bytes[0] === 0xd0 && bytes[1] === 0xcf;
}
