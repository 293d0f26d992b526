import type { JsonValue } from '../../../fields/property.ts';
import type { Choices } from '../choices.ts';
import { listOf, numberOf, textOf } from '../json.ts';
import { prefilled } from '../prefilled.ts';

/** The initial answer, if it is valid here. */
export function prefillOf(
  type: string,
  value: unknown,
  choices: Choices | undefined,
): Record<string, JsonValue> {
  if (value === undefined || value === null) return {};
  const nameOf = (one: unknown) =>
    choices?.bySource.get(typeof one === 'boolean' ? String(one) : textOf(one));
  if (type === 'multi_select') return { prefill: listOf(value).flatMap((one) => nameOf(one) ?? []) };
  if (type === 'select') return prefilled(nameOf(value));
  if (['number', 'scale', 'slider', 'rating'].includes(type)) return prefilled(numberOf(value));
  const isText = ['text', 'email', 'url', 'phone_number', 'date'].includes(type) && typeof value === 'string';
  return prefilled(isText ? value : undefined);
}
