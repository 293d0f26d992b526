import type { FastifyRequest } from 'fastify';
import { weightedList } from '../../http/request/weighted-list.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { queryOf } from '../visit/visit.ts';

/** The form in the language of the address, else in the first language the browser accepts, else in its own. */
export function inVisitorsLanguage(form: PublishedForm, request: FastifyRequest): PublishedForm {
  const { languages } = form;
  if (languages.length === 1) return form;
  const named = queryOf(request).get('lang');
  const wanted = [...(named === null ? [] : [named]), ...acceptedLanguages(request)];
  return form.inLanguage(wanted.find((code) => languages.includes(code)) ?? form.presentation.language);
}

/** In its own language a form has the field names that forms on other sites use. */
export function inOwnLanguage(form: PublishedForm): PublishedForm {
  return form.inLanguage(form.languages[0] ?? '');
}

/** Two-letter codes, the most preferred first: `de-CH;q=0.9` asks for `de` (RFC 9110, 12.5.4; RFC 4647, 3.4). */
export function acceptedLanguages({ headers }: FastifyRequest): string[] {
  return [...weightedList(headers['accept-language'])]
    .filter(([, weight]) => weight > 0)
    .toSorted(([, left], [, right]) => right - left)
    .map(([range]) => range.split('-')[0] ?? '');
}
