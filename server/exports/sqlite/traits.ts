import { fieldTypeOf } from '../../../fields/field-types.ts';
import { isOn } from '../../../fields/options.ts';
import type { Property } from '../../../fields/property.ts';
import { type Steps, scaleSteps, sliderSteps } from '../../../fields/types/stepped.ts';

/** What a question is to a database; not there in jobs from before exports were databases. */
export interface TableTraits {
  /** Of all questions beside it its own. */
  word: string;
  /** As it is asked. */
  name: string;
  /** Its numbers have no fractions. */
  isWhole: boolean;
  /** Two days are one answer. */
  isRange: boolean;
}

export function tableTraits(property: Property, wordOf: (name: string) => string): TableTraits {
  const { name } = property;
  return { word: wordOf(name), name, isWhole: isWhole(property), isRange: isOn(property.date_range) };
}

function isWhole(property: Property): boolean {
  switch (fieldTypeOf(property.type).name) {
    case 'rating':
      return true;
    case 'number':
      return isOn(property.whole_number);
    case 'scale':
      return hasWholeSteps(scaleSteps(property));
    case 'slider':
      return hasWholeSteps(sliderSteps(property));
    default:
      return false;
  }
}

function hasWholeSteps({ min, step }: Steps): boolean {
  return Number.isInteger(min) && Number.isInteger(step);
}
