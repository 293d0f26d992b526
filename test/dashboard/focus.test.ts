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

test('the keyboard goes on at the content where what it was on is gone', async () => {
  const form = await home.form({ title: 'Gone soon' });
  const other = await home.form({ title: 'Opened by key' });
  const page = await formsPage();
  await page.getByRole('button', { name: `More for ${form.title}` }).press('Enter');
  await page.getByRole('menuitem', { name: 'Move to trash' }).press('Enter');
  await page.getByRole('link', { name: form.title }).waitFor({ state: 'detached' });
  await focusIsIn(page, '#content');
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
