import { languageFor } from '../../fields/languages/languages.ts';
import type { FormPage } from './form-page.ts';

/** What the page's script is given as JSON. */
export function scriptData({ form, visit }: FormPage) {
  const { presentation, properties } = form;
  const { messages, page: texts, code } = languageFor(presentation.language);
  return { slug: form.slug, language: code, visit, properties, messages, texts };
}

export type ScriptData = ReturnType<typeof scriptData>;
