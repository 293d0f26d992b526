/** A text with places such as `{name}`; where the number matters, one text per plural category of `{count}`. */
export type Template = string | PluralTemplate;

/** Keyed by the categories of Intl.PluralRules; `other` stands in for those that are not given. */
export interface PluralTemplate {
  zero?: string;
  one?: string;
  two?: string;
  few?: string;
  many?: string;
  other: string;
}

/**
 * Puts the values into their places, literally and once: a value that reads like a place stays as it is. A place
 * without a value stays too. `language` is the code whose plural rules count. The result is plain text, not HTML.
 */
export function fillIn(
  template: Template,
  values: Readonly<Record<string, string | number>>,
  language: string,
): string {
  const text =
    typeof template === 'string'
      ? template
      : (template[new Intl.PluralRules(language).select(Number(values.count))] ?? template.other);
  return text.replace(/\{(\w+)\}/g, (place, key: string) => String(values[key] ?? place));
}
