import { APART, type ChatProduct, OPEN_RESPONSE, SHORTENED } from './product.ts';

/**
 * Mattermost and Rocket.Chat: Markdown in `text`. Mattermost takes 16,383 characters, Rocket.Chat 5,000 by default. They
 * share few backslash escapes, and Mattermost reads Slack's angle brackets before anything else.
 */
export const mattermost: ChatProduct = {
  maxAnswer: 1_500,
  room: 3_600,
  weigh: (piece) => [...piece].length,
  pieces: ({ name, text }) => [`**${escaped(name)}**\n${lines(text)}\n\n`],
  write({ text, pieces, isShortened, linkStart }) {
    const note = isShortened ? `${SHORTENED}\n\n` : '';
    const body = `${lines(text)}\n\n${pieces.join('')}${note}[${OPEN_RESPONSE}](${linkStart}`;
    return { head: `{"text":${JSON.stringify(body).slice(0, -1)}`, tail: ')"}' };
  },
};

const LINE_START = /^(?=.)/gm;
const SIGNS = /[*_~`#.]/g;
/**
 * Mentions, entities (`&commat;` is an at sign as well), addresses, emoji, links. A backslash would cancel the one put
 * before a sign.
 */
const TO_PART = /[@&\]\\]|:(?=\S)/g;

/** Keeps lines from beginning a list, a heading, a quotation or a table. */
function lines(text: string): string {
  return escaped(text).replace(LINE_START, APART);
}

function escaped(text: string): string {
  return text.replace(TO_PART, `$&${APART}`).replace(SIGNS, '\\$&').replaceAll('<', '‹').replaceAll('>', '›');
}
