import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';

/** Parts of the script that load late, or not at all. */
const home = useHome();
const browser = useBrowser();

const address = (form: { slug: string }, query = '') => `${home.service.url}/forms/${form.slug}${query}`;
const primary = (page: Page) => page.locator('.nav .primary');

const AGE = { id: 'age', type: 'number', name: 'Age' };
const SUM = { id: 'sum', type: 'number', name: 'Sum' };
/** Shown only below an age, by a condition that few forms use. */
const FOR_MINORS = {
  hidden: true,
  logic: {
    conditions: {
      operatorIdentifier: 'and',
      children: [
        {
          identifier: 'age',
          value: { operator: 'less_than', property_meta: { id: 'age', type: 'number' }, value: 18 },
        },
      ],
    },
    actions: ['show-block'],
  },
};
const GUARDIAN = { id: 'guardian', type: 'text', name: 'Guardian', required: true };
const TWO_PAGES = [AGE, { id: 'pb', type: 'nf-page-break', name: 'p', ...FOR_MINORS }, GUARDIAN];

/** Holds requests for this address until they are let go. */
async function hold(page: Page, what: string): Promise<{ asked: Promise<unknown>; letGo(): void }> {
  const release = Promise.withResolvers<void>();
  const asked = page.waitForRequest(what);
  await page.route(what, async (route) => {
    await release.promise;
    await route.continue();
  });
  return { asked, letGo: release.resolve };
}

test('whoever goes on before the rules are there waits for them', async () => {
  const form = await home.form({ properties: TWO_PAGES });
  const page = await browser.page();
  const rules = await hold(page, '**/assets/rare-*');
  await page.goto(address(form));
  await rules.asked;
  const sends = page.waitForResponse(/assets\/send-/);
  await page.getByLabel('Age').fill('12');
  await sends;
  await primary(page).click();
  rules.letGo();
  await page.getByLabel('Guardian').fill('Grace');
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  expect((await home.records(form))[0].data).toMatchObject({ age: 12, guardian: 'Grace' });
});

test('without rules that cannot be had the browser sends the form, page by page', async () => {
  const form = await home.form({ properties: TWO_PAGES });
  const page = await browser.page();
  await page.route('**/assets/rare-*', (route) => route.abort());
  await page.goto(address(form));
  await page.getByLabel('Age').fill('12');
  await primary(page).click();
  await page.waitForURL(/step=1/);
  expect(await home.records(form)).toEqual([]);
  await page.getByLabel('Guardian').fill('Grace');
  await primary(page).click();
  await page.waitForURL(/thank-you/);
  expect((await home.records(form))[0].data).toMatchObject({ age: 12, guardian: 'Grace' });
});

test('without the part that reads what was typed the browser sends the form', async () => {
  const form = await home.form({ properties: [SUM], language: 'de' });
  const page = await browser.page();
  await page.route('**/assets/begun-*', (route) => route.abort());
  await page.goto(address(form));
  await page.getByLabel('Sum').fill('1.234,5');
  await primary(page).click();
  await page.waitForURL(/thank-you/);
  expect((await home.records(form))[0].data).toMatchObject({ sum: 1234.5 });
});

test('what the service shows stays while the rules that show it are on their way', async () => {
  const form = await home.form({ properties: [AGE, { ...GUARDIAN, ...FOR_MINORS }] });
  const page = await browser.page();
  const rules = await hold(page, '**/assets/rare-*');
  await page.goto(address(form, '?age=12'));
  await rules.asked;
  expect(await page.getByLabel('Guardian').isVisible()).toBe(true);
  rules.letGo();
  await page.getByLabel('Age').fill('18');
  await expect.poll(() => page.getByLabel('Guardian').isVisible()).toBe(false);
});
