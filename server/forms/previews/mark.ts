import { html } from '../../../fields/html/html.ts';

/** Shown on every page of a preview. It is for the person who builds the form, so it is in the language of the dashboard. */
export const PREVIEW_MARK = html`<p class="notice" role="note" data-preview><bdi lang="en" dir="ltr"><strong>Preview.</strong> Nothing that is entered here is stored.</bdi></p>`;

/** Says where the published form would lead instead of showing its thank-you page. */
export function redirectMark(target: string) {
  return html`<p class="notice" role="note"><bdi lang="en" dir="ltr">The published form leads on to <a href="${target}" target="_blank" rel="noreferrer">${target}</a></bdi></p>`;
}
