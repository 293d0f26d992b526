/** Characters (code points, as PostgreSQL counts them) by which statistics tell what was chosen from everything else. */
const COUNTED_CHARACTERS = 200;

/** What an option, a row or a column is called in statistics: a long name by its beginning. */
export function countedName(name: string): string {
  return name.length <= COUNTED_CHARACTERS ? name : [...name].slice(0, COUNTED_CHARACTERS).join('');
}
