import { textOf } from '../../../fields/as-text/text-of.ts';
import type { JsonValue, Property } from '../../../fields/property.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import { holdsEntries, shownType, TEXT_TYPES } from './answer-shape.ts';
import { answerText } from './answer-text.ts';

/** An answer in the shape of its question's present type, if that means the same; otherwise unchanged. */
export function inPresentShape(property: Property, answer: JsonValue | undefined): JsonValue | undefined {
  if (answer === undefined || answer === null) return answer;
  const type = canonicalTypeName(property.type);
  // Entries can become a text, as they are stored; for other types they make no sense and can only be removed.
  if (holdsEntries(answer)) return type === 'text' ? textOf(answer) : answer;
  const shown = shownType(property, answer);
  if (shown === type) return answer;
  if (TEXT_TYPES.includes(type)) return answerText(property, answer);
  if (type === 'multi_select') return isOne(shown) ? [answerText(property, answer)] : answer;
  return type === 'select' && Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
}

function isOne(shown: string): boolean {
  return shown === 'text' || shown === 'number';
}
