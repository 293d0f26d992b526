import { html } from '../../fields/html/html.ts';
import { APART, type ChatProduct, OPEN_RESPONSE, SHORTENED } from './product.ts';

/**
 * Telegram: the method `sendMessage` of a bot. Its parameters may come in address and body; the address names the chat.
 * Texts are a small set of HTML that can be escaped; a message shows 4,096 characters.
 */
export const telegram: ChatProduct = {
  maxAnswer: 1_000,
  room: 3_000,
  weigh: (piece) => piece.length,
  pieces: ({ name, text }) => [`<b>${escaped(name)}</b>\n${escaped(text)}\n\n`],
  write({ text, pieces, isShortened, linkStart }) {
    const note = isShortened ? `<i>${SHORTENED}</i>\n\n` : '';
    const body = `${escaped(text)}\n\n${pieces.join('')}${note}<a href="${html`${linkStart}`}`;
    return {
      head:
        '{"parse_mode":"HTML","link_preview_options":{"is_disabled":true},' +
        `"text":${JSON.stringify(body).slice(0, -1)}`,
      tail: `\\">${OPEN_RESPONSE}</a>"}`,
    };
  },
};

/**
 * Names of people and shares, tags, commands, addresses: Telegram turns them into links by itself, and notifies people it
 * names.
 */
const TO_PART = /[@#$](?=\S)|(?<![\p{L}\p{N}_])\/(?=\w)|\.(?=\p{L})|:(?=\/)/gu;

function escaped(text: string): string {
  return html`${text.replace(TO_PART, `$&${APART}`)}`.markup;
}

/** Whether the address names a chat: without one Telegram refuses every message. */
export function namesChat(url: string): boolean {
  return Boolean(URL.parse(url)?.searchParams.get('chat_id'));
}
