import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { aSurvey, ID, openResponses, seed } from './responses.ts';
import { expectFine } from './screens.ts';

const browser = useBrowser();
const home = useHome();

const boxOf = async (locator: Locator) => (await locator.boundingBox())!;
const leftOf = async (locator: Locator) => (await boxOf(locator)).x;
const backgroundOf = (cell: Locator) => cell.evaluate((box) => getComputedStyle(box).backgroundColor);

test('whose row it is stays in sight when the table is scrolled sideways, and the whole row leads to it', async () => {
  const form = await aSurvey(home);
  await seed(home, form.id, 20);
  const page = await openResponses(browser, home, form, { device: DESKTOP });
  const table = page.getByRole('table');
  const row = page.getByRole('row', { name: /Visitor 19/ });
  await row.waitFor();
  const staying = [
    page.getByLabel('Select the loaded responses'),
    page.getByRole('columnheader', { name: 'Submitted' }),
    row.getByRole('checkbox'),
    row.getByRole('link'),
  ];
  const before = await Promise.all(staying.map(leftOf));
  const scroll = () => table.evaluate((box) => box.scrollTo({ left: 450 }));
  await scroll();
  await page.getByRole('cell', { name: 'Visitor 19', exact: true }).waitFor();
  expect(await Promise.all(staying.map(leftOf))).toEqual(before);
  // What is scrolled does not shine through, whatever the row is like.
  const cell = row.getByRole('cell').nth(1);
  const seen = [await backgroundOf(cell)];
  await row.hover();
  seen.push(await backgroundOf(cell));
  await row.getByRole('checkbox').check();
  seen.push(await backgroundOf(cell));
  expect(new Set(seen).size).toBe(3);
  for (const color of seen) expect(color).not.toMatch(/, 0(\.\d+)?\)|\/ 0|transparent/);
  await expectFine(page, 'a table that is scrolled sideways');
  // What stays scrolls nothing when it gets the focus, and hides nothing that gets it.
  await scroll();
  await row.getByRole('link').focus();
  expect(await table.evaluate((box) => box.scrollLeft)).toBe(450);
  await page.getByRole('columnheader', { name: 'Your name' }).getByRole('button').focus();
  const { x, width } = await boxOf(page.getByRole('columnheader', { name: 'Submitted' }));
  const name = page.getByRole('columnheader', { name: 'Your name' }).getByRole('button');
  expect(await leftOf(name)).toBeGreaterThanOrEqual(x + width);
  await scroll();
  const { x: left, width: room } = await boxOf(table);
  const { y, height } = await boxOf(row);
  await page.mouse.click(left + room - 40, y + height / 2);
  await page.getByRole('dialog').getByText('visitor19@example.com').waitFor();
});

test('in the colors of the system what stays in sight covers what is scrolled', async () => {
  const form = await aSurvey(home);
  await seed(home, form.id, 2);
  const device = { ...DESKTOP, forcedColors: 'active' } as const;
  const page = await openResponses(browser, home, form, { device });
  const cell = page
    .getByRole('row', { name: /Visitor 2/ })
    .getByRole('cell')
    .nth(1);
  await cell.waitFor();
  expect(await backgroundOf(cell)).toMatch(/^rgb\(/);
});

test('answers take the room there is, and a column that is dragged has its edge where the pointer is', async () => {
  const properties = ['One', 'Two', 'Three'].map((name) => ({ id: name, type: 'text', name }));
  const form = await home.form({ properties });
  await home.submit(form, { Two: 'The path along the river was closed.' });
  const page = await openResponses(browser, home, form, { device: DESKTOP });
  const table = page.getByRole('table');
  await table.waitFor();
  const widthOf = async (name: string) => (await boxOf(page.getByRole('columnheader', { name }))).width;
  const head = page.getByRole('columnheader', { name: 'Three' });
  const end = async () => {
    const [{ x, width }, last] = [await boxOf(table), await boxOf(head)];
    return Math.round(x + width - 1 - last.x - last.width);
  };
  expect(await end()).toBe(0);
  const [one, two] = [await widthOf('One'), await widthOf('Two')];
  expect(one).toBeGreaterThan(220);
  const handle = page.getByRole('separator', { name: 'Width of Two' });
  const { x, y, width, height } = await boxOf(handle);
  await page.mouse.move(x + width - 1, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width - 41, y + height / 2);
  await page.mouse.move(x + width - 101, y + height / 2);
  // Widths are whole pixels.
  await expect.poll(async () => Math.abs((await leftOf(handle)) - x + 100)).toBeLessThan(1.5);
  await page.mouse.up();
  expect(Math.abs((await widthOf('One')) - one)).toBeLessThan(1);
  const dragged = await widthOf('Two');
  expect(Math.abs(dragged - two + 100)).toBeLessThan(1.5);
  // The one after it takes the room that became free, and so it is when the table is opened again.
  expect(await end()).toBe(0);
  await page.reload();
  await head.waitFor();
  expect(await end()).toBe(0);
  expect(await widthOf('Two')).toBe(dragged);
  expect(await handle.getAttribute('aria-valuenow')).toBe(String(dragged));
  // By keyboard it goes on from what is seen.
  const third = page.getByRole('separator', { name: 'Width of Three' });
  const grown = await widthOf('Three');
  await third.press('ArrowLeft');
  await expect.poll(() => widthOf('Three')).toBe(Math.round(grown) - 16);
});

test('a column that has grown beyond the widths that can be chosen goes on from there', async () => {
  const form = await home.form({ properties: [{ id: 'One', type: 'text', name: 'One' }] });
  await home.submit(form, { One: 'The path along the river was closed.' });
  const device = { viewport: { width: 1600, height: 900 } };
  const page = await openResponses(browser, home, form, { device });
  const widthOf = async () =>
    Math.round((await boxOf(page.getByRole('columnheader', { name: 'One' }))).width);
  await page.getByRole('table').waitFor();
  const grown = await widthOf();
  expect(grown).toBeGreaterThan(850);
  const handle = page.getByRole('separator', { name: 'Width of One' });
  await handle.press('ArrowRight');
  await handle.press('ArrowLeft');
  await expect.poll(widthOf).toBe(grown - 16);
  const { x, y, width, height } = await boxOf(handle);
  await page.mouse.move(x + width - 1, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width - 11, y + height / 2);
  await page.mouse.up();
  await expect.poll(widthOf).toBe(grown - 26);
  expect(await handle.getAttribute('aria-valuenow')).toBe(String(grown - 26));
});

test('of several choices those are seen that fit whole, with the number of the others', async () => {
  const form = await aSurvey(home);
  await home.submit(form, { [ID.name]: 'Ada', [ID.topics]: ['Paintings', 'Sculptures', 'Garden'] });
  const page = await openResponses(browser, home, form, { device: DESKTOP });
  // Readers of screens have them all.
  const cell = page.getByRole('cell', { name: 'Paintings Sculptures Garden' });
  await cell.getByText('+1').waitFor();
  const isSeen = (name: string) =>
    cell.getByText(name).evaluate((chip) => {
      const line = chip.parentElement?.parentElement?.getBoundingClientRect();
      const { top, right } = chip.getBoundingClientRect();
      return line !== undefined && top < line.bottom && right <= line.right;
    });
  expect(await Promise.all(['Paintings', 'Sculptures', 'Garden'].map(isSeen))).toEqual([true, true, false]);
  const handle = page.getByRole('separator', { name: 'Width of What did you see?' });
  for (let presses = 0; presses < 4; presses += 1) await handle.press('ArrowRight');
  await cell.getByText('+1').waitFor({ state: 'detached' });
  expect(await isSeen('Garden')).toBe(true);
});

test('an open response tells in one line when it was sent, and that it is not complete', async () => {
  const form = await aSurvey(home, { enable_partial_submissions: true });
  await home.submit(form, { [ID.name]: 'Half', is_partial: true });
  for (const device of [DESKTOP, PHONE]) {
    const page = await openResponses(browser, home, form, { path: '?status=partial', device });
    await page.getByRole('row', { name: /Half/ }).getByRole('link').click();
    const title = page.getByRole('dialog').getByRole('heading', { level: 2 }).first();
    await title.getByText('Partial').waitFor();
    const time = title.getByText(/^\w+ \d+, \d+:\d\d\s[AP]M$/);
    expect((await boxOf(time)).height).toBeLessThan(25);
    await expectFine(page, 'a partial response');
    await page.getByRole('button', { name: 'More for this response' }).click();
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual(['Print or save as PDF', 'Copy link']);
  }
});

test('on a phone the table tells who answered, and what is done with it stands in a menu', async () => {
  const form = await aSurvey(home);
  await seed(home, form.id, 40);
  const [{ id }] = await home.records(form);
  const reviews = `/open/forms/${form.id}/submissions/reviews`;
  expect((await home.call('PUT', reviews, { submissionIds: [id], state: 'has_issues' })).status).toBe(200);
  const page = await openResponses(browser, home, form, { device: PHONE });
  await page.getByRole('combobox', { name: 'Review' }).waitFor();
  const heads = page.getByRole('columnheader');
  const firstHeads = async () => (await heads.allInnerTexts()).slice(1, 3);
  await expect.poll(firstHeads).toEqual(['Submitted', 'Your name']);
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
  await expect.poll(firstHeads).toEqual(['Submitted', 'E-mail address']);
  await page.locator('button:focus[aria-label="More for the table"]').waitFor();
});
