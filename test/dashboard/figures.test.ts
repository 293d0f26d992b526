import { expect, test } from 'vitest';
import { sliderColumns } from '../../dashboard/analytics/columns.ts';
import { netPromoterOf } from '../../dashboard/analytics/net-promoter.ts';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { expectFine, signedInPage } from './screens.ts';

const SLOW = { timeout: 60_000 };
const browser = useBrowser();
const home = useHome();
const WOULD = aField('a1', 'scale', 'Would you recommend us?', { scale_min_value: 0, scale_max_value: 10 });
const WARM = aField('a2', 'slider', 'How warm?', { slider_max_value: 100, slider_step_value: 5 });
const PLEASED = aField('a3', 'matrix', 'How pleased?', {
  rows: ['Staff', 'Speed'],
  columns: ['Not at all', 'Hardly', 'Neither', 'Rather', 'Very much so'],
});
const as = (property: object) => property as Parameters<typeof netPromoterOf>[0];

test('the Net Promoter Score is that of a scale from 0 to 10, of the answers there are', () => {
  const values = (counts: Record<number, number>) =>
    Object.entries(counts).map(([value, count]) => ({ value, count }));
  const scoreOf = (counts: Record<number, number>) => netPromoterOf(as(WOULD), values(counts))?.score;
  expect(netPromoterOf(as(WOULD), values({ 0: 1, 6: 2, 7: 3, 8: 4, 9: 5, 10: 6 }))).toEqual({
    ...{ score: 38, promoters: 11, passives: 7, detractors: 3, all: 21 },
  });
  expect(scoreOf({ 10: 4 })).toBe(100);
  expect(scoreOf({ 0: 1, 6: 1 })).toBe(-100);
  expect(scoreOf({ 7: 9 })).toBe(0);
  // Not -0.
  expect(scoreOf({ 0: 201, 10: 200 })).toBe(0);
  expect(scoreOf({})).toBeUndefined();
  // What was answered when the scale was another.
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
  const columns = (width: number, counts: number[], low = 0) =>
    sliderColumns(as(WARM), {
      ...{ sum: 0, mean: 0, min: 0, max: 0 },
      histogram: counts.map((count, at) => ({ from: low + at * width, to: low + (at + 1) * width, count })),
    }).map(({ name, count }) => `${name}: ${count}`);
  expect(columns(2, [3, 0, 1, 0, 0, 2])).toEqual(['0: 3', '5: 1', '10: 2']);
  expect(columns(5, [1, 2])).toEqual(['0: 1', '5: 2']);
  expect(columns(20, [1, 2])).toEqual(['0 – 15: 1', '20 – 35: 2']);
  // The last bin ends behind the last step.
  expect(columns(60, [1, 2])).toEqual(['0 – 55: 1', '60 – 100: 2']);
  // Answered when the steps were others.
  expect(columns(2, [0, 1, 1])).toEqual(['0 – 2: 0', '2 – 4: 1', '4 – 6: 1']);
});

test('a score, a slider and a wide matrix are read on every screen', SLOW, async () => {
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
