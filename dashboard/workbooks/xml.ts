/** An XML tag, or the text between two; names have no namespace prefix. */
export interface Piece {
  kind: 'open' | 'close' | 'text';
  /** Name of the element; '' for a text. */
  name: string;
  text: string;
  attributes: string;
}

const PIECE = /<(\/?)(?:[\w.-]+:)?([\w.-]+)((?:\s[^<>]*?)?)(\/?)>|([^<]+)/y;
const SECTIONS = [
  { from: '<![CDATA[', to: ']]>', isText: true },
  { from: '<!--', to: '-->', isText: false },
];
const ENTITY = /&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
const MAX_CODE_POINT = 0x10ffff;

/**
 * Reads XML as spreadsheets and exports of surveys write it, from start to end; that suffices for cells and rows. A browser's own
 * parser would expand entities, and reports errors with styles that the page's policy forbids.
 */
export function* piecesOf(xml: string): Generator<Piece> {
  for (let at = 0; at < xml.length; ) {
    const section = sectionAt(xml, at);
    if (section) {
      at = section.end;
      if (section.text !== '') yield textPiece(section.text);
      continue;
    }
    PIECE.lastIndex = at;
    const found = PIECE.exec(xml);
    at += found?.[0].length ?? 1;
    if (!found) continue;
    const [, slash, name = '', attributes = '', isEmpty, text] = found;
    if (text === undefined) yield { kind: slash ? 'close' : 'open', name, text: '', attributes };
    else yield textPiece(decoded(text));
    if (isEmpty) yield { kind: 'close', name, text: '', attributes: '' };
  }
}

/** The section or comment that begins here, and where it ends. */
function sectionAt(xml: string, at: number): { text: string; end: number } | undefined {
  const section = xml.startsWith('<!', at) && SECTIONS.find(({ from }) => xml.startsWith(from, at));
  if (!section) return undefined;
  const end = xml.indexOf(section.to, at);
  // What follows a section without an end cannot be told from it.
  if (end < 0) return { text: '', end: xml.length };
  const text = section.isText ? xml.slice(at + section.from.length, end) : '';
  return { text, end: end + section.to.length };
}

function textPiece(text: string): Piece {
  return { kind: 'text', name: '', text, attributes: '' };
}

/** `row` where an element begins, `/row` where it ends; '' for a text. */
export function tagOf({ kind, name }: Piece): string {
  return kind === 'close' ? `/${name}` : name;
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
