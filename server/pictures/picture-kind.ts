import { HEAD_SIZE, kindOf } from '../files/content-kinds.ts';

/** Types that browsers show in `<img>`, by the ending of the name. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
};
/** Content types of requests; the content itself decides the type. */
export const PICTURE_TYPES = Object.values(CONTENT_TYPES);

/** The ending for a picture by its content; null when browsers cannot show it. */
export function endingFor(content: Buffer): string | null {
  const head = content.subarray(0, HEAD_SIZE);
  if (isSvg(head)) return 'svg';
  const contentType = kindOf(head)?.contentType;
  return Object.keys(CONTENT_TYPES).find((ending) => CONTENT_TYPES[ending] === contentType) ?? null;
}

/** The type of a picture by its name. */
export function contentTypeOf(name: string): string | undefined {
  return CONTENT_TYPES[name.slice(name.indexOf('.') + 1)];
}

/**
 * Whether the first element is `svg`, after declaration, comments and document type (XML 1.0, 2.8). Own entities are
 * refused: they can expand without end.
 */
function isSvg(head: Buffer): boolean {
  let rest = head.toString('utf8').replace(/^\ufeff/, '');
  for (;;) {
    rest = rest.trimStart();
    const ending = endingOfMarkup(rest);
    if (ending === null) return /^<svg[\s>]/.test(rest);
    const at = rest.indexOf(ending);
    if (at < 0) return false;
    rest = rest.slice(at + ending.length);
  }
}

function endingOfMarkup(text: string): string | null {
  if (text.startsWith('<?')) return '?>';
  if (text.startsWith('<!--')) return '-->';
  // What it declares itself stands in brackets.
  return /^<!doctype\s+svg\b[^<>[\]]*>/i.test(text) ? '>' : null;
}
