import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

test('what nobody knows behind the ? of an address counts for nothing', async () => {
  const form = await home.form({ title: 'Found anyway' });
  const page = await signedInPage(browser, home.service.url, home.ada);
  const here = `${home.service.url}/workspaces/${home.workspaceId}/forms`;
  await page.goto(`${here}/${form.id}/share?part=nonsense`);
  await page.getByRole('textbox', { name: 'Public link of the form' }).waitFor();
  await page.getByRole('tab', { name: 'Link', exact: true, selected: true }).waitFor();
  await page.goto(`${here}?page=-3&visibility=nonsense`);
  await page.getByRole('link', { name: 'Found anyway' }).waitFor();
});

test('signing in leads to no other site', async () => {
  const page = await browser.page();
  await page.goto(`${home.service.url}/sign-in?next=//example.com/`);
  await page.getByLabel('E-mail address').fill(home.ada.email);
  await page.getByLabel('Password').fill(home.ada.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
  expect(new URL(page.url()).origin).toBe(new URL(home.service.url).origin);
});
