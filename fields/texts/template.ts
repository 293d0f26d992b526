/** A text with placeholders such as `{name}`; if the number matters, one text per plural category of `{count}`. */
export type Template = string | PluralTemplate;

/** By the categories of Intl.PluralRules; `other` is used for missing ones. */
interface PluralTemplate {
  zero?: string;
  one?: string;
  two?: string;
  few?: string;
  many?: string;
  other: string;
}

/**
 * Replaces placeholders by values, literally and once: a value that looks like a placeholder stays as it is. So does a
 * placeholder without a value. `language` is the code whose plural rules apply. The result is plain text, not HTML.
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
