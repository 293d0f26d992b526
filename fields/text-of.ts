import { plainNumber } from './numbers.ts';
import type { JsonValue } from './property.ts';

/** Text of an answer of any shape: texts as they are, numbers without exponent, lists joined, objects as JSON. */
export function textOf(answer: JsonValue): string {
  if (typeof answer === 'string') return answer;
  if (typeof answer === 'number') return plainNumber(answer);
  if (answer === null) return '';
  if (Array.isArray(answer)) return answer.map(textOf).join(', ');
  return JSON.stringify(answer);
}
