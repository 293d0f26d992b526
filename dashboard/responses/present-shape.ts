import type { JsonValue, Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { shownType, TEXT_TYPES } from './answer-shape.ts';
import { answerText } from './answer-text.ts';

/** An answer as its question is answered now, where the type was changed and that says the same; else as it is. */
export function inPresentShape(property: Property, answer: JsonValue | undefined): JsonValue | undefined {
  if (answer === undefined || answer === null) return answer;
  const type = canonicalTypeName(property.type);
  const shown = shownType(property, answer);
  if (shown === type) return answer;
  if (TEXT_TYPES.includes(type)) return answerText(property, answer);
  if (type === 'multi_select') return isOne(shown) ? [answerText(property, answer)] : answer;
  return type === 'select' && Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
}

function isOne(shown: string): boolean {
  return shown === 'text' || shown === 'number';
}
