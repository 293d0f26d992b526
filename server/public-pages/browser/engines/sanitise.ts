import { escapeHtml, escapeText } from '../../../../fields/texts/escape-html.ts';

const TAGS = new Set(['h1', 'h2', 'b', 'u', 'strong', 'i', 'em', 'a', 'ul', 'ol', 'li', 'p', 'br', 'span']);
/** Elements that are removed together with their text. */
const DROPPED = new Set(['script', 'style', 'textarea', 'option', 'noscript', 'template', 'title', 'head']);
const LINK = /^(?:https?:|mailto:|tel:)/i;

/**
 * HTML with only the tags a rich text may have, written as the service would write what our editor makes. The service sanitises
 * it again.
 */
export function sanitiseHtml(html: string): string {
  return [...new DOMParser().parseFromString(html, 'text/html').body.childNodes].map(write).join('');
}

function write(node: Node): string {
  if (node instanceof Text) return escapeText(node.data);
  if (!(node instanceof Element) || DROPPED.has(node.localName)) return '';
  const name = node.localName;
  const content = [...node.childNodes].map(write).join('');
  if (!TAGS.has(name)) return content;
  if (name === 'br') return '<br />';
  return `<${name}${name === 'a' ? linkAttributes(node) : ''}>${content}</${name}>`;
}

function linkAttributes(link: Element): string {
  const href = link.getAttribute('href') ?? '';
  const address = LINK.test(href.trim()) ? ` href="${escapeHtml(href)}"` : '';
  return `${address} rel="noopener noreferrer nofollow"`;
}
