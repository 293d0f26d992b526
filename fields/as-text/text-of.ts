import type { JsonValue } from '../property.ts';
import { plainNumber } from './numbers.ts';

/** An answer of any shape as text: texts unchanged, numbers without exponent, lists joined, objects as JSON. */
export function textOf(answer: JsonValue): string {
  if (typeof answer === 'string') return answer;
  if (typeof answer === 'number') return plainNumber(answer);
  if (answer === null) return '';
  if (Array.isArray(answer)) return answer.map(textOf).join(', ');
  return JSON.stringify(answer);
}
