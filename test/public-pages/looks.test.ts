import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { useOtherSite } from './other-site.ts';

/** Where things stand on a page, and which of them catch the eye. */
const home = useHome();
const browser = useBrowser();
const site = useOtherSite();

const QUESTIONS = [
  { id: 'name', type: 'text', name: 'Your name', width: '1/2' },
  { id: 'more', type: 'text', name: 'More' },
];

async function open(slug: string, device: BrowserContextOptions = DESKTOP): Promise<Page> {
  const page = await browser.page(device);
  await page.goto(`${home.service.url}/forms/${slug}`, { waitUntil: 'networkidle' });
  return page;
}

/** Pixels of the window above what stands in `main`, below it, and below the footer. */
function spaces(page: Page): Promise<{ above: number; below: number; end: number }> {
  return page.evaluate(() => {
    const [main, footer] = ['main', 'footer'].map((name) => document.querySelector(name));
    if (!main || !footer) throw new Error('The page is not whole.');
    const shown = document.createRange();
    shown.selectNodeContents(main);
    const { top, bottom } = shown.getBoundingClientRect();
    return {
      above: top,
      below: footer.getBoundingClientRect().top - bottom,
      end: innerHeight - footer.getBoundingClientRect().bottom,
    };
  });
}

async function expectMiddle(page: Page): Promise<void> {
  const { above, below, end } = await spaces(page);
  expect(above).toBeGreaterThan(100);
  expect(Math.abs(above - below)).toBeLessThan(40);
  expect(Math.abs(end)).toBeLessThan(2);
}

describe.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])('on %s, what is little stands in the middle of the window, with the footer at its end', (_, device) => {
  test('a question that stands alone', async () => {
    const { slug } = await home.form({ properties: QUESTIONS, presentation_style: 'focused' });
    const page = await open(slug, device);
    await expectMiddle(page);
  });

  test('thanks, also in place of a form that is not in the middle', async () => {
    const { slug } = await home.form({ properties: QUESTIONS });
    const page = await open(slug, device);
    expect((await spaces(page)).above).toBeLessThan(100);
    await page.locator('.nav .primary').click();
    await page.locator('.thank-you').waitFor();
    await expectMiddle(page);
    await page.reload();
    await expectMiddle(page);
  });

  test('what is said of a form that is closed, or not there', async () => {
    const { slug } = await home.form({ properties: QUESTIONS, closes_at: '2020-01-01T00:00:00Z' });
    await expectMiddle(await open(slug, device));
    await expectMiddle(await open('not-there', device));
  });
});

test('in a frame, which follows what is in it, nothing stands in the middle', async () => {
  const { slug } = await home.form({ properties: QUESTIONS, presentation_style: 'focused' });
  site.markup = `<div data-formstead="${home.service.url}/forms/${slug}"></div><script src="${home.service.url}/embed.js" async></script>`;
  const page = await browser.page();
  await page.goto(site.url);
  const frame = page.frameLocator('iframe');
  const heightOf = () => page.locator('iframe').evaluate((element: HTMLElement) => element.offsetHeight);
  await frame.locator('.enter').waitFor({ state: 'attached' });
  await expect.poll(heightOf).not.toBe(480);
  const first = await heightOf();
  expect(await frame.locator('main').evaluate((main) => getComputedStyle(main).minHeight)).toBe('0px');
  await frame.locator('.nav .primary').click();
  await frame.getByLabel('More').waitFor();
  await frame.locator('.nav .primary').click();
  await frame.locator('.thank-you').waitFor();
  await expect
    .poll(() => frame.locator('main').evaluate((main) => getComputedStyle(main).minHeight))
    .toBe('0px');
  await expect.poll(heightOf).toBeLessThan(first + 100);
});

test('thanks are larger than the title they are for, under a sign that all is well', async () => {
  const { slug, title } = await home.form({
    properties: QUESTIONS,
    re_fillable: true,
    editable_submissions: true,
    color: '#b91c1c',
  });
  const page = await open(slug);
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  for (const reloaded of [false, true]) {
    if (reloaded) await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual([title]);
    const [small = 0, large = 0] = await page
      .locator('h1,#thanks p')
      .evaluateAll((texts) => texts.map((text) => Number.parseFloat(getComputedStyle(text).fontSize)));
    expect(large).toBeGreaterThan(small * 1.4);
    const sign = await page.locator('.thank-you').evaluate((thanks) => {
      const { width, borderTopColor, display } = getComputedStyle(thanks, '::before');
      return { width, borderTopColor, display };
    });
    expect(sign).toEqual({ width: '48px', borderTopColor: 'rgb(185, 28, 28)', display: 'block' });
  }
});

test('neither filling in again nor editing is what is to be done next', async () => {
  const { slug } = await home.form({
    properties: QUESTIONS,
    re_fillable: true,
    editable_submissions: true,
  });
  const page = await open(slug);
  await page.locator('.nav .primary').click();
  const links = page.locator('.thank-you .nav a');
  await links.first().waitFor();
  const looks = await links.evaluateAll((all) =>
    all.map((link) => {
      const { backgroundColor, borderTopColor, color } = getComputedStyle(link);
      return `${backgroundColor} ${borderTopColor} ${color}`;
    }),
  );
  expect(looks).toHaveLength(2);
  expect(new Set(looks)).toEqual(new Set(['rgb(255, 255, 255) rgb(133, 140, 152) rgb(17, 24, 39)']));
});

test('the first question is as far from the title as questions are from each other', async () => {
  const two = [QUESTIONS[1], { id: 'last', type: 'text', name: 'Last' }];
  for (const members of [{}, { show_progress_bar: true }, { presentation_style: 'focused' }]) {
    const { slug } = await home.form({ properties: two, ...members });
    const page = await open(slug);
    const apart = await page.evaluate(() => {
      const edges = [...document.querySelectorAll('h1,.progress,.block')].map((part) =>
        part.getBoundingClientRect(),
      );
      return edges.slice(1).map(({ top }, index) => top - (edges[index]?.bottom ?? 0));
    });
    expect(Math.min(...apart.filter((gap) => gap > 0))).toBeGreaterThan(27);
  }
});

test('a question that stands alone is as wide as the page, whatever its width is', async () => {
  const { slug } = await home.form({ properties: QUESTIONS, presentation_style: 'focused' });
  const page = await open(slug);
  const widths = await page
    .locator('form,#f0')
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width));
  expect(new Set(widths).size).toBe(1);
});

test('which key goes on stands behind the buttons', async () => {
  const { slug } = await home.form({ properties: QUESTIONS, presentation_style: 'focused' });
  const page = await open(slug);
  await page.locator('.enter').waitFor();
  await page.locator('.nav .primary').click();
  await page.locator('[data-back]').waitFor();
  const starts = await page
    .locator('.nav > *')
    .evaluateAll((parts) => parts.map((part) => `${part.className}: ${part.getBoundingClientRect().left}`));
  const order = starts.toSorted((a, b) => Number(a.split(': ')[1]) - Number(b.split(': ')[1]));
  expect(order.map((part) => part.split(':')[0])).toEqual(['primary', 'quiet', 'hint enter']);
});

const BOXES = [
  { id: 'one', type: 'select', name: 'One', options: ['A', 'B'], without_dropdown: true, prefill: 'B' },
  { id: 'some', type: 'multi_select', name: 'Some', options: ['A', 'B'], prefill: ['B'] },
  { id: 'switch', type: 'checkbox', name: 'Switch', use_toggle_switch: true, prefill: true },
];

test.each(['light', 'dark'] as const)(
  'boxes and radios have the colors of the page when it is %s',
  async (scheme) => {
    const { slug } = await home.form({ properties: [...BOXES, QUESTIONS[1]] });
    const page = await open(slug, { ...DESKTOP, colorScheme: scheme });
    const fillsOf = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((parts) => [...new Set(parts.map((part) => getComputedStyle(part).backgroundColor))]);
    const surface = await fillsOf('[name=more]');
    expect(
      await fillsOf('[data-block] input:is([type=radio],[type=checkbox]):not(:checked,[data-clear])'),
    ).toEqual(surface);
    const accent = await page.evaluate(() => {
      const probe = document.createElement('i');
      probe.style.background = 'var(--accent-text)';
      document.body.append(probe);
      return getComputedStyle(probe).backgroundColor;
    });
    expect(await fillsOf('[data-block] :checked')).toEqual([accent]);
    const signs = await page
      .locator('[data-block] :checked')
      .evaluateAll((parts) => parts.map((part) => getComputedStyle(part, '::before').clipPath));
    expect(signs).toEqual([expect.stringContaining('circle'), expect.stringContaining('polygon'), 'none']);
  },
);

test('where the system has its own colors, boxes and radios are those of the browser', async () => {
  const { slug } = await home.form({ properties: BOXES });
  const page = await open(slug, { ...DESKTOP, forcedColors: 'active' });
  const looks = await page
    .locator('.options input')
    .evaluateAll((boxes) => boxes.map((box) => getComputedStyle(box).appearance));
  expect(new Set(looks)).toEqual(new Set(['auto']));
});

test('the button to choose files speaks the language of the form, once the page lists them itself', async () => {
  const { slug } = await home.form({
    properties: [
      { id: 'files', type: 'files', name: 'Files', multiple: true },
      { id: 'sign', type: 'signature', name: 'Sign' },
    ],
    language: 'fr',
  });
  const page = await open(slug);
  await page.locator('.listed').first().waitFor();
  expect(await page.locator('.file b').allInnerTexts()).toEqual([
    'Choisir des fichiers',
    'Choisir un fichier',
  ]);
  const chosen = page.waitForEvent('filechooser');
  await page.locator('.file b').first().click({ force: true });
  await chosen;
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  const input = page.getByLabel('Files');
  expect(await input.evaluate((file) => getComputedStyle(file).outlineStyle)).toBe('solid');
  const plain = await browser.page({ javaScriptEnabled: false });
  await plain.goto(page.url());
  expect(await plain.locator('.file b').first().isVisible()).toBe(false);
  const heights = [plain, page].map((each) => each.locator('[type=file]').first().boundingBox());
  const [without, enhanced] = await Promise.all(heights);
  expect(enhanced?.height).toBe(without?.height);
});
