/** Characters (code points, as PostgreSQL counts them) of a chosen name that statistics compare. */
const COUNTED_CHARACTERS = 200;

/** The name of an option, a row or a column in statistics: only the beginning of a long one. */
export function countedName(name: string): string {
  return name.length <= COUNTED_CHARACTERS ? name : [...name].slice(0, COUNTED_CHARACTERS).join('');
}
