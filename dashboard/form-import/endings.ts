import { ALWAYS, NEVER, same, sizeOf, type Test } from './boolean-tests.ts';
import { MAX_COMPARISONS } from './jumps.ts';
import type { Maker } from './maker.ts';
import { asName, type Words } from './words.ts';

const NO_WAY = 'This ending is left out: no answers lead to it.';
const UNKNOWN_WAY =
  'This ending is left out: what led to it cannot be brought along. Add it under Settings → After sending, with its condition.';

/** What another product shows after sending, or where it leads. */
export interface SourceEnding {
  /** What its logic calls it. */
  key: string;
  text: Words;
  address: string | undefined;
}

/**
 * Adds endings that only some answers lead to.
 * @param ends the answers that lead to them, by their keys
 * @param aims the keys that the other product's logic names, even where it could not be converted
 * @returns the text and the address for all other answers: of the ending that all lead to, or of the first
 */
export function addEndings(
  maker: Maker,
  endings: readonly SourceEnding[],
  ends: ReadonlyMap<string, Test>,
  aims: ReadonlySet<string>,
): { submitted_text?: string; redirect_url?: string } {
  const usual = endings.find(({ key }) => same(ends.get(key) ?? NEVER, ALWAYS)) ?? endings[0];
  for (const ending of endings) {
    if (ending === usual) continue;
    const when = ends.get(ending.key) ?? NEVER;
    const name = asName(ending.text.text) || ending.address || '';
    if (same(when, NEVER)) maker.note(name, aims.has(ending.key) ? UNKNOWN_WAY : NO_WAY);
    else if (sizeOf(when) > MAX_COMPARISONS)
      maker.note(name, 'This ending is left out: too many answers decide whether it is reached.');
    else maker.endWhen(when, name, ending);
  }
  if (!usual) return {};
  const text = maker.rich(usual.text);
  maker.translate('submitted_text', text);
  return {
    ...(text.text !== '' && { submitted_text: text.text }),
    ...(usual.address !== undefined && { redirect_url: usual.address }),
  };
}
