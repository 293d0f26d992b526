/** Why single sign-on failed, by the service's code in the address. */
const SENTENCES: Record<string, (name: string) => string> = {
  denied: (name) => `You were not let in by ${name}.`,
  expired: () => 'That took too long, or was begun in another browser. Please try again.',
  unreachable: (name) => `There is no answer from ${name}. Please try again in a moment.`,
  failed: (name) =>
    `Signing in with ${name} did not work. Try again; if it stays so, tell whoever runs this server.`,
  unverified: (name) => `No account could be made: ${name} does not confirm that you have an e-mail address.`,
  address_taken: (name) =>
    `There is an account with your e-mail address already. Sign in with its password, then connect it with ${name} under Account → Security.`,
  identity_taken: (name) =>
    `Another account is connected with the one you have at ${name}. Disconnect that first.`,
  not_invited: () =>
    'New accounts need an invitation to your e-mail address. Ask an admin of the workspace you want to join.',
  closed: () => 'New accounts cannot be made here.',
  busy: () => 'Too many attempts. Please try again in a few minutes.',
};

/**
 * @param name the provider's name
 * @returns null for an unknown problem, since anybody can write an address
 */
export function sentenceOf(problem: string, name: string): string | null {
  const sentence = Object.hasOwn(SENTENCES, problem) ? SENTENCES[problem] : undefined;
  return sentence?.(name) ?? null;
}
