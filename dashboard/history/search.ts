/** Which version the address names; the newest where it names none. */
export function readHistorySearch({ version }: Record<string, unknown>): { version?: number } {
  const number = Number(version);
  return Number.isSafeInteger(number) && number > 0 ? { version: number } : {};
}
