import { isJsonObject, type JsonValue, type Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import type { Members } from './edits.ts';
import { newId } from './new-id.ts';

/** Options as they are stored: mostly `{id, name, image?}`, in forms of other clients plain texts. */
export function optionsOf(block: Property): JsonValue[] {
  const own = block[canonicalTypeName(block.type)];
  if (isJsonObject(own) && Array.isArray(own.options)) return own.options;
  return Array.isArray(block.options) ? block.options : [];
}

/** What to change of a block so that it has these options, where they were before. */
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

/** How many submissions may choose it, as it is stored; '' without a limit. */
export function optionPlaces(option: JsonValue): string {
  const places = isJsonObject(option) ? option.max_submissions_count : undefined;
  return typeof places === 'number' || typeof places === 'string' ? String(places) : '';
}

/** Whether any of its options may be chosen by so many submissions only. */
export function limitsPlaces(block: Property): boolean {
  return optionsOf(block).some((option) => optionPlaces(option) !== '');
}

/** An option with a member, or without it; a plain text becomes one that can have members. */
export function withMember(option: JsonValue, key: string, value: JsonValue | undefined): JsonValue {
  const { [key]: _, ...rest } = isJsonObject(option) ? option : { id: newId(), name: optionName(option) };
  return (value === undefined ? rest : { ...rest, [key]: value }) as JsonValue;
}

/** `Option 4`, the first such name that is free. */
export function freeName(options: readonly JsonValue[], word = 'Option'): string {
  const taken = new Set(options.map(optionName));
  let number = options.length + 1;
  while (taken.has(`${word} ${number}`)) number += 1;
  return `${word} ${number}`;
}

/** A list with these put at a place, without those that are dropped. */
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
