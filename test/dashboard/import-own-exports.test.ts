import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { openResponses } from './responses.ts';

/** What the dashboard exports comes back as it was, wherever the browser is. */
const browser = useBrowser();
const home = useHome();

const topics = aField('02', 'multi_select', 'Topics', {
  multi_select: { options: [{ name: 'Garden' }] },
  allow_creation: true,
});
const status = aField('03', 'text', 'status');
const aForm = (more = {}) => home.form({ properties: [aTextField(), topics, status], ...more });
const open = (form: { id: number }) =>
  openResponses(browser, home, form, { device: { timezoneId: 'Europe/Berlin' } });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function openExport(page: Page) {
  await press(page, 'Export');
  const dialog = page.getByRole('dialog', { name: 'Export responses' });
  await dialog.getByRole('checkbox', { name: 'Submitted' }).waitFor();
  return dialog;
}

/** The answers of a form with their times, whatever numbers they got. */
const answersOf = async (form: { id: number }) =>
  (await home.records(form))
    .map(({ data: { id: _, submission_id, status, created_at: __, ...answers }, created_at }) => ({
      answers,
      created_at,
    }))
    .toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1));

test.each([
  ['Excel', 'Excel file', { hasIds: true }],
  ['Excel', 'Excel file', { hasIds: false }],
  ['CSV', 'CSV', { hasIds: false }],
])('as %s, as it is proposed or without ids', async (format, button, { hasIds }) => {
  const [source, copy] = [await aForm(), await aForm()];
  for (const name of ['Ada', 'Bob'])
    await home.submit(source, {
      [TEXT_FIELD_ID]: name,
      [topics.id]: ['Boats; old ones', 'Garden'],
      [status.id]: 'partial',
    });
  const page = await open(source);
  const dialog = await openExport(page);
  if (!hasIds) await dialog.getByRole('checkbox', { name: 'ID', exact: true }).uncheck();
  await dialog.getByLabel('Kind of file').selectOption(format);
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, `Export ${button}`)]);
  const file = await download.path();

  const target = await open(copy);
  await press(target, 'Import');
  await target.getByLabel('CSV, TSV or Excel file').setInputFiles(file);
  await expect.poll(() => target.getByLabel('Times without a time zone are').inputValue()).toBe('UTC');
  await press(target, 'Check');
  await press(target, 'Import 2 responses');
  await target.getByText('2 responses were imported.').waitFor();
  expect(await answersOf(copy)).toEqual(await answersOf(source));
  if (!hasIds) return;
  // Exported otherwise, the responses are still those that were imported.
  await press(page, 'Export again');
  await dialog.getByRole('checkbox', { name: 'Status', exact: true }).uncheck();
  const [other] = await Promise.all([page.waitForEvent('download'), press(page, `Export ${button}`)]);
  await press(target, 'Done');
  await press(target, 'Import');
  await target.getByLabel('CSV, TSV or Excel file').setInputFiles(await other.path());
  await press(target, 'Check');
  await target.getByText('2 responses are there already and stay as they are.').waitFor();
});

test('ids with which answers can be changed are exported by choice only', async () => {
  const form = await aForm({ editable_submissions: true });
  await home.submit(form, { [TEXT_FIELD_ID]: 'sent' });
  const dialog = await openExport(await open(form));
  expect(await dialog.getByRole('checkbox', { name: 'ID', exact: true }).isChecked()).toBe(false);
});
