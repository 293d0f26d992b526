import { isJsonObject, type JsonObject, type JsonValue, ownMember, type Property } from './property.ts';

/** Texts of a form that may be said in other languages, in the order in which a visitor meets them. */
export const FORM_TEXTS = [
  'title',
  'description',
  'submit_button_text',
  'submitted_text',
  're_fill_button_text',
  'editable_submissions_button_text',
  'closed_text',
  'max_submissions_reached_text',
] as const;
/** And of a block; `error_message` is the one of its `validation`. */
export const BLOCK_TEXTS = [
  'name',
  'help',
  'placeholder',
  'content',
  'error_message',
  'next_btn_text',
  'previous_btn_text',
] as const;

/** What of a form can be said in other languages. */
export interface Wording {
  title: string;
  presentation: { [key: string]: unknown };
  properties: Property[];
}

/** Whether a form's `translations` have this language. Any client may have stored anything there. */
export function hasTranslation(translations: unknown, language: string): boolean {
  return isJsonObject(translations) && isJsonObject(ownMember(translations, language));
}

/**
 * A form as it speaks in another language: `translations` have its texts, and under `properties`, by their ids, those of its
 * blocks. What is missing or blank stays in the form's own language. Answers and conditions keep the names that options, rows
 * and columns have there; `labels` of a block say them by these names.
 */
export function translated<Form extends Wording>(form: Form, language: string): Form {
  const { translations, seo_meta: search } = form.presentation;
  const translation = memberOf(translations, language);
  const blocks = memberOf(translation, 'properties');
  return {
    ...form,
    title: textOf(translation, 'title') ?? form.title,
    presentation: {
      ...form.presentation,
      ...textsOf(translation, FORM_TEXTS),
      language,
      layout_rtl: false,
      // Texts for search engines are in the form's own language: the title and the description stand in for them.
      seo_meta: { ...(isJsonObject(search) ? search : {}), page_title: null, page_description: null },
    },
    properties: form.properties.map((property) => translatedBlock(property, memberOf(blocks, property.id))),
  };
}

function translatedBlock(property: Property, translation: JsonObject): Property {
  const { error_message: message, ...texts } = textsOf(translation, BLOCK_TEXTS);
  const labels = translation.labels;
  return {
    ...property,
    ...texts,
    ...(isJsonObject(labels) && { labels: labels as { [name: string]: JsonValue } }),
    ...(message !== undefined &&
      property.validation && { validation: { ...property.validation, error_message: message } }),
  };
}

function textsOf<Key extends string>(translation: JsonObject, keys: readonly Key[]): { [K in Key]?: string } {
  const texts: { [K in Key]?: string } = {};
  for (const key of keys) {
    const text = textOf(translation, key);
    if (text !== null) texts[key] = text;
  }
  return texts;
}

function textOf(from: JsonObject, key: string): string | null {
  const text = ownMember(from, key);
  return typeof text === 'string' && text.trim() !== '' ? text : null;
}

function memberOf(from: unknown, key: string): JsonObject {
  const member = isJsonObject(from) ? ownMember(from, key) : undefined;
  return isJsonObject(member) ? member : {};
}
