import { fillIn } from '../../fields/template.ts';

/** A phrase with a moment for `{date}`, as everybody can read it who has no script: in UTC. @param code of the language */
export function momentIn(phrase: string, moment: Date, code: string): string {
  const format = new Intl.DateTimeFormat(code, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return fillIn(phrase, { date: `${format.format(moment)} UTC` }, code);
}
