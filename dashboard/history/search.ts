/** The version in the address; the newest if there is none. */
export function readHistorySearch({ version }: Record<string, unknown>): { version?: number } {
  const number = Number(version);
  return Number.isSafeInteger(number) && number > 0 ? { version: number } : {};
}
