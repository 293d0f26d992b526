/** Why somebody came back from single sign-on and was not let in or connected, as the service says it in the address. */
const SENTENCES = {
  denied: (name: string) => `You were not let in by ${name}.`,
  expired: () => 'That took too long, or was begun in another browser. Please try again.',
  unreachable: (name: string) => `There is no answer from ${name}. Please try again in a moment.`,
  failed: (name: string) =>
    `Signing in with ${name} did not work. Try again; if it stays so, tell whoever runs this server.`,
  unverified: (name: string) =>
    `No account could be made: ${name} does not confirm that you have an e-mail address.`,
  address_taken: (name: string) =>
    `There is an account with your e-mail address already. Sign in with its password, then connect it with ${name} under Account → Security.`,
  identity_taken: (name: string) =>
    `Another account is connected with the one you have at ${name}. Disconnect that first.`,
  not_invited: () =>
    'New accounts need an invitation to your e-mail address. Ask an admin of the workspace you want to join.',
  closed: () => 'New accounts cannot be made here.',
  busy: () => 'Too many attempts. Please try again in a few minutes.',
};

export type SignOnProblem = keyof typeof SENTENCES;

export function readProblem({ problem }: Record<string, unknown>): { problem?: SignOnProblem } {
  const isKnown = typeof problem === 'string' && Object.hasOwn(SENTENCES, problem);
  return isKnown ? { problem: problem as SignOnProblem } : {};
}

/** @param name what people call the provider */
export function sentenceOf(problem: SignOnProblem, name: string): string {
  return SENTENCES[problem](name);
}
