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

test('the tab of the browser says which screen it shows, of what', async () => {
  const form = await home.form({ title: 'Visits' });
  const page = await signedInPage(browser, home.service.url, home.ada);
  const path = `/workspaces/${home.workspaceId}/forms/${form.id}`;
  await page.goto(home.service.url + path);
  await expect.poll(() => page.title()).toBe('Overview · Visits · Formstead');
  await page.getByRole('navigation', { name: 'Form' }).getByRole('link', { name: 'Responses' }).click();
  await expect.poll(() => page.title()).toBe('Responses · Visits · Formstead');
  const further = [
    [`${path}/build/history`, 'Build · Visits'],
    [`${path}/integrations/new?provider=webhook`, 'Integrations · Visits'],
    ['/account', 'Profile · Account'],
    ['/account/tokens', 'Access tokens · Account'],
    [`/workspaces/${home.workspaceId}/forms/999999`, 'This could not be shown'],
  ] as const;
  for (const [address, title] of further) {
    await page.goto(home.service.url + address);
    await expect.poll(() => page.title()).toBe(`${title} · Formstead`);
  }
  await page.getByRole('heading', { name: 'This could not be shown', level: 1 }).waitFor();
  // Trying again would not help.
  await page.getByRole('link', { name: 'Go to the forms' }).click();
  await page.getByRole('link', { name: 'Visits' }).waitFor();
});
