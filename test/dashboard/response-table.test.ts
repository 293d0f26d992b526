import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { aSurvey, openResponses, seed } from './responses.ts';
import { expectFine } from './screens.ts';

const browser = useBrowser();
const home = useHome();

const boxOf = async (locator: Locator) => (await locator.boundingBox())!;

test('on a phone the table tells who answered, and what is done with it stands in a menu', async () => {
  const form = await aSurvey(home);
  await seed(home, form.id, 40);
  const [{ id }] = await home.records(form);
  const reviews = `/open/forms/${form.id}/submissions/reviews`;
  expect((await home.call('PUT', reviews, { submissionIds: [id], state: 'has_issues' })).status).toBe(200);
  const page = await openResponses(browser, home, form, { device: PHONE });
  await page.getByRole('combobox', { name: 'Review' }).waitFor();
  const heads = page.getByRole('columnheader');
  expect((await heads.allInnerTexts()).slice(1, 3)).toEqual(['Submitted', 'Your name']);
  expect(await page.getByRole('columnheader', { name: 'Review' }).count()).toBe(1);
  const name = await boxOf(page.getByRole('cell', { name: 'Visitor 39' }));
  expect(name.x + name.width / 2).toBeLessThan(360);
  expect((await boxOf(page.getByRole('table'))).y).toBeLessThan(360);
  // The day is told briefly, but to readers of screens whole.
  const { created_at } = (await home.records(form)).at(1);
  const year = String(new Date(created_at).getFullYear());
  const link = page.getByRole('row', { name: /Visitor 39/ }).getByRole('link', { name: `${year}, ` });
  expect((await boxOf(link)).width).toBeLessThan(100);
  await page.getByRole('button', { name: 'More for the table' }).tap();
  await expect
    .poll(() => page.getByRole('menuitem').allInnerTexts())
    .toEqual(['Columns', 'Import', 'Export']);
  await page.getByRole('menuitem', { name: 'Columns' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Columns' });
  await dialog.getByRole('checkbox', { name: 'Your name' }).uncheck();
  await expectFine(page, 'columns on a phone');
  await dialog.getByRole('button', { name: 'Close' }).tap();
  await dialog.waitFor({ state: 'detached' });
  expect((await heads.allInnerTexts()).slice(1, 3)).toEqual(['Submitted', 'E-mail address']);
  await page.locator('button:focus[aria-label="More for the table"]').waitFor();
});
