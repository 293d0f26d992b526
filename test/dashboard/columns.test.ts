import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { columnsOf, inOrder, withMoved } from '../../dashboard/responses/table/columns.ts';
import { readParquet } from '../exports/parquet-reader.ts';
import { readSav } from '../exports/sav-reader.ts';
import { readSqlite } from '../exports/sqlite-reader.ts';
import { unzip } from '../exports/unzip.ts';
import { PNG, upload } from '../files/upload.ts';
import { useBrowser } from '../setup/browser.ts';
import { aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aSurvey, ID } from './responses.ts';
import { expectFine, signedInPage } from './screens.ts';

const all = columnsOf(
  {
    properties: ['a', 'b', 'c'].map((id) => ({ id, type: 'text', name: id, width: 'full' })),
    removed_properties: [],
    editable_submissions: false,
  },
  { isReviewed: false, mayChange: true },
);
const order = (keys: string[]) => inOrder(all, keys).map(({ name }) => name);

test('columns keep the order that was chosen, new ones their usual place in it', () => {
  const usual = all.map(({ name }) => name);
  expect(order([])).toEqual(usual);
  const few = (keys: string[]) => order(keys).filter((name) => ['a', 'b', 'c', 'created_at'].includes(name));
  expect(few(['field:c', 'field:a'])).toEqual(['created_at', 'c', 'a', 'b']);
  expect(few(['field:gone', 'field:b', 'created_at'])).toEqual(['b', 'c', 'created_at', 'a']);
  expect(order(['field:c']).sort()).toEqual([...usual].sort());
});

test('a column is moved past those that are shown', () => {
  const keys = ['a', 'hidden', 'b', 'c'];
  expect(withMoved(keys, ['a', 'b', 'c'], 'b', -1)).toEqual(['b', 'a', 'hidden', 'c']);
  expect(withMoved(keys, ['a', 'b', 'c'], 'a', 1)).toEqual(['hidden', 'b', 'a', 'c']);
  expect(withMoved(keys, ['a', 'b', 'c'], 'c', 1)).toEqual(keys);
  expect(withMoved(keys, ['a', 'b', 'c'], 'a', -1)).toEqual(keys);
});

const browser = useBrowser();
const home = useHome();

test('by keyboard, remembered, and forgotten', async () => {
  const form = await aSurvey(home);
  // The content policy forbids colors of an answer; they are dropped without a warning in the console.
  await home.submit(form, { [ID.name]: 'Ada', [ID.story]: '<p style="color: red">All red</p>' });
  expect((await home.records(form))[0].data[ID.story]).toContain('style=');
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/responses`);
  const heads = page.getByRole('columnheader');
  /** The names of the first columns, after that of the checkboxes. */
  const first = async (count: number) => (await heads.allInnerTexts()).slice(1, count + 1);
  await page.getByRole('cell', { name: 'Ada' }).waitFor();
  await page.getByRole('cell', { name: 'All red' }).waitFor();
  expect(await first(3)).toEqual(['Submitted', 'Your name', 'E-mail address']);
  // The name is said with every cell: it must not hold the width.
  await page.getByRole('columnheader', { name: 'Your name', exact: true }).waitFor();

  await page.getByRole('button', { name: 'Columns' }).focus();
  await page.keyboard.press('Enter');
  const up = page.getByRole('button', { name: 'Move E-mail address up' });
  await up.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => first(3)).toEqual(['Submitted', 'E-mail address', 'Your name']);
  await page.locator('button:focus[aria-label="Move E-mail address up"]').waitFor();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => first(3)).toEqual(['E-mail address', 'Submitted', 'Your name']);
  await page.getByText('E-mail address is now 1 of').waitFor({ state: 'attached' });
  await page.locator('button:focus[aria-label="Move E-mail address up"]').waitFor();
  await expect.poll(() => up.getAttribute('aria-disabled')).toBe('true');
  await expectFine(page, 'order of columns');

  await page.reload();
  await page.getByRole('cell', { name: 'Ada' }).waitFor();
  expect(await first(3)).toEqual(['E-mail address', 'Submitted', 'Your name']);
  // The export proposes the same order and, on request, only the shown columns.
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export responses' });
  const listed = dialog.getByRole('list', { name: 'Columns of the file, in order' }).getByRole('listitem');
  await listed.first().waitFor();
  expect((await listed.allInnerTexts()).slice(0, 3)).toEqual(['E-mail address', 'Submitted', 'Your name']);
  // Moved without dragging, there and back.
  await dialog.getByRole('button', { name: 'Move Your name' }).click();
  await page.getByRole('menuitem', { name: 'Move to the top' }).click();
  await expect.poll(() => listed.first().innerText()).toBe('Your name');
  await dialog.getByRole('button', { name: 'Move Your name' }).click();
  await page.getByRole('menuitem', { name: 'Move down' }).click();
  await dialog.getByRole('button', { name: 'Move Your name' }).click();
  await page.getByRole('menuitem', { name: 'Move down' }).click();
  await expect
    .poll(async () => (await listed.allInnerTexts()).slice(0, 3))
    .toEqual(['E-mail address', 'Submitted', 'Your name']);
  await expect.poll(() => dialog.getByRole('checkbox', { name: 'Status' }).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'As in the table' }).click();
  await expect.poll(() => dialog.getByRole('checkbox', { name: 'Status' }).isChecked()).toBe(false);
  await dialog.getByLabel('Kind of file').selectOption('CSV');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const [headers = []] = parse(await readFile(await download.path(), 'utf8'));
  expect(headers.slice(0, 3)).toEqual(['E-mail address', 'created_at', 'Your name']);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('button', { name: 'Show the usual columns' }).click();
  await expect.poll(() => first(2)).toEqual(['Submitted', 'Your name']);
});

test('an export brings the files along where there are some', async () => {
  const photo = { id: 'photo', type: 'files', name: 'Photo' };
  const form = await home.form({ properties: [aTextField(), photo] });
  const { reference } = (await upload(home.service, form, 'photo', PNG, 'me.png')).body;
  await home.submit(form, { photo: [reference] });
  const page = await signedInPage(browser, home.service.url, home.ada);
  const dialog = await exportDialog(page, form);
  const kind = dialog.getByLabel('Kind of file');
  await dialog.getByText('Files are links that run out').waitFor();
  await kind.selectOption('ZIP, with the files');
  expect(await dialog.getByText('Files are links that run out').count()).toBe(0);
  await expectFine(page, 'an export with files');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export ZIP' }).click(),
  ]);
  const parts = unzip(await readFile(await download.path()));
  const [{ id }] = await home.records(form);
  expect([...parts.keys()]).toEqual(['submissions.csv', `files/${id}/${reference}`]);
  const plain = await home.form({ properties: [aTextField()] });
  await home.submit(plain, { [TEXT_FIELD_ID]: 'sent' });
  await exportDialog(page, plain);
  await expect
    .poll(() => kind.getByRole('option').allTextContents())
    .toEqual([
      ...['Excel', 'CSV', 'SPSS, R and Stata', 'Parquet, for data analysis', 'JSON Lines, for programs'],
      'SQLite, for queries',
    ]);
  await kind.selectOption('SPSS, R and Stata');
  const [statistics] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export SPSS file' }).click(),
  ]);
  expect(statistics.suggestedFilename()).toBe(`${plain.slug}-submissions.sav`);
  expect(readSav(await readFile(await statistics.path()))).toMatchObject({ count: 1 });
});

test('an export for data analysis has lists, and neither lines nor columns of their parts', async () => {
  const form = await home.form({
    properties: [
      { id: 'many', type: 'multi_select', name: 'Many', options: ['a', 'b'] },
      { id: 'people', type: 'repeat', name: 'People', questions: [{ id: 'who', type: 'text', name: 'Who' }] },
    ],
  });
  await home.submit(form, { many: ['b', 'a'], people: [{ who: 'Ada' }] });
  const page = await signedInPage(browser, home.service.url, home.ada);
  const dialog = await exportDialog(page, form);
  const kind = dialog.getByLabel('Kind of file');
  await dialog.getByLabel('One line for').waitFor();
  await kind.selectOption('Parquet, for data analysis');
  expect(await dialog.getByLabel('One line for').count()).toBe(0);
  expect(await dialog.getByLabel('A column for each option').count()).toBe(0);
  await expectFine(page, 'an export for data analysis');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export Parquet file' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${form.slug}-submissions.parquet`);
  const { rows } = await readParquet(await readFile(await download.path()));
  expect(rows).toMatchObject([{ many: ['b', 'a'], people: [{ who: 'Ada' }], status: 'completed' }]);
});

test('an export has a column for each option, where some question has several', async () => {
  const form = await home.form({
    properties: [aTextField(), { id: 'many', type: 'multi_select', name: 'Many', options: ['a', 'b'] }],
  });
  await home.submit(form, { many: ['b'] });
  const page = await signedInPage(browser, home.service.url, home.ada);
  const dialog = await exportDialog(page, form);
  const kind = dialog.getByLabel('Kind of file');
  const apart = dialog.getByLabel('A column for each option');
  await kind.selectOption('SPSS, R and Stata');
  expect(await apart.count()).toBe(0);
  await kind.selectOption('CSV');
  await apart.check();
  await expectFine(page, 'an export with a column for each option');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const [headers = [], row = []] = parse(await readFile(await download.path(), 'utf8'));
  const cells = headers.map((header, index) => [header, row[index]]);
  expect(cells.filter(([header]) => header?.startsWith('Many'))).toEqual([
    ['Many [a]', '0'],
    ['Many [b]', '1'],
    ['Many [Other]', ''],
  ]);
  await dialog.getByRole('button', { name: 'Done' }).click();

  // Formats that have them apart anyway are not asked for it.
  await exportDialog(page, form);
  await kind.selectOption('CSV');
  await apart.check();
  await kind.selectOption('SPSS, R and Stata');
  await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export SPSS file' }).click(),
  ]);

  const other = await home.form({ properties: [aTextField()] });
  await home.submit(other, { [TEXT_FIELD_ID]: 'sent' });
  await exportDialog(page, other);
  await kind.selectOption('CSV');
  expect(await apart.count()).toBe(0);
});

test('an export for programs has answers as they are', async () => {
  const form = await home.form({
    properties: [aTextField(), { id: 'many', type: 'multi_select', name: 'Many', options: ['a', 'b'] }],
  });
  await home.submit(form, { many: ['a', 'b'] });
  const page = await signedInPage(browser, home.service.url, home.ada);
  const dialog = await exportDialog(page, form);
  await dialog.getByLabel('Kind of file').selectOption('JSON Lines, for programs');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export JSON Lines' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${form.slug}-submissions.jsonl`);
  const [line] = (await readFile(await download.path(), 'utf8')).split('\n');
  expect(JSON.parse(line ?? '')).toMatchObject({ Many: ['a', 'b'] });
});

test('an export for queries is a database, with the entries of repeated questions anyway', async () => {
  const form = await home.form({
    properties: [
      aTextField(),
      { id: 'items', type: 'repeat', name: 'Items', questions: [{ id: 'what', type: 'text', name: 'What' }] },
    ],
  });
  await home.submit(form, { items: [{ what: 'Tent' }, { what: 'Rope' }] });
  const page = await signedInPage(browser, home.service.url, home.ada);
  const dialog = await exportDialog(page, form);
  const lines = dialog.getByLabel('One line for');
  await lines.selectOption('Each entry of Items');
  await dialog.getByLabel('Kind of file').selectOption('SQLite, for queries');
  await expect.poll(() => lines.count()).toBe(0);
  await expectFine(page, 'an export for queries');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export SQLite file' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${form.slug}-submissions.sqlite`);
  const { all } = readSqlite(await readFile(await download.path()));
  expect(all('select what from items order by position')).toEqual([{ what: 'Tent' }, { what: 'Rope' }]);
});

test('places are exported for maps, from a column that has them', async () => {
  const form = await home.form({
    properties: [aTextField(), { id: 'place', type: 'location', name: 'Place' }],
  });
  await home.submit(form, { place: '10, 20' });
  const page = await signedInPage(browser, home.service.url, home.ada);
  const dialog = await exportDialog(page, form);
  await dialog.getByLabel('Kind of file').selectOption('GeoJSON, for maps');
  const start = dialog.getByRole('button', { name: 'Export GeoJSON' });
  await dialog.getByLabel('Place', { exact: true }).uncheck();
  await expect.poll(() => start.getAttribute('aria-disabled')).toBe('true');
  await expectFine(page, 'an export for maps');
  await dialog.getByLabel('Place', { exact: true }).check();
  const [download] = await Promise.all([page.waitForEvent('download'), start.click()]);
  expect(download.suggestedFilename()).toBe(`${form.slug}-submissions.geojson`);
  const { features } = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(features[0].geometry.coordinates).toEqual([20, 10]);
});

async function exportDialog(page: Page, form: { id: number }): Promise<Locator> {
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/responses`);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  return page.getByRole('dialog', { name: 'Export responses' });
}
