import { bytesOf } from './texts.ts';

/** Bytes of the name of a variable. */
const MAX_BYTES = 64;
/** Keywords of SPSS. */
const RESERVED = ['all', 'and', 'by', 'eq', 'ge', 'gt', 'le', 'lt', 'ne', 'not', 'or', 'to', 'with'];

/** Makes unique names, also regardless of letter case, from the letters and digits of a header and an ending. */
export function createNames(most = MAX_BYTES): (header: string, ending: string) => string {
  const taken = new Set(RESERVED);
  /** By the name that was wanted, the last number given: the search for a free one goes on from there. */
  const counts = new Map<string, number>();
  return (header, ending) => {
    const base = wordOf(header);
    const nameWith = (end: string) => `${bytesOf(base, most - Buffer.byteLength(end)).toString()}${end}`;
    const wanted = nameWith(ending).toLowerCase();
    for (let count = (counts.get(wanted) ?? 0) + 1; ; count++) {
      const name = count === 1 ? nameWith(ending) : nameWith(`${ending}_${count}`);
      if (taken.has(name.toLowerCase())) continue;
      counts.set(wanted, count);
      taken.add(name.toLowerCase());
      return name;
    }
  };
}

/** A name must begin with a letter and have no spaces. */
function wordOf(header: string): string {
  const word = header
    .normalize()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
  return /^\p{L}/u.test(word) ? word : `q_${word}`.replace(/_$/, '');
}
