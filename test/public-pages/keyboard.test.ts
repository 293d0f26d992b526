import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { servePictures } from './every-field.ts';

/** Forms filled in by keyboard alone: nothing here uses a pointer or sets a focus. */
const home = useHome();
const browser = useBrowser();

const names = (count: number) => Array.from({ length: count }, (_, index) => `Choice ${index + 1}`);
const TWO_PAGES = [
  { id: 'text', type: 'text', name: 'Name', required: true },
  { id: 'email', type: 'email', name: 'E-mail', required: true },
  { id: 'lines', type: 'text', name: 'Lines', multi_lines: true },
  { id: 'few', type: 'select', name: 'Few', options: names(3) },
  { id: 'many', type: 'select', name: 'Many', options: names(30) },
  { id: 'radios', type: 'select', name: 'Radios', options: names(3), without_dropdown: true },
  { id: 'boxes', type: 'multi_select', name: 'Boxes', options: names(3) },
  { id: 'break', type: 'nf-page-break', name: 'Break' },
  { id: 'rating', type: 'rating', name: 'Stars', rating_max_value: 5, required: true },
  { id: 'scale', type: 'scale', name: 'Scale', scale_min_value: 0, scale_max_value: 5 },
  {
    id: 'slider',
    type: 'slider',
    name: 'Slider',
    slider_min_value: 0,
    slider_max_value: 100,
    slider_step_value: 5,
  },
  { id: 'matrix', type: 'matrix', name: 'Matrix', rows: ['Food', 'Rooms'], columns: ['Bad', 'Good'] },
  { id: 'date', type: 'date', name: 'Day' },
  { id: 'switch', type: 'checkbox', name: 'Switch', use_toggle_switch: true },
  { id: 'agree', type: 'checkbox', name: 'I agree', required: true },
  { id: 'signature', type: 'signature', name: 'Signature' },
  { id: 'rich', type: 'rich_text', name: 'Story' },
  { id: 'files', type: 'files', name: 'Files' },
];

async function open(
  members: Record<string, unknown>,
  { scripts = true } = {},
): Promise<{ page: Page; form: any }> {
  const form = await home.form({ auto_save: false, ...members });
  const context = await browser.context();
  await servePictures(context);
  if (!scripts) await context.route('**/assets/**', (route) => route.abort());
  const page = await context.newPage();
  await page.goto(`${home.service.url}/forms/${form.slug}`, { waitUntil: 'networkidle' });
  return { page, form };
}

/** The focused element: the id of its field, or else its own id, or the text of a link or button. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement;
    if (element === document.body) return 'nothing';
    const field = element.closest<HTMLElement>('[data-block]')?.dataset.block;
    return field ?? (element.id || element.textContent || element.localName).trim();
  });
}

/**
 * Waits until the list of errors has the focus, on a fully loaded page: once loaded, a browser goes to the fragment of the
 * address again, which would take the focus from a person who types already.
 */
async function summaryFocused(page: Page): Promise<void> {
  await page.locator('#summary:not([hidden])').waitFor();
  await page.waitForLoadState();
  await expect.poll(() => focused(page)).toBe('summary');
}

async function tabTo(page: Page, target: string, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press(key);
    if ((await focused(page)) === target) return;
  }
  throw new Error(`${key} never came to ${target}.`);
}

/** The visible outlines of the focused element, of the one after it, and of its label. */
const looks = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const all = [element, element.nextElementSibling, element.closest('label')].filter((one) => one !== null);
    return all
      .map((one) => {
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
        return outlineStyle === 'none' || outlineWidth === '0px' ? '' : `${outlineWidth} ${outlineColor}`;
      })
      .join('');
  });

async function fillFirstPage(page: Page): Promise<void> {
  const { keyboard } = page;
  await tabTo(page, 'text');
  await keyboard.type('Ada');
  await tabTo(page, 'email');
  await keyboard.type('ada@example.com');
  await tabTo(page, 'lines');
  await keyboard.type('one');
  await keyboard.press('Enter');
  await keyboard.type('two');
  await tabTo(page, 'few');
  await keyboard.type('Choice 2');
  await tabTo(page, 'many');
  await keyboard.type('Choice 17');
  await keyboard.press('Enter');
  await tabTo(page, 'radios');
  await keyboard.press('Space');
  await keyboard.press('ArrowDown');
  await tabTo(page, 'boxes');
  await keyboard.press('Space');
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.press('Space');
  await tabTo(page, 'Next');
  await keyboard.press('Enter');
}

async function fillSecondPage(page: Page, { scripts }: { scripts: boolean }): Promise<void> {
  const { keyboard } = page;
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowRight');
  await tabTo(page, 'scale');
  await keyboard.press('Space');
  await keyboard.press('ArrowRight');
  await tabTo(page, 'slider');
  if (scripts) await keyboard.press('ArrowRight');
  else await keyboard.type('55');
  await tabTo(page, 'matrix');
  await keyboard.press('ArrowRight');
  await keyboard.press('Tab');
  await keyboard.press('Space');
  await tabTo(page, 'date');
  await keyboard.type('12312030');
  await tabTo(page, 'switch');
  await keyboard.press('Space');
  await tabTo(page, 'agree');
  await keyboard.press('Space');
  await tabTo(page, 'signature');
  while (!(await page.evaluate(() => document.activeElement?.matches('[type=text]'))))
    await keyboard.press('Tab');
  await keyboard.type('Ada Lovelace');
  await tabTo(page, 'rich');
  if (scripts)
    while (!(await page.evaluate(() => document.activeElement?.matches('[contenteditable]'))))
      await keyboard.press('Tab');
  await keyboard.type('A story');
  await tabTo(page, 'Submit');
  await keyboard.press('Enter');
}

describe.each([true, false])('scripts %s', (scripts) => {
  test('a form of two pages with every control, from the first mistake to the thanks', async () => {
    const { page, form } = await open({ properties: TWO_PAGES }, { scripts });
    const { keyboard } = page;
    // Sent empty, the page focuses the list of errors, whose links lead to the fields.
    await tabTo(page, 'Next');
    await keyboard.press('Enter');
    await summaryFocused(page);
    await keyboard.press('Tab');
    expect(await focused(page)).toMatch(/E-mail|Name/);
    await keyboard.press('Tab');
    expect(await focused(page)).toMatch(/“E-mail” needs an answer/);
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('email');
    await tabTo(page, 'text', 'Shift+Tab');
    await keyboard.press('Shift+Tab');
    await fillFirstPage(page);

    await page.locator('[data-step="1"]:not([hidden])').waitFor();
    await tabTo(page, 'Submit');
    await keyboard.press('Enter');
    await page.locator('#summary:not([hidden]) li').nth(1).waitFor();
    await summaryFocused(page);
    await keyboard.press('Tab');
    expect(await focused(page)).toMatch(/“Stars” needs an answer|rating/i);
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('rating');
    if (await page.evaluate(() => document.activeElement?.matches('fieldset'))) await keyboard.press('Tab');
    await keyboard.press('Space');
    await fillSecondPage(page, { scripts });
    await page.locator('.thank-you').waitFor();
    if (scripts) expect(await page.evaluate(() => document.activeElement?.className)).toContain('thank-you');

    const [record] = await home.records(form);
    expect(record.data).toMatchObject({
      text: 'Ada',
      email: 'ada@example.com',
      lines: 'one\ntwo',
      few: 'Choice 2',
      many: 'Choice 17',
      radios: 'Choice 2',
      boxes: ['Choice 1', 'Choice 3'],
      rating: 4,
      scale: 1,
      slider: 55,
      matrix: { Food: 'Good', Rooms: 'Bad' },
      date: '2030-12-31',
      switch: true,
      agree: true,
      signature: 'Ada Lovelace',
    });
    expect(record.data.rich).toContain('A story');
  });

  test.each(['default', 'simple', 'notion', 'minimal', 'transparent'])(
    'every stop of %s shows the focus, there and back, and the last leads out',
    async (theme) => {
      const properties = TWO_PAGES.filter(({ type }) => type !== 'nf-page-break');
      const { page } = await open({ properties, theme, auto_focus: false }, { scripts });
      /** Goes through all stops, from nothing focused to nothing focused again. */
      const walk = async (key: string) => {
        const stops: string[] = [];
        const hidden: string[] = [];
        while (stops.length < 60) {
          await page.keyboard.press(key);
          const at = await focused(page);
          if (at === 'nothing') break;
          stops.push(at);
          if ((await looks(page)) === '') hidden.push(at);
          const isSeen = await page.evaluate(() => {
            const box = document.activeElement?.getBoundingClientRect();
            return box && box.bottom > 0 && box.top < innerHeight;
          });
          expect(isSeen, at).toBe(true);
        }
        expect(stops.length).toBeLessThan(60);
        expect(hidden).toEqual([]);
        return [...new Set(stops)];
      };
      const all = [...properties.map(({ id }) => id), 'Submit'];
      expect(await walk('Tab')).toEqual(all);
      expect(await walk('Shift+Tab')).toEqual(all.toReversed());
    },
  );
});

test('one question at a time: letters, digits and Enter, back, and a mistake', async () => {
  const { page, form } = await open({
    presentation_style: 'focused',
    settings: { navigation_arrows: true },
    properties: TWO_PAGES.filter(({ id }) =>
      ['text', 'radios', 'boxes', 'rating', 'lines', 'agree'].includes(id),
    ),
  });
  const { keyboard } = page;
  await expect.poll(() => focused(page)).toBe('text');
  await keyboard.press('Enter');
  await page.locator('#summary:not([hidden])').waitFor();
  // The question keeps the focus; the list of errors is above it, so Shift+Tab leads there.
  expect(await focused(page)).toBe('text');
  await keyboard.press('Shift+Tab');
  expect(await focused(page)).toMatch(/“Name” needs an answer/);
  await keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('text');
  await keyboard.type('Ada');
  await keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('lines');
  await keyboard.type('one');
  await keyboard.press('Enter');
  await keyboard.type('two');
  await keyboard.press('Control+Enter');
  await expect.poll(() => focused(page)).toBe('radios');
  // Letters that are meant for nothing on the page choose nothing.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await keyboard.press('c');
  expect(await page.locator('[name=radios]:checked').count()).toBe(0);
  await page.locator('[name=radios]').first().focus();
  await keyboard.press('b');
  await keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('boxes');
  await keyboard.press('a');
  await keyboard.press('c');
  await keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('rating');
  await keyboard.press('4');
  await tabTo(page, 'Previous');
  await keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('boxes');
  await keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('rating');
  await keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('agree');
  await keyboard.press('Space');
  await keyboard.press('Enter');
  await page.locator('.thank-you').waitFor();
  // It has the focus to be read out, but no outline, since there is nothing to press.
  await expect.poll(() => page.locator('.thank-you:focus').count()).toBe(1);
  expect(await page.locator('.thank-you').evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('none');
  const [record] = await home.records(form);
  expect(record.data).toMatchObject({
    text: 'Ada',
    lines: 'one\ntwo',
    radios: 'Choice 2',
    boxes: ['Choice 1', 'Choice 3'],
    rating: 4,
    agree: true,
  });
});

describe('Enter in a form of several fields', () => {
  const FIELDS = [
    { id: 'code', type: 'barcode', name: 'Code' },
    { id: 'day', type: 'date', name: 'Day' },
    { id: 'few', type: 'select', name: 'Few', options: names(3) },
    { id: 'many', type: 'select', name: 'Many', options: names(30) },
    { id: 'lines', type: 'text', name: 'Lines', multi_lines: true },
    { id: 'hidden', type: 'text', name: 'Hidden', hidden: true },
    { id: 'radios', type: 'select', name: 'Radios', options: names(3), without_dropdown: true },
    { id: 'boxes', type: 'multi_select', name: 'Boxes', options: names(3) },
    { id: 'period', type: 'date', name: 'Period', date_range: true },
    { id: 'last', type: 'text', name: 'Last' },
    { id: 'break', type: 'nf-page-break', name: 'Break' },
    { id: 'only', type: 'text', name: 'Only' },
  ];

  test('goes to the next one, and on from the last one', async () => {
    const { page, form } = await open({ properties: FIELDS });
    const { keyboard } = page;
    const arrives = (field: string) => expect.poll(() => focused(page)).toBe(field);
    await arrives('code');
    // Scanners end a code with Enter.
    await keyboard.type('4006381333931\n');
    await arrives('day');
    await keyboard.type('12312030');
    await keyboard.press('Enter');
    await arrives('few');
    await keyboard.type('Choice 2');
    await keyboard.press('Enter');
    await arrives('many');
    await keyboard.type('Choice 17');
    await keyboard.press('Enter');
    await arrives('many');
    await keyboard.press('Enter');
    await arrives('lines');
    await keyboard.type('one\ntwo');
    await keyboard.press('Tab');
    await arrives('radios');
    await keyboard.press('Space');
    await keyboard.press('Enter');
    await arrives('boxes');
    await keyboard.press('Enter');
    await arrives('period');
    await keyboard.press('Enter');
    await arrives('period');
    await keyboard.press('Enter');
    await arrives('last');
    expect(await page.locator('[data-step="0"]').isVisible()).toBe(true);
    await keyboard.press('Enter');
    await arrives('only');
    expect(await home.records(form)).toEqual([]);
    await keyboard.press('Enter');
    await page.locator('.thank-you').waitFor();
    const [record] = await home.records(form);
    expect(record.data).toMatchObject({
      code: '4006381333931',
      day: '2030-12-31',
      few: 'Choice 2',
      many: 'Choice 17',
      lines: 'one\ntwo',
      radios: 'Choice 1',
    });
  });

  test('held down goes on by one', async () => {
    const { page, form } = await open({ properties: [FIELDS[0], FIELDS[11]] });
    await expect.poll(() => focused(page)).toBe('code');
    for (let times = 0; times < 5; times++) await page.keyboard.down('Enter');
    expect(await focused(page)).toBe('only');
    await page.keyboard.up('Enter');
    await page.keyboard.press('Enter');
    await page.locator('.thank-you').waitFor();
    expect(await home.records(form)).toHaveLength(1);
  });
});

describe('what is typed before the script has come goes nowhere else', () => {
  test.each([
    ['phone_number', {}, '[type=tel]', '+49301234567'],
    ['slider', {}, '[data-slider]', '17'],
    ['select', { options: names(30) }, '[role=combobox]', 'Choice 17'],
  ])('%s', async (type, members, selector, text) => {
    const form = await home.form({ properties: [{ id: 'first', type, name: 'First', ...members }] });
    const page = await browser.page();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/assets\/controls-/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    await expect.poll(() => focused(page)).toBe('first');
    release();
    await page.locator('.phone,.slider,.combo').waitFor();
    expect(await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)).toBe(true);
    await page.keyboard.type(text);
    expect(await page.locator(selector).inputValue()).toBe(text);
  });

  test('a question for a number begins at the number, not at its country', async () => {
    const properties = ['one', 'two'].map((id) => ({ id, type: 'phone_number', name: id }));
    const { page } = await open({ properties, presentation_style: 'focused' });
    await page.keyboard.type('+49301234567');
    await page.keyboard.press('Enter');
    await page.locator('[data-step="1"]:not([hidden])').waitFor();
    expect(await page.evaluate(() => document.activeElement?.matches('[type=tel]'))).toBe(true);
  });
});
