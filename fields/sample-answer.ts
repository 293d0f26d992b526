import { optionNames } from './choices.ts';
import { isOn, stringList } from './options.ts';
import type { JsonValue, Property } from './property.ts';
import { rankedNames } from './ranking-places.ts';
import { entryLimits, questionsOf } from './repeated-questions.ts';
import { canonicalTypeName } from './type-names.ts';
import { numberRange } from './types/number.ts';
import { scaleSteps, sliderSteps } from './types/stepped.ts';

const SAMPLE_NUMBER = 3;

/** A made-up answer that the field accepts; null for files, which are uploaded first, and types without rules. */
export function sampleAnswer(property: Property): JsonValue | null {
  const type = canonicalTypeName(property.type);
  switch (type) {
    case 'text':
    case 'barcode':
      return 'Sample text';
    case 'rich_text':
      return '<p>Sample text</p>';
    case 'number':
      return sampleNumber(property);
    case 'rating':
      return SAMPLE_NUMBER;
    case 'scale':
      return scaleSteps(property).min;
    case 'slider':
      return sliderSteps(property).min;
    case 'select':
      return optionNames(property, type)[0] ?? 'Sample option';
    case 'multi_select':
      return [optionNames(property, type)[0] ?? 'Sample option'];
    case 'ranking':
      return rankedNames(property);
    case 'checkbox':
      return true;
    case 'date': {
      const day = `2030-01-31${isOn(property.with_time) ? ' 12:00' : ''}`;
      return isOn(property.date_range) ? [day, day] : day;
    }
    case 'email':
      return 'jane@example.com';
    case 'url':
      return 'https://example.com';
    case 'phone_number':
      return '+33123456789';
    case 'location':
      return '48.858222, 2.2945 ±12 m';
    case 'matrix': {
      const [column] = stringList(property.columns);
      return column === undefined
        ? null
        : Object.fromEntries(stringList(property.rows).map((row) => [row, column]));
    }
    case 'repeat': {
      const entry = questionsOf(property).map((question) => [question.id, sampleAnswer(question)]);
      const count = Math.max(1, entryLimits(property).min);
      return Array.from({ length: count }, () => Object.fromEntries(entry));
    }
    default:
      return null;
  }
}

function sampleNumber(property: Property): number {
  const { min, max } = numberRange(property);
  const number = Math.min(Math.max(SAMPLE_NUMBER, min), max);
  return isOn(property.whole_number) ? (number === max ? Math.floor(number) : Math.ceil(number)) : number;
}
