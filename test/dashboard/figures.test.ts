import { expect, test } from 'vitest';
import { sliderColumns } from '../../dashboard/analytics/columns.ts';
import { netPromoterOf } from '../../dashboard/analytics/net-promoter.ts';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { expectFine, signedInPage, signInAs } from './screens.ts';

const browser = useBrowser();
const home = useHome();
const WOULD = aField('a1', 'scale', 'Would you recommend us?', { scale_min_value: 0, scale_max_value: 10 });
const WARM = aField('a2', 'slider', 'How warm?', { slider_max_value: 100, slider_step_value: 5 });
const PLEASED = aField('a3', 'matrix', 'How pleased?', {
  rows: ['Staff', 'Speed'],
  columns: ['Not at all', 'Hardly', 'Neither', 'Rather', 'Very much so'],
});
const GUESTS = aField('a4', 'repeat', 'Guests', {
  questions: [
    { id: 'name', type: 'text', name: 'Name of the guest' },
    { id: 'meal', type: 'select', name: 'Meal', select: { options: ['Fish', 'Rice', 'None'] } },
    { id: 'age', type: 'number', name: 'Age' },
  ],
});
const as = (property: object) => property as Parameters<typeof netPromoterOf>[0];

test('the Net Promoter Score is that of a scale from 0 to 10, of the answers there are', () => {
  const values = (counts: Record<number, number>) =>
    Object.entries(counts).map(([value, count]) => ({ value, count }));
  const scoreOf = (counts: Record<number, number>) => netPromoterOf(as(WOULD), values(counts))?.score;
  expect(netPromoterOf(as(WOULD), values({ 0: 1, 6: 2, 7: 3, 8: 4, 9: 5, 10: 6 }))).toEqual({
    score: 38,
    promoters: 11,
    passives: 7,
    detractors: 3,
    all: 21,
  });
  expect(scoreOf({ 10: 4 })).toBe(100);
  expect(scoreOf({ 0: 1, 6: 1 })).toBe(-100);
  expect(scoreOf({ 7: 9 })).toBe(0);
  // Not -0.
  expect(scoreOf({ 0: 201, 10: 200 })).toBe(0);
  expect(scoreOf({})).toBeUndefined();
  // Answers from when the scale was another.
  expect(scoreOf({ 11: 5, 9: 1 })).toBe(100);
  for (const other of [
    { ...WOULD, scale_min_value: 1 },
    { ...WOULD, scale_max_value: 5 },
    { ...WOULD, scale_step_value: 2 },
    { ...WOULD, type: 'slider', slider_min_value: 0, slider_max_value: 10 },
  ])
    expect(netPromoterOf(as(other), values({ 5: 1 }))).toBeNull();
});

test('the columns of a slider are its steps', () => {
  const columns = (width: number, counts: number[]) =>
    sliderColumns(as(WARM), {
      sum: 0,
      mean: 0,
      min: 0,
      max: 0,
      histogram: counts.map((count, at) => ({ from: at * width, to: (at + 1) * width, count })),
    }).map(({ name, count }) => `${name}: ${count}`);
  expect(columns(2, [3, 0, 1, 0, 0, 2])).toEqual(['0: 3', '5: 1', '10: 2']);
  expect(columns(5, [1, 2])).toEqual(['0: 1', '5: 2']);
  expect(columns(20, [1, 2])).toEqual(['0 – 15: 1', '20 – 35: 2']);
  // The last bin ends beyond the last step.
  expect(columns(60, [1, 2])).toEqual(['0 – 55: 1', '60 – 100: 2']);
  // Answers from when the steps were others.
  expect(columns(2, [0, 1, 1])).toEqual(['0 – 2: 0', '2 – 4: 1', '4 – 6: 1']);
});

test('a score, a slider and a wide matrix are read on every screen', async () => {
  const form = await home.form({ properties: [WOULD, WARM, PLEASED] });
  for (const [score, warm, column] of [
    [10, 5, 'Very much so'],
    [9, 35, 'Very much so'],
    [7, 35, 'Not at all'],
    [3, 0, 'Neither'],
  ] as const)
    await home.submit(form, {
      [WOULD.id]: score,
      [WARM.id]: warm,
      [PLEASED.id]: { Staff: column, Speed: 'Very much so' },
    });
  const path = `/workspaces/${home.workspaceId}/forms/${form.id}/analytics`;
  const page = await signedInPage(browser, home.service.url, home.ada);
  const card = (name: string) => page.getByRole('article').filter({ hasText: name });
  const words = async (name: string) => (await card(name).innerText()).replace(/\s+/g, ' ');
  await until(async () => {
    const { body } = await home.call('GET', `/open/forms/${form.id}/statistics/fields`);
    return body.submissions === 4 && body.uncounted === 0;
  });
  await page.goto(home.service.url + path);
  await card(WOULD.name).waitFor();
  expect(await words(WOULD.name)).toContain(
    'Net Promoter Score +25 Promoters (9 – 10) 50% Passives (7 – 8) 25% Detractors (0 – 6) 25%',
  );
  expect(await words(WARM.name)).not.toContain('Net Promoter');
  expect(await card(WARM.name).getByRole('img').getAttribute('aria-label')).toBe('0: 1; 5: 1; 35: 2');
  const table = card(PLEASED.name).getByRole('region', { name: PLEASED.name });
  expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await expect.poll(() => table.getByRole('columnheader').last().innerText()).toBe('Very much so');
  await expectFine(page, 'figures');

  const phone = await signedInPage(browser, home.service.url, home.ada, PHONE);
  await phone.goto(home.service.url + path);
  const staff = phone.getByRole('region', { name: 'Staff' });
  await staff.waitFor();
  expect((await staff.innerText()).replace(/\s+/g, ' ')).toContain('Very much so 2 responses 50%');
  await expect.poll(() => staff.getByText('Very much so').isVisible()).toBe(true);
  await expectFine(phone, 'figures on a phone');
});

test('entries of repeated questions, and what they say, are read on every screen', async () => {
  const form = await home.form({ properties: [GUESTS] });
  const guest = (meal: string, age?: number) => ({ name: 'Ann', meal, ...(age !== undefined && { age }) });
  for (const guests of [
    [guest('Fish', 30)],
    [guest('Rice', 40)],
    [guest('Rice'), guest('Rice', 5), { name: 'Eve' }],
  ])
    expect((await home.submit(form, { [GUESTS.id]: guests })).status).toBe(200);
  expect((await home.submit(form, {})).status).toBe(200);
  const path = `/workspaces/${home.workspaceId}/forms/${form.id}/analytics`;
  for (const size of [undefined, PHONE]) {
    const page = await signedInPage(browser, home.service.url, home.ada, size);
    await page.goto(home.service.url + path);
    const card = page.getByRole('article').filter({ hasText: GUESTS.name });
    await card.waitFor();
    const words = async (name: string) =>
      (await card.getByRole('region', { name }).innerText()).replace(/\s+/g, ' ');
    const all = (await card.innerText()).replace(/\s+/g, ' ');
    expect(all).toContain('3 answered · 75% Entries 5 Per response 1.67 Fewest 1 Most 3');
    expect(await card.getByRole('img').first().getAttribute('aria-label')).toBe('1: 2; 3: 1');
    expect(await words('Meal')).toBe(
      'Meal 4 answered · 80% Rice 3 entries 75% Fish 1 entries 25% None 0 entries 0%',
    );
    expect(await words('Age')).toContain('3 answered · 60% Mean 25 Lowest 5 Highest 40 Sum 75');
    expect(await words('Name of the guest')).toBe('Name of the guest 5 answered · 100%');
    await expectFine(page, `entries, ${size ? 'on a phone' : 'wide'}`);
  }
});

test('a browser whose languages are none shows dates and numbers of the others', async () => {
  const form = await home.form();
  await home.submit(form, { [form.properties[0].id]: 'Here' });
  const context = await browser.context();
  await context.addInitScript(() => Object.defineProperty(navigator, 'languages', { value: ['C', 'de'] }));
  await signInAs(context, home.service.url, home.ada);
  const page = await context.newPage();
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/responses`);
  await page.getByRole('cell', { name: 'Here' }).waitFor();
  const german = new Intl.DateTimeFormat('de', { dateStyle: 'medium' }).format(new Date());
  await page.getByRole('cell', { name: german }).last().waitFor();
});
