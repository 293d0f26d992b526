import { type ChatProduct, OPEN_RESPONSE, SHORTENED } from './product.ts';

/**
 * Discord: the text is `content` (2,000 characters), the answers an embed (4,096). Both are Markdown, in which a
 * backslash escapes any sign. Mentions notify nobody.
 */
export const discord: ChatProduct = {
  maxAnswer: 1_000,
  room: 4_000,
  weigh: (piece) => piece.length,
  pieces: ({ name, text }) => [`**${escaped(name)}**\n${escaped(text)}\n\n`],
  write({ text, pieces, isShortened, linkStart }) {
    const description = (pieces.join('') + (isShortened ? SHORTENED : '')).trimEnd();
    return {
      head:
        `{"content":${JSON.stringify(escaped(text))},"allowed_mentions":{"parse":[]},"embeds":[{` +
        (description === '' ? '' : `"description":${JSON.stringify(description)},`) +
        `"title":"${OPEN_RESPONSE}","url":${JSON.stringify(linkStart).slice(0, -1)}`,
      tail: '"}]}',
    };
  },
};

/** Signs of Markdown, mentions and emoji, and those that turn text into an address. */
const SIGNS = /[\\*_~`|<>#\-+.:@!()[\]]/g;

function escaped(text: string): string {
  return text.replace(SIGNS, '\\$&');
}
