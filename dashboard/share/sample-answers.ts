import { optionNames } from '../../fields/choices.ts';
import { isOn, stringList } from '../../fields/options.ts';
import type { Answers, JsonValue, Property } from '../../fields/property.ts';
import { rankedNames } from '../../fields/ranking-places.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { scaleSteps, sliderSteps } from '../../fields/types/stepped.ts';

/** Made-up answers by field id, such as the form may take. */
export function sampleAnswers(questions: readonly Property[]): Answers {
  const answers: Answers = {};
  for (const question of questions) {
    const answer = isOn(question.hidden) ? null : sampleAnswer(question);
    if (answer !== null) answers[question.id] = answer;
  }
  return answers;
}

function sampleAnswer(question: Property): JsonValue | null {
  const type = canonicalTypeName(question.type);
  switch (type) {
    case 'text':
    case 'barcode':
      return 'Some text';
    case 'rich_text':
      return '<p>Some text</p>';
    case 'number':
    case 'rating':
      return 3;
    case 'scale':
      return scaleSteps(question).min;
    case 'slider':
      return sliderSteps(question).min;
    case 'select':
      return optionNames(question, type)[0] ?? 'Some option';
    case 'multi_select':
      return [optionNames(question, type)[0] ?? 'Some option'];
    case 'ranking':
      return rankedNames(question);
    case 'checkbox':
      return true;
    case 'date': {
      const day = `2030-01-31${isOn(question.with_time) ? ' 12:00' : ''}`;
      return isOn(question.date_range) ? [day, day] : day;
    }
    case 'email':
      return 'jane@example.com';
    case 'url':
      return 'https://example.com';
    case 'phone_number':
      return '+33123456789';
    case 'location':
      return '48.858222, 2.2945';
    case 'matrix': {
      const [column] = stringList(question.columns);
      return column === undefined
        ? null
        : Object.fromEntries(stringList(question.rows).map((row) => [row, column]));
    }
    // Files are uploaded first; the others cannot be sent.
    default:
      return null;
  }
}

/** For a shell, whatever quotes the text holds. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
