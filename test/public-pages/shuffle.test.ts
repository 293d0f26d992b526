import { expect, test } from 'vitest';
import { inShuffledOrder } from '../../fields/choices/shuffle.ts';
import { useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

/** Options in another order for every visitor. */
const home = useHome();
const browser = useBrowser();
const NAMES = ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve', 'Fay', 'Gil', 'Hal'];
const options = NAMES.map((name) => ({ id: name, name }));
const REQUIRED = aField('01', 'text', 'Name', { required: true });
const fields = (order: string | null) => [
  REQUIRED,
  aField('02', 'select', 'List', { select: { options }, shuffle_options: order }),
  aField('03', 'select', 'One', { select: { options }, shuffle_options: order, without_dropdown: true }),
  aField('04', 'multi_select', 'Several', { multi_select: { options }, shuffle_options: order }),
  aField('05', 'ranking', 'Order', { ranking: { options }, shuffle_options: order }),
];

/** The options of each question on a page, in the order shown. */
function ordersIn(page: string): string[][] {
  const blocks = page.split('data-block="').slice(2);
  const order = new RegExp(`>(${NAMES.join('|')})<`, 'g');
  return blocks.map((block) => [...block.matchAll(order)].map(([, name = '']) => name));
}

async function shown(slug: string): Promise<string> {
  const answer = await home.service.request('GET', `/forms/${slug}`, { headers: { accept: 'text/html' } });
  expect(answer.status, answer.text).toBe(200);
  return answer.text;
}

test('for each visitor in each question another one, with all of them', async () => {
  const form = await home.form({ properties: fields('all') });
  const visits = await Promise.all(Array.from({ length: 5 }, () => shown(form.slug)));
  const orders = visits.flatMap(ordersIn);
  expect(orders).toHaveLength(20);
  for (const order of orders) expect(order.toSorted()).toEqual(NAMES);
  // Each has 40,320 possible orders, so as few as 15 different ones of 20 would be a fault, not chance.
  expect(new Set(orders.map((order) => order.join())).size).toBeGreaterThan(15);
});

test('in the same order on every page of a visit, what was chosen stays chosen', async () => {
  const form = await home.form({ properties: fields('all') });
  const first = await shown(form.slug);
  const [, action = ''] = /<form id="form" method="post" action="([^"]*)"/.exec(first) ?? [];
  const [, field = ''] = /name="([^"]*03)" value="Dan"/.exec(first) ?? [];
  const refused = await home.service.request('POST', action.replaceAll('&amp;', '&'), {
    body: new URLSearchParams([[field, 'Dan']]).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  });
  const location = refused.headers.get('location');
  const again =
    location === null
      ? refused.text
      : (await home.service.request('GET', location, { headers: { accept: 'text/html' } })).text;
  expect(again).toMatch(/value="Dan" checked/);
  expect(ordersIn(again)).toEqual(ordersIn(first));
});

test('the last one stays where it is to stay', async () => {
  const form = await home.form({ properties: fields('except_last') });
  for (let visit = 0; visit < 3; visit++)
    for (const order of ordersIn(await shown(form.slug))) expect(order.at(-1)).toBe('Hal');
});

test('as they are listed without it', async () => {
  for (const order of [null, 'none']) {
    const form = await home.form({ properties: fields(order) });
    expect(ordersIn(await shown(form.slug))).toEqual(Array(4).fill(NAMES));
  }
});

test('answers are what was chosen, wherever it stood', async () => {
  const properties = fields('all');
  const form = await home.form({ properties });
  const page = await browser.page({ javaScriptEnabled: false });
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('List').selectOption('Eve');
  await page.getByRole('radiogroup', { name: 'One' }).getByLabel('Cleo').check();
  await page.getByRole('group', { name: 'Several' }).getByLabel('Gil').check();
  for (const [place, name] of NAMES.toReversed().entries())
    await page
      .getByRole('group', { name: 'Order' })
      .getByLabel(name)
      .selectOption(`${place + 1}`);
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('Thank you').first().waitFor();
  const [{ data }] = await home.records(form);
  expect(properties.map(({ id }) => data[id])).toEqual(['Ada', 'Eve', 'Cleo', ['Gil'], NAMES.toReversed()]);
});

test('every order is as likely as any other', () => {
  const question = { id: 'q', type: 'select', name: 'Q', shuffle_options: 'all' };
  const counts = new Map<string, number>();
  for (let visit = 0; visit < 6_000; visit++) {
    const order = inShuffledOrder(['a', 'b', 'c'], question, `visit ${visit}`).join('');
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect(counts.size).toBe(6);
  // 1,000 each, give or take five standard deviations.
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(145);
});

test('another word for the order is refused', async () => {
  const answer = await home.call('POST', '/open/forms', {
    title: 'Wrong',
    workspace_id: home.workspaceId,
    properties: fields('sometimes'),
  });
  expect(answer.status, answer.text).toBe(422);
  expect(answer.body.errors['properties.4.shuffle_options']).toEqual([
    'The shuffle_options must be one of: none, all, except_last',
  ]);
});
