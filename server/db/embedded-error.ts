/** A failure of the embedded PostgreSQL; the message is one plain line that says what to do. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

/** Messages about a full disk: the system's, and PostgreSQL's after writing only a part. */
const FULL = /No space left on device|Disk quota exceeded|wrote only \d+ of \d+ bytes|Check free disk space/;

/** Puts a failure of the file system, of initdb or of the server into one plain line. */
export function explainFailure(error: unknown, dataDir: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const text = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT' || FULL.test(text)) {
    return new EmbeddedPostgresError(`The disk of ${dataDir} is full: free some space and start again.`);
  }
  if (code === 'EROFS' || /Read-only file system/.test(text)) {
    return new EmbeddedPostgresError(`${dataDir} is on a read-only disk: set DATA_DIR to another directory.`);
  }
  if (code === 'ENOTDIR')
    return new EmbeddedPostgresError(`${dataDir} is no directory: set DATA_DIR to one.`);
  if (code === 'EACCES' || code === 'EPERM' || /Permission denied|Operation not permitted/.test(text)) {
    return new EmbeddedPostgresError(
      `The files of ${dataDir} may not be read or written by this user (${firstLine(text)}): ` +
        'give them to this user with chown -R, or set DATA_DIR to another directory.',
    );
  }
  if (/Cannot allocate memory|could not map anonymous shared memory/.test(text)) {
    return new EmbeddedPostgresError(
      'PostgreSQL got too little memory to start: give this machine at least 512 MB.',
    );
  }
  return new EmbeddedPostgresError(`The embedded PostgreSQL did not start: ${firstLine(text)}`);
}

function firstLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /FATAL|PANIC|ERROR|error:/.test(line)) ?? lines[0] ?? 'no reason was given';
}
