import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

const home = useHome();
const browser = useBrowser();

/** One more field when the topic is Support; a page break; a long text and a box to tick. */
const PROPERTIES = [
  { id: 'name', type: 'text', name: 'Your name', required: true },
  { id: 'mail', type: 'email', name: 'E-mail', required: true },
  {
    id: 'topic',
    type: 'select',
    name: 'Topic',
    select: { options: [{ name: 'Sales' }, { name: 'Support' }] },
  },
  {
    id: 'product',
    type: 'text',
    name: 'Which product?',
    hidden: true,
    required: true,
    logic: {
      conditions: {
        operatorIdentifier: 'and',
        children: [
          {
            identifier: 'topic',
            value: { operator: 'equals', property_meta: { id: 'topic', type: 'select' }, value: 'Support' },
          },
        ],
      },
      actions: ['show-block'],
    },
  },
  { id: 'pb', type: 'nf-page-break', name: 'Page', next_btn_text: 'Onwards', previous_btn_text: 'Backwards' },
  { id: 'message', type: 'text', name: 'Message', multi_lines: true, required: true },
  { id: 'agree', type: 'checkbox', name: 'I agree', required: true },
];

/** Marks the page: the mark would be lost if the page were loaded again. */
async function open(page: Page, form: { slug: string }, query = ''): Promise<void> {
  await page.goto(`${home.service.url}/forms/${form.slug}${query}`);
  await page.evaluate(() => {
    Object.assign(window, { isSamePage: true });
  });
}

const isSamePage = (page: Page) => page.evaluate(() => 'isSamePage' in window);
const primary = (page: Page) => page.locator('.nav .primary');

describe.each([
  ['on a desktop', DESKTOP],
  ['on a phone', PHONE],
])('a form %s', (_, device) => {
  test('is filled in, checked and sent without leaving the page', async () => {
    const form = await home.form({ properties: PROPERTIES, show_progress_bar: true });
    const page = await browser.page(device);
    await open(page, form);

    await primary(page).click();
    const summary = page.locator('#summary');
    await summary.waitFor();
    expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
    await expect.poll(() => summary.locator('h2').textContent()).toBe('2 answers need your attention');
    await expect.poll(() => page.title()).toMatch(/^Error: /);
    await summary.getByRole('link', { name: '“Your name” needs an answer.' }).click();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
    await expect.poll(() => page.getByLabel('Your name').getAttribute('aria-invalid')).toBe('true');

    await page.getByLabel('Your name').fill('Ada');
    await expect.poll(() => page.getByLabel('Your name').getAttribute('aria-invalid')).toBeNull();
    await page.getByLabel('E-mail').fill('ada@example.com');
    await summary.waitFor({ state: 'hidden' });
    await expect.poll(() => page.title()).not.toMatch(/^Error/);

    const product = page.getByLabel('Which product?');
    expect(await product.isVisible()).toBe(false);
    await page.getByLabel('Topic').selectOption('Support');
    await expect.poll(() => product.isVisible()).toBe(true);
    await product.fill('Pump');

    await expect.poll(() => primary(page).textContent()).toBe('Onwards');
    await primary(page).click();
    await page.getByLabel('Message').waitFor();
    await expect.poll(() => primary(page).textContent()).toBe('Submit');
    await expect.poll(() => page.locator('.progress').textContent()).toBe('Step 2 of 2');
    await expect.poll(() => page.locator('[data-back]').textContent()).toBe('Backwards');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('message');

    await page.goBack();
    await product.waitFor();
    await expect.poll(() => product.inputValue()).toBe('Pump');
    await page.goForward();
    await page.getByLabel('Message').fill('Hello');
    await page.getByLabel('I agree').check();
    await primary(page).click();

    const thanks = page.locator('.thank-you');
    await thanks.waitFor();
    expect(await thanks.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await isSamePage(page)).toBe(true);
    expect(new URL(page.url()).pathname).toBe(`/forms/${form.slug}/thank-you`);
    const [record] = await home.records(form);
    expect(record.data ?? record).toMatchObject({
      name: 'Ada',
      mail: 'ada@example.com',
      topic: 'Support',
      product: 'Pump',
      message: 'Hello',
      agree: true,
    });
  });
});

test('a button that is pressed while a field is left stays where it is', async () => {
  const form = await home.form({ properties: PROPERTIES.slice(0, 2) });
  const page = await browser.page();
  await open(page, form);
  await page.getByLabel('E-mail').fill('ada');
  await primary(page).click();
  await page.locator('#summary li').first().waitFor();
});

test('what is disabled by logic keeps its answer, and hidden answers do not count', async () => {
  const isTicked = (action: string) => ({
    conditions: {
      operatorIdentifier: 'and',
      children: [
        {
          identifier: 'box',
          value: { operator: 'is_checked', property_meta: { id: 'box', type: 'checkbox' }, value: true },
        },
      ],
    },
    actions: [action],
  });
  const form = await home.form({
    properties: [
      { id: 'off', type: 'text', name: 'Off', logic: isTicked('disable-block') },
      { id: 'gone', type: 'text', name: 'Gone', logic: isTicked('hide-block') },
      { id: 'must', type: 'text', name: 'Must', logic: isTicked('require-answer') },
      { id: 'box', type: 'checkbox', name: 'Box' },
    ],
  });
  const page = await browser.page();
  await open(page, form);
  for (const name of ['Off', 'Gone', 'Must']) await page.getByLabel(name).fill(name);
  await page.getByLabel('Box').check();
  await expect.poll(() => page.getByLabel('Off').isDisabled()).toBe(true);
  await expect.poll(() => page.getByLabel('Gone').isVisible()).toBe(false);
  await expect.poll(() => page.getByLabel('Must').getAttribute('aria-required')).toBe('true');
  await page.getByLabel('Box').uncheck();
  await expect.poll(() => page.getByLabel('Off').isDisabled()).toBe(false);
  await page.getByLabel('Box').check();
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  const [record] = await home.records(form);
  expect(record.data).toMatchObject({ off: 'Off', must: 'Must', box: true });
  expect(record.data.gone ?? null).toBeNull();
});

test('patterns are those of the service, loaded for forms that have one', async () => {
  const form = await home.form({
    properties: [
      {
        id: 'code',
        type: 'text',
        name: 'Code',
        validation: {
          error_conditions: {
            conditions: {
              operatorIdentifier: 'and',
              children: [
                {
                  identifier: 'code',
                  // In the browser's own engine, this pattern means something else or is invalid.
                  value: {
                    operator: 'matches_regex',
                    property_meta: { id: 'code', type: 'text' },
                    value: '^(?i)ab\\z',
                  },
                },
              ],
            },
          },
          error_message: 'No code.',
        },
      },
    ],
  });
  const page = await browser.page();
  const loaded = page.waitForResponse(/patterns-/);
  await open(page, form);
  await loaded;
  await page.getByLabel('Code').fill('abc');
  await primary(page).click();
  await page.locator('#summary').getByText('No code.').waitFor();
  await page.getByLabel('Code').fill('AB');
  await page.locator('#summary').waitFor({ state: 'hidden' });
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
});

test('with scripts off the same form goes the plain way', async () => {
  const form = await home.form({ properties: PROPERTIES, use_captcha: true });
  const page = await browser.page({ ...PHONE, javaScriptEnabled: false });
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await primary(page).click();
  await page.locator('#summary li').first().waitFor();
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Topic').selectOption('Support');
  await primary(page).click();
  // Now the service shows the field that the topic requires.
  await page.getByLabel('Which product?').fill('Pump');
  await primary(page).click();
  await page.getByLabel('Message').fill('Hello');
  await page.locator('[data-back]').click();
  await expect.poll(() => page.getByLabel('Which product?').inputValue()).toBe('Pump');
  await primary(page).click();
  await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Hello');
  await page.getByLabel('I agree').check();
  const [, a, b] =
    /(\d+) plus (\d+)/.exec((await page.locator('label[for=captcha]').textContent()) ?? '') ?? [];
  await page.locator('#captcha').fill(String(Number(a) + Number(b)));
  await until(async () => {
    // An answer counts only some seconds after the question was shown.
    const [, asked] = /^q\.(\d{13})/.exec(await page.locator('[name=captcha]').first().inputValue()) ?? [];
    return Date.now() - Number(asked) > 2_100;
  });
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  expect(await home.records(form)).toHaveLength(1);
});

test('the list of problems stays under the pointer, and under the focus', async () => {
  const form = await home.form({
    properties: ['A', 'B', 'C'].map((name) => ({ id: name, type: 'email', name, required: true })),
  });
  const page = await browser.page();
  await open(page, form);
  await primary(page).click();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
  const link = page.locator('#summary a');
  await page.locator('[name=A]').fill('ada');
  await link.last().click();
  expect(await focused()).toBe('C');
  await page.locator('[name=A]').fill('ad');
  await page.keyboard.press('Shift+Tab');
  expect(await link.last().evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  expect(await focused()).toBe('C');
});
