import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

const home = useHome();
const browser = useBrowser();

const options = (...names: string[]) => ({ options: names.map((name) => ({ name, id: name })) });
const PROPERTIES = [
  { id: 'name', type: 'text', name: 'Name', required: true },
  {
    id: 'color',
    type: 'select',
    name: 'Color',
    without_dropdown: true,
    select: options('Red', 'Green', 'Blue'),
  },
  { id: 'stars', type: 'rating', name: 'Stars' },
  { id: 'more', type: 'text', name: 'More', multi_lines: true },
  { id: 'last', type: 'text', name: 'Last' },
];
const FOCUSED = { properties: PROPERTIES, presentation_style: 'focused' };

async function opened(overrides: Record<string, unknown>): Promise<{ form: any; page: Page }> {
  const form = await home.form(overrides);
  const page = await browser.page();
  const loaded = page.waitForResponse(/assets\/focused-/);
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await loaded;
  await page.locator('kbd').first().waitFor({ state: 'attached' });
  return { form, page };
}

const question = (page: Page) => page.locator('.step:not([hidden]) [data-block]').getAttribute('data-block');
/** After a key, the next question appears a moment later, when the code for it is loaded. */
const arrives = (page: Page, wanted: string) =>
  until(async () => (await question(page)) === wanted, { what: wanted });
const focusedName = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'));

test('one question at a time, by keyboard alone', async () => {
  const { form, page } = await opened(FOCUSED);
  const { keyboard } = page;
  expect(await focusedName(page)).toBe('name');
  await keyboard.press('Enter');
  await page.locator('#summary li').waitFor();
  // Typing can continue at once.
  await keyboard.type('Ada');
  await keyboard.press('Enter');
  await arrives(page, 'color');
  await keyboard.press('b');
  await expect.poll(() => page.locator('[name=color]:checked').getAttribute('value')).toBe('Green');
  await keyboard.press('ArrowDown');
  expect(await question(page)).toBe('color');
  await keyboard.press('Enter');
  await arrives(page, 'stars');
  await keyboard.press('4');
  await keyboard.press('Enter');
  await arrives(page, 'more');
  await keyboard.type('one');
  await keyboard.press('Enter');
  await keyboard.type('two');
  expect(await question(page)).toBe('more');
  await keyboard.press('Control+Enter');
  await arrives(page, 'last');
  await keyboard.press('Enter');
  await page.locator('.thank-you').waitFor();
  const [record] = await home.records(form);
  expect(record.data).toMatchObject({ name: 'Ada', color: 'Blue', stars: 4, more: 'one\ntwo' });
});

test('letters choose after a problem was told, and no more once the question was left', async () => {
  const [, color] = PROPERTIES;
  const { page, form } = await opened({ ...FOCUSED, properties: [{ ...color, required: true }] });
  await page.keyboard.press('Enter');
  await page.locator('#summary[role=alert] li').waitFor();
  expect(await focusedName(page)).toBe('color');
  await page.keyboard.press('a');
  await expect.poll(() => page.locator('[name=color]:checked').getAttribute('value')).toBe('Red');
  await page.locator('h1').click();
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  await page.locator('.thank-you').waitFor();
  const [record] = await home.records(form);
  expect(record.data.color).toBe('Red');
});

test('a choice goes on by itself when it is clicked, not while arrows move through it', async () => {
  const { page } = await opened({ ...FOCUSED, settings: { auto_next: true, navigation_arrows: true } });
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button', { name: 'Next', exact: true }).last().click();
  await arrives(page, 'color');
  await page.getByLabel('Red').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  // Longer than the time a choice is shown before the page goes on.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)));
  expect(await question(page)).toBe('color');
  await page.locator('.option', { hasText: 'Red' }).click();
  await arrives(page, 'stars');
  await page.getByRole('button', { name: 'Previous', exact: true }).last().click();
  expect(await question(page)).toBe('color');
  await expect.poll(() => page.locator('[name=color]:checked').getAttribute('value')).toBe('Red');
});

test('a slow double click chooses no option of the next question', async () => {
  const color = PROPERTIES[1];
  const { page } = await opened({
    ...FOCUSED,
    properties: [color, { ...color, id: 'second', name: 'Second' }, PROPERTIES[4]],
    settings: { auto_next: true },
  });
  const box = await page.locator('.option', { hasText: 'Green' }).first().boundingBox();
  const at = [(box?.x ?? 0) + 30, (box?.y ?? 0) + 10] as const;
  await page.mouse.click(...at);
  await arrives(page, 'second');
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  expect(await page.locator('[name=color]:checked').getAttribute('value')).toBe('Green');
  // Longer than the time a choice is shown before the page goes on.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)));
  expect(await question(page)).toBe('second');
  expect(await page.locator('[name=second]:checked').count()).toBe(0);
  await page.mouse.click(...at);
  await arrives(page, 'last');
});

test('Enter held down goes on by one question', async () => {
  const { page } = await opened({ ...FOCUSED, properties: PROPERTIES.slice(1) });
  await page.getByLabel('Green').focus();
  for (let times = 0; times < 9; times++) await page.keyboard.down('Enter');
  await arrives(page, 'stars');
  for (let times = 0; times < 9; times++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  expect(await question(page)).toBe('stars');
});

const SCALES = [
  { id: 'ten', type: 'scale', name: 'Ten', scale_min_value: 0, scale_max_value: 10 },
  {
    id: 'half',
    type: 'scale',
    name: 'Half',
    scale_min_value: -1,
    scale_max_value: 1,
    scale_step_value: 0.5,
  },
  { id: 'last', type: 'text', name: 'Last' },
];

test.each([true, false])('numbers of several digits are typed, going on by itself: %s', async (goesOn) => {
  const { form, page } = await opened({
    ...FOCUSED,
    // The last question uses letters.
    properties: [...SCALES, PROPERTIES[1]],
    settings: { auto_next: goesOn },
  });
  const { keyboard } = page;
  /** Sends all keys at once: a busy driver may need longer for two keys than the page waits. */
  const type = (text: string) =>
    page.evaluate((keys) => {
      for (const key of keys)
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
        );
    }, text);
  const next = async (wanted: string) => {
    if (!goesOn) await keyboard.press('Enter');
    await arrives(page, wanted);
  };
  await type('10');
  await expect.poll(() => page.locator('[name=ten]:checked').getAttribute('value')).toBe('10');
  await next('half');
  await type('-0,5');
  await expect.poll(() => page.locator('[name=half]:checked').getAttribute('value')).toBe('-0.5');
  await next('last');
  await page.goBack();
  await arrives(page, 'half');
  await page.goBack();
  await arrives(page, 'ten');
  // No number here begins with 17, so only the last digit counts.
  await type('17');
  await expect.poll(() => page.locator('[name=ten]:checked').getAttribute('value')).toBe('7');
  if (!goesOn) await keyboard.press('Enter');
  await arrives(page, 'half');
  await page.goBack();
  await arrives(page, 'ten');
  await keyboard.press('1');
  if (!goesOn) await keyboard.press('Enter');
  await arrives(page, 'half');
  for (const wanted of ['last', 'color']) {
    await keyboard.press('Enter');
    await arrives(page, wanted);
  }
  await keyboard.press('Enter');
  await page.locator('.thank-you').waitFor();
  expect((await home.records(form))[0].data).toMatchObject({ ten: 1, half: -0.5 });
});

test('the way back leads into the question', async () => {
  const { page } = await opened(FOCUSED);
  await page.keyboard.type('Ada');
  await page.keyboard.press('Enter');
  await arrives(page, 'color');
  await page.goBack();
  await arrives(page, 'name');
  await expect.poll(() => focusedName(page)).toBe('name');
});

test('a text of several lines says which key goes on', async () => {
  const { page } = await opened({ ...FOCUSED, language: 'de' });
  const hint = page.locator('.enter');
  const next = () => page.locator('.nav .primary').click();
  await expect.poll(() => hint.textContent()).toBe('Eingabetaste drücken ↵');
  await page.getByLabel('Name').fill('Ada');
  await next();
  await arrives(page, 'color');
  await next();
  await next();
  await arrives(page, 'more');
  await expect.poll(() => hint.textContent()).toBe('Strg + ↵');
  await next();
  await arrives(page, 'last');
  await expect.poll(() => hint.textContent()).toBe('Eingabetaste drücken ↵');
});

test('a question is found by its place, whatever a slider before it counts by', async () => {
  const { page } = await opened({
    ...FOCUSED,
    properties: [
      { id: 'slider', type: 'slider', name: 'Slider', slider_step_value: 2 },
      PROPERTIES[1],
      { id: 'third', type: 'text', name: 'Third' },
    ],
  });
  const next = page.locator('.nav .primary');
  await next.click();
  await arrives(page, 'color');
  await next.click();
  await arrives(page, 'third');
  expect(await focusedName(page)).toBe('third');
  expect(await next.textContent()).toBe('Submit');
});
