import { type Answers, emptyAnswers, type JsonValue, type Property } from '../property.ts';
import { canonicalTypeName, holdsFiles, isLayoutBlock } from '../type-names.ts';
import { isBlank, isOn } from './options.ts';

/** The default of a hidden unanswered field: today for `prefill_today`, else its `prefill`; undefined if it has none. */
export function hiddenDefault(property: Property, typeName: string, now: Date): JsonValue | undefined {
  if (typeName === 'date' && isOn(property.prefill_today)) {
    const today = now.toISOString();
    return isOn(property.with_time) ? `${today.slice(0, 10)} ${today.slice(11, 16)}` : today.slice(0, 10);
  }
  if (holdsFiles(typeName)) return undefined;
  return property.prefill;
}

/** Whether a date is that of today because the field is prefilled so, in UTC: a page that was stored has to tell another one. */
export function isToday(property: Property, answer: JsonValue | undefined, now = new Date()): boolean {
  return (
    isOn(property.prefill_today) &&
    typeof answer === 'string' &&
    answer.slice(0, 10) === now.toISOString().slice(0, 10)
  );
}

/** Whether the server may fill in the field. */
export function hasDefault(property: Property, typeName: string): boolean {
  return (
    generatesUuid(property, typeName) ||
    (typeName === 'date' && isOn(property.prefill_today)) ||
    (property.prefill !== undefined && property.prefill !== null && !holdsFiles(typeName))
  );
}

/** The block with nothing to fill in but generated ids. */
export function withoutDefault(property: Property): Property {
  return { ...property, prefill: null, prefill_today: false };
}

/** Whether the field holds an id made for each submission. */
export function generatesUuid(property: Property, typeName: string): boolean {
  return typeName === 'text' && isOn(property.generates_uuid);
}

/** Whether the field holds the form's next number. */
export function generatesNumber(property: Property, typeName: string): boolean {
  return typeName === 'text' && isOn(property.generates_auto_increment_id);
}

/** The values that a page begins with, also of hidden fields; one that comes without them is filled in when the form is sent. */
export function pagePrefill(properties: readonly Property[], now: Date): Answers {
  const answers = emptyAnswers();
  for (const property of properties) {
    const value = hiddenDefault(property, canonicalTypeName(property.type), now);
    if (!isLayoutBlock(property.type) && value !== undefined && !isBlank(value)) answers[property.id] = value;
  }
  return answers;
}
