/** Hands a file to the browser, which keeps it where downloads go. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download reads it a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
