import { type Html, html } from '../../../fields/html/html.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import { publicResultSettings } from '../../public-results/settings.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { inSameLanguage } from './language-choice.ts';

/** A link from other pages of a form to its public results; null if it shows none. */
export function resultsLink(form: PublishedForm): Html | null {
  if (publicResultSettings(form) === null) return null;
  const { seeResults } = languageFor(form.presentation.language).page;
  return html`<a class="button quiet" data-results href="${inSameLanguage(form, `/forms/${form.slug}/results`)}">${seeResults}</a>`;
}
