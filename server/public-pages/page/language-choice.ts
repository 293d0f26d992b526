import { type Html, html } from '../../../fields/html/html.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';

/** Query key of a button that shows the form in another language; its value is the language code. */
export const SHOW_IN = 'show_in';

/**
 * Buttons for the form's other languages, above it. They are buttons of the form, so that typed answers are sent along. A hidden
 * first button keeps Enter in a field going on.
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

/** Adds the language of this form's page to an address within its pages. */
export function inSameLanguage({ languages, presentation }: PublishedForm, path: string): string {
  if (languages.length === 1) return path;
  return `${path}${path.includes('?') ? '&' : '?'}lang=${presentation.language}`;
}

/** A language in its own words, with a capital: "Français". */
function ownName(code: string): string {
  const name = new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code;
  const [first = '', ...rest] = name;
  return first.toLocaleUpperCase(code) + rest.join('');
}
