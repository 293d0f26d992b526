import type { Property } from '../property.ts';
import { questionsOf } from '../repeated-questions.ts';
import { canonicalTypeName } from '../type-names.ts';
import { optionNames, optionNamesById } from './choices.ts';

/** The renamed options of a block, or of a question that it repeats. */
export interface Renamed {
  id: string;
  names: Name[];
  /** Those that are unambiguous in answers: no option has the former name now, and none had the new one before. */
  unambiguous: Name[];
  /** Those that conditions follow: no other option had the former name and keeps it. */
  followed: Name[];
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
    const kept = keptNames(former, block);
    const followed = names.filter(([from]) => !kept.has(from));
    return [{ id: block.id, names, unambiguous, followed, questions }];
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

/** Names that an option with an id had before and has now. */
function keptNames(before: Property, after: Property): Set<string> {
  const former = optionNamesById(before, canonicalTypeName(before.type));
  const now = [...optionNamesById(after, canonicalTypeName(after.type))];
  return new Set(now.flatMap(([id, name]) => (former.get(id) === name ? name : [])));
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
  const listed = ({ id, unambiguous, questions }: Renamed): RenamedOption[] => [
    ...unambiguous.map(([from, to]) => ({ propertyId: id, from, to })),
    ...questions.flatMap(listed),
  ];
  return renamedIn(before, after).flatMap(listed);
}
