import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { openResponses } from './responses.ts';
import { expectFine } from './screens.ts';

const browser = useBrowser();
const home = useHome();
const stars = aField('02', 'rating', 'How was it?');
const call = aField('03', 'checkbox', 'Call back?');
const NAME = aTextField();
const UNHAPPY = { filters: [{ id: stars.id, operator: 'less_than', value: '3' }] };

let form: { id: number; slug: string };
beforeEach(async () => {
  form = await home.form({ properties: [NAME, stars, call] });
  const people: [string, number, boolean][] = [
    ['Ada', 5, true],
    ['Bob', 1, true],
    ['Eve', 2, false],
  ];
  for (const [name, given, wanted] of people)
    await home.submit(form, { [TEXT_FIELD_ID]: name, [stars.id]: given, [call.id]: wanted });
});

const path = () => `/open/forms/${form.id}/saved-views`;
const saved = async () => (await home.call('GET', path())).body;
async function aView(name: string, definition: unknown): Promise<number> {
  const answer = await home.call('POST', path(), { name, definition });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.view.id;
}
const open = (opening: Parameters<typeof openResponses>[3] = {}) =>
  openResponses(browser, home, form, opening);
const bar = (page: Page) => page.getByRole('navigation', { name: 'Saved views' });
const current = (page: Page) => bar(page).locator('[aria-current]').innerText();
const rows = (page: Page) => page.getByRole('table', { name: 'Responses' }).getByRole('row');
/** The texts of the first column, from top to bottom. */
async function firstColumn(page: Page): Promise<string[]> {
  const found = (await rows(page).all()).slice(1);
  return Promise.all(found.map((row) => row.getByRole('cell').nth(1).innerText()));
}

describe('a saved view', () => {
  test('is saved from what the screen shows, and opened by everybody with one click', async () => {
    const page = await open();
    await page.getByText('3 responses').waitFor();
    // Nothing is saved yet, and nothing is worth saving.
    expect(await bar(page).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save view' }).count()).toBe(0);
    await page.getByRole('button', { name: 'How was it?', exact: true }).click();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Submitted' }).uncheck();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Question').selectOption('Call back?');
    await page.getByLabel('Value').selectOption('Yes');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByText('2 responses found').waitFor();
    await page.getByRole('button', { name: 'Save view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save this view' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('To call back');
    await expectFine(page, 'saving a view');
    await page.keyboard.press('Enter');
    await expect.poll(() => current(page)).toBe('To call back');
    // The focus is where the reader goes on.
    await bar(page).locator('[aria-current]:focus').waitFor();
    const [view] = await saved();
    expect(view).toMatchObject({
      name: 'To call back',
      definition: {
        status: 'completed',
        filters: [{ id: call.id, operator: 'equals', value: 'true' }],
        sort: stars.id,
        order: 'desc',
        columns: [TEXT_FIELD_ID, stars.id, call.id],
      },
    });
    expect(new URL(page.url()).search).toBe(`?view=${view.id}`);

    const reader = await open({ person: await home.member('readonly') });
    await reader.getByText('3 responses').waitFor();
    await expectFine(reader, 'saved views');
    await bar(reader).getByRole('link', { name: 'To call back' }).click();
    await reader.getByText('2 responses found').waitFor();
    expect(await firstColumn(reader)).toEqual(['Ada', 'Bob']);
    await reader.getByRole('columnheader', { name: 'Submitted' }).waitFor({ state: 'detached' });
    // Only editors may change it, and others are told.
    await reader.getByLabel('Status').selectOption('All');
    const save = reader.getByRole('button', { name: 'Save changes' });
    await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true');
    await reader.getByRole('button', { name: 'Options of To call back' }).click();
    await reader.getByRole('menuitem', { name: 'Delete' }).getByText('As a viewer').waitFor();
    await reader.keyboard.press('Escape');
    await bar(reader).getByRole('link', { name: 'All responses' }).click();
    await reader.getByText('3 responses', { exact: true }).waitFor();
    await reader.getByRole('columnheader', { name: 'Submitted' }).waitFor();
  });

  test('shows that it was changed, until that is saved, saved as another, or discarded', async () => {
    const id = await aView('Unhappy', UNHAPPY);
    const page = await open({ path: `?view=${id}` });
    await page.getByText('2 responses found').waitFor();
    const box = page.getByLabel('Search answers');
    const changed = bar(page).getByText('with unsaved changes');
    await box.fill('Bob');
    await page.getByText('1 response found').waitFor();
    await changed.waitFor({ state: 'attached' });
    await expectFine(page, 'a changed view');
    // What is not saved is in the address.
    await page.reload();
    await page.getByText('1 response found').waitFor();
    await changed.waitFor({ state: 'attached' });
    expect(await box.inputValue()).toBe('Bob');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('2 responses found').waitFor();
    expect(await box.inputValue()).toBe('');
    expect(new URL(page.url()).search).toBe(`?view=${id}`);
    await expect.poll(() => changed.count()).toBe(0);

    // Taken back by hand, it is as saved again.
    await page.getByLabel('Status').selectOption('All');
    await changed.waitFor({ state: 'attached' });
    await page.getByLabel('Status').selectOption('Completed');
    await expect.poll(() => changed.count()).toBe(0);

    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Submitted' }).uncheck();
    await page.keyboard.press('Escape');
    await changed.waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Unhappy is saved for everybody.').waitFor();
    await expect.poll(() => changed.count()).toBe(0);
    expect(await saved()).toMatchObject([
      { definition: { ...UNHAPPY, columns: [TEXT_FIELD_ID, stars.id, call.id] } },
    ]);

    // Without its only filter it is still this view, changed.
    await page.getByRole('button', { name: /^Stop filtering/ }).click();
    await page.getByText('3 responses', { exact: true }).waitFor();
    expect(await current(page)).toContain('Unhappy');
    await page.getByRole('button', { name: 'Save as new' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save this view' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('unhappy');
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await dialog.getByText('Another saved view has this name.').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Everybody');
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await expect.poll(() => current(page)).toBe('Everybody');
    expect(await saved()).toMatchObject([
      { name: 'Unhappy', definition: UNHAPPY },
      { name: 'Everybody', definition: { filters: [], columns: [TEXT_FIELD_ID, stars.id, call.id] } },
    ]);
    await bar(page).getByRole('link', { name: 'Unhappy' }).click();
    await page.getByText('2 responses found').waitFor();
    await page.goBack();
    await page.getByText('3 responses', { exact: true }).waitFor();
    expect(await current(page)).toBe('Everybody');
  });

  test('is renamed and deleted, and a link to it then says so', async () => {
    const id = await aView('Unhapy', UNHAPPY);
    const page = await open({ path: `?view=${id}` });
    const options = (name: string) => page.getByRole('button', { name: `Options of ${name}` });
    await options('Unhapy').click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Unhappy');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await expect.poll(() => current(page)).toBe('Unhappy');
    await options('Unhappy').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expectFine(page, 'deleting a view');
    await page.getByRole('button', { name: 'Delete view' }).click();
    await page.getByText('3 responses', { exact: true }).waitFor();
    expect(await saved()).toEqual([]);
    await page.goto(`${page.url().split('?')[0]}?view=${id}`);
    await page.getByText('This view does not exist any more. You see all completed responses.').waitFor();
    await page.getByText('3 responses', { exact: true }).waitFor();
    await expectFine(page, 'a deleted view');
  });

  test('keeps the list of an open response, and is what an export proposes', async () => {
    const id = await aView('Unhappy', { ...UNHAPPY, columns: [stars.id, TEXT_FIELD_ID] });
    const page = await open({ path: `?view=${id}` });
    await page.getByText('2 responses found').waitFor();
    await rows(page).nth(1).getByRole('link').click();
    await page.getByRole('button', { name: 'Next (j)' }).click();
    const next = page.getByRole('button', { name: 'Next (j)' });
    await expect.poll(() => next.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'Close' }).click();
    expect(new URL(page.url()).search).toBe(`?view=${id}`);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Export responses' });
    await dialog.getByRole('button', { name: 'As in the table' }).click();
    await dialog.getByLabel('Kind of file').selectOption('CSV');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(parse(await readFile(await download.path(), 'utf8'))).toEqual([
      ['How was it?', 'Name'],
      ['2', 'Eve'],
      ['1', 'Bob'],
    ]);
  });
});

test('what the form no longer has is left out, and the view says so', async () => {
  const named = { id: TEXT_FIELD_ID, operator: 'contains', value: 'Bob' };
  const id = await aView('Bob', { filters: [named, ...UNHAPPY.filters] });
  const properties = [{ ...NAME, type: 'number' }, stars];
  expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
  const gone = await aView('Call', { filters: [{ id: call.id, operator: 'equals', value: 'true' }] });
  const page = await open({ path: `?view=${id}` });
  await page.getByText('2 responses found').waitFor();
  await page.getByRole('listitem').getByText('Filter: Name contains Bob').waitFor();
  await expectFine(page, 'a view that no longer fits');
  await page.getByRole('button', { name: 'Save without them' }).click();
  await expect.poll(() => page.getByText('Filter: Name contains Bob').count()).toBe(0);
  expect(await saved()).toMatchObject([{ definition: UNHAPPY, left_out: [] }, { name: 'Call' }]);
  await page.goto(`${page.url().split('?')[0]}?view=${gone}`);
  await page.getByText('2 responses found').waitFor();
  await page.getByText('filters by what the form no longer asks').getByText('Call back?').waitFor();
  await expectFine(page, 'a view of a former question');
});

test('on a phone the row of views scrolls by itself, to the open one', async () => {
  for (const name of ['To call back', 'Unhappy customers', 'Large groups']) await aView(name, {});
  const id = await aView('The last of all views', UNHAPPY);
  const page = await open({ path: `?view=${id}`, device: PHONE });
  await page.getByText('2 responses found').waitFor();
  const link = bar(page).getByRole('link', { name: 'The last of all views' });
  const { x = -1, width = 0 } = (await link.boundingBox()) ?? {};
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(360);
  await page.getByLabel('Status').selectOption('All');
  await page.getByRole('button', { name: 'Save changes' }).waitFor();
  await expectFine(page, 'views on a phone');
});

test('responses can be read where the views cannot, and a view can be asked for again', async () => {
  const id = await aView('Unhappy', UNHAPPY);
  const page = await open({ path: '?search=Ada' });
  await page.getByText('1 response found').waitFor();
  const views = /\/saved-views$/;
  await page.route(views, (route) => route.fulfill({ status: 400, json: { message: 'Not now.' } }));
  await page.reload();
  await page.getByText('1 response found').waitFor();
  expect(await bar(page).count()).toBe(0);
  await page.goto(`${page.url().split('?')[0]}?view=${id}`);
  await page.getByText('Not now.').waitFor();
  expect(await rows(page).count()).toBe(0);
  await page.unroute(views);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('2 responses found').waitFor();
});
