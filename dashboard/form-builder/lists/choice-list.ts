import { isOn } from '../../../fields/block-options/options.ts';
import { isJsonObject, type JsonValue, type Property } from '../../../fields/property.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import type { Members } from '../edits.ts';
import { newId } from '../new-id.ts';

/** Options as stored: usually `{id, name, image?}`, plain texts in forms of some clients. */
export function optionsOf(block: Property): JsonValue[] {
  const own = block[canonicalTypeName(block.type)];
  if (isJsonObject(own) && Array.isArray(own.options)) return own.options;
  return Array.isArray(block.options) ? block.options : [];
}

/** The change that gives a block these options, in the member where they were. */
export function withOptions(block: Property, options: JsonValue[]): Members {
  const type = canonicalTypeName(block.type);
  const own = block[type];
  if (!(isJsonObject(own) && own.options) && Array.isArray(block.options)) return { options };
  return { [type]: { ...(isJsonObject(own) && own), options } as JsonValue };
}

export function optionName(option: JsonValue): string {
  const name = isJsonObject(option) ? option.name : option;
  return typeof name === 'string' ? name : '';
}

export function optionImage(option: JsonValue): string {
  return isJsonObject(option) && typeof option.image === 'string' ? option.image : '';
}

/** An option's stored limit on submissions; '' without one. */
export function optionPlaces(option: JsonValue): string {
  const places = isJsonObject(option) ? option.max_submissions_count : undefined;
  return typeof places === 'number' || typeof places === 'string' ? String(places) : '';
}

/** Whether any option has a limit on submissions. */
export function limitsPlaces(block: Property): boolean {
  return optionsOf(block).some((option) => optionPlaces(option) !== '');
}

/** Whether it is marked as an option that rules out the others. */
export function isExclusive(option: JsonValue): boolean {
  return isJsonObject(option) && isOn(option.exclusive);
}

/** Sets or removes a member of an option; a plain text becomes an object. */
export function withMember(option: JsonValue, key: string, value: JsonValue | undefined): JsonValue {
  const { [key]: _, ...rest } = isJsonObject(option) ? option : { id: newId(), name: optionName(option) };
  return (value === undefined ? rest : { ...rest, [key]: value }) as JsonValue;
}

/** The first free name such as `Option 4`. */
export function freeName(options: readonly JsonValue[], word = 'Option'): string {
  const taken = new Set(options.map(optionName));
  let number = options.length + 1;
  while (taken.has(`${word} ${number}`)) number += 1;
  return `${word} ${number}`;
}

/** A list with items inserted at a place, and without the dropped ones. */
export function withPasted<Item>(
  list: readonly Item[],
  at: number,
  pasted: readonly Item[],
  dropped: ReadonlySet<number>,
): Item[] {
  const kept = (from: number, to: number) =>
    list.filter((_, index) => from <= index && index < to && !dropped.has(index));
  return [...kept(0, at), ...pasted, ...kept(at, list.length)];
}
