import { type Renamed, renamedIn } from '../choices/renamed-options.ts';
import type { Ending } from '../logic/endings.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownMember, type Property } from '../property.ts';
import { questionsOf } from '../repeated-questions.ts';
import { canonicalTypeName } from '../type-names.ts';

/** Translatable texts of a form, in the order in which a visitor meets them. */
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
/** Translatable texts of a block; `error_message` is that of its `validation`. */
export const BLOCK_TEXTS = [
  'name',
  'help',
  'placeholder',
  'entry_name',
  'scale_min_label',
  'scale_max_label',
  'content',
  'error_message',
  'next_btn_text',
  'previous_btn_text',
] as const;

/** Translatable texts of an ending. */
export const ENDING_TEXTS = ['submitted_text'] as const;

/** The translatable parts of a form. */
interface Wording {
  title: string;
  presentation: { [key: string]: unknown };
  properties: Property[];
}

/** Whether a form's `translations` contain this language. Clients may have stored anything there. */
export function hasTranslation(translations: unknown, language: string): boolean {
  return isJsonObject(translations) && isJsonObject(ownMember(translations, language));
}

/**
 * A form in another language: `translations` hold its texts and, under `properties` and `endings`, those of its blocks and endings by
 * id. Missing or blank texts stay in the form's own language. Answers and conditions keep the original names of options, rows and
 * columns; a block's `labels` give their translations by these names.
 */
export function translated<Form extends Wording>(form: Form, language: string): Form {
  const { translations, seo_meta: search, endings } = form.presentation;
  const translation = memberOf(translations, language);
  const blocks = memberOf(translation, 'properties');
  return {
    ...form,
    title: textOf(translation, 'title') ?? form.title,
    presentation: {
      ...form.presentation,
      ...textsOf(translation, FORM_TEXTS),
      ...(Array.isArray(endings) && {
        endings: translatedEndings(endings, memberOf(translation, 'endings')),
      }),
      language,
      layout_rtl: false,
      // Texts for search engines exist only in the form's own language: title and description replace them.
      seo_meta: { ...(isJsonObject(search) ? search : {}), page_title: null, page_description: null },
    },
    properties: form.properties.map((property) => translatedBlock(property, memberOf(blocks, property.id))),
  };
}

/** The `translations` of a form whose blocks were saved: options with an id keep their labels when they are renamed. */
export function keepingLabels(
  translations: unknown,
  before: readonly Property[],
  after: readonly Property[],
): unknown {
  const renamed = renamedIn(before, after);
  if (renamed.length === 0 || !isJsonObject(translations)) return translations;
  const languages = Object.entries(translations);
  return Object.fromEntries(
    languages.map(([code, one]) => [
      code,
      isJsonObject(one) ? { ...one, properties: withRenamed(memberOf(one, 'properties'), renamed) } : one,
    ]),
  );
}

/** The texts of blocks, or of questions, by their ids. */
function withRenamed(texts: JsonObject, renamed: readonly Renamed[]): JsonObject {
  const changed = renamed.flatMap(({ id, names, questions }) => {
    const block = memberOf(texts, id);
    const labels = memberOf(block, 'labels');
    const inner = memberOf(block, 'questions');
    const next = {
      ...(Object.keys(labels).length > 0 && { labels: relabelled(labels, names) }),
      ...(Object.keys(inner).length > 0 && { questions: withRenamed(inner, questions) }),
    };
    return Object.keys(next).length === 0 ? [] : [[id, { ...block, ...next }]];
  });
  return { ...texts, ...Object.fromEntries(changed) };
}

/** All at once, because two names may have been swapped. */
function relabelled(labels: JsonObject, names: [from: string, to: string][]): JsonObject {
  const moved = names.flatMap(([from, to]) => (Object.hasOwn(labels, from) ? [[to, labels[from]]] : []));
  const left = Object.entries(labels).filter(([name]) => !names.some(([from]) => from === name));
  return Object.fromEntries([...left, ...moved]);
}

function translatedBlock(property: Property, translation: JsonObject): Property {
  const { error_message: message, ...texts } = textsOf(translation, BLOCK_TEXTS);
  const { labels, questions } = translation;
  // Code is no text, and only some may write it.
  if (canonicalTypeName(property.type) === 'nf-code') delete texts.content;
  return {
    ...property,
    ...texts,
    ...(Array.isArray(property.questions) && {
      questions: questionsOf(property).map((question) =>
        translatedBlock(question, memberOf(questions, question.id)),
      ) as JsonValue[],
    }),
    ...(isJsonObject(labels) && { labels: labels as { [name: string]: JsonValue } }),
    ...(message !== undefined &&
      property.validation && { validation: { ...property.validation, error_message: message } }),
  };
}

/** @param texts by the ids of the endings */
function translatedEndings(endings: readonly Ending[], texts: JsonObject): Ending[] {
  return endings.map((ending) => ({ ...ending, ...textsOf(memberOf(texts, ending.id), ENDING_TEXTS) }));
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
