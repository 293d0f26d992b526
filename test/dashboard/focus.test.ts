import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

async function formsPage(options?: BrowserContextOptions): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, home.ada, options);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms`);
  return page;
}

const focusIsIn = (page: Page, selector: string) =>
  expect.poll(() => page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)).toBe(true);

/** The text of the row, entry or group that the focus is in. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('tr, li, fieldset')?.textContent ?? '');

test('the keyboard goes on beside the place of what it was on, and at the content of another screen', async () => {
  const form = await home.form({ title: 'Gone soon' });
  const other = await home.form({ title: 'Opened by key' });
  const page = await formsPage();
  await page.getByRole('button', { name: `More for ${form.title}` }).press('Enter');
  await page.getByRole('menuitem', { name: 'Move to trash' }).press('Enter');
  await page.getByRole('link', { name: form.title }).waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toContain(other.title);
  await page.getByRole('link', { name: other.title }).press('Enter');
  await page
    .getByRole('navigation', { name: 'Form', exact: true })
    .getByRole('link', { name: 'Overview' })
    .waitFor();
  await focusIsIn(page, '#content');
});

test('the drawer of phones gives the focus back to its button', async () => {
  const page = await formsPage(PHONE);
  await page.getByRole('button', { name: 'Open the menu' }).press('Enter');
  await page.getByRole('dialog', { name: 'Menu' }).waitFor();
  await page.keyboard.press('Escape');
  await focusIsIn(page, '[aria-label="Open the menu"]');
});

const isFocused = (page: Page, name: string) =>
  page.locator(':focus').and(page.getByRole('button', { name })).waitFor();

test('who removes by keyboard goes on beside it: conditions, calculations', async () => {
  const age = { id: 'age', type: 'number', name: 'Age' };
  const olderThan = (value: number) => ({
    identifier: 'age',
    value: { operator: 'greater_than', property_meta: { id: 'age', type: 'number' }, value },
  });
  const form = await home.form({
    properties: [age],
    computed_variables: ['One', 'Two'].map((name, index) => ({
      id: `cv_${name}`,
      name,
      formula: `${index}`,
    })),
    translations: { fr: {} },
    endings: [
      {
        id: 'end',
        name: 'Old',
        conditions: { operatorIdentifier: 'and', children: [olderThan(1), olderThan(2)] },
      },
    ],
  });
  const page = await signedInPage(browser, home.service.url, home.ada);
  const settings = `${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/settings`;
  await page.goto(`${settings}?part=after`);
  await page.getByRole('button', { name: 'Remove condition 2' }).press('Enter');
  await isFocused(page, 'Add condition');
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await page.getByRole('region', { name: 'Changes' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('main :focus').count()).toBe(1);

  await page.goto(`${settings}?part=calculations`);
  await page.getByRole('button', { name: 'Remove One' }).press('Enter');
  await page.getByRole('button', { name: 'Remove One' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('fieldset:has(:focus)').count()).toBe(1);
  await page.getByRole('button', { name: 'Remove Two' }).press('Enter');
  await isFocused(page, 'Add calculation');
});

test('beside an open response, the table and the way to undo are reached by keyboard', async () => {
  const form = await home.form({ properties: [{ id: 'name', type: 'text', name: 'Name' }] });
  for (const name of ['Ada', 'Grace', 'Hedy'])
    await home.service.request('POST', `/forms/${form.slug}/answer`, { body: { name } });
  const page = await signedInPage(browser, home.service.url, home.ada);
  const rows = page.locator('[data-response]');
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/responses`);
  await rows.first().press('Enter');
  const panel = page.getByRole('dialog');
  await panel.getByRole('button', { name: 'Move to trash' }).press('Enter');
  const undo = page.getByRole('button', { name: 'Undo' });
  // So that it stays.
  await undo.hover();
  for (
    let presses = 0;
    presses < 80 && !(await undo.evaluate((button) => button === document.activeElement));
    presses++
  )
    await page.keyboard.press('Shift+Tab');
  expect(await panel.isVisible()).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => rows.count()).toBe(3);
});
