import { fieldTypeOf } from '../../fields/field-types.ts';
import { type Html, html, trusted } from '../../fields/html/html.ts';
import type { Language } from '../../fields/languages/language.ts';
import type { ErrorBag } from '../../fields/property.ts';
import { fillIn } from '../../fields/template.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';

/** What is wrong with the answers, each problem leading to its field; empty and hidden while nothing is. */
export function problemSummary(form: PublishedForm, problems: ErrorBag, { page, code }: Language): Html {
  const items = Object.entries(problems).flatMap(([key, messages]) => {
    const index = blockIndex(form, key);
    return messages.map((message) =>
      index === null ? html`<li>${message}</li>` : html`<li><a href="#f${index}">${message}</a></li>`,
    );
  });
  const isEmpty = items.length === 0;
  return html`<div class="summary" id="summary" tabindex="-1" role="alert"${trusted(isEmpty ? ' hidden' : ' autofocus')}>
${!isEmpty && html`<h2>${fillIn(page.errorSummary, { count: items.length }, code)}</h2><ul>${items}</ul>`}
</div>`;
}

/** Number of the block that a key of the problems names, as its element's id counts it; null for no block. */
function blockIndex(form: PublishedForm, key: string): number | null {
  const ids = form.properties.filter(({ type }) => !isPageBreak(type)).map(({ id }) => id);
  const index = ids.indexOf(key);
  return index >= 0 ? index : null;
}

function isPageBreak(type: string): boolean {
  return fieldTypeOf(type).name === 'nf-page-break';
}
