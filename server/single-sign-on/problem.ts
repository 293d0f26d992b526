import type { Context } from '../context.ts';
import { HttpError } from '../http/errors.ts';

/** Why nobody was signed in or connected; the dashboard has a sentence for each. */
type Problem =
  /** The person, or the provider, said no. */
  | 'denied'
  /** Begun too long ago, or in another browser. */
  | 'expired'
  | 'unreachable'
  /** What the provider answered cannot be relied on. */
  | 'failed'
  /** The provider vouches for no e-mail address, so no account can be made. */
  | 'unverified'
  /** Somebody has an account with this address, and has not connected it. */
  | 'address_taken'
  /** The identity is connected with another account. */
  | 'identity_taken'
  | 'not_invited'
  | 'closed'
  /** The address has to wait. */
  | 'busy';

export class SignOnProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}

/** The screen that says what went wrong. What the operator has to see to is logged. */
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

/** The word of the provider, such as `invalid_client`, or of the network; never its sentences, which may repeat anything. */
function reasonOf(cause: unknown): string | undefined {
  const { error, cause: inner } = cause as { error?: unknown; cause?: { code?: unknown } };
  const word = error ?? inner?.code;
  return typeof word === 'string' && /^\w{1,64}$/.test(word) ? word : undefined;
}
