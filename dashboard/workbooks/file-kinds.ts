/** What to tell whoever chose an older Excel file, or one that is encrypted: both are written in another way. */
export const OLD_WORKBOOK = 'This is an old Excel file (.xls), or one with a password. Save it as .xlsx.';

/** Whether a file begins as an Excel file does, which is a ZIP archive. */
export function seemsWorkbook(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

export function seemsOldWorkbook(bytes: Uint8Array): boolean {
  return bytes[0] === 0xd0 && bytes[1] === 0xcf;
}
