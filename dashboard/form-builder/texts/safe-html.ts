import { parseHtml } from '../../lib/parse-html.ts';

/** Tags allowed in forms' rich texts; the service removes all others. */
const TAGS = new Set(['H1', 'H2', 'B', 'U', 'STRONG', 'I', 'EM', 'A', 'UL', 'OL', 'LI', 'P', 'BR', 'SPAN']);
const DROPPED = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'IFRAME', 'OBJECT']);
/** Other block elements, which become paragraphs. */
const LINES = /^(DIV|SECTION|H[3-6]|BLOCKQUOTE|TR)$/;
const LINK = /^(https?:|mailto:|tel:)/i;
const MENTION = /^mention(-field-id|-field-name|-fallback)?$/;

/** Styles of such texts in the dashboard; classes of their box. */
export const RICH =
  'rich [&_a]:text-accent [&_a]:underline [&_h1]:text-lg [&_h1]:font-semibold [&_h2]:font-semibold [&_ol]:list-decimal [&_ol]:ps-5 [&_ul]:list-disc [&_ul]:ps-5';

/** The HTML as harmless elements: parsed in another document, and rebuilt from allowed tags. */
export function safeNodes(html: string): DocumentFragment {
  const source = parseHtml(html);
  const target = document.createDocumentFragment();
  copyChildren(source.body, target);
  return target;
}

function copyChildren(from: Node, to: Node): void {
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) to.appendChild(document.createTextNode(child.textContent ?? ''));
    else if (child.nodeType === Node.ELEMENT_NODE) copyElement(child as Element, to);
  }
}

function copyElement(element: Element, to: Node): void {
  if (DROPPED.has(element.tagName)) return;
  const copy = emptyCopy(element);
  copyChildren(element, copy ?? to);
  if (copy) to.appendChild(copy);
}

/** The element without its content; null for an unknown one, of which only the content stays. */
function emptyCopy({ tagName, attributes }: Element): Element | null {
  if (!TAGS.has(tagName)) return LINES.test(tagName) ? document.createElement('p') : null;
  const copy = document.createElement(tagName.toLowerCase());
  for (const { name, value } of attributes)
    if (name === 'href' ? LINK.test(value) : MENTION.test(name)) copy.setAttribute(name, value);
  return copy;
}

/** The HTML of an editor, or undefined if it is empty. */
export function htmlOf(element: HTMLElement): string | undefined {
  if ((element.textContent ?? '').trim() === '') return undefined;
  const holder = document.createElement('div');
  holder.append(safeNodes(element.innerHTML));
  return holder.innerHTML;
}
