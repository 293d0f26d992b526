import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, keepMessages, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

const AGE = aField('01', 'number', 'Age');
const DRINK = aField('02', 'select', 'Drink', {
  select: { options: ['Tea', 'Coffee'].map((name) => ({ id: name, name })) },
});
const when = (field: { id: string; type: string }, operator: string, value: unknown) => ({
  operatorIdentifier: 'and',
  children: [
    {
      identifier: field.id,
      value: { operator, property_meta: { id: field.id, type: field.type }, value },
    },
  ],
});
const COFFEE = { id: 'coffee', name: 'Coffee', conditions: when(DRINK, 'equals', 'Coffee') };
const TEA = { id: 'tea', name: 'Tea', conditions: when(DRINK, 'equals', 'Tea') };

async function open(
  form: { id: number },
  device: BrowserContextOptions = DESKTOP,
  person = home.ada,
): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, person, device);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/settings?part=after`);
  await page.getByRole('heading', { name: 'Endings for some answers' }).waitFor();
  await keepMessages(page);
  return page;
}

const read = async (form: { id: number }) => (await home.call('GET', `/open/forms/${form.id}`)).body;
const card = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const names = (page: Page) =>
  page
    .locator('[data-ending]')
    .getByLabel('Name', { exact: true })
    .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('region', { name: 'Changes' }).waitFor({ state: 'detached' });
}

test('endings that somebody else changed meanwhile are not replaced', async () => {
  const form = await home.form({ properties: [AGE, DRINK], endings: [COFFEE] });
  const page = await open(form);
  await card(page, 'Coffee').getByLabel('Name', { exact: true }).fill('Espresso');
  await home.call('PUT', `/open/forms/${form.id}`, { endings: [COFFEE, TEA] });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Somebody else changed the endings meanwhile.').first().waitFor();
  expect((await read(form)).endings.map(({ name }: any) => name)).toEqual(['Coffee', 'Tea']);
  expect(await names(page)).toEqual(['Espresso']);
  await expectFine(page, 'endings that somebody else changed');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => names(page)).toEqual(['Coffee', 'Tea']);
  await card(page, 'Coffee').getByLabel('Name', { exact: true }).fill('Espresso');
  await save(page);
  // Saved twice in a row: the second time nobody else did.
  await card(page, 'Tea').getByLabel('Name', { exact: true }).fill('Green tea');
  await save(page);
  expect((await read(form)).endings.map(({ name }: any) => name)).toEqual(['Espresso', 'Green tea']);
});

test('an ending is written with its condition, and a visitor reaches it', async () => {
  const form = await home.form({ properties: [AGE, DRINK] });
  const page = await open(form);
  await page.getByRole('button', { name: 'Add an ending' }).click();
  await page.keyboard.type('Too young');
  const young = card(page, 'Too young');
  await young.getByLabel('Comparison').selectOption({ label: 'is less than' });
  await young.getByLabel('Value').fill('18');
  await young.getByText('When Age is less than 18').waitFor();
  await young.getByRole('textbox', { name: 'Thank-you text then' }).click();
  await page.keyboard.type('Not before you are of age.');
  await expectFine(page, 'an ending');
  await save(page);
  const [ending] = (await read(form)).endings;
  expect(ending).toMatchObject({
    name: 'Too young',
    conditions: when(AGE, 'less_than', 18),
    submitted_text: expect.stringContaining('Not before you are of age.'),
    redirect_url: null,
  });
  const visitor = await browser.page();
  await visitor.goto(`${home.service.url}/forms/${form.slug}`);
  await visitor.getByLabel('Age').fill('17');
  await visitor.getByRole('button', { name: 'Submit' }).click();
  await visitor.getByText('Not before you are of age.').waitFor();
});

test('endings are put in order by keyboard, removed, and come back', async () => {
  const form = await home.form({ properties: [AGE, DRINK], endings: [COFFEE, TEA] });
  const page = await open(form);
  await card(page, 'Tea').getByRole('button', { name: 'Move Tea up' }).press('Enter');
  await expect.poll(() => names(page)).toEqual(['Tea', 'Coffee']);
  const up = card(page, 'Tea').getByRole('button', { name: 'Move Tea up' });
  await expect.poll(() => up.evaluate((button) => button === document.activeElement)).toBe(true);
  await card(page, 'Coffee').getByRole('button', { name: 'Remove Coffee' }).click();
  await expect.poll(() => names(page)).toEqual(['Tea']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => names(page)).toEqual(['Tea', 'Coffee']);
  await save(page);
  expect((await read(form)).endings.map(({ id }: { id: string }) => id)).toEqual(['tea', 'coffee']);
});

test('Undo brings back an ending alone, also once its removal was saved, and goes with the screen', async () => {
  const form = await home.form({ properties: [AGE, DRINK], endings: [COFFEE, TEA] });
  const page = await open(form);
  const remove = () => card(page, 'Coffee').getByRole('button', { name: 'Remove Coffee' }).click();
  const undo = page.getByRole('button', { name: 'Undo' });
  await remove();
  await card(page, 'Tea').getByLabel('Name', { exact: true }).fill('Tea time');
  await undo.click();
  await expect.poll(() => names(page)).toEqual(['Coffee', 'Tea time']);
  await remove();
  await page.getByText('Coffee was removed.').hover();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('region', { name: 'Changes' }).waitFor({ state: 'detached' });
  await undo.click();
  await expect.poll(() => names(page)).toEqual(['Coffee', 'Tea time']);
  await save(page);
  expect((await read(form)).endings.map(({ name }: { name: string }) => name)).toEqual([
    'Coffee',
    'Tea time',
  ]);
  await remove();
  await page.getByText('Coffee was removed.').hover();
  await page.getByRole('link', { name: 'Appearance' }).click();
  await undo.waitFor({ state: 'detached' });
});

test('the builder does not warn of an ending that follows a renamed option', async () => {
  const form = await home.form({ properties: [AGE, DRINK], endings: [COFFEE] });
  const page = await signedInPage(browser, home.service.url, home.ada, DESKTOP);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  await page.getByRole('button', { name: 'Settings of Drink' }).click();
  await page.getByRole('textbox', { name: 'Option 2' }).fill('Espresso');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Publish/ }).waitFor();
  expect(await dialog.innerText()).not.toContain('not reached');
});

test('what is wrong stands where it is, and nothing is lost', async () => {
  const form = await home.form({ properties: [DRINK], endings: [COFFEE] });
  const page = await open(form);
  await page.getByRole('button', { name: 'Add an ending' }).click();
  const added = card(page, 'ending 2');
  const address = added.getByRole('textbox', { name: 'Or another page then' });
  await address.click();
  await page.keyboard.type('shop.example');
  await added.getByText('It does not begin with https://').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await added.getByText('The name field is required.').waitFor();
  expect(await address.innerText()).toBe('shop.example');
  await added.getByLabel('Name', { exact: true }).fill('Shop');
  await save(page);
  // The option that the first one asks for is gone.
  await home.call('PUT', `/open/forms/${form.id}`, {
    properties: [{ ...DRINK, select: { options: [{ id: 'Tea', name: 'Tea' }] } }],
  });
  await page.reload();
  await card(page, 'Coffee').getByText('Never reached: “Drink” has no option “Coffee”.').waitFor();
});

test('viewers read it, on a phone too', async () => {
  const form = await home.form({
    properties: [AGE, DRINK],
    endings: [{ ...COFFEE, submitted_text: 'Enjoy' }],
  });
  const page = await open(form, PHONE, await home.member('readonly'));
  await card(page, 'Coffee').getByText('When Drink is Coffee').waitFor();
  await expectFine(page, 'endings, for a viewer on a phone');
  const add = page.getByRole('button', { name: 'Add an ending' });
  expect(await add.getAttribute('aria-disabled')).toBe('true');
});
