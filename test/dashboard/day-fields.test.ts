import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aSurvey, openResponses } from './responses.ts';
import { signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

async function open(path: string): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}${path}`);
  return page;
}

/** Focuses the first part of a date, and then types into whichever part has the focus. */
async function type(field: Locator, ...keys: string[]): Promise<void> {
  await field.waitFor();
  await field.focus();
  for (const key of keys) await field.page().keyboard.press(key);
}

const digits = (text: string): string[] => Array.from(text);

/** Records every address of the page from now on. */
async function addressesOf(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const seen: string[] = [];
    const { replaceState } = window.history;
    window.history.replaceState = function note(data, unused, url) {
      seen.push(String(url));
      replaceState.call(this, data, unused, url);
    };
    Object.assign(window, { seen });
  });
  return () => page.evaluate(() => (window as unknown as { seen: string[] }).seen);
}

test('the days of the analytics are typed part by part, and whole ones count', async () => {
  const form = await home.form({ title: 'Days' });
  // Without any response or visit there are no figures.
  await home.submit(form, {});
  const page = await open(`/forms/${form.id}/analytics?from=2026-01-01&to=2026-01-31`);
  const [first, last] = [page.getByLabel('First day'), page.getByLabel('Last day')];
  await first.waitFor();
  const addresses = await addressesOf(page);
  await type(last, ...digits('02282026'));
  await page.waitForURL(/to=2026-02-28/);
  expect(await last.evaluate((input) => input === document.activeElement)).toBe(true);
  await type(first, ...digits('02012025'));
  await page.waitForURL(/from=2025-02-01&to=2026-02-28/);
  expect(await page.getByText('Two years at most').count()).toBe(0);
  expect((await addresses()).filter((address) => /=0\d{3}-/.test(address))).toEqual([]);
  // After a change of the attribute while parts make no day, as on the way over February 31, Firefox would empty them.
  expect(await last.getAttribute('value')).toBe('2026-01-31');
});

test('half of a day changes nothing, and is not what is left behind', async () => {
  const page = await open('/audit-log?since=2026-01-05');
  const [since, until] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })];
  await since.waitFor();
  const addresses = await addressesOf(page);
  await type(since, 'Backspace');
  await expect.poll(() => since.inputValue()).toBe('');
  await until.focus();
  await expect.poll(() => since.inputValue()).toBe('2026-01-05');
  await type(since, ...digits('0306202'));
  await expect.poll(() => since.inputValue()).toBe('0202-03-06');
  await page.keyboard.press('6');
  await page.waitForURL(/since=2026-03-06/);
  await type(until, ...digits('0407'));
  await since.focus();
  expect(await until.evaluate((input: HTMLInputElement) => input.validity.badInput)).toBe(false);
  expect(page.url()).toMatch(/since=2026-03-06$/);
  const half = (address: string) => /=0\d{3}-/.test(address) || !address.includes('since=');
  expect((await addresses()).filter(half)).toEqual([]);
  // Once its parts are emptied one by one, there is no date any more.
  await type(since, 'Backspace', 'ArrowRight', 'Backspace', 'ArrowRight', 'Backspace');
  await page.waitForURL(/audit-log$/);
});

test('responses are narrowed by days that are typed, without a step through the year 202', async () => {
  const form = await aSurvey(home);
  await home.submit(form, { 'f0000000-0000-4000-8000-000000000001': 'Ada' });
  const page = await openResponses(browser, home, form);
  await page.getByText('1 response', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Filter' }).click();
  const addresses = await addressesOf(page);
  await type(page.getByLabel('Sent from', { exact: true }), ...digits('01022026'));
  await page.waitForURL(/from=2026-01-02/);
  await type(page.getByLabel('Sent until', { exact: true }), ...digits('03042999'));
  await page.waitForURL(/to=2999-03-04/);
  await expect.poll(() => page.getByLabel('Sent from', { exact: true }).inputValue()).toBe('2026-01-02');
  await page.getByText('1 response found').waitFor();
  // Firefox needs some more space than Chromium for all of a day.
  const widths = page.locator('input[type=date]').evaluateAll((all) => all.map((one) => one.clientWidth));
  expect(Math.min(...(await widths))).toBeGreaterThan(150);
  expect((await addresses()).filter((address) => /=0\d{3}-/.test(address))).toEqual([]);
});

test('no year of five digits can be typed into an answer, which would become a text on the way', async () => {
  const form = await home.form({ properties: [aField('d1', 'date', 'Birthday')] });
  await home.submit(form, { [form.properties[0].id]: '2000-01-01' });
  const [{ id }] = await home.records(form);
  const page = await openResponses(browser, home, form, { path: `/${id}` });
  const panel = page.getByRole('dialog');
  await panel.getByRole('button', { name: 'Edit', exact: true }).click();
  const birthday = panel.getByLabel('Birthday');
  await type(birthday, ...digits('010220266'));
  expect(await birthday.getAttribute('type')).toBe('date');
  expect(await birthday.inputValue()).toMatch(/^\d{4}-01-02$/);
});

test('a day stays a day while it is typed over, also where the question asks for a time by now', async () => {
  const form = await home.form({ properties: [aField('d1', 'date', 'Arrival')] });
  const [arrival] = form.properties;
  await home.submit(form, { [arrival.id]: '2026-01-31' });
  const properties = [{ ...arrival, with_time: true }];
  expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
  const [{ id }] = await home.records(form);
  const page = await openResponses(browser, home, form, { path: `/${id}` });
  const panel = page.getByRole('dialog');
  await panel.getByRole('button', { name: 'Edit', exact: true }).click();
  const field = panel.getByLabel('Arrival');
  await type(field, ...digits('0215'));
  expect(await field.inputValue()).toBe('2026-02-15');
});

test('a day with a time is edited as such, as the page of the form stores it', async () => {
  const form = await home.form({ properties: [aField('d1', 'date', 'Arrival', { with_time: true })] });
  const [arrival] = form.properties;
  await home.submit(form, { [arrival.id]: '2026-12-31 13:05' });
  const [{ id }] = await home.records(form);
  const page = await openResponses(browser, home, form, { path: `/${id}` });
  const panel = page.getByRole('dialog');
  await panel.getByRole('button', { name: 'Edit', exact: true }).click();
  const field = panel.getByLabel('Arrival');
  expect(await field.getAttribute('type')).toBe('datetime-local');
  expect(await field.inputValue()).toBe('2026-12-31T13:05');
  await field.fill('2026-12-31T14:05');
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The response was saved.').waitFor();
  expect((await home.records(form))[0].data[arrival.id]).toBe('2026-12-31 14:05');
});
