const LINK = /<a\b[^<>]*?\shref="([^"<>]*)"[^<>]*>([^<]*)<\/a>/g;
const LINE_END = /<br\b[^<>]*>|<\/(?:li|tr)>/g;
const BLOCK_END = /<\/(?:p|div|h[1-6]|ul|ol|blockquote|pre|table)>/g;
const TAG = /<[^<>]*>/g;
const ENTITY = /&(?:(lt|gt|quot|amp|nbsp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi;
const NAMED: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', nbsp: ' ' };
const MAX_CODE_POINT = 0x10ffff;

/** The words of sanitised markup, with the addresses of links, for the plain part of a mail. */
export function plainText(markup: string): string {
  const words = markup
    .replace(/\s+/g, ' ')
    .replace(LINK, (_link, address: string, text: string) =>
      text === address ? text : `${text} (${address})`,
    )
    .replace(/<li\b[^<>]*>/g, '- ')
    .replace(LINE_END, '\n')
    .replace(BLOCK_END, '\n\n')
    .replace(TAG, '')
    .replace(ENTITY, decode);
  return words
    .replace(/[^\S\n]*\n[^\S\n]*/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The words of sanitised markup in one line, without the addresses of links. */
export function wordsIn(markup: string): string {
  return markup
    .replace(LINE_END, ' ')
    .replace(BLOCK_END, ' ')
    .replace(TAG, '')
    .replace(ENTITY, decode)
    .replace(/\s+/g, ' ')
    .trim();
}

function decode(entity: string, name?: string, decimal?: string, hex?: string): string {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : entity;
}
