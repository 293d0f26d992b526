import { html } from './html.ts';

/** A tag allowed in rich text. A text without any was typed into the plain textarea of a page without its script. */
const TAG = /<\/?(?:h1|h2|b|u|strong|i|em|a|ul|ol|li|p|br|span)\b[^<>]*>/i;

/** Whether a rich text could have been typed plainly, because it has no tags. */
export function looksTyped(text: string): boolean {
  return !TAG.test(text);
}

/**
 * Name of a hidden input. It holds a rich text that looks typed but came as HTML (`Ada &amp; Co`), so that it is taken as such when
 * it is sent back unchanged.
 */
export function asMarkupName(id: string): string {
  return `${id}[html]`;
}

/** A rich text as HTML: a plainly typed one keeps every character, and its empty lines become paragraphs. */
export function typedMarkup(text: string): string {
  if (!looksTyped(text)) return text;
  const paragraphs = text.split(/\r?\n(?:[^\S\n]*\r?\n)+/).filter((paragraph) => paragraph.trim() !== '');
  return paragraphs.map((paragraph) => `<p>${lines(paragraph)}</p>`).join('');
}

function lines(paragraph: string): string {
  return paragraph
    .split(/\r?\n/)
    .map((line) => html`${line}`.markup)
    .join('<br>');
}
