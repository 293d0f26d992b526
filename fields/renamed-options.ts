import { optionNames, optionNamesById } from './choices.ts';
import type { Property } from './property.ts';
import { questionsOf } from './repeated-questions.ts';
import { canonicalTypeName } from './type-names.ts';

/** The renamed options of a block, or of a question that it repeats. */
export interface Renamed {
  id: string;
  names: Name[];
  /** Those that are unambiguous in answers: no option has the former name now, and none had the new one before. */
  unambiguous: Name[];
  questions: Renamed[];
}

type Name = [from: string, to: string];

/** The options with ids whose names have changed. */
export function renamedIn(before: readonly Property[], after: readonly Property[]): Renamed[] {
  return after.flatMap((block) => {
    const former = before.find(({ id }) => id === block.id);
    if (!former) return [];
    const names = renamedOptions(former, block);
    const questions = renamedIn(questionsOf(former), questionsOf(block));
    if (names.length + questions.length === 0) return [];
    const [earlier, now] = [namesOf(former), namesOf(block)];
    const unambiguous = names.filter(([from, to]) => !now.includes(from) && !earlier.includes(to));
    return [{ id: block.id, names, unambiguous, questions }];
  });
}

/** Pairs of former and new name, for options with an id. */
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

/** A renamed option whose former name belongs to no option now. */
export interface RenamedOption {
  /** Id of the field, or of a question that it repeats. */
  propertyId: string;
  from: string;
  to: string;
}

/** The renamed options whose names are unambiguous in answers. */
export function renamedOptionsIn(before: readonly Property[], after: readonly Property[]): RenamedOption[] {
  return renamedIn(before, after).flatMap(unambiguousIn);
}

function unambiguousIn({ id, unambiguous, questions }: Renamed): RenamedOption[] {
  return [
    ...unambiguous.map(([from, to]) => ({ propertyId: id, from, to })),
    ...questions.flatMap(unambiguousIn),
  ];
}
