import { optionNames, optionNamesById } from './choices.ts';
import type { Property } from './property.ts';
import { questionsOf } from './repeated-questions.ts';
import { canonicalTypeName } from './type-names.ts';

/** What was renamed of a block, or of one of the questions that it repeats. */
export interface Renamed {
  id: string;
  names: [from: string, to: string][];
  questions: Renamed[];
}

/** What options with ids are called now, where that is another name than before. */
export function renamedIn(before: readonly Property[], after: readonly Property[]): Renamed[] {
  return after.flatMap((block) => {
    const former = before.find(({ id }) => id === block.id);
    if (!former) return [];
    const names = renamedOptions(former, block);
    const questions = renamedIn(questionsOf(former), questionsOf(block));
    return names.length + questions.length === 0 ? [] : [{ id: block.id, names, questions }];
  });
}

/** Options by id whose name changed, as what they were called and are called. */
function renamedOptions(before: Property, after: Property): [from: string, to: string][] {
  const former = optionNamesById(before, canonicalTypeName(before.type));
  return [...optionNamesById(after, canonicalTypeName(after.type))].flatMap(([id, to]) => {
    const from = former.get(id);
    return from === undefined || from === to ? [] : [[from, to] as [string, string]];
  });
}

/** An option that past answers call by a name that is none's now. */
export interface RenamedOption {
  /** Id of the field, or of a question that it repeats. */
  propertyId: string;
  from: string;
  to: string;
}

/**
 * The options that were renamed, but for those whose former name another option has now, and those that have one another had before:
 * an answer that says such a name may mean either.
 */
export function renamedOptionsIn(before: readonly Property[], after: readonly Property[]): RenamedOption[] {
  return after.flatMap((property) => {
    const former = before.find(({ id }) => id === property.id);
    if (!former) return [];
    const namesOf = (one: Property) => optionNames(one, canonicalTypeName(one.type));
    const [formerNames, names] = [namesOf(former), namesOf(property)];
    return [
      ...renamedOptions(former, property)
        .filter(([from, to]) => !names.includes(from) && !formerNames.includes(to))
        .map(([from, to]) => ({ propertyId: property.id, from, to })),
      ...renamedOptionsIn(questionsOf(former), questionsOf(property)),
    ];
  });
}
