import type { JsonValue } from '../../fields/property.ts';
import { newId } from '../form-builder/new-id.ts';
import { asName, mapWords, type Words } from './words.ts';

/** Option ids that can be kept, since past answers may refer to them. */
const KEPT_OPTION_ID = /^\S{1,64}$/;

export interface Choices {
  /** Distinct names, in order. */
  names: string[];
  words: Words[];
  bySource: Map<string, string>;
}

/**
 * Options with distinct names: the second of two equal ones becomes `Name (2)`.
 * @param sources names of each option in conditions, possibly several
 */
export function choicesOf(words: readonly Words[], sources: readonly (readonly string[])[]): Choices {
  const names: string[] = [];
  const bySource = new Map<string, string>();
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  const named = words.map((word, index) => {
    const clean = mapWords(word, asName);
    const wanted = clean.text || `Option ${index + 1}`;
    let name = wanted;
    let number = numbers.get(wanted) ?? 1;
    while (taken.has(name)) {
      number += 1;
      name = `${wanted} (${number})`;
    }
    numbers.set(wanted, number);
    taken.add(name);
    names.push(name);
    for (const source of sources[index] ?? [])
      if (source !== '' && !bySource.has(source)) bySource.set(source, name);
    return { text: name, others: clean.others };
  });
  return { names, words: named, bySource };
}

/**
 * The member of a block that holds its options.
 * @param alone names of options that rule out the others
 */
export function optionsOf(
  type: 'select' | 'multi_select' | 'ranking',
  { names, bySource }: Choices,
  images: readonly (string | undefined)[] = [],
  alone: ReadonlySet<string> = new Set(),
): Record<string, JsonValue> {
  const idOf = new Map<string, string>();
  for (const [source, name] of bySource)
    if (!idOf.has(name) && KEPT_OPTION_ID.test(source)) idOf.set(name, source);
  const options = names.map((name, index) => {
    const image = images[index];
    return {
      id: idOf.get(name) ?? newId(),
      name,
      ...(image !== undefined && { image }),
      ...(type === 'multi_select' && alone.has(name) && { exclusive: true }),
    };
  });
  return { [type]: { options } };
}
