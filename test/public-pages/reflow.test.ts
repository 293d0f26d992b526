import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { allRequired, EVERYTHING, PICTURE, servePictures } from './every-field.ts';

/** Narrow windows, large letters, spaced text, system colors, no motion (WCAG 2.2: 1.4.4, 1.4.10, 1.4.12, 2.3.3). */
const home = useHome();
const browser = useBrowser();

const THEMES = ['default', 'simple', 'notion', 'minimal', 'transparent'];
const NARROW: BrowserContextOptions = { viewport: { width: 320, height: 640 } };
/** A window of 1280 pixels, enlarged four times, is 320 wide. */
const ENLARGED: BrowserContextOptions = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 };
const WORD = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung'.repeat(3);

const OVERLONG = [
  { id: 'word', type: 'text', name: WORD, help: WORD, placeholder: WORD, required: true },
  { id: 'list', type: 'select', name: WORD, options: [WORD, `${WORD}2`] },
  { id: 'radios', type: 'select', name: 'Radios', options: [WORD, `${WORD}2`], without_dropdown: true },
  { id: 'boxes', type: 'multi_select', name: 'Boxes', options: [WORD, `${WORD}2`], max_selection: 2 },
  {
    id: 'cards',
    type: 'multi_select',
    name: 'Cards',
    options: [{ name: WORD, image: PICTURE }],
    option_display_mode: 'text_and_image',
    option_image_size: 'lg',
  },
  { id: 'scale', type: 'scale', name: 'Thirty', scale_min_value: 1, scale_max_value: 30 },
  {
    id: 'large',
    type: 'scale',
    name: 'Large numbers',
    scale_min_value: 1000000000,
    scale_max_value: 1000000009,
  },
  { id: 'stars', type: 'rating', name: 'Twenty', rating_max_value: 20 },
  {
    id: 'matrix',
    type: 'matrix',
    name: 'Large',
    rows: Array.from({ length: 12 }, (_, row) => `Row ${row} ${WORD}`),
    columns: Array.from({ length: 9 }, (_, column) => `Column ${column} ${WORD}`),
    required: true,
  },
  { id: 'box', type: 'checkbox', name: WORD, required: true },
  { id: 'switch', type: 'checkbox', name: WORD, use_toggle_switch: true },
  { id: 'words', type: 'nf-text', name: 'Words', content: `<h1>${WORD}</h1><ul><li>${WORD}</li></ul>` },
  { id: 'break', type: 'nf-page-break', name: 'Break', next_btn_text: WORD.slice(0, 50) },
];

async function open(path: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.context({ ...options });
  await servePictures(context);
  const page = await context.newPage();
  await page.goto(home.service.url + path, { waitUntil: 'networkidle' });
  return page;
}

async function showErrors(page: Page): Promise<void> {
  await page.locator('.nav .primary').click();
  await page.locator('#summary:not([hidden])').waitFor();
}

/** Elements that reach beyond the window, or whose content is cut off because it is wider than they are. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} wide in ${clientWidth}`);
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      if (!element.checkVisibility() || element.closest('.sr, .clear, svg')) continue;
      const { left, right, width } = element.getBoundingClientRect();
      const name = `${element.localName}#${element.id}.${element.className}`;
      if (width > 1 && (right > clientWidth + 1 || left < -1))
        found.push(`${name} reaches from ${left} to ${right}`);
      const isText = !element.matches('input,select,textarea,option,progress,img');
      if (
        isText &&
        element.scrollWidth > element.clientWidth + 1 &&
        getComputedStyle(element).overflowX !== 'visible'
      )
        found.push(`${name} cuts ${element.scrollWidth} to ${element.clientWidth}`);
    }
    return found;
  });
}

describe.each(THEMES)('the theme %s', (theme) => {
  test.each([
    ['320 pixels wide', NARROW],
    ['at 400 percent', ENLARGED],
  ])('never scrolls sideways, %s', async (_, options) => {
    const { slug } = await home.form({
      theme,
      title: WORD,
      description: WORD,
      logo_picture: PICTURE,
      cover_picture: PICTURE,
      show_progress_bar: true,
      properties: allRequired(EVERYTHING),
    });
    const page = await open(`/forms/${slug}`, options);
    await showErrors(page);
    expect(await tooWide(page)).toEqual([]);
  });

  test('never scrolls sideways, with overlong words, in both directions and styles', async () => {
    for (const members of [
      { size: 'lg' },
      { layout_rtl: true, uppercase_labels: true, size: 'lg' },
      { presentation_style: 'focused' },
    ]) {
      const { slug } = await home.form({
        theme,
        title: WORD,
        submit_button_text: WORD.slice(0, 50),
        properties: OVERLONG,
        ...members,
      });
      const page = await open(`/forms/${slug}`, NARROW);
      await showErrors(page);
      if ('presentation_style' in members)
        await page.evaluate(() => {
          for (const step of document.querySelectorAll<HTMLElement>('.step')) step.hidden = false;
        });
      expect(await tooWide(page), JSON.stringify(members)).toEqual([]);
    }
  });
});

test.each([
  ['of 360 pixels', PHONE],
  ['of 320 pixels', NARROW],
])('letters of 200 percent fit a window %s, and what is to be read keeps its room', async (_, options) => {
  const { slug } = await home.form({ properties: allRequired(EVERYTHING) });
  const page = await open(`/forms/${slug}`, options);
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  await showErrors(page);
  expect(await tooWide(page)).toEqual([]);
  const narrowest = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((all) => Math.min(...all.map((one) => one.getBoundingClientRect().width)));
  expect(await narrowest('.ranking label')).toBeGreaterThan(120);
  expect(await narrowest('.slider > [type="range"]')).toBeGreaterThan(120);
});

test('what would be too wide is found', async () => {
  const page = await browser.page(NARROW);
  await page.setContent(
    '<div style="inline-size:400px">A</div><p style="overflow:hidden;white-space:nowrap">'.padEnd(
      300,
      'word ',
    ),
  );
  expect(await tooWide(page)).toEqual([
    'the page is 408 wide in 320',
    'div#. reaches from 8 to 408',
    expect.stringMatching(/^p#. cuts \d+ to 304$/),
  ]);
});

test('spaced texts are not cut off', async () => {
  const { slug } = await home.form({ properties: allRequired(EVERYTHING), show_progress_bar: true });
  const page = await open(`/forms/${slug}`, PHONE);
  await showErrors(page);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '*{line-height:1.5 !important;letter-spacing:.12em !important;word-spacing:.16em !important}p{margin-block-end:2em !important}',
    );
    document.adoptedStyleSheets.push(sheet);
  });
  expect(await tooWide(page)).toEqual([]);
  const cut = await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'main *:not(.sr, .sr *, input, textarea, select, option, .many, .stars *)',
      ),
    ]
      .filter((element) => element.checkVisibility() && element.scrollHeight > element.clientHeight + 1)
      .filter((element) => getComputedStyle(element).overflowY !== 'visible')
      .map((element) => element.outerHTML.slice(0, 100)),
  );
  expect(cut).toEqual([]);
});

test('without motion nothing moves', async () => {
  const { slug } = await home.form({ properties: EVERYTHING, confetti_on_submission: true });
  const page = await open(`/forms/${slug}`, { ...PHONE, reducedMotion: 'reduce' });
  const moving = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter((element) => {
          const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element);
          return (
            !/^0s(, 0s)*$/.test(transitionDuration) || animationName !== 'none' || scrollBehavior === 'smooth'
          );
        })
        .map(({ outerHTML }) => outerHTML.slice(0, 100)),
    );
  expect(await moving()).toEqual([]);
  await page.locator('.nav .primary').click();
  await page.locator('.step:not([hidden])[data-step="1"]').waitFor();
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  expect(await page.locator('canvas').count()).toBe(0);
  expect(await moving()).toEqual([]);
});

test('in the colors of the system what is focused and what is chosen can be told apart', async () => {
  const { slug } = await home.form({ properties: EVERYTHING });
  const page = await open(`/forms/${slug}`, {
    viewport: { width: 600, height: 900 },
    forcedColors: 'active',
    reducedMotion: 'reduce',
  });
  const picture = async (field: string) => {
    const block = page.locator(`[data-block="${field}"]`);
    await block.scrollIntoViewIfNeeded();
    await page.mouse.move(0, 0);
    return (await block.screenshot()).toString('base64');
  };
  const press = (key: string) => page.keyboard.press(key);
  for (const field of [
    'radios',
    'cards',
    'boxes',
    'pictures',
    'box',
    'switch',
    'rating',
    'scale',
    'matrix',
  ]) {
    const input = page.locator(`[data-block="${field}"] input:is([type=radio],[type=checkbox])`).first();
    await page.locator('h1').click();
    const plain = await picture(field);
    expect(await picture(field), `${field} twice`).toBe(plain);
    await press('Tab');
    await input.focus();
    const focused = await picture(field);
    expect(focused, `${field} focused`).not.toBe(plain);
    await press('Space');
    await expect.poll(() => input.isChecked(), { message: field }).toBe(true);
    await page.locator('h1').click();
    expect(await picture(field), `${field} chosen`).not.toBe(plain);
  }
  for (const name of ['text', 'lines', 'list', 'date', 'files']) {
    const plain = await picture(name);
    await page.locator(`[data-block="${name}"] :is(input,select,textarea)`).first().focus();
    expect(await picture(name), name).not.toBe(plain);
    await page.locator('h1').click();
  }
});

test.each([16, 24, 32])('letters of %s pixels fit a phone', async (letters) => {
  const widths = ['full', '1/2', '1/3', '1/4', '2/3'];
  const form = await home.form({
    properties: widths.map((width, index) => ({
      id: `f${index}`,
      type: 'text',
      name: `Field ${index}`,
      width,
    })),
  });
  const page = await open(`/forms/${form.slug}`, { viewport: { width: 360, height: 740 } });
  await page.evaluate((size) => {
    document.documentElement.style.fontSize = `${size}px`;
  }, letters);
  expect(await tooWide(page)).toEqual([]);
  const lefts = () =>
    page
      .locator('.block')
      .evaluateAll((blocks) => blocks.map((block) => Math.round(block.getBoundingClientRect().left)));
  expect(new Set(await lefts()).size).toBe(1);
  await page.setViewportSize({ width: 1440, height: 740 });
  // The second and third field share a row, and so do the fourth and fifth.
  expect(new Set(await lefts()).size).toBeGreaterThan(1);
});

test.each(['1/3', '1/4'])('a column of %s hides nothing of what is typed', async (width) => {
  const form = await home.form({
    properties: [
      { id: 'tel', type: 'phone_number', name: 'Tel', width },
      { id: 'day', type: 'date', name: 'Day', width },
      { id: 'time', type: 'date', name: 'Time', with_time: true, width },
      { id: 'slider', type: 'slider', name: 'Slider', slider_max_value: 10, width },
    ],
  });
  const page = await open(`/forms/${form.slug}`, { viewport: { width: 1440, height: 900 } });
  await page.locator('.phone [type=tel]').fill('+4930901820');
  await page.locator('[type=date]').fill('2024-12-31');
  await page.locator('[type=datetime-local]').fill('2024-12-31T22:30');
  const tooNarrow = await page.evaluate(
    () =>
      [...document.querySelectorAll<HTMLInputElement>('[type=tel],[type^=date],[type=range]')].filter(
        (input) => {
          const { right, width } = input.getBoundingClientRect();
          const block = input.closest('.block')!.getBoundingClientRect();
          if (right > block.right + 1 || (input.type === 'range' && width < 60)) return true;
          if (input.type === 'tel') return input.scrollWidth > input.clientWidth;
          input.style.inlineSize = 'max-content';
          return input.type !== 'range' && input.getBoundingClientRect().width > width;
        },
      ).length,
  );
  expect(tooNarrow).toBe(0);
});

test('from right to left, numbers and masks are read as they are written', async () => {
  const form = await home.form({
    language: 'ar',
    properties: [
      { id: 'mask', type: 'text', name: 'Mask', input_mask: '99-aa-99' },
      { id: 'number', type: 'number', name: 'Number' },
      { id: 'slider', type: 'slider', name: 'Slider', slider_min_value: -10, slider_max_value: 10 },
      { id: 'scale', type: 'scale', name: 'Scale', scale_min_value: -2, scale_max_value: 2 },
    ],
  });
  const page = await open(`/forms/${form.slug}`, PHONE);
  const styles = await page.locator('#f0,#f1,#f2').evaluateAll((inputs) =>
    inputs.map((input) => {
      const { direction, textAlign } = getComputedStyle(input);
      return `${direction} ${textAlign}`;
    }),
  );
  expect(styles).toEqual(['ltr right', 'ltr right', 'ltr right']);
  const wrongWay = await page.locator('#f0-mask bdi,#f2-range bdi,.scale span').evaluateAll((texts) =>
    texts.flatMap(({ firstChild, textContent }) => {
      const leftOf = (at: number) => {
        const range = document.createRange();
        range.setStart(firstChild!, at);
        range.setEnd(firstChild!, at + 1);
        return range.getBoundingClientRect().left;
      };
      return leftOf(0) > leftOf((textContent?.length ?? 1) - 1) ? [textContent] : [];
    }),
  );
  expect(wrongWay).toEqual([]);
});
