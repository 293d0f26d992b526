import { html } from './html.ts';

/** A tag allowed in rich text. A text without any was typed into the plain textarea of a page without its script. */
const TAG = /<\/?(?:h1|h2|b|u|strong|i|em|a|ul|ol|li|p|br|span)\b[^<>]*>/i;

/** A rich text as HTML: a plainly typed one keeps every character, and its empty lines become paragraphs. */
export function typedMarkup(text: string): string {
  if (TAG.test(text)) return text;
  const paragraphs = text.split(/\r?\n(?:[^\S\n]*\r?\n)+/).filter((paragraph) => paragraph.trim() !== '');
  return paragraphs.map((paragraph) => `<p>${lines(paragraph)}</p>`).join('');
}

function lines(paragraph: string): string {
  return paragraph
    .split(/\r?\n/)
    .map((line) => html`${line}`.markup)
    .join('<br>');
}
