import { isJsonObject, type JsonValue, type Property } from '../../../fields/property.ts';
import { entriesOf } from '../../../fields/repeated-questions.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import { ratingMax } from '../../../fields/types/rating.ts';

// The type of a question may change after it was answered, but earlier answers keep their shape.

type Shape = (answer: JsonValue, property: Property) => boolean;

/** Types whose answers may be any text. */
export const TEXT_TYPES = ['text', 'rich_text', 'email', 'url', 'phone_number', 'barcode', 'location'];
const isText: Shape = (answer) => typeof answer === 'string';
const isNumber: Shape = (answer) => typeof answer === 'number';
const isNames: Shape = (answer) => Array.isArray(answer) && !holdsEntries(answer);
const SHAPES: Readonly<Record<string, Shape>> = {
  ...Object.fromEntries([...TEXT_TYPES, 'select'].map((type) => [type, isText])),
  number: isNumber,
  scale: isNumber,
  slider: isNumber,
  rating: (answer, property) => Number.isInteger(answer) && Number(answer) <= ratingMax(property),
  checkbox: (answer) => typeof answer === 'boolean',
  multi_select: isNames,
  ranking: isNames,
  matrix: isJsonObject,
  repeat: (answer) => entriesOf(answer) !== null,
  date: (answer) => /^\d{4}-\d\d/.test(String(Array.isArray(answer) ? answer[0] : answer)),
};

/** The canonical type by which an answer is shown: its question's, or the one its shape suggests. */
export function shownType(property: Property, answer: JsonValue): string {
  const type = canonicalTypeName(property.type);
  if (SHAPES[type]?.(answer, property) ?? true) return type;
  // Entries whose questions are gone are shown as stored.
  if (Array.isArray(answer)) return holdsEntries(answer) ? 'text' : 'multi_select';
  if (isJsonObject(answer)) return 'matrix';
  if (typeof answer === 'boolean') return 'checkbox';
  return typeof answer === 'number' ? 'number' : 'text';
}

/** Whether it is an answer to repeated questions. */
export function holdsEntries(answer: JsonValue | undefined): boolean {
  return Array.isArray(answer) && answer.some(isJsonObject);
}
