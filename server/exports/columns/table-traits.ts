import { isOn } from '../../../fields/block-options/options.ts';
import { fieldTypeOf } from '../../../fields/field-types.ts';
import type { Property } from '../../../fields/property.ts';
import { type Steps, scaleSteps, sliderSteps } from '../../../fields/types/stepped.ts';

/** What only files with typed columns need to know of a question; absent in jobs from before there were such files. */
export interface TableTraits {
  /** Name in the file, unique among the questions beside it. */
  word: string;
  /** Name in the form. */
  name: string;
  /** Its numbers have no fractions. */
  isWhole: boolean;
  /** An answer is a range of two days. */
  isRange: boolean;
  /** Its days have a time; absent in jobs from before there were Parquet files. */
  hasTime?: boolean;
}

export function tableTraits(property: Property, wordOf: (name: string) => string): TableTraits {
  const { name } = property;
  return {
    word: wordOf(name),
    name,
    isWhole: isWhole(property),
    isRange: isOn(property.date_range),
    hasTime: isOn(property.with_time),
  };
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
