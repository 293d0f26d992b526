import { expect, test } from 'vitest';
import { parseTwice } from '../exports/csv-database.ts';
import { storeSubmissions } from '../exports/stored-submissions.ts';
import { DESKTOP, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { expectFine, signedInPage } from './screens.ts';

/** Repeated questions where their entries are counted, and where they leave the form. */
const browser = useBrowser();
const home = useHome();

const ITEMS = {
  id: 'items',
  type: 'repeat',
  name: 'Items',
  questions: [
    { id: 'price', type: 'number', name: 'Price' },
    { id: 'qty', type: 'number', name: 'Quantity' },
  ],
};

async function open(form: { id: number }, screen: string) {
  const page = await signedInPage(browser, home.service.url, home.ada, DESKTOP);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/${screen}`);
  return page;
}

test('a formula is offered the questions of every entry, and can be tried', async () => {
  const form = await home.form({ properties: [ITEMS] });
  const page = await open(form, 'settings?part=calculations');
  await page.getByRole('button', { name: 'Add calculation' }).click();
  await page.keyboard.type('Total');
  const formula = page.getByLabel('Formula', { exact: true });
  await formula.fill('SUMPRODUCT({Items.Price}, ');
  await page.getByRole('button', { name: 'Insert question into Total', exact: true }).click();
  await expect
    .poll(() => page.getByRole('menuitem').allTextContents())
    .toEqual(['Items', 'Items.Price', 'Items.Quantity']);
  await page.getByRole('menuitem', { name: 'Items.Quantity', exact: true }).click();
  await until(async () => (await formula.inputValue()).endsWith('{Items.Quantity}'));
  await page.keyboard.type(')');
  await page.getByText('Try it').click();
  await page.getByLabel('Items.Price', { exact: true }).fill('2.5, 10');
  await page.getByLabel('Items.Quantity', { exact: true }).fill('4, 2');
  await page.getByRole('definition').filter({ hasText: '30' }).waitFor();
  // Further up, the bar of unsaved changes lies over a part of what can be scrolled from under it.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expectFine(page, 'a calculation with repeated questions');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('region', { name: 'Changes' }).waitFor({ state: 'detached' });
  const stored = await home.call('GET', `/open/forms/${form.id}`);
  expect(stored.body.computed_variables[0].formula).toBe('SUMPRODUCT({items.price}, {items.qty})');
});

test('a file has a line for each entry where that is chosen', async () => {
  const form = await home.form({ properties: [ITEMS, { id: 'note', type: 'text', name: 'Note' }] });
  await storeSubmissions(home.service, form.id, [
    { items: [{ price: 2, qty: 3 }, { price: 4 }], note: 'Thanks' },
    { note: 'Nothing' },
  ]);
  const page = await open(form, 'responses');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Kind of file').selectOption('CSV');
  await dialog.getByRole('button', { name: 'None', exact: true }).click();
  expect(await dialog.getByLabel('One line for').count()).toBe(0);
  for (const name of ['Items', 'Note']) await dialog.getByRole('checkbox', { name, exact: true }).check();
  await dialog.getByLabel('One line for').selectOption('Each entry of Items');
  await expectFine(page, 'an export of entries');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const chunks = await (await download.createReadStream()).toArray();
  expect(parseTwice(Buffer.concat(chunks).toString())).toEqual([
    ['entry', 'Price', 'Quantity', 'Note'],
    ['2', '4', '', 'Thanks'],
    ['1', '2', '3', 'Thanks'],
  ]);
});

test('responses are filtered by what stands in an entry', async () => {
  const form = await home.form({ properties: [ITEMS, { id: 'note', type: 'text', name: 'Note' }] });
  await storeSubmissions(home.service, form.id, [
    { items: [{ price: 25 }], note: 'First' },
    { items: [{ price: 4 }, { price: 7 }], note: 'Second' },
  ]);
  const page = await open(form, 'responses');
  await page.getByRole('cell', { name: 'First', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const answer = page.getByLabel('Answer', { exact: true });
  // Equality with a text is not offered for a list.
  await expect
    .poll(() => answer.locator('option').allTextContents())
    .toEqual(['contains', 'does not contain', 'has no answer', 'has an answer']);
  await page.getByLabel('Value', { exact: true }).fill('7');
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('cell', { name: 'First', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'Second', exact: true }).waitFor();
});
