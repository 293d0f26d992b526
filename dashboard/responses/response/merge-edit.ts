import { isBlank } from '../../../fields/block-options/options.ts';
import type { JsonValue } from '../../../fields/property.ts';
import { isSame } from '../../lib/is-same.ts';

type EditedAnswers = Record<string, JsonValue | undefined>;

/**
 * Merges answers that two people changed at the same time: local changes stay, everything else is as it is now.
 * @param before the answers when editing began
 * @returns also the ids of those that both changed differently
 */
export function mergeEdit(
  mine: EditedAnswers,
  before: EditedAnswers,
  now: EditedAnswers,
): { answers: EditedAnswers; both: string[] } {
  const changed = Object.keys(mine).filter((id) => !isSameAnswer(mine[id], before[id]));
  const answers = Object.keys(mine).map((id) => [id, changed.includes(id) ? mine[id] : now[id]]);
  return {
    answers: Object.fromEntries(answers),
    both: changed.filter((id) => !isSameAnswer(now[id], before[id]) && !isSameAnswer(now[id], mine[id])),
  };
}

/** Ignores the order of members; an empty text equals no answer, and a typed number its value. */
function isSameAnswer(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (isBlank(one) || isBlank(other)) return isBlank(one) && isBlank(other);
  if (typeof one === 'object' || typeof other === 'object') return isSame(one, other);
  return String(one) === String(other);
}
