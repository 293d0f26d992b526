import { bytesOf } from './texts.ts';

/** Bytes of the name of a variable. */
const MAX_BYTES = 64;
/** Keywords of SPSS. */
const RESERVED = ['all', 'and', 'by', 'eq', 'ge', 'gt', 'le', 'lt', 'ne', 'not', 'or', 'to', 'with'];

/** Makes unique names, also regardless of letter case, from the letters and digits of a header and an ending. */
export function createNames(most = MAX_BYTES): (header: string, ending: string) => string {
  const taken = new Set(RESERVED);
  return (header, ending) => {
    const base = wordOf(header);
    for (let count = 1; ; count++) {
      const end = count === 1 ? ending : `${ending}_${count}`;
      const name = `${bytesOf(base, most - Buffer.byteLength(end)).toString()}${end}`;
      if (taken.has(name.toLowerCase())) continue;
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
