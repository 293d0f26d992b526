import type { Page as BrowserPage } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DESKTOP, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { expectCheap } from '../setup/processor-time.ts';
import { FIELDS, servePictures } from './every-field.ts';
import { foreignParts, INJECTIONS, watchInjections } from './injections.ts';
import { aVisitor, blockOf, type Page, shownStep } from './visitor.ts';

const home = useHome();
const browser = useBrowser();
const visitor = () => aVisitor(home.service);

const attribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const mention = (id: string, fallback = '?') =>
  `<span mention mention-field-id="${attribute(id)}" mention-fallback="${attribute(fallback)}">x</span>`;
const aText = (id: string, content: string) => ({ id, type: 'nf-text', name: 'Text', content });
const BREAK = { id: 'break', type: 'nf-page-break', name: 'Page' };
const NAME = { id: 'name', type: 'text', name: 'Name' };
const COLOR = {
  id: 'color',
  type: 'select',
  name: 'Color',
  options: ['Red', 'Blue'],
  without_dropdown: true,
};
const SHADE = {
  id: 'shade',
  type: 'text',
  name: 'Shade',
  logic: {
    conditions: {
      operatorIdentifier: 'and',
      children: [
        {
          identifier: 'color',
          value: { operator: 'equals', property_meta: { id: 'color', type: 'select' }, value: 'Blue' },
        },
      ],
    },
    actions: ['hide-block'],
  },
};
const GREETING = aText(
  'greeting',
  `<p>Nice to meet you, <b>${mention('name', 'friend')}</b>! ${mention('color')}/${mention('shade', 'none')}/${mention('gone', 'nobody')}</p>`,
);
const AGE = {
  id: 'age',
  type: 'number',
  name: 'Age',
  help: `How old are you, ${mention('name', 'friend')}?`,
};
const SURVEY = {
  properties: [NAME, COLOR, SHADE, BREAK, GREETING, AGE],
  translations: { de: { properties: { color: { name: 'Farbe', labels: { Red: 'Rot' } } } } },
};

/** The text a browser has for a block, hidden or not. */
const said = (page: BrowserPage, id: string) =>
  page.locator(`[data-block="${id}"] :is(.rich,.help)`).textContent();

describe('without a script', () => {
  test('texts of the next page mention what was answered, and the fallback where nothing was', async () => {
    const { slug } = await home.form(SURVEY);
    const { open, send } = visitor();
    const first = await open(`/forms/${slug}`);
    const empty = await send(first);
    expect(shownStep(empty)).toBe('1');
    expect(blockOf(empty, 'greeting')).toBe('Nice to meet you, friend! ?/none/nobody');
    expect(blockOf(empty, 'age')).toContain('How old are you, friend?');
    const back = await send(empty, {}, { button: 'quiet' });
    const full = await send(back, { name: 'Ada & Co', color: 'Red', shade: 'dark' });
    expect(blockOf(full, 'greeting')).toBe('Nice to meet you, Ada & Co! Red/dark/nobody');
    expect(blockOf(full, 'age')).toContain('How old are you, Ada & Co?');
    // The answer of a field hidden by logic does not count.
    const other = await send(await send(full, {}, { button: 'quiet' }), { color: 'Blue', shade: 'dark' });
    expect(blockOf(other, 'greeting')).toBe('Nice to meet you, Ada & Co! Blue/none/nobody');
  });

  test('what the address fills in is mentioned, and what an edited submission holds', async () => {
    const form = await home.form({ ...SURVEY, editable_submissions: true });
    const prefilled = await visitor().open(`/forms/${form.slug}?name=Grace`);
    expect(prefilled.html).toContain('data-fallback="friend">Grace</span>');
    const { body } = await home.submit(form, { name: 'Ada', color: 'Red' });
    const edit = await visitor().open(`/forms/${form.slug}?submission_id=${body.submission_id}&step=1`);
    expect(blockOf(edit, 'greeting')).toBe('Nice to meet you, Ada! Red/none/nobody');
  });

  test('in another language options are called what the page calls them', async () => {
    const { slug } = await home.form(SURVEY);
    const { open, send } = visitor();
    const second = await send(await open(`/forms/${slug}?lang=de`), { name: 'Ada', color: 'Red' });
    expect(blockOf(second, 'greeting')).toContain('Ada! Rot/');
  });

  test('a preview shows them too', async () => {
    const { id } = await home.form({});
    const made = await home.call('POST', `/open/forms/${id}/preview`, SURVEY);
    expect(made.status, made.text).toBe(201);
    const { open, send } = visitor();
    const second = await send(await open(new URL(made.body.url).pathname), { name: 'Ada' });
    expect(blockOf(second, 'greeting')).toContain('Nice to meet you, Ada!');
  });
});

describe('with the script', () => {
  test('texts follow what is typed, on the same page and on the next', async () => {
    const { slug } = await home.form({ properties: [NAME, COLOR, SHADE, AGE, BREAK, GREETING] });
    const page = await browser.page();
    await page.goto(`${home.service.url}/forms/${slug}`);
    expect(await said(page, 'age')).toBe('How old are you, friend?');
    await page.getByLabel('Name').fill('Ada <b>');
    await expect.poll(() => said(page, 'age')).toBe('How old are you, Ada <b>?');
    await page.getByLabel('Shade').fill('dark');
    await expect.poll(() => said(page, 'greeting')).toBe('Nice to meet you, Ada <b>! ?/dark/nobody');
    await page.getByLabel('Blue').check();
    await expect.poll(() => said(page, 'greeting')).toBe('Nice to meet you, Ada <b>! Blue/none/nobody');
    await page.getByLabel('Name').fill('');
    await expect.poll(() => said(page, 'age')).toBe('How old are you, friend?');
    // Texts that change while one types must not be announced.
    expect(
      await page
        .locator('[data-mention]')
        .evaluateAll(
          (all) => all.filter((one) => one.closest('[aria-live],[role=status],[role=alert]')).length,
        ),
    ).toBe(0);

    // A restored answer is mentioned too.
    await page.getByLabel('Name').fill('Grace');
    await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('Grace');
    await page.goto(`${home.service.url}/forms/${slug}`);
    await expect.poll(() => said(page, 'age')).toBe('How old are you, Grace?');
  });

  test('a page whose texts mention nothing loads nothing for it', async () => {
    const loaded = async (help: string) => {
      const { slug } = await home.form({ properties: [{ ...NAME, help }] });
      const page = await browser.page();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(`${home.service.url}/forms/${slug}`);
      await page.getByLabel('Name').fill('Ada');
      await page.waitForLoadState('networkidle');
      return asked.some((address) => address.includes('/mentions-'));
    };
    expect(await loaded('Your name')).toBe(false);
    expect(await loaded(`Not ${mention('name')}`)).toBe(true);
  });
});

describe('answers of every type', () => {
  const ANSWERS: Record<string, string | string[]> = {
    text: 'Ada',
    email: 'ada@example.org',
    lines: 'One\nTwo',
    secret: 'hush',
    mask: '12-ab',
    unnamed: 'x < y & z',
    rich: '<p>Tom &amp; <b>Jerry</b></p><ul><li>5 &lt; 6</li></ul>',
    number: '1.234,5',
    url: 'https://example.com/?a=1&b=2',
    phone: '+49 30 901820',
    date: '2026-05-01',
    moment: '2026-05-01T13:05',
    'range[0]': '2026-05-01',
    'range[1]': '2026-05-03',
    list: 'Choice 2',
    long: 'Choice 17',
    radios: 'Choice 3',
    cards: 'Sea',
    pictures: ['Hill', 'Town'],
    boxes: ['Choice 1', 'Choice 4'],
    many: ['Choice 5', 'My own'],
    box: 'on',
    rating: '4',
    scale: '7',
    slider: '35',
    'matrix[0]': 'Good',
    'matrix[1]': 'Fair',
    signature: 'Ada L.',
    barcode: '4006381333931',
    location: '48.8582, 2.2945',
    'repeat[0][name]': 'Ann',
    'repeat[0][meal]': 'Beans',
  };
  const LABELS = {
    'Choice 2': 'Zwei',
    'Choice 1': 'Eins',
    Sea: 'Meer',
    Hill: 'Berg',
    Food: 'Essen',
    Good: 'Gut',
  };
  const all = FIELDS.map(({ id }) => `<p>${id}: ${mention(id, 'nothing')}</p>`).join('');
  const FORM = {
    properties: [...FIELDS, BREAK, aText('all', all)],
    translations: {
      de: { properties: Object.fromEntries(FIELDS.map(({ id }) => [id, { labels: LABELS }])) },
    },
  };
  const textsIn = (page: Page) =>
    [...page.html.matchAll(/<span data-mention="([^"]*)" data-fallback="[^"]*">([^<]*)<\/span>/g)].map(
      ([, id, text]) => `${id}: ${text}`,
    );

  test('read the same from the server and by the script, in the language of the page', async () => {
    const { slug } = await home.form(FORM);
    const { open, send } = visitor();
    const first = await open(`/forms/${slug}?lang=de`);
    const file = new File(['%PDF-1.4'], 'my cv.pdf', { type: 'application/pdf' });
    for (const values of [{}, { ...ANSWERS, files: [file] }]) {
      const second = await send(first, values);
      expect(shownStep(second), second.text.slice(0, 300)).toBe('1');
      const page = await browser.page();
      await servePictures(page.context());
      await page.goto(home.service.url + second.path);
      const places = page.locator('[data-mention]');
      const texts = () =>
        places.evaluateAll((spans) =>
          spans.map((span) => `${(span as HTMLElement).dataset.mention}: ${span.innerHTML}`),
        );
      expect(await texts()).toHaveLength(FIELDS.length);
      // Emptied, so that the script must fill all of them; it formats numbers once a first answer is there.
      await expect
        .poll(async () => {
          await places.evaluateAll((spans) => spans.map((span) => (span as HTMLElement).replaceChildren()));
          await page.locator('#form').dispatchEvent('change');
          return texts();
        })
        .toEqual(textsIn(second));
      await page.context().close();
    }
  });

  test('and as people read them', async () => {
    const { slug } = await home.form(FORM);
    const { open, send } = visitor();
    const second = await send(await open(`/forms/${slug}?lang=de`), {
      ...ANSWERS,
      files: [new File(['%PDF-1.4'], 'cv.pdf', { type: 'application/pdf' })],
    });
    const texts = textsIn(second);
    for (const text of [
      'rich: Tom &amp; Jerry - 5 &lt; 6',
      'number: 1234,5',
      'moment: 1. Mai 2026 um 13:05',
      'range: 1. Mai 2026 – 3. Mai 2026',
      'list: Zwei',
      'cards: Meer',
      'pictures: Berg, Town',
      'many: Choice 5, My own',
      'box: Ja',
      'switch: Nein',
      'matrix: Essen: Gut | Rooms: Fair',
      'files: cv.pdf',
      'signature: Ada L.',
    ])
      expect(texts).toContain(text);
  });
});

describe('hostile', () => {
  const HOSTILE_ID = `f"><img/src=x/onerror=pwned(40)>&quot;'`;
  const FIELDS_OF = INJECTIONS.map((_, index) => ({ id: `f${index}`, type: 'text', name: `Field ${index}` }));
  const content = [...FIELDS_OF.map(({ id }, index) => mention(id, INJECTIONS[index])), mention(HOSTILE_ID)]
    .map((span) => `<p>a${span}b</p>`)
    .join('');
  // Markup that our editor does not write.
  const raw = INJECTIONS.map(
    (text) => `<p><span mention mention-field-id="f0${text}" mention-fallback="${text}">${text}</span></p>`,
  );
  const FORM = {
    properties: [
      ...FIELDS_OF,
      { id: HOSTILE_ID, type: 'text', name: 'Hostile id' },
      aText('all', content),
      ...raw.map((text, index) => aText(`raw-${index}`, text)),
      { id: 'last', type: 'text', name: 'Last', help: content },
    ],
  };

  test.each([true, false])('answers, ids and fallbacks stay text (with the script: %s)', async (scripts) => {
    const { slug } = await home.form(FORM);
    const context = await browser.context({ ...DESKTOP, javaScriptEnabled: scripts });
    const seen = await watchInjections(context);
    const page = await context.newPage();
    const shown = () => page.locator('[data-block="all"] p').allTextContents();
    const wanted = (text: string) => text.replace(/\s+/g, ' ');

    await page.goto(`${home.service.url}/forms/${slug}`);
    expect((await shown()).map(wanted)).toEqual([...INJECTIONS.map((text) => wanted(`a${text}b`)), 'a?b']);
    expect(await foreignParts(page)).toEqual([]);

    const query = new URLSearchParams(INJECTIONS.map((text, index) => [`f${index}`, `${text}!`]));
    query.set(HOSTILE_ID, '<img src=x onerror=pwned(41)>');
    await page.goto(`${home.service.url}/forms/${slug}?${query}`);
    if (scripts) {
      await page.getByLabel('Hostile id').fill('<img src=x onerror=pwned(42)>');
      await expect.poll(async () => (await shown()).at(-1)).toBe('a<img src=x onerror=pwned(42)>b');
    }
    const texts = await shown();
    INJECTIONS.forEach((text, index) => {
      expect(wanted(texts[index] ?? '')).toContain(wanted(text).slice(0, 20).trim());
    });
    expect(texts.at(-1)).toContain('<img src=x onerror=pwned(4');
    expect(await foreignParts(page)).toEqual([]);
    expect(seen).toEqual([]);
  });

  test('thousands of mentions of a long answer make no huge page', async () => {
    const STORY = { id: 'story', type: 'text', name: 'Story', multi_lines: true };
    const texts = Array.from({ length: 10 }, (_, index) =>
      aText(`text-${index}`, mention('story', '').repeat(900)),
    );
    const { slug } = await home.form({ properties: [STORY, BREAK, ...texts] });
    const { open, send } = visitor();
    const first = await open(`/forms/${slug}`);
    let second = first;
    await expectCheap(5_000, async () => {
      second = await send(first, { story: '&'.repeat(100_000) });
    });
    expect(shownStep(second)).toBe('1');
    const step = second.html.slice(second.html.indexOf('data-step="1"'));
    expect(step.includes(`>${'&amp;'.repeat(1_999)}…</span>`)).toBe(true);
    expect(step.includes('&amp;'.repeat(2_000))).toBe(false);
    // After the first fifty mentions, a text is shortened to “…”.
    expect(step.match(/&amp;…<\/span>/g)).toHaveLength(50);
    expect(step.match(/>…<\/span>/g)).toHaveLength(9_000 - 50);
    expect(second.html.length).toBeLessThan(2_500_000);
  });
});
