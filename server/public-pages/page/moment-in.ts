import { fillIn } from '../../../fields/texts/template.ts';

/**
 * A phrase with `{date}` replaced by a moment in UTC, for visitors without a script.
 * @param code of the language
 */
export function momentIn(phrase: string, moment: Date, code: string): string {
  const format = new Intl.DateTimeFormat(code, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return fillIn(phrase, { date: `${format.format(moment)} UTC` }, code);
}
