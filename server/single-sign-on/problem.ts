import type { Context } from '../context.ts';
import { HttpError } from '../http/errors.ts';

/** Why sign-in or connection failed; the dashboard has a sentence for each. */
type Problem =
  /** The person or the provider refused. */
  | 'denied'
  /** Begun too long ago, or in another browser. */
  | 'expired'
  | 'unreachable'
  /** The provider's answer cannot be trusted. */
  | 'failed'
  /** The provider has verified no e-mail address, so no account can be made. */
  | 'unverified'
  /** An account with this address exists and is not connected. */
  | 'address_taken'
  /** The identity belongs to another account. */
  | 'identity_taken'
  | 'not_invited'
  | 'closed'
  /** The client address has to wait. */
  | 'busy';

export class SignOnProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}

/** The screen that explains the failure. Problems for the operator are logged. */
export function screenAfter(
  log: Context['log'],
  error: unknown,
  { next, connects }: { next: string; connects: number | null },
): string {
  const problem = problemOf(error);
  if (problem === 'failed' || problem === 'unreachable') {
    const cause = error instanceof SignOnProblem ? error.cause : error;
    log.warn({ err: cause, reason: reasonOf(cause) }, `single sign-on: ${problem}`);
  }
  if (connects !== null) return `${next}?${new URLSearchParams({ problem })}`;
  return `/sign-in?${new URLSearchParams({ problem, ...(next !== '/' && { next }) })}`;
}

function problemOf(error: unknown): Problem {
  if (error instanceof SignOnProblem) return error.problem;
  return error instanceof HttpError && error.statusCode === 429 ? 'busy' : 'failed';
}

/**
 * An error code of the provider, such as `invalid_client`, or of the network; never its sentences, which may repeat
 * anything.
 */
function reasonOf(cause: unknown): string | undefined {
  const { error, cause: inner } = cause as { error?: unknown; cause?: { code?: unknown } };
  const word = error ?? inner?.code;
  return typeof word === 'string' && /^\w{1,64}$/.test(word) ? word : undefined;
}
