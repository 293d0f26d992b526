import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { kept } from './begun-form.ts';

/** Fields that logic disables while a box is ticked. */
const home = useHome();
const browser = useBrowser();

const LOCK = { id: 'lock', type: 'checkbox', name: 'Lock' };
const logic = {
  conditions: {
    operatorIdentifier: 'and',
    children: [
      {
        identifier: LOCK.id,
        value: { operator: 'equals', property_meta: { id: LOCK.id, type: 'checkbox' }, value: true },
      },
    ],
  },
  actions: ['disable-block'],
};
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const FILE = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') };

const address = (form: { slug: string }, query = '') => `${home.service.url}/forms/${form.slug}${query}`;
const dataOf = async (form: { id: number }) => (await home.records(form))[0].data;

async function send(page: Page): Promise<void> {
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
}

test.each(['files', 'signature'])(
  'a file of a locked field stays, also once it is unlocked: %s',
  async (type) => {
    const form = await home.form({
      properties: [LOCK, { id: 'doc', type, name: 'Document', logic }],
      auto_save: false,
      editable_submissions: true,
    });
    const page = await browser.page();
    await page.goto(address(form));
    await page.locator('[type=file]').setInputFiles(FILE);
    await page.locator('.uploaded [type=hidden]').waitFor({ state: 'attached' });
    await page.getByLabel('Lock').check();
    expect(await page.locator('.uploaded button').isDisabled()).toBe(true);
    await send(page);
    const { doc, submission_id } = await dataOf(form);
    expect(JSON.stringify(doc)).toContain('a_');

    await page.goto(address(form, `?submission_id=${submission_id}`));
    const remove = page.locator('.uploaded button');
    await remove.waitFor();
    expect(await remove.isDisabled()).toBe(true);
    await page.getByLabel('Lock').uncheck();
    expect(await remove.isDisabled()).toBe(false);
    await send(page);
    expect(await dataOf(form)).toMatchObject({ lock: false, doc });
  },
);

test('what is there again after a reload in fields that are locked is sent; what is always locked is as the form has it', async () => {
  const propertiesWith = (price: string) => [
    LOCK,
    { id: 'street', type: 'text', name: 'Street', logic },
    {
      id: 'people',
      type: 'repeat',
      name: 'People',
      questions: [{ id: 'q', type: 'text', name: 'First' }],
      logic,
    },
    { id: 'price', type: 'text', name: 'Price', disabled: true, prefill: price },
  ];
  const form = await home.form({ properties: propertiesWith('10 EUR'), auto_save: true });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form, '?lock=on&street=Prefilled'));
  await page.getByLabel('Lock').uncheck();
  await page.getByLabel('Street').fill('Typed');
  await page.getByLabel('First').fill('Ann');
  await page.getByLabel('Lock').check();
  await expect.poll(() => kept(context)).toMatch(/Typed.*Ann/);
  const changed = { properties: propertiesWith('12 EUR') };
  expect((await home.call('PUT', `/open/forms/${form.id}`, changed)).status).toBe(200);
  await page.reload();
  await page.locator('.restored').waitFor();
  expect(await page.getByLabel('Street').inputValue()).toBe('Typed');
  expect(await page.getByLabel('Street').isDisabled()).toBe(true);
  expect(await page.getByLabel('Price').inputValue()).toBe('12 EUR');
  await send(page);
  expect(await dataOf(form)).toMatchObject({
    lock: true,
    street: 'Typed',
    people: [{ q: 'Ann' }],
    price: '12 EUR',
  });
});
