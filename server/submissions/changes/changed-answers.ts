import { isDeepStrictEqual } from 'node:util';
import { type Answers, ownMember } from '../../../fields/property.ts';

/** The answers that are others afterwards, as they were before: null where there was none. @returns null when all stayed as they were */
export function changedAnswers(before: Answers, after: Answers): Answers | null {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...ids].filter((id) => !isDeepStrictEqual(answerIn(before, id), answerIn(after, id)));
  if (changed.length === 0) return null;
  return Object.fromEntries(changed.map((id) => [id, answerIn(before, id)]));
}

function answerIn(answers: Answers, id: string) {
  return ownMember(answers, id) ?? null;
}
