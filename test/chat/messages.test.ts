import { beforeEach, describe, expect, test } from 'vitest';
import { PNG, upload } from '../files/upload.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { FORMATS, NAME_MENTION, useChat } from './use-chat.ts';

const AGREED = aField('01', 'checkbox', 'Agreed');
const WHY = aField('02', 'text', 'Why *me*?', { multi_lines: true, max_char_limit: 20_000 });
const HOSTILE =
  '@everyone &commat;channel <!channel> <users/all> <at>Ada</at> *b* _i_ `c` [x](https://evil.example) https://evil.example :tada: "&\\';

const home = useHome();
const chat = useChat(home);
beforeEach(async () => {
  chat.form = await home.form({
    title: 'Sign-up & more',
    language: 'de',
    properties: [aTextField({ max_char_limit: 20_000 }), AGREED, WHY],
  });
});

const run = (text: string, more = {}) => ({ type: 'TextRun', text, ...more });
const block = (text: string, more = {}, spacing = 'None') => ({
  type: 'RichTextBlock',
  spacing,
  inlines: [run(text, more)],
});

describe('a message', () => {
  const answers = { [TEXT_FIELD_ID]: 'Ada <b>', [AGREED.id]: true, [WHY.id]: 'One.\n*Two*' };

  test('for Slack is rich text, which reads no markup, and a text for notifications', async () => {
    await chat.add('slack', { message: `From ${NAME_MENTION}` });
    const { body, id } = await chat.submit(answers);
    expect(body).toEqual({
      text: 'From Ada &lt;b&gt;',
      unfurl_links: false,
      unfurl_media: false,
      blocks: [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'From Ada <b>' },
                { type: 'text', text: '\n\nName\n', style: { bold: true } },
                { type: 'text', text: 'Ada <b>' },
                { type: 'text', text: '\n\nAgreed\n', style: { bold: true } },
                { type: 'text', text: 'Ja' },
                { type: 'text', text: '\n\nWhy *me*?\n', style: { bold: true } },
                { type: 'text', text: 'One.\n*Two*' },
                { type: 'text', text: '\n\n' },
                { type: 'link', text: 'Open the response', url: chat.linkTo(id) },
              ],
            },
          ],
        },
      ],
    });
  });

  test('for Discord is Markdown with every sign escaped, that notifies nobody', async () => {
    chat.receiver.script([204]);
    await chat.add('discord');
    const { body, id } = await chat.submit(answers);
    expect(body).toEqual({
      content: 'New response to “Sign\\-up & more”',
      allowed_mentions: { parse: [] },
      embeds: [
        {
          description: '**Name**\nAda \\<b\\>\n\n**Agreed**\nJa\n\n**Why \\*me\\*?**\nOne\\.\n\\*Two\\*',
          title: 'Open the response',
          url: chat.linkTo(id),
        },
      ],
    });
  });

  test('for Microsoft Teams is a card of runs of text', async () => {
    await chat.add('teams', { message: 'Hello' });
    const { body, id } = await chat.submit(answers);
    expect(body).toEqual({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.2',
            msteams: { width: 'Full' },
            body: [
              block('Hello', { weight: 'Bolder', size: 'Medium' }),
              block('Name', { weight: 'Bolder' }, 'Medium'),
              block('Ada <b>'),
              block('Agreed', { weight: 'Bolder' }, 'Medium'),
              block('Ja'),
              block('Why *me*?', { weight: 'Bolder' }, 'Medium'),
              block('One.'),
              block('*Two*'),
            ],
            actions: [{ type: 'Action.OpenUrl', title: 'Open the response', url: chat.linkTo(id) }],
          },
        },
      ],
    });
  });

  test('for Google Chat is a card of escaped HTML', async () => {
    await chat.add('google_chat', { message: `${NAME_MENTION} & co` });
    const { body, id } = await chat.submit(answers);
    const paragraph = (text: string) => ({ textParagraph: { text } });
    const openLink = { url: chat.linkTo(id) };
    expect(body).toEqual({
      fallbackText: 'Ada <b> & co',
      cardsV2: [
        {
          cardId: 'response',
          card: {
            sections: [
              {
                widgets: [
                  paragraph('<b>Ada &lt;b&gt; &amp; co</b>'),
                  paragraph('<b>Name</b><br>Ada &lt;b&gt;'),
                  paragraph('<b>Agreed</b><br>Ja'),
                  paragraph('<b>Why *me*?</b><br>One.<br>*Two*'),
                  { buttonList: { buttons: [{ text: 'Open the response', onClick: { openLink } }] } },
                ],
              },
            ],
          },
        },
      ],
    });
  });

  test('for Mattermost and Rocket.Chat is Markdown', async () => {
    await chat.add('mattermost', { message: 'Hello' });
    const { body, id } = await chat.submit(answers);
    const text =
      '|Hello\n\n**Name**\n|Ada ‹b›\n\n**Agreed**\n|Ja\n\n**Why \\*me\\*?**\n|One\\.\n|\\*Two\\*\n\n' +
      `[Open the response](${chat.linkTo(id)})`;
    expect(body).toEqual({ text: text.replaceAll('|', '\u200b') });
  });

  test('for Telegram is a little HTML without a preview of its link', async () => {
    await chat.add('telegram', { message: `${NAME_MENTION} & co` });
    const { body, id } = await chat.submit(answers);
    expect(body).toEqual({
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      text:
        'Ada &lt;b&gt; &amp; co\n\n<b>Name</b>\nAda &lt;b&gt;\n\n<b>Agreed</b>\nJa\n\n<b>Why *me*?</b>\nOne.\n*Two*\n\n' +
        `<a href="${chat.linkTo(id)}">Open the response</a>`,
    });
  });

  test.each(FORMATS)(
    'for %s shows no answers where it is told so, and what mentions nothing says the fallback',
    async (format) => {
      await chat.add(format, { message: `Hello ${NAME_MENTION}`, include_answers: false });
      const { raw, id } = await chat.submit({ [WHY.id]: 'Confidential' });
      expect(raw).toContain('Hello nobody');
      expect(raw).not.toContain('Confidential');
      expect(raw).toContain(chat.linkTo(id));
    },
  );

  test('shows files by name: whoever may see them opens the response', async () => {
    const card = aField('06', 'files', 'Card');
    chat.form = await home.form({ properties: [aTextField(), card] });
    const { body: sent } = await upload(home.service, chat.form, card.id, PNG, 'my card.png');
    await chat.add('slack');
    const { raw } = await chat.submit({ [card.id]: [sent.reference] });
    expect(raw).toContain('"my-card.png"');
    expect(raw).not.toContain('signature=');
  });

  test('is in the language and direction of the form', async () => {
    chat.form = await home.form({ title: 'طلب', language: 'ar', properties: [aTextField(), AGREED] });
    await chat.add('teams');
    const { body, raw } = await chat.submit({ [TEXT_FIELD_ID]: 'عربي \u202e12', [AGREED.id]: true });
    expect(body.attachments[0].content).toMatchObject({ rtl: true, version: '1.5' });
    expect(raw).toContain('New response to “طلب”');
    expect(raw).toContain('"عربي  12"');
    expect(raw).toContain('"نعم"');
  });
});

describe('what respondents write does nothing', () => {
  /** All parts in which a product would look for markup. */
  const markupOf: Record<string, (body: any) => string> = {
    slack: ({ text }) => text,
    discord: ({ content, embeds }) => content + embeds[0].description,
    google_chat: ({ cardsV2 }) => JSON.stringify(cardsV2),
    mattermost: ({ text }) => text,
    telegram: ({ text }) => text,
  };

  test.each(Object.keys(markupOf))('in %s', async (format) => {
    await chat.add(format, { message: `New: ${NAME_MENTION}` });
    const { body, raw } = await chat.submit({
      [TEXT_FIELD_ID]: HOSTILE,
      [WHY.id]: `# a\n> b\n- c\n${HOSTILE}`,
    });
    const markup = markupOf[format]!(body);
    expect(markup).not.toMatch(/<!channel>|<users\/all>|<at>/);
    if (format === 'slack') {
      const kinds = body.blocks[0].elements[0].elements.map(({ type }: any) => type);
      expect(kinds.slice(0, -1).every((type: string) => type === 'text')).toBe(true);
      expect(raw).not.toContain('link_names');
    }
    if (format === 'discord') {
      const words = markup.replaceAll(/\\[^0-9A-Za-z\s]/g, '').replaceAll('**', '');
      expect(words).not.toMatch(/[*_~`<>@:[\]]/);
      expect(body.allowed_mentions).toEqual({ parse: [] });
    }
    if (format === 'telegram') {
      expect(markup.replaceAll(/<\/?(b|i|a)>|<a href="[^"<>]*">/g, '')).not.toMatch(/[<>"]/);
      expect(markup.replace(/<a href.*/, '')).not.toMatch(/@\w|https:\/\/|evil\.example/);
    }
    if (format === 'mattermost') {
      expect(markup).not.toMatch(/@\w|&\w|\]\(https:\/\/evil|https:\/\/evil|evil\.example|:tada|^[#>-]/m);
      expect(markup.replaceAll(/\\[*_~`#.]/g, '').replaceAll('**', '')).not.toMatch(/[*_`<>]/);
    }
  });

  test('in Telegram, which makes links of names, tags, commands and addresses by itself', async () => {
    await chat.add('telegram', { message: NAME_MENTION, include_answers: false });
    const shown = async (text: string) => {
      const { body } = await chat.submit({ [TEXT_FIELD_ID]: text });
      return body.text.split('\n')[0].replaceAll('\u200b', '|');
    };
    expect(await shown('@ada #tag $ABC /start (/stop) tg://user evil.example ada@evil.example')).toBe(
      '@|ada #|tag $|ABC /|start (/|stop) tg:|//|user evil.|example ada@|evil.|example',
    );
    expect(await shown('1.5 kg, 24/12, 8:30, and/or 5 @ 3 $')).toBe('1.5 kg, 24/12, 8:30, and/or 5 @ 3 $');
  });

  test('in Microsoft Teams, where a card would have to list who is mentioned', async () => {
    await chat.add('teams', { message: NAME_MENTION });
    const { body } = await chat.submit({ [TEXT_FIELD_ID]: HOSTILE });
    const { content } = body.attachments[0];
    expect(content.msteams).toEqual({ width: 'Full' });
    expect(content.body.every(({ type }: any) => type === 'RichTextBlock')).toBe(true);
    expect(content.body[0].inlines).toEqual([run(HOSTILE, { weight: 'Bolder', size: 'Medium' })]);
  });
});

describe('limits', () => {
  const LONG = '🙂"*<@'.repeat(1_000);

  beforeEach(async () => {
    const fields = Array.from({ length: 40 }, (_, index) =>
      aField(String(index + 10), 'text', `${'N*'.repeat(300)}${index}`, { max_char_limit: 20_000 }),
    );
    chat.form = await home.form({
      title: '🙂'.repeat(255),
      properties: [aTextField({ max_char_limit: 20_000 }), ...fields],
    });
  });

  const everything = () => Object.fromEntries(chat.form.properties.map(({ id }: any) => [id, LONG]));
  const WITHIN: Record<string, (body: any, raw: string) => void> = {
    slack: ({ blocks }) => expect(JSON.stringify(blocks).length).toBeLessThan(12_000),
    discord({ content, embeds }) {
      expect(content.length).toBeLessThanOrEqual(2_000);
      expect(embeds[0].description.length).toBeLessThanOrEqual(4_096);
    },
    teams: (_body, raw) => expect(Buffer.byteLength(raw)).toBeLessThan(20_000),
    google_chat: (_body, raw) => expect(Buffer.byteLength(raw)).toBeLessThan(28_000),
    mattermost: ({ text }) => expect([...text].length).toBeLessThanOrEqual(5_000),
    telegram: ({ text }) => expect(text.length).toBeLessThanOrEqual(4_096),
  };

  test.each(FORMATS)(
    'of %s are kept, by whole characters, and it is said that there is more',
    async (format) => {
      await chat.add(format, { message: NAME_MENTION.repeat(7) });
      const { body, raw, id } = await chat.submit(everything());
      WITHIN[format]!(body, raw);
      expect(raw.isWellFormed()).toBe(true);
      expect(raw).toContain('Shortened: everything is in the response.');
      expect(raw).toContain('…');
      expect(raw).not.toMatch(/\\u[dD][89a-fA-F]/);
      expect(raw).toContain(chat.linkTo(id));
    },
  );

  test.each(FORMATS)('of %s are not spoken of where everything fits', async (format) => {
    await chat.add(format);
    const { raw } = await chat.submit({ [TEXT_FIELD_ID]: 'Short' });
    expect(raw).not.toContain('Shortened');
  });
});
