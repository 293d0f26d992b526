/** What a failed statement means for the caller of the API. */
type DatabaseProblem = 'unavailable' | 'duplicate' | 'missing-reference' | 'invalid-value' | 'unknown';

/** SQLSTATE of a server that takes no writes, because it is, or has become, a standby. */
export const READ_ONLY = '25006';
/** Connection failures as node-postgres and the operating system name them. */
const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const CONNECTION_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** Marks an error as one of connecting, whatever its cause: a wrong password, a certificate, a database that is gone. */
export function ofConnecting(error: Error): Error {
  return Object.assign(error, { isOfConnecting: true });
}

export function databaseProblem(error: unknown): DatabaseProblem {
  const { code = '', isOfConnecting = false } = error as { code?: string; isOfConnecting?: boolean };
  if (isOfConnecting || passesByItself(error)) return 'unavailable';
  if (code === '23505') return 'duplicate';
  if (code === '23503') return 'missing-reference';
  if (/^(22|23)/.test(code)) return 'invalid-value';
  return 'unknown';
}

/**
 * Whether the error says that the database is away, starting, stopping or busy, so that a later try may succeed. By SQLSTATE
 * (PostgreSQL manual, appendix A): 08 connection, 53 resources, 57 operator intervention and timeouts, 55P03 lock timeout, 40
 * rolled back, 25006 read-only after a fail-over, 58030 I/O error.
 */
export function passesByItself(error: unknown): boolean {
  const { code = '', message = '', syscall = 'connect' } = error as NodeJS.ErrnoException;
  if (isRefusedParameter(error)) return false;
  // ENOENT is the database's only when its socket file is missing, which `connect` reports.
  if (code === 'ENOENT' && syscall !== 'connect') return false;
  if (CONNECTION_CODES.has(code) || CONNECTION_MESSAGES.test(message)) return true;
  return /^(08|53|57|40)/.test(code) || code === '55P03' || code === READ_ONLY || code === '58030';
}

/** Whether no statement can succeed now: the database cannot be reached, is starting or stopping, or takes no writes. */
export function isAway(error: unknown): boolean {
  const { code = '', isOfConnecting = false } = error as { code?: string; isOfConnecting?: boolean };
  if (isOfConnecting || code === READ_ONLY) return true;
  return passesByItself(error) && !/^(40|53|55|57014|58)/.test(code);
}

/** Whether a pooler such as PgBouncer refused a connection for a parameter that it does not know, such as `options`. */
export function isRefusedParameter(error: unknown): boolean {
  return (error as Error).message?.startsWith('unsupported startup parameter') ?? false;
}

/** Whether the error is the violation of exactly this unique index or constraint. */
export function violates(error: unknown, constraint: string): boolean {
  return (error as { constraint?: string }).constraint === constraint;
}
