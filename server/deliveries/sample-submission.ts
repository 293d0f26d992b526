import { choiceNames } from '../../fields/choices.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { isOn, stringList } from '../../fields/options.ts';
import type { Answers, JsonValue, Property } from '../../fields/property.ts';
import { rankedNames } from '../../fields/ranking-places.ts';
import type { NumberedSubmission } from './payload.ts';

/** A made-up submission of a form, to show what a delivery looks like. */
export function sampleSubmission(properties: readonly Property[]): NumberedSubmission {
  const publicId = '00000000-0000-4000-8000-000000000000';
  return { id: 1, publicId, answers: sampleAnswers(properties), attribution: null };
}

/** An answer to every field, of the shape the field stores. */
export function sampleAnswers(properties: readonly Property[]): Answers {
  const answers: Answers = Object.create(null);
  for (const property of properties) {
    const type = fieldTypeOf(property.type);
    if (type.kind !== 'layout') answers[property.id] = sampleAnswer(property, type.name);
  }
  return answers;
}

function sampleAnswer(property: Property, typeName: string): JsonValue {
  switch (typeName) {
    case 'number':
    case 'rating':
    case 'scale':
    case 'slider':
      return 3;
    case 'checkbox':
      return true;
    case 'select':
      return firstChoice(property, typeName);
    case 'multi_select':
      return [firstChoice(property, typeName)];
    case 'ranking':
      return rankedNames(property);
    case 'date':
      return isOn(property.date_range) ? ['2026-01-31', '2026-02-01'] : '2026-01-31';
    case 'email':
      return 'jane@example.com';
    case 'url':
      return 'https://example.com';
    case 'phone_number':
      return '+33123456789';
    case 'location':
      return '48.858222, 2.2945 ±12 m';
    case 'rich_text':
      return '<p>Sample text</p>';
    case 'matrix':
      return sampleMatrix(property);
    case 'files':
      return ['sample_00000000-0000-4000-8000-000000000000.pdf'];
    case 'signature':
      return 'sign_00000000-0000-4000-8000-000000000000.png';
    default:
      return 'Sample text';
  }
}

function firstChoice(property: Property, typeName: 'select' | 'multi_select'): string {
  const [first] = choiceNames(property, typeName) ?? [];
  return first ?? 'Sample option';
}

function sampleMatrix(property: Property): JsonValue {
  const [column = 'Sample column'] = stringList(property.columns);
  return Object.fromEntries(stringList(property.rows).map((row) => [row, column]));
}
