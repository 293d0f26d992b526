/** An XML tag, or the text between two; names have no namespace prefix. */
interface Piece {
  kind: 'open' | 'close' | 'text';
  /** Name of the element; '' for a text. */
  name: string;
  text: string;
  attributes: string;
}

const PIECE = /<(\/?)(?:[\w.-]+:)?([\w.-]+)((?:\s[^<>]*?)?)(\/?)>|([^<]+)/g;
const ENTITY = /&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
const MAX_CODE_POINT = 0x10ffff;

/**
 * Reads XML as spreadsheets write it, from start to end; that suffices for cells. A browser's own parser would expand entities,
 * and reports errors with styles that the page's policy forbids.
 */
export function* piecesOf(xml: string): Generator<Piece> {
  for (const [, slash, name = '', attributes = '', end, text] of xml.matchAll(PIECE)) {
    if (text !== undefined) yield { kind: 'text', name: '', text: decoded(text), attributes: '' };
    else {
      yield { kind: slash ? 'close' : 'open', name, text: '', attributes };
      if (end) yield { kind: 'close', name, text: '', attributes: '' };
    }
  }
}

/** Cached, because every cell needs some. */
const patterns = new Map<string, RegExp>();

/** The value of an attribute, named with its prefix; '' if it is missing. */
export function attributeOf({ attributes }: Piece, name: string): string {
  if (attributes === '') return '';
  const pattern = patterns.get(name) ?? new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
  patterns.set(name, pattern);
  const found = pattern.exec(attributes);
  return decoded(found?.[1] ?? found?.[2] ?? '');
}

function decoded(text: string): string {
  return text.replace(ENTITY, (entity, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : entity;
  });
}
