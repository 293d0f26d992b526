import type { FastifyRequest } from 'fastify';
import { weightedList } from '../http/weighted-list.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';
import { queryOf } from './visit.ts';

/** A form in the language that the address names, else in the first the browser asks for, else in its own. */
export function inVisitorsLanguage(form: PublishedForm, request: FastifyRequest): PublishedForm {
  const { languages } = form;
  if (languages.length === 1) return form;
  const named = queryOf(request).get('lang');
  const wanted = [...(named === null ? [] : [named]), ...acceptedLanguages(request)];
  return form.inLanguage(wanted.find((code) => languages.includes(code)) ?? form.presentation.language);
}

/** The names that forms on other sites know, whoever fills them in. */
export function inOwnLanguage(form: PublishedForm): PublishedForm {
  return form.inLanguage(form.languages[0] ?? '');
}

/** Two-letter codes, the dearest first: `de-CH;q=0.9` asks for `de` (RFC 9110, 12.5.4; RFC 4647, 3.4). */
function acceptedLanguages({ headers }: FastifyRequest): string[] {
  return [...weightedList(headers['accept-language'])]
    .filter(([, weight]) => weight > 0)
    .toSorted(([, left], [, right]) => right - left)
    .map(([range]) => range.split('-')[0] ?? '');
}
