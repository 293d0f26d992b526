import { html } from '../../fields/html/html.ts';
import { bytesOf, type ChatProduct, OPEN_RESPONSE, SHORTENED } from './product.ts';

/**
 * Google Chat: a card, whose texts are a small set of HTML that can be escaped; a plain message has no way to keep
 * `<users/all>` from notifying everybody. A message has 32,000 bytes.
 */
export const googleChat: ChatProduct = {
  maxAnswer: 2_000,
  room: 20_000,
  weigh: bytesOf,
  pieces: ({ name, text }) => [
    paragraph(`<b>${escaped(name)}</b><br>${escaped(text).replaceAll('\n', '<br>')}`),
  ],
  write({ text, pieces, isShortened, linkStart }) {
    const note = isShortened ? [paragraph(`<i>${SHORTENED}</i>`)] : [];
    const widgets = [paragraph(`<b>${escaped(text)}</b>`), ...pieces, ...note];
    return {
      head:
        `{"fallbackText":${JSON.stringify(text)},"cardsV2":[{"cardId":"response","card":{"sections":[{"widgets":[` +
        `${widgets.join()},{"buttonList":{"buttons":[{"text":"${OPEN_RESPONSE}","onClick":{"openLink":` +
        `{"url":${JSON.stringify(linkStart).slice(0, -1)}`,
      tail: '"}}}]}}]}]}}]}',
    };
  },
};

function paragraph(markup: string): string {
  return `{"textParagraph":{"text":${JSON.stringify(markup)}}}`;
}

function escaped(text: string): string {
  return html`${text}`.markup;
}
