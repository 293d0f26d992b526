import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DESKTOP, useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

async function open(path: string): Promise<Page> {
  const device = { ...DESKTOP, forcedColors: 'active', colorScheme: 'dark' } as const;
  const page = await signedInPage(browser, home.service.url, home.ada, device);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}${path}`);
  return page;
}

const backgroundOf = (one: Locator, part?: string) =>
  one.evaluate((element, name) => getComputedStyle(element, name).backgroundColor, part);
const CANVAS = 'rgb(0, 0, 0)';

test('in the colors of the system the present screen, switches and the chosen item of a menu can be told apart', async () => {
  const form = await home.form();
  const page = await open(`/forms/${form.id}/settings`);
  const tabs = page.getByRole('navigation', { name: 'Form' });
  const [here, other] = [
    tabs.getByRole('link', { name: 'Settings' }),
    tabs.getByRole('link', { name: 'Build' }),
  ];
  await here.waitFor();
  expect(await backgroundOf(here)).not.toBe(await backgroundOf(other));
  const borderOf = (one: Locator) => one.evaluate((element) => getComputedStyle(element).borderBottomColor);
  expect(await borderOf(other)).toBe(CANVAS);
  const toggle = page.getByRole('switch').first();
  expect(await toggle.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('1px');
  expect(await backgroundOf(toggle, '::before')).not.toBe(CANVAS);
  await page.getByRole('button', { name: 'More for Feedback' }).press('Enter');
  const items = page.getByRole('menuitem');
  await items.first().waitFor();
  expect(await backgroundOf(items.first())).not.toBe(await backgroundOf(items.nth(1)));
});

test('in the colors of the system charts are drawn', async () => {
  const stars = aField('02', 'rating', 'Stars');
  const form = await home.form({ properties: [stars] });
  await home.submit(form, { [stars.id]: 3 });
  const page = await open(`/forms/${form.id}/analytics`);
  const column = page.getByRole('article').locator('.drawn').nth(2);
  await expect.poll(() => column.count()).toBe(1);
  expect(await backgroundOf(column)).not.toBe(CANVAS);
});
