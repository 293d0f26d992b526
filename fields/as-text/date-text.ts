import type { JsonValue } from '../property.ts';
import { parseDate } from './dates.ts';
import { textOf } from './text-of.ts';

const OFFSET = /(?:Z|[+-]\d{2}:\d{2})$/;

interface Formats {
  day: Intl.DateTimeFormat;
  moment: Intl.DateTimeFormat;
}

/** Making a format costs as much as a hundred uses. */
const formats = new Map<string, Formats>();

/**
 * A date, or a range of two, as a language writes it; other text stays as it is.
 * @param code of one of our languages
 */
export function dateText(answer: JsonValue, code: string): string {
  return (Array.isArray(answer) ? answer : [answer])
    .map((date) => oneDate(textOf(date), code))
    .filter(Boolean)
    .join(' – ');
}

/** Shows the time of day in the answer as it is, with its offset if it has one. */
function oneDate(text: string, code: string): string {
  const date = parseDate(text);
  if (date === null) return text;
  const { day, moment } = formatsOf(code);
  if (!date.hasTime) return day.format(date.time);
  const [offset] = OFFSET.exec(text) ?? [];
  if (offset === undefined) return moment.format(date.time);
  const shown = parseDate(text.slice(0, -offset.length)) ?? date;
  return `${moment.format(shown.time)} UTC${offset === 'Z' ? '' : offset}`;
}

function formatsOf(code: string): Formats {
  const known = formats.get(code);
  if (known) return known;
  const made = {
    day: new Intl.DateTimeFormat(code, { dateStyle: 'long', timeZone: 'UTC' }),
    moment: new Intl.DateTimeFormat(code, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }),
  };
  formats.set(code, made);
  return made;
}
