import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { dateColumns } from '../../dashboard/analytics/columns.ts';
import { useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { prepareRows } from '../setup/prepare-rows.ts';
import { aSurvey, ID, seed } from './responses.ts';
import { expectFine, signedInPage } from './screens.ts';

test('months are told with the whole year, which may be a year of birth', () => {
  const [first] = dateColumns([
    { month: '2016-03', count: 2 },
    { month: '2016-04', count: 1 },
  ]);
  expect(first).toMatchObject({ name: expect.stringContaining('2016'), count: 2 });
});

const VISITOR = {
  'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Safari/604.1',
  accept: 'text/html',
};

const browser = useBrowser();
const home = useHome();

async function pageOf(form: { id: number }, search = '') {
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/analytics${search}`);
  return page;
}

test('the figures are what was sent', async () => {
  const form = await aSurvey(home, { enable_partial_submissions: true });
  const referers = ['https://news.example/a', 'https://news.example/b', 'https://blog.example/'];
  for (const referer of [...referers, null]) {
    const headers = referer ? { ...VISITOR, referer } : VISITOR;
    await home.service.request('GET', `/forms/${form.slug}`, { headers });
  }
  const progress = { started: true, fields: [ID.name], times: { [ID.name]: 75_000 } };
  for (let visit = 0; visit < 3; visit++)
    await home.service.request('POST', `/forms/${form.slug}/progress`, { body: progress, headers: VISITOR });
  const sent = { [ID.name]: 'Ada', tracking_parameters: { utm_source: 'newsletter' } };
  await home.submit(form, { ...sent, completion_time: 10 });
  await home.submit(form, { ...sent, completion_time: 80 });
  const partial = await home.submit(form, { [ID.name]: 'Half', is_partial: true });
  expect(partial.status, partial.text).toBe(200);
  await expect
    .poll(async () => (await home.call('GET', `/open/forms/${form.id}/statistics`)).body.totals)
    .toMatchObject({ views: 4, starts: 3, completed: 2, partial: 1 });

  const page = await pageOf(form);
  const figure = (name: string) =>
    page
      .locator('dl > div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd')
      .first();
  await figure('Views').waitFor();
  await expect.poll(() => figure('Views').innerText()).toBe('4');
  await expect.poll(() => figure('Starts').innerText()).toBe('3');
  await expect.poll(() => figure('Completed').innerText()).toBe('2');
  await expect.poll(() => figure('Completion rate').innerText()).toBe('66.7%');
  await expect.poll(() => figure('Time to complete').innerText()).toBe('45 s');
  expect(await figure('Partial').count()).toBe(0);
  const item = (text: RegExp) => page.getByRole('listitem').filter({ hasText: text });
  await expect.poll(() => item(/news\.example/).innerText()).toMatch(/2\s+views\s+50%/);
  await expect.poll(() => item(/Phones/).innerText()).toMatch(/4\s+views\s+100%/);
  await expect.poll(() => item(/newsletter/).innerText()).toMatch(/2\s+completed responses\s+100%/);
  const question = page.getByRole('row', { name: /Your name/ }).last();
  expect((await question.innerText()).replace(/\s+/g, ' ')).toContain('4 3 75% 1 min 15 s');
  // Every figure stands below a head of its own.
  const cellsBelow = async (table: string, head: string) => {
    const region = page.getByRole('region', { name: table });
    const heads = await region.getByRole('columnheader').allTextContents();
    const cells = await region.getByRole('row').nth(1).locator('th, td').allTextContents();
    return cells[heads.indexOf(head)];
  };
  expect(await cellsBelow('Visits by page', 'Reached')).toBe('4');
  expect(await cellsBelow('Visits by page', 'Left')).toBe('0');
  expect(await cellsBelow('Visits by page', '%')).toBe('0%');
  expect(await cellsBelow('Answers by question', 'Answered')).toBe('3');
  expect(await cellsBelow('Answers by question', '%')).toBe('75%');
  const standsAt = (name: string) =>
    page.getByRole('columnheader', { name }).evaluate((head) => getComputedStyle(head).textAlign);
  expect(await Promise.all(['Question', 'Shown', 'Takes'].map(standsAt))).toEqual(['start', 'end', 'end']);
  // The figures of the chart are also in a table.
  await page.locator('svg.recharts-surface').first().waitFor();
  await expectFine(page, 'analytics');
  await page.getByRole('switch', { name: 'Partial responses' }).check();
  await page.waitForURL(/partials=true/);
  await figure('Partial').waitFor();
  await expect.poll(() => figure('Partial').innerText()).toBe('1');
  await page.getByRole('button', { name: 'Show as table' }).click();
  const today = page.getByRole('table').first().getByRole('row').nth(1);
  expect((await today.getByRole('cell').allInnerTexts()).slice(1)).toEqual(['4', '3', '2', '1']);
  await expectFine(page, 'analytics as a table');
});

test('named days of the chart are equally far from each other', async () => {
  const form = await aSurvey(home);
  await home.submit(form, { [ID.name]: 'Ada' });
  await expect
    .poll(async () => (await home.call('GET', `/open/forms/${form.id}/statistics`)).body.totals)
    .toMatchObject({ completed: 1 });
  const page = await pageOf(form);
  const names = page.locator('.recharts-xAxis-tick-labels text');
  await names.first().waitFor();
  const days = (await names.allTextContents()).map((name) => Date.parse(`${name} 2001 UTC`) / 86_400_000);
  const steps = new Set(days.slice(1).map((day, at) => (day - (days[at] ?? 0) + 365) % 365));
  expect(days.length).toBeGreaterThan(3);
  expect(steps.size, String(days)).toBe(1);
});

test('the days are in the address', async () => {
  const form = await aSurvey(home, { title: 'Days' });
  await home.submit(form, { [ID.name]: 'Ada' });
  const page = await pageOf(form, '?from=2026-01-01&to=2026-01-31');
  await page.getByText('No completed responses in these days.').first().waitFor();
  await expect.poll(() => page.getByLabel('First day').inputValue()).toBe('2026-01-01');
  await page.getByLabel('First day').fill('2026-02-02');
  await page.getByText('The first day comes after the last.').waitFor();
  await page.getByLabel('First day').fill('2026-01-03');
  await page.waitForURL(/from=2026-01-03/);
  await page.getByLabel('Days', { exact: true }).selectOption({ label: 'Last 7 days' });
  await page.waitForURL(/days=7/);
  await page.reload();
  await page.getByText('Not told').first().waitFor();
  await expect.poll(() => page.getByLabel('Days', { exact: true }).inputValue()).toBe('7');
});

test('what was answered is shown as fits each question', async () => {
  const form = await aSurvey(home, { title: 'Answers', enable_partial_submissions: true });
  await seed(home, form.id, 100);
  await home.submit(form, { [ID.name]: 'Half', [ID.agreed]: true, is_partial: true });
  const page = await pageOf(form);
  const card = (name: string) => cardOf(page, name);
  const words = (name: string) => wordsOf(page, name);
  await card('Your name').waitFor();
  expect(await words('Your name')).toContain('100 answered · 100%');
  expect(await words('What did you see?')).toMatch(
    /Paintings 50 responses 50% Sculptures 50 responses 50% Garden 50 responses 50%/,
  );
  expect(await words('May we write to you?')).toMatch(/Yes 33 responses 33% No 67 responses 67%/);
  expect(await words('How was it?')).toMatch(/Mean 3 Lowest 1 Highest 5/);
  const chart = (name: string) => card(name).getByRole('img').first().getAttribute('aria-label');
  expect(await chart('How was it?')).toBe('1: 20; 2: 20; 3: 20; 4: 20; 5: 20');
  expect(await chart('Day of the visit')).toMatch(/^May 2026: 100$/);
  expect(await chart('Party size')).toContain('10 – 15: 5');
  expect(await words('Staff')).toMatch(/Good Bad Desk 100 100% 0 0% Café 0 0% 100 100%/);
  // On hover, a column shows the number it stands for.
  await card('Day of the visit').getByText('May 2026', { exact: true }).first().hover();
  await card('Day of the visit')
    .getByRole('paragraph')
    .filter({ hasText: /^May 2026\s*100$/ })
    .waitFor();
  await expectFine(page, 'answers');
  await page.getByRole('switch', { name: 'Partial responses' }).check();
  await expect.poll(() => words('May we write to you?')).toMatch(/Yes 34 responses 33.7%/);
  await card('Tell us more').getByRole('link', { name: 'Read the answers' }).click();
  await page.waitForURL(/responses/);
});

const cardOf = (page: Page, name: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) });
const wordsOf = async (page: Page, name: string) =>
  (await cardOf(page, name).innerText()).replace(/\s+/g, ' ');

test('large figures beside the chart are seen whole', async () => {
  const form = await home.form();
  await prepareRows(home.service, [
    `insert into form_days (form_id, day, kind, place, count)
     values ($1, (now() at time zone 'utc')::date, 'view', 'phone', 1000000)`,
    [form.id],
  ]);
  const page = await pageOf(form);
  const chart = page.locator('svg.recharts-surface').first();
  const top = chart.getByText('1,000,000', { exact: true });
  await top.waitFor();
  const left = async (part: typeof chart) => (await part.boundingBox())!.x;
  await expect.poll(async () => (await left(top)) - (await left(chart))).toBeGreaterThan(-1);
});

test('small numbers are told as they are', async () => {
  const dose = aField('01', 'number', 'Dose');
  const form = await home.form({ title: 'Doses', properties: [dose] });
  for (const number of [0.0001, 0.0004, 0.00015]) await home.submit(form, { [dose.id]: number });
  const page = await pageOf(form);
  await cardOf(page, 'Dose').waitFor();
  await page.getByText('are rounded to four digits').waitFor();
  const facts = 'Mean 0.000217 Lowest 0.0001 Highest 0.0004 Sum 0.00065';
  expect(await wordsOf(page, 'Dose')).toContain(facts);
  const chart = await cardOf(page, 'Dose').getByRole('img').first().getAttribute('aria-label');
  expect(chart).toBe('0.0001 – 0.00012: 1; 0.00014 – 0.00016: 1; 0.0004 – 0.00042: 1');
});

test('long options, rows and ranks are shown whole, and once', async () => {
  const long = `I agree that ${'what was said here is kept for a while, '.repeat(6)}and to nothing else.`;
  const options = [{ name: long }, { name: 'I do not' }];
  const consent = aField('02', 'select', 'Consent', { select: { options } });
  const words = aField('03', 'matrix', 'Words', { rows: [long], columns: ['Yes', 'No'] });
  const order = aField('04', 'ranking', 'Order', { options });
  const form = await home.form({ title: 'Consents', properties: [consent, words, order] });
  const answers = { [consent.id]: long, [words.id]: { [long]: 'Yes' }, [order.id]: [long, 'I do not'] };
  const answer = await home.submit(form, answers);
  expect(answer.status, answer.text).toBe(200);
  const page = await pageOf(form);
  await cardOf(page, 'Consent').waitFor();
  expect(await page.getByText('are rounded').count()).toBe(0);
  expect(await cardOf(page, 'Consent').getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(new RegExp(`^${long}\\s+1`)),
    expect.stringMatching(/^I do not\s+0/),
  ]);
  expect(await cardOf(page, 'Words').getByRole('row').count()).toBe(2);
  expect(await wordsOf(page, 'Words')).toContain(`${long} 1 100% 0 0%`);
  expect(await wordsOf(page, 'Order')).toContain(`${long} 1 1 100% I do not 2 0 0%`);
});
