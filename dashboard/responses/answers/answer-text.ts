import { textOf } from '../../../fields/as-text/text-of.ts';
import { type JsonValue, ownMember, type Property } from '../../../fields/property.ts';
import { entriesOf, questionsOf } from '../../../fields/repeated-questions.ts';
import { answeredRows } from '../../../fields/types/matrix.ts';
import { formatDay, formatMoment, formatNumber } from '../../lib/format.ts';
import { parseHtml } from '../../lib/parse-html.ts';
import { shownType } from './answer-shape.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** An answer in one line of plain text. */
export function answerText(property: Property, answer: JsonValue | undefined): string {
  if (answer === undefined || answer === null) return '';
  switch (shownType(property, answer)) {
    case 'checkbox':
      return answer === true ? 'Yes' : 'No';
    case 'rich_text':
      return visibleText(textOf(answer));
    case 'date':
      return (Array.isArray(answer) ? answer : [answer]).map(dateText).join(' – ');
    case 'matrix':
      return answeredRows(answer, property)
        .map(([row, column]) => `${row}: ${column}`)
        .join(' · ');
    case 'repeat':
      return entriesText(property, answer);
    default:
      return textOf(answer);
  }
}

/** `Name: Ann; Age: 3 | Name: Ben`, as in exports, with each answer formatted by its type. */
function entriesText(property: Property, answer: JsonValue): string {
  const questions = questionsOf(property);
  return (entriesOf(answer) ?? [])
    .map((entry) =>
      questions
        .map((question) => [question.name, answerText(question, ownMember(entry, question.id))])
        .flatMap(([name, text]) => (text === '' ? [] : [`${name}: ${text}`]))
        .join('; '),
    )
    .join(' | ');
}

/** The visible text of HTML. */
export function visibleText(html: string): string {
  const document = parseHtml(html.replace(/<(br|\/p|\/li|\/h\d)\b[^>]*>/gi, '$& '));
  return (document.body.textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** `4 s`, `2 min 5 s`, `1 h 3 min`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${formatNumber(whole)} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 ? `${minutes} min ${whole % 60} s` : `${minutes} min`;
  return `${formatNumber(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

function dateText(value: JsonValue): string {
  const text = textOf(value);
  // A date without a time is the same day in every time zone.
  if (DAY.test(text)) return formatDay(`${text}T00:00`);
  return Number.isNaN(Date.parse(text)) ? text : formatMoment(text);
}
