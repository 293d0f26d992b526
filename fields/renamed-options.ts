import { optionNames, optionNamesById } from './choices.ts';
import type { Property } from './property.ts';
import { questionsOf } from './repeated-questions.ts';
import { canonicalTypeName } from './type-names.ts';

/** What was renamed of a block, or of one of the questions that it repeats. */
export interface Renamed {
  id: string;
  names: Name[];
  /** Those of them that an answer can mean nothing else by: no other option has the former name now, none had the new one before. */
  clear: Name[];
  questions: Renamed[];
}

type Name = [from: string, to: string];

/** What options with ids are called now, where that is another name than before. */
export function renamedIn(before: readonly Property[], after: readonly Property[]): Renamed[] {
  return after.flatMap((block) => {
    const former = before.find(({ id }) => id === block.id);
    if (!former) return [];
    const names = renamedOptions(former, block);
    const questions = renamedIn(questionsOf(former), questionsOf(block));
    if (names.length + questions.length === 0) return [];
    const [earlier, now] = [namesOf(former), namesOf(block)];
    const clear = names.filter(([from, to]) => !now.includes(from) && !earlier.includes(to));
    return [{ id: block.id, names, clear, questions }];
  });
}

/** Options by id whose name changed, as what they were called and are called. */
function renamedOptions(before: Property, after: Property): Name[] {
  const former = optionNamesById(before, canonicalTypeName(before.type));
  return [...optionNamesById(after, canonicalTypeName(after.type))].flatMap(([id, to]) => {
    const from = former.get(id);
    return from === undefined || from === to ? [] : [[from, to] as Name];
  });
}

function namesOf(property: Property): string[] {
  return optionNames(property, canonicalTypeName(property.type));
}

/** An option that past answers call by a name that is none's now. */
export interface RenamedOption {
  /** Id of the field, or of a question that it repeats. */
  propertyId: string;
  from: string;
  to: string;
}

/** The options that were renamed, where a name in an answer can mean that one alone. */
export function renamedOptionsIn(before: readonly Property[], after: readonly Property[]): RenamedOption[] {
  return renamedIn(before, after).flatMap(clearIn);
}

function clearIn({ id, clear, questions }: Renamed): RenamedOption[] {
  return [...clear.map(([from, to]) => ({ propertyId: id, from, to })), ...questions.flatMap(clearIn)];
}
