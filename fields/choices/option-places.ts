import { isBlank } from '../block-options/options.ts';
import { type Answers, ownMember, type Property } from '../property.ts';
import { CHOICE_TYPES, canonicalTypeName } from '../type-names.ts';
import { type LimitedOption, limitedOptions, optionNames } from './choices.ts';

/** A field with options that only a limited number of submissions may choose. */
interface FieldPlaces {
  field: string;
  limited: LimitedOption[];
  /** Names of all its options. */
  names: string[];
}

/** The fields of a form with limited options; usually none. */
export function fieldPlacesOf(properties: readonly Property[]): FieldPlaces[] {
  return properties.flatMap((property) => {
    const typeName = canonicalTypeName(property.type);
    const limited = CHOICE_TYPES.includes(typeName) ? limitedOptions(property, typeName) : [];
    return limited.length === 0
      ? []
      : { field: property.id, limited, names: optionNames(property, typeName) };
  });
}

/** The answers to these fields, or null if there are none. */
export function answersTo(fields: readonly FieldPlaces[], answers: Answers): Answers | null {
  const given = fields.flatMap(({ field }) => {
    const answer = ownMember(answers, field);
    return answer === undefined || isBlank(answer) ? [] : [[field, answer] as const];
  });
  return given.length === 0 ? null : Object.fromEntries(given);
}
