import { type Answers, ownMember, type Property } from '../property.ts';
import { wordsIn } from '../texts/plain-text.ts';
import { canonicalTypeName } from '../type-names.ts';
import type { ComputedValues } from './variables.ts';

/** The same values, worked out from the words of rich texts instead of their markup. */
export function readingWords(values: ComputedValues, properties: readonly Property[]): ComputedValues {
  const ids = properties.filter(({ type }) => canonicalTypeName(type) === 'rich_text').map(({ id }) => id);
  if (ids.length === 0) return values;
  return new Map(
    Array.from(values, ([id, value]) => [
      id,
      (answers, onFailure) => value(inWords(answers, ids), onFailure),
    ]),
  );
}

function inWords(answers: Answers, ids: readonly string[]): Answers {
  const said = { ...answers };
  for (const id of ids) {
    const markup = ownMember(answers, id);
    if (typeof markup === 'string') said[id] = wordsIn(markup);
  }
  return said;
}
