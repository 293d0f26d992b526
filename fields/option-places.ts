import { limitedOptions } from './choices.ts';
import { type Answers, ownMember, type Property } from './property.ts';
import { canonicalTypeName } from './type-names.ts';

/** An option of a field, by the field's id and the option's name. */
export interface FieldOption {
  field: string;
  option: string;
}

/** An option that only so many submissions may choose. */
export interface OptionPlaces extends FieldOption {
  places: number;
}

const CHOICES = ['select', 'multi_select'];

/** The options of a form that have a limit; mostly none. */
export function optionPlacesOf(properties: readonly Property[]): OptionPlaces[] {
  return properties.flatMap((property) => {
    const typeName = canonicalTypeName(property.type);
    if (!CHOICES.includes(typeName)) return [];
    const limited = [...limitedOptions(property, typeName)];
    return limited.map(([option, places]) => ({ field: property.id, option, places }));
  });
}

/** Which of these options a submission with these answers has chosen. */
export function placesTakenBy(limited: readonly OptionPlaces[], answers: Answers): FieldOption[] {
  return limited.filter(({ field, option }) => {
    const answer = ownMember(answers, field);
    return answer === option || (Array.isArray(answer) && answer.includes(option));
  });
}
