/** A Unix socket's path may take 104 bytes on macOS and 108 on Linux, with its closing zero. */
const LIMIT_BYTES = 103;

/** Whether a Unix socket can have this path. */
export function fitsSocket(path: string): boolean {
  return Buffer.byteLength(path) <= LIMIT_BYTES;
}
