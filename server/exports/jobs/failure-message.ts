const TOO_LARGE = 'A file of this kind cannot hold so much. Please export CSV.';
/** What owners read when an export failed, by codes of the operating system and S3, and by names of the service's own errors. */
const MESSAGES: Record<string, string> = {
  NoRoom: 'There is not enough room where exports are kept.',
  SheetFull: TOO_LARGE,
  ZipTooLarge: TOO_LARGE,
  ENOSPC: 'The disk that keeps exports is full.',
  EDQUOT: 'The disk that keeps exports is full.',
  EROFS: 'The folder that keeps exports cannot be written to.',
  EACCES: 'The folder that keeps exports cannot be written to.',
  EPERM: 'The folder that keeps exports cannot be written to.',
  EEXIST: 'The folder that keeps exports cannot be written to.',
  ENOTDIR: 'The folder that keeps exports cannot be written to.',
  NoSuchBucket: 'The bucket that keeps exports does not exist.',
  AccessDenied: 'The bucket that keeps exports refuses access.',
  InvalidAccessKeyId: 'The bucket that keeps exports refuses access.',
  SignatureDoesNotMatch: 'The bucket that keeps exports refuses access.',
};

/** A plain sentence that names no files or servers. */
export function failureMessage(error: unknown): string {
  const { code = '', name = '' } = error as { code?: string; name?: string };
  return MESSAGES[code] ?? MESSAGES[name] ?? 'The export could not be written. Please try again.';
}
