import { isFlag } from '../block-options/options.ts';
import type { OptionProblem } from '../field-type.ts';
import { isJsonObject, type Property } from '../property.ts';
import { canonicalTypeName } from '../type-names.ts';
import { choicesOf, findOptions } from './choices.ts';

/** The options of a multi-select that rule out all others; none in other types. If two have the same name, the last counts. */
export function exclusiveNames(property: Property): ReadonlySet<string> {
  const names = new Set<string>();
  if (canonicalTypeName(property.type) !== 'multi_select') return names;
  for (const { name, isExclusive } of choicesOf(property, 'multi_select')) {
    if (isExclusive) names.add(name);
    else names.delete(name);
  }
  return names;
}

/** The chosen names after one more was chosen: an option that rules out the others takes their place, and they take its. */
export function withChosen(property: Property, chosen: readonly string[], name: string): string[] {
  const exclusive = exclusiveNames(property);
  return [...(exclusive.has(name) ? [] : chosen.filter((other) => !exclusive.has(other))), name];
}

/** Problems with which options rule out the others. */
export function exclusiveProblems(property: Property): OptionProblem[] {
  const { path, options } = findOptions(property, 'multi_select') ?? { options: null };
  return (options ?? []).flatMap((option, index) =>
    isJsonObject(option) && !isFlag(option.exclusive)
      ? { path: `${path}.${index}.exclusive`, message: 'The exclusive field must be a boolean.' }
      : [],
  );
}
