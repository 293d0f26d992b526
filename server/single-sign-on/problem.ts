/** Why nobody was signed in or connected; the dashboard has a sentence for each. */
export type Problem =
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
