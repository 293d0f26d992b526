import { bytesOf } from './texts.ts';

/** Bytes of the name of a variable. */
const MAX_BYTES = 64;
/** Words of the language of SPSS. */
const RESERVED = ['all', 'and', 'by', 'eq', 'ge', 'gt', 'le', 'lt', 'ne', 'not', 'or', 'to', 'with'];

/** Gives each variable a name of its own, in any letter case: of the letters and digits of a header, and what is added to it. */
export function createNames(): (header: string, ending: string) => string {
  const taken = new Set(RESERVED);
  return (header, ending) => {
    const base = wordOf(header);
    for (let count = 1; ; count++) {
      const end = count === 1 ? ending : `${ending}_${count}`;
      const name = `${bytesOf(base, MAX_BYTES - Buffer.byteLength(end)).toString()}${end}`;
      if (taken.has(name.toLowerCase())) continue;
      taken.add(name.toLowerCase());
      return name;
    }
  };
}

/** A name begins with a letter, and has no spaces. */
function wordOf(header: string): string {
  const word = header
    .normalize()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
  return /^\p{L}/u.test(word) ? word : `q_${word}`.replace(/_$/, '');
}
