import { html } from '../../../fields/html/html.ts';

/** Said on every page of a preview, to whoever builds the form: so in the language of the dashboard. */
export const PREVIEW_MARK = html`<p class="notice" role="note" lang="en" dir="ltr" data-preview><strong>Preview.</strong> Nothing that is entered here is stored.</p>`;

/** What the published form would do in place of the page that thanks. */
export function redirectMark(target: string) {
  return html`<p class="notice" role="note" lang="en" dir="ltr">The published form leads on to <a href="${target}" target="_blank" rel="noreferrer">${target}</a></p>`;
}
