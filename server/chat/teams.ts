import { bytesOf, type ChatProduct, OPEN_RESPONSE, SHORTENED } from './product.ts';

/**
 * Microsoft Teams, through a workflow: a card of text runs, which have no markup; mentions would have to be listed
 * separately. A message has 28 kB, some of it added by the workflow: a card of 24 kB has been refused.
 */
export const teams: ChatProduct = {
  maxAnswer: 2_000,
  room: 16_000,
  weigh: bytesOf,
  pieces: ({ name, text }) => [
    block(name, ',"weight":"Bolder"', 'Medium'),
    ...text
      .split('\n')
      .filter((row) => row.trim() !== '')
      .map((row) => block(row)),
  ],
  write({ text, pieces, isShortened, linkStart, isRightToLeft }) {
    const title = block(text, ',"weight":"Bolder","size":"Medium"');
    const note = isShortened ? [block(SHORTENED, ',"isSubtle":true', 'Medium')] : [];
    return {
      head:
        '{"type":"message","attachments":[{"contentType":"application/vnd.microsoft.card.adaptive",' +
        '"contentUrl":null,"content":{"$schema":"http://adaptivecards.io/schemas/adaptive-card.json",' +
        `"type":"AdaptiveCard","version":${isRightToLeft ? '"1.5","rtl":true' : '"1.2"'},` +
        `"msteams":{"width":"Full"},"body":[${[title, ...pieces, ...note].join()}],` +
        `"actions":[{"type":"Action.OpenUrl","title":"${OPEN_RESPONSE}",` +
        `"url":${JSON.stringify(linkStart).slice(0, -1)}`,
      tail: '"}]}}]}',
    };
  },
};

function block(text: string, style = '', spacing = 'None'): string {
  const run = `{"type":"TextRun","text":${JSON.stringify(text)}${style}}`;
  return `{"type":"RichTextBlock","spacing":"${spacing}","inlines":[${run}]}`;
}
