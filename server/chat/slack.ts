import { type ChatProduct, OPEN_RESPONSE, SHORTENED } from './product.ts';

/**
 * Slack: a block of rich text, whose texts are shown as they are; in its older mrkdwn an asterisk cannot be escaped. All
 * blocks of a message have some 13,000 characters of JSON.
 */
export const slack: ChatProduct = {
  maxAnswer: 2_000,
  room: 9_000,
  weigh: (piece) => piece.length,
  pieces: ({ name, text }) => [`,${shown(`\n\n${name}\n`, BOLD)},${shown(text)}`],
  write({ text, pieces, isShortened, linkStart }) {
    const note = isShortened ? `,${shown(`\n\n${SHORTENED}`)}` : '';
    const elements = `${shown(text)}${pieces.join('')}${note},${shown('\n\n')}`;
    return {
      // `text` is shown in notifications. Its markup is parsed, and acts only through these three characters.
      head:
        `{"text":${JSON.stringify(text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? ''))},` +
        '"unfurl_links":false,"unfurl_media":false,' +
        `"blocks":[{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[${elements},` +
        `{"type":"link","text":"${OPEN_RESPONSE}","url":${JSON.stringify(linkStart).slice(0, -1)}`,
      tail: '"}]}]}]}',
    };
  },
};

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const BOLD = ',"style":{"bold":true}';

function shown(text: string, style = ''): string {
  return `{"type":"text","text":${JSON.stringify(text)}${style}}`;
}
