import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();
const browser = useBrowser();

/** Another field is asked for when the topic is Support; a page break; a long text and a box to tick. */
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

/** A page that begins anew whenever it is loaded would lose this. */
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
    expect(await summary.locator('h2').textContent()).toBe('2 answers need your attention');
    expect(await page.title()).toMatch(/^Error: /);
    await summary.getByRole('link', { name: 'The Your name field is required.' }).click();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
    expect(await page.getByLabel('Your name').getAttribute('aria-invalid')).toBe('true');

    await page.getByLabel('Your name').fill('Ada');
    expect(await page.getByLabel('Your name').getAttribute('aria-invalid')).toBeNull();
    await page.getByLabel('E-mail').fill('ada@example.com');
    await summary.waitFor({ state: 'hidden' });
    expect(await page.title()).not.toMatch(/^Error/);

    const product = page.getByLabel('Which product?');
    expect(await product.isVisible()).toBe(false);
    await page.getByLabel('Topic').selectOption('Support');
    expect(await product.isVisible()).toBe(true);
    await product.fill('Pump');

    expect(await primary(page).textContent()).toBe('Onwards');
    await primary(page).click();
    await page.getByLabel('Message').waitFor();
    expect(await primary(page).textContent()).toBe('Submit');
    expect(await page.locator('.progress').textContent()).toBe('Step 2 of 2');
    expect(await page.locator('[data-back]').textContent()).toBe('Backwards');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('message');

    await page.goBack();
    await product.waitFor();
    expect(await product.inputValue()).toBe('Pump');
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
