import { isJsonObject } from '../../fields/property.ts';
import { escapeHtml } from '../../fields/texts/escape-html.ts';
import { plainText } from '../../fields/texts/plain-text.ts';

/** A text in the form's language, with translations by two-letter code. */
export interface Words {
  text: string;
  others: Readonly<Record<string, string>>;
}

/** Matches mentions of earlier answers in texts; its first group is the question's name. */
export type Pipe = RegExp;

const BOLD = /\*\*(\S(?:[^*]*\S)?)\*\*|__(\S(?:[^_]*\S)?)__/g;
const LINK = /\[([^[\]]+)\]\((https?:\/\/[^\s()]+)\)/g;
const TAG = /<\/?[a-z][^<>]*>/i;

export function inOneLanguage(text: string): Words {
  return { text, others: {} };
}

/** The words, or this text in their place if there are none. */
export function wordsOr(words: Words, text: string): Words {
  return words.text === '' ? inOneLanguage(text) : words;
}

/** Changes a text in each of its languages. */
export function mapWords({ text, others }: Words, change: (text: string) => string): Words {
  const changed = Object.entries(others).map(([code, other]) => [code, change(other)]);
  return { text: change(text), others: Object.fromEntries(changed) };
}

/** Two texts as one, in each language. */
export function joined(one: Words, other: Words, both: (one: string, other: string) => string): Words {
  const codes = [...new Set([...Object.keys(one.others), ...Object.keys(other.others)])];
  const others = codes.map((code) => [
    code,
    both(one.others[code] ?? one.text, other.others[code] ?? other.text),
  ]);
  return { text: both(one.text, other.text), others: Object.fromEntries(others) };
}

/**
 * Reads `"Text"`, or `{ default: "Text", de: "Text" }`.
 * @param own code of the form's own language, which may be used in place of `default`
 */
export function readWords(value: unknown, own: string): Words {
  if (!isJsonObject(value)) return inOneLanguage(typeof value === 'string' ? value.trim() : '');
  const others: Record<string, string> = {};
  for (const [key, text] of Object.entries(value)) {
    const code = languageCode(key);
    if (typeof text === 'string' && text.trim() !== '' && code !== null && code !== own)
      others[code] = text.trim();
  }
  const first = [value.default, value[own], ...Object.values(value)].find(
    (text) => typeof text === 'string' && text.trim() !== '',
  );
  return { text: typeof first === 'string' ? first.trim() : '', others };
}

/** `de` of `de`, `de-AT` and `de_DE`; null for anything else. */
export function languageCode(text: string): string | null {
  return /^([a-z]{2})(?:[-_][a-z0-9]{2,4})?$/i.exec(text.trim())?.[1]?.toLowerCase() ?? null;
}

/** Markup as a one-line name: its words, and the addresses of links. */
export function asName(text: string): string {
  const words = TAG.test(text) ? plainText(text) : text;
  return words.replace(BOLD, '$1$2').replace(LINK, '$1 ($2)').replace(/\s+/g, ' ').trim();
}

/** A text as HTML. If it is HTML already it stays, and the service sanitises it. */
export function asHtml(text: string): string {
  if (text === '' || TAG.test(text)) return text;
  return paragraphs(
    escapeHtml(text)
      .replace(BOLD, '<strong>$1$2</strong>')
      .replace(LINK, '<a href="$2">$1</a>')
      .replace(/^#{1,6}\s+(.*)$/gm, '<strong>$1</strong>'),
  );
}

/** A link that `asHtml` reads. */
export function linkTo(address: string, words: string): string {
  const target = address.replaceAll('(', '%28').replaceAll(')', '%29');
  return `[${words.replace(/[[\]]/g, '').trim() || address}](${target})`;
}

export function heading(text: string): string {
  const name = asName(text);
  return name === '' ? '' : `<h2>${escapeHtml(name)}</h2>`;
}

function paragraphs(html: string): string {
  return html
    .split(/\n\s*\n/)
    .map((part) => `<p>${part.trim().replaceAll('\n', '<br>')}</p>`)
    .join('');
}
