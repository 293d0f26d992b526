import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { aSurvey, openResponses, seed } from './responses.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

const boxOf = async (locator: Locator) => (await locator.boundingBox())!;
const isWholeInView = (locator: Locator) =>
  locator.evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const isOnTop = document.elementFromPoint((left + right) / 2, bottom - 2)?.closest('button') === element;
    return isOnTop && top >= 0 && bottom <= innerHeight;
  });

test.each([
  [1280, 800],
  [640, 400],
  [360, 740],
])('what a dialog does is in view in a window of %i by %i', async (width, height) => {
  const form = await aSurvey(home);
  await seed(home, form.id, 3);
  const device = { viewport: { width, height } };
  const page = await openResponses(browser, home, form, { device });
  const isPhone = width < 640;
  if (isPhone) await page.getByRole('button', { name: 'More for the table' }).click();
  await page.getByRole(isPhone ? 'menuitem' : 'button', { name: 'Export', exact: true }).click();
  const doIt = page.getByRole('button', { name: 'Export Excel file' });
  await doIt.waitFor();
  await expect.poll(() => isWholeInView(doIt)).toBe(true);
  // A focused element is never hidden behind the buttons.
  await page.getByLabel('Kind of file').focus();
  const kind = await boxOf(page.getByLabel('Kind of file'));
  expect(kind.y + kind.height).toBeLessThanOrEqual((await boxOf(doIt)).y);
  await expectFine(page, 'export');
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms`);
  await page.getByRole('button', { name: 'New form' }).first().click();
  const create = page.getByRole('button', { name: 'Create form' });
  await create.waitFor();
  await expect.poll(() => isWholeInView(create)).toBe(true);
});

test('the builder on a phone: nothing lies over something else, and what is added is gone on with', async () => {
  const properties = Array.from({ length: 12 }, (_, n) => ({
    id: `b${n}`,
    type: 'text',
    name: `Field ${n}`,
  }));
  const form = await home.form({ properties });
  const page = await signedInPage(browser, home.service.url, home.ada, PHONE);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  const add = page.getByRole('button', { name: 'Add a field' });
  await add.tap();
  await page.getByRole('dialog').getByRole('button', { name: 'Number', exact: true }).tap();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const name = page.getByRole('textbox', { name: 'Name of the number' });
  const isGoneOnWith = () =>
    name.evaluate((input) => {
      const { top, bottom } = input.getBoundingClientRect();
      return document.activeElement === input && top > 0 && bottom < innerHeight;
    });
  await expect.poll(isGoneOnWith).toBe(true);
  const more = page.getByRole('button', { name: 'More for building' });
  const status = page.getByRole('status').filter({ hasText: 'Saved' });
  await status.waitFor();
  const said = await boxOf(status);
  expect(said.x + said.width).toBeLessThanOrEqual((await boxOf(more)).x);
  await expect.poll(() => status.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await expectFine(page, 'builder on a phone');
  // The bar keeps to one line with changes that can be discarded, and what is done last stands last.
  const publish = await boxOf(page.getByRole('button', { name: 'Publish', exact: true }));
  const undo = await boxOf(page.getByRole('button', { name: 'Undo' }));
  expect(publish.y).toBe(undo.y);
  expect(Math.round(publish.x + publish.width)).toBe(360 - 16);
  await more.tap();
  const items = page.getByRole('menuitem');
  await expect.poll(() => items.allInnerTexts()).toEqual(['Versions', 'Scenarios', 'Discard changes']);
  await items.last().tap();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).tap();
  await page.locator('button:focus[aria-label="More for building"]').waitFor();
  // Closed without a choice, it returns the focus.
  await add.tap();
  await page.keyboard.press('Escape');
  await page.locator('button:focus', { hasText: 'Add a field' }).waitFor();
});

test('on a phone the head of a form leaves the room to its screens', async () => {
  const form = await home.form({ title: 'Every kind of question' });
  const page = await signedInPage(browser, home.service.url, home.ada, PHONE);
  const path = `${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}`;
  await page.goto(path);
  const tabs = page.getByRole('navigation', { name: 'Form' });
  await tabs.waitFor();
  const { y, height } = await boxOf(tabs);
  expect(y + height).toBeLessThan(200);
  const title = await boxOf(page.getByTitle('Every kind of question'));
  const badge = await boxOf(page.getByText('Published', { exact: true }));
  expect(badge.x).toBeGreaterThan(title.x + title.width);
  expect(badge.y).toBeLessThan(title.y + title.height);
});

test('on a phone tabs show that there are more of them, and the present one is in sight', async () => {
  const form = await home.form();
  const page = await signedInPage(browser, home.service.url, home.ada, PHONE);
  const path = `${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}`;
  await page.goto(path);
  const tabs = page.getByRole('navigation', { name: 'Form' });
  await tabs.waitFor();
  // The shadow at an edge stays there; what covers it where nothing is left to scroll goes along with the tabs.
  const style = (name: string) =>
    tabs.evaluate((box, one) => getComputedStyle(box).getPropertyValue(one), name);
  expect(await style('background-attachment')).toBe('local, local, scroll, scroll');
  const canvas = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await style('background-image')).toContain(`linear-gradient(to right, ${canvas}`);
  await page.goto(`${path}/settings`);
  const isSeen = async (name: string) => {
    const { x, width } = await boxOf(page.getByRole('link', { name, exact: true }));
    return x >= 0 && x + width <= 360;
  };
  await page.getByRole('link', { name: 'Appearance' }).waitFor();
  expect(await isSeen('Settings')).toBe(true);
  await page.goto(`${path}/settings?part=danger`);
  await expect.poll(() => isSeen('Close or delete')).toBe(true);
});

test('titles and tabs are at the same place on all screens', async () => {
  const form = await home.form();
  const viewport = { width: 1920, height: 900 };
  const page = await signedInPage(browser, home.service.url, home.ada, { viewport });
  const within = `/workspaces/${home.workspaceId}`;
  const of = (screen: string) => `${within}/forms/${form.id}${screen}`;
  const places = new Set<string>();
  for (const path of [
    of(''),
    of('/build'),
    of('/settings'),
    `${within}/members`,
    `${within}/settings`,
    '/account',
  ]) {
    await page.goto(home.service.url + path);
    await page.locator('h1').waitFor();
    const { x, y } = await boxOf(page.locator('h1'));
    const tabs = page.getByRole('navigation', { name: 'Form' });
    const isOfForm = path.includes('/forms/');
    places.add(`${x} ${y}`);
    if (isOfForm) expect((await boxOf(tabs)).x, path).toBe(x);
  }
  expect([...places]).toHaveLength(1);
});

describe('letters of 200 percent in a window of 320 pixels', () => {
  let form: { id: number };
  let response: { id: number };
  beforeAll(async () => {
    form = await aSurvey(home);
    await seed(home, form.id, 3);
    response = (await home.records(form))[0];
  });
  const SCREENS: [string, () => string, string][] = [
    ['the overview', () => '/overview', 'Needs attention'],
    ['the forms', () => '/forms', 'New form'],
    ['a form', () => formPath(''), 'Public link'],
    ['the builder', () => formPath('/build'), 'Your name'],
    ['earlier versions', () => formPath('/build/history'), 'Preview'],
    ['the responses', () => formPath('/responses'), 'Visitor 1'],
    ['a response', () => formPath(`/responses/${response.id}`), 'About this response'],
    ['the analytics', () => formPath('/analytics'), 'How was it?'],
    ['the integrations', () => formPath('/integrations'), 'Add integration'],
    ['a new webhook', () => formPath('/integrations/new?provider=webhook'), 'Add a condition'],
    ['its public link', () => formPath('/share'), 'QR code'],
    ['a filled-in link', () => formPath('/share?part=prefill'), 'Where visitors come from'],
    ['personal links', () => formPath('/share?part=personal'), 'Nobody is on the list yet'],
    ['its settings', () => formPath('/settings'), 'Access and closing'],
    ['a response to print', () => formPath(`/print?ids=${response.id}`), 'About this response'],
    ['nothing', () => formPath('/nothing'), 'There is nothing at this address'],
    ['the API', () => '/api', 'Look around'],
    ['the workspace', () => '/settings', 'Leave workspace'],
    ['the account', () => '/account', 'Change password'],
    ['the sessions', () => '/account/security', 'This one'],
  ];
  const formPath = (path: string) => `/forms/${form.id}${path}`;

  test('never scroll sideways', async () => {
    const device = { viewport: { width: 320, height: 640 } };
    const page = await signedInPage(browser, home.service.url, home.ada, device);
    for (const [name, path, text] of SCREENS) {
      const within = path().startsWith('/account') ? '' : `/workspaces/${home.workspaceId}`;
      await page.goto(home.service.url + within + path());
      await page.getByText(text).or(page.getByLabel(text)).first().waitFor({ state: 'attached' });
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
      const excess = await page.evaluate(() => {
        const boxes = document.querySelectorAll('html, [role=dialog], [role=dialog] > .overflow-y-auto');
        return Math.max(...[...boxes].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
      });
      expect.soft(excess, name).toBeLessThanOrEqual(0);
    }
  });
});
