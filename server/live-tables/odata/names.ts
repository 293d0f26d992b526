import { numberedApart } from '../../../fields/texts/numbered-apart.ts';

/** What a name in OData may not have (OData CSDL 4.0, 17.2); characters beyond 16 bits, as many clients compare halves of them. */
const FOREIGN = /[^\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}_]|[\u{10000}-\u{10ffff}]/gu;
const NAMELESS = 'question';

/**
 * Makes unique names for a set of answers out of the names that questions have in other typed files, most of which stay as they are.
 * @param taken names that are used for something else
 */
export function createIdentifiers(taken: Iterable<string>): (word: string) => string {
  const distinct = numberedApart(taken, (name, count) => `${name}_${count}`);
  return (word) => {
    const letters = word.replace(FOREIGN, '');
    return distinct(/^[\p{L}\p{Nl}_]/u.test(letters) ? letters : `${NAMELESS}_${letters}`.replace(/_$/, ''));
  };
}
