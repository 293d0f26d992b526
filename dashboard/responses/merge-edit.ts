import { hashKey } from '@tanstack/react-query';
import { isBlank } from '../../fields/options.ts';
import type { JsonValue } from '../../fields/property.ts';

export type EditedAnswers = Record<string, JsonValue | undefined>;

/**
 * Answers that two people changed at the same time: what was changed here stays, everything else is as it is now.
 * @param before as they were read here
 * @returns with the ids of those that both changed, and to something else
 */
export function mergeEdit(
  mine: EditedAnswers,
  before: EditedAnswers,
  now: EditedAnswers,
): { answers: EditedAnswers; both: string[] } {
  const changed = Object.keys(mine).filter((id) => !isSame(mine[id], before[id]));
  const answers = Object.keys(mine).map((id) => [id, changed.includes(id) ? mine[id] : now[id]]);
  return {
    answers: Object.fromEntries(answers),
    both: changed.filter((id) => !isSame(now[id], before[id]) && !isSame(now[id], mine[id])),
  };
}

/** Whatever order their members have; an empty text is none, and a number that was typed is one. */
function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (isBlank(one) || isBlank(other)) return isBlank(one) && isBlank(other);
  if (typeof one === 'object' || typeof other === 'object') return hashKey([one]) === hashKey([other]);
  return String(one) === String(other);
}
