import { numberedApart } from '../../../fields/texts/numbered-apart.ts';

/** Characters of a word, short enough to be typed. */
const MAX_LENGTH = 48;
/** For a question whose name has no letter or digit. */
const NAMELESS = 'question';

/** Words that are no names in SQLite, or may not be one day: keywords, SQLite's names of row ids, true and false. */
const KEYWORDS = `abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade
case cast check collate column commit conflict constraint create cross current current_date current_time current_timestamp database
default deferrable deferred delete desc detach distinct do drop each else end escape except exclude exclusive exists explain fail
filter first following for foreign from full generated glob group groups having if ignore immediate in index indexed initially inner
insert instead intersect into is isnull join key last left like limit match materialized natural no not nothing notnull null nulls
of offset on or order others outer over partition plan pragma preceding primary query raise range recursive references regexp reindex
release rename replace restrict returning right rollback row rows savepoint select set table temp temporary then ties to transaction
trigger unbounded union unique update using vacuum values view virtual when where window with within without rowid oid true false`;
const RESERVED = new Set(KEYWORDS.split(/\s+/));

/**
 * Makes unique names for questions in a database or another typed file: the letters and digits of a question's name, in lower case with single `_` between
 * them, so that nobody has to quote it. (Two `_` separate it from suffixes.)
 * @param taken words that are used for something else
 */
export function createWords(taken: Iterable<string>): (name: string) => string {
  const distinct = numberedApart(taken, (word, count) => `${word}_${count}`);
  return (name) => distinct(wordOf(name));
}

function wordOf(name: string): string {
  const letters = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
  const word = shortened(letters) || NAMELESS;
  const isUsual = /^\p{L}/u.test(word) && !RESERVED.has(word) && !word.startsWith('sqlite_');
  return isUsual ? word : `q_${word}`;
}

/** Cuts a word that is too long, and drops the last part if the cut goes through it. */
function shortened(word: string): string {
  const characters = [...word];
  if (characters.length <= MAX_LENGTH) return word;
  const cut = characters.slice(0, MAX_LENGTH).join('');
  return characters[MAX_LENGTH] === '_' ? cut : cut.replace(/_[^_]*$/, '');
}
