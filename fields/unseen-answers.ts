import { readAnswer } from './compile-answers.ts';
import type { CompiledField } from './compile-field.ts';
import { isBlank } from './options.ts';
import { type Answers, isJsonObject, type JsonValue, ownMember } from './property.ts';
import { placesIn, rankedNames } from './ranking-places.ts';

/** Types whose controls show what can be chosen and nothing else. */
const CHOSEN = ['select', 'multi_select', 'checkbox', 'rating', 'scale', 'matrix', 'ranking'];

/**
 * Of the answers that a submission had before, those that its page could not show, as their fields had other types or
 * options when they were given, and that were not given anew: whoever changes the rest does not mean to take them out.
 */
export function unseenAnswers(fields: readonly CompiledField[], before: Answers, now: Answers): Answers {
  const unseen = fields.filter((field) => {
    const [former, next] = [ownMember(before, field.id), ownMember(now, field.id)];
    // What is not ticked may not have been looked at.
    const isOpen = next === undefined || next === false;
    return isOpen && former !== undefined && !isBlank(former) && isUnseen(field, former);
  });
  return Object.fromEntries(unseen.map(({ id }) => [id, before[id] ?? null]));
}

function isUnseen(field: CompiledField, answer: JsonValue): boolean {
  const { name } = field.type;
  if (!CHOSEN.includes(name)) return false;
  if (name === 'ranking') return placesIn(rankedNames(field.property), answer).every((place) => place === '');
  const shown = partsOf(name, answer);
  return shown.every((item) => readAnswer(field, item) === undefined);
}

/** What the control shows one by one. */
function partsOf(typeName: string, answer: JsonValue): JsonValue[] {
  if (typeName === 'multi_select') return [answer].flat().map((item) => [item]);
  if (typeName !== 'matrix' || !isJsonObject(answer)) return [answer];
  return Object.entries(answer).map(([row, column]) => ({ [row]: column as JsonValue }));
}
