/** A text in UTF-8, cut to at most so many bytes, but never within a character. */
export function bytesOf(text: string, most: number): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return bytes;
  let end = most;
  while (isWithinCharacter(bytes[end])) end -= 1;
  return bytes.subarray(0, end);
}

function isWithinCharacter(byte = 0): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}
