import { type Html, html } from '../../fields/html/html.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';

/** In the address of the button that shows the form in another language, and the code it names. */
export const SHOW_IN = 'show_in';

/**
 * The other languages of a form, above it. Each is a button of the form, so that what was typed goes along. The first
 * button is what Enter in a field presses: that goes on, as ever.
 * @param action where the form is sent to
 * @returns null for a form in one language
 */
export function languageChoice({ languages, presentation }: PublishedForm, action: string): Html | null {
  if (languages.length === 1) return null;
  const choices = languages.map((code) =>
    code === presentation.language
      ? html`<span lang="${code}" aria-current="true">${ownName(code)}</span>`
      : html`<button form="form" type="submit" lang="${code}" formaction="${action}&${SHOW_IN}=${code}">${ownName(code)}</button>`,
  );
  return html`<button form="form" type="submit" class="sr" tabindex="-1" aria-hidden="true"></button>
<div class="languages">${choices}</div>`;
}

/** An address within the form's pages that goes on in the language of this one. */
export function inSameLanguage({ languages, presentation }: PublishedForm, path: string): string {
  if (languages.length === 1) return path;
  return `${path}${path.includes('?') ? '&' : '?'}lang=${presentation.language}`;
}

/** A language in its own words, as a name stands alone: "Français". */
function ownName(code: string): string {
  const name = new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code;
  const [first = '', ...rest] = name;
  return first.toLocaleUpperCase(code) + rest.join('');
}
