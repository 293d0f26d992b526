import { isJsonObject, type JsonObject, type JsonValue, ownMember } from '../../fields/property.ts';
import type { Place, TextGroup } from './texts.ts';

/** A form's `translations`. Programs may have stored anything there, which is kept. */
export type Translations = { [language: string]: unknown };

/** @returns '' if it is not translated */
export function translationOf(translations: Translations, language: string, place: Place): string {
  let found: unknown = translations;
  for (const key of pathTo(language, place)) found = isJsonObject(found) ? ownMember(found, key) : undefined;
  return typeof found === 'string' ? found : '';
}

/** The translations with one text changed. Empty parts are removed, except the language itself. */
export function withTranslation(
  translations: Translations,
  language: string,
  place: Place,
  text: string,
): Translations {
  const said = translations[language];
  const [, ...path] = pathTo(language, place);
  return { ...translations, [language]: withMember(isJsonObject(said) ? said : {}, path, text) };
}

export function withoutLanguage(translations: Translations, language: string): Translations {
  const { [language]: _, ...rest } = translations;
  return rest;
}

/** Keys of the texts without a translation. */
export function missingIn(
  translations: Translations,
  language: string,
  groups: readonly TextGroup[],
): Set<string> {
  const all = groups.flatMap(({ texts }) => texts);
  return new Set(
    all
      .filter(({ place }) => translationOf(translations, language, place).trim() === '')
      .map(({ key }) => key),
  );
}

function pathTo(language: string, { ending, block, question, member, name }: Place): string[] {
  if (ending !== undefined) return [language, 'endings', ending, member];
  if (block === undefined) return [language, member];
  const inner = question === undefined ? [] : ['questions', question];
  return [language, 'properties', block, ...inner, member, ...(name === undefined ? [] : [name])];
}

function withMember(from: JsonObject, [key = '', ...rest]: string[], text: string): JsonObject {
  const { [key]: before, ...others } = from;
  const inner = isJsonObject(before) ? before : {};
  const next: JsonValue = rest.length === 0 ? text : (withMember(inner, rest, text) as JsonValue);
  const isEmpty = isJsonObject(next) ? Object.keys(next).length === 0 : next === '';
  return isEmpty ? others : { ...from, [key]: next };
}
