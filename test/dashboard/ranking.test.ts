import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

const FRUIT = aField('1', 'ranking', 'Fruit', { ranking: { options: ['Apple', 'Pear', 'Plum'] } });

async function open(form: { id: number }, screen: string, viewport = { width: 1440, height: 900 }) {
  const page = await signedInPage(browser, home.service.url, home.ada, { viewport });
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}${screen}`);
  return page;
}

test('one is built: its options, an order it begins with, a condition about its first place, the page beside', async () => {
  const form = await home.form({ properties: [FRUIT, aField('2', 'text', 'Why?')] });
  const page = await open(form, '/build');
  const draft = async () =>
    (await home.call('GET', `/open/forms/${form.id}/draft`)).body.definition?.properties ?? [];
  await page.getByRole('button', { name: 'Settings of Fruit' }).click();
  expect(await page.getByLabel('Limit how many may choose an option').count()).toBe(0);
  const order = page.getByRole('group', { name: 'Filled in with' });
  await order.getByRole('button', { name: 'Put in order' }).click();
  await order.getByRole('button', { name: 'Move Plum up' }).press('Enter');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Move Plum up');
  await page.keyboard.press('Enter');
  await expect.poll(() => order.getByRole('status').innerText()).toBe('Plum: place 1 of 3');
  await until(async () => (await draft())[0]?.prefill?.[0] === 'Plum');
  expect((await draft())[0].prefill).toEqual(['Plum', 'Apple', 'Pear']);
  await expectFine(page, 'a ranking in the builder');
  await page.getByRole('button', { name: 'Ranking', exact: true }).click();
  await until(async () => (await draft()).some(({ name }: any) => name === 'Ranking'));
  const added = (await draft()).find(({ name }: any) => name === 'Ranking');
  expect(added.ranking.options.map(({ name }: any) => name)).toEqual(['Option 1', 'Option 2', 'Option 3']);
});

test('answers are read in their order, found by the first, changed, and shown by their average places', async () => {
  const form = await home.form({ properties: [FRUIT] });
  for (const order of [
    ['Plum', 'Pear', 'Apple'],
    ['Plum', 'Apple', 'Pear'],
    ['Pear', 'Plum', 'Apple'],
  ])
    await home.submit(form, { [FRUIT.id]: order });
  const analytics = await open(form, '/analytics');
  const rows = analytics.getByRole('article').filter({ hasText: 'Fruit' }).getByRole('row');
  await rows.nth(3).waitFor();
  expect((await rows.allInnerTexts()).map((text) => text.split(/\s+/))).toEqual([
    ['Option', 'Average', 'place', 'First'],
    ['Plum', '1.33', '2', '66.7%'],
    ['Pear', '2', '1', '33.3%'],
    ['Apple', '2.67', '0', '0%'],
  ]);
  await expectFine(analytics, 'the analytics of a ranking');

  const page = await open(form, '/responses');
  await page.getByText('Pear, Plum, Apple').waitFor();
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('Value').selectOption('Pear');
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByText('Plum, Pear, Apple').waitFor({ state: 'hidden' });
  await page.getByRole('row').filter({ hasText: 'Pear, Plum, Apple' }).getByRole('link').click();
  const panel = page.getByRole('dialog');
  await panel.getByRole('listitem').nth(2).waitFor();
  await expect.poll(() => panel.getByRole('listitem').allInnerTexts()).toEqual(['Pear', 'Plum', 'Apple']);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  expect(await panel.getByRole('group', { name: 'Fruit' }).count()).toBe(1);
  await panel.getByRole('button', { name: 'Move Apple up' }).click();
  await expectFine(page, 'a ranking being changed');
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The response was saved.').waitFor();
  const [newest] = await home.records(form);
  expect(newest.data[FRUIT.id]).toEqual(['Pear', 'Apple', 'Plum']);
});

test('long names of options stay within their card, on a phone too', async () => {
  const long = 'The quality of the food and the friendliness of all the people who serve it to us every day';
  const form = await home.form({ properties: [{ ...FRUIT, ranking: { options: [long, 'Price'] } }] });
  await home.submit(form, { [FRUIT.id]: [long, 'Price'] });
  const page = await open(form, '/analytics', { width: 360, height: 800 });
  const card = page.getByRole('article').filter({ hasText: 'Fruit' });
  await card.getByRole('table').waitFor();
  expect(await card.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test('it is shared as HTML and as a link that brings an order along', async () => {
  const form = await home.form({ properties: [FRUIT] });
  const page = await open(form, '/share?part=prefill');
  const order = page.getByRole('group', { name: 'Fruit' });
  await order.getByRole('button', { name: 'Put in order' }).click();
  await order.getByRole('button', { name: 'Move Pear up' }).click();
  const link = await page.getByRole('textbox', { name: 'Prefilled link' }).inputValue();
  const visitor = await browser.page();
  await visitor.goto(link);
  await expect
    .poll(() => visitor.locator('.ranking li label').allInnerTexts())
    .toEqual(['Pear', 'Apple', 'Plum']);

  await page.goto(page.url().replace('prefill', 'html'));
  const html = await page.locator('pre').filter({ hasText: '<form' }).innerText();
  expect(html).toContain(`<label>Pear <select name="${FRUIT.id}[Pear]"><option></option><option>1</option>`);
  const action = /action="([^"]+)"/.exec(html)?.[1] ?? '';
  const body = new URLSearchParams({
    [`${FRUIT.id}[0]`]: '3',
    [`${FRUIT.id}[1]`]: '1',
    [`${FRUIT.id}[2]`]: '2',
  });
  expect((await fetch(action, { method: 'POST', body })).status).toBe(200);
  expect((await home.records(form))[0].data[FRUIT.id]).toEqual(['Pear', 'Plum', 'Apple']);
});
