/** Most responses to print at once; more ids would make the address too long. */
export const MAX_PRINTED = 100;

const ID = /^[1-9]\d{0,15}$/;

/** The responses to print, by number. */
interface PrintSearch {
  ids: string;
}

export function readPrintSearch({ ids }: Record<string, unknown>): PrintSearch {
  return { ids: typeof ids === 'string' || typeof ids === 'number' ? String(ids) : '' };
}

export function printedIds({ ids }: PrintSearch): string[] {
  return [...new Set(ids.split(',').filter((id) => ID.test(id)))].slice(0, MAX_PRINTED);
}
