import { fieldTypeOf } from '../../../fields/field-types.ts';
import { type Html, html, trusted } from '../../../fields/html/html.ts';
import type { Language } from '../../../fields/languages/language.ts';
import type { ErrorBag } from '../../../fields/property.ts';
import { fillIn } from '../../../fields/texts/template.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';

/** A list of all problems with links to their fields; empty and hidden if there are none. */
export function problemSummary(form: PublishedForm, problems: ErrorBag, { page, code }: Language): Html {
  const items = Object.entries(problems).flatMap(([key, messages]) => {
    const place = placeOf(form, key);
    return messages.map((message) =>
      place === null ? html`<li>${message}</li>` : html`<li><a href="#${place}">${message}</a></li>`,
    );
  });
  const isEmpty = items.length === 0;
  return html`<div class="summary" id="summary" tabindex="-1" role="alert"${trusted(isEmpty ? ' hidden' : ' autofocus')}>
${!isEmpty && html`<h2>${fillIn(page.errorSummary, { count: items.length }, code)}</h2><ul>${items}</ul>`}
</div>`;
}

/** Id of the element for a key of the problems: the block with its number, or the captcha; null for none. */
function placeOf(form: PublishedForm, key: string): string | null {
  const ids = form.properties.filter(({ type }) => !isPageBreak(type)).map(({ id }) => id);
  const index = ids.indexOf(key);
  if (index >= 0) return `f${index}`;
  return key === 'captcha' ? key : null;
}

function isPageBreak(type: string): boolean {
  return fieldTypeOf(type).name === 'nf-page-break';
}
