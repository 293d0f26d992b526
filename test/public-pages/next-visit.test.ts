import { expect, test } from 'vitest';
import { COUNTED, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { PROPERTIES } from './begun-form.ts';

/** One visit and the next: where it came from, in which language, and where it ends. */
const home = useHome();
const browser = useBrowser();

const NAME = { id: 'name', type: 'text', name: 'Name' };
const address = (form: { slug: string }, query = '') => `${home.service.url}/forms/${form.slug}${query}`;
const aTranslatedForm = (overrides: object = {}) =>
  home.form({
    properties: PROPERTIES,
    language: 'en',
    translations: { de: { properties: { name: { name: 'Vorname' } } } },
    ...overrides,
  });
const partials = (form: { id: number }) =>
  home.call('GET', `/open/forms/${form.id}/submissions?status=partial`).then(({ body }) => body.data);

test('what was saved on the way knows where its sender came from', async () => {
  const form = await home.form({ properties: PROPERTIES, enable_partial_submissions: true });
  const page = await browser.page();
  await page.goto(address(form, '?utm_source=letter&gclid=7&name=Ada'));
  await page.getByLabel('Topic').selectOption('Support');
  await page.locator('.nav .primary').click();
  await until(async () => (await partials(form)).length === 1);
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  const [record, ...others] = await home.records(form);
  expect(others).toEqual([]);
  for (const known of ['letter', '"7"']) expect(JSON.stringify(record)).toContain(known);
});

test.each([true, false])(
  'the link to go on leads to the language in which the form was begun; autosave %s',
  async (auto_save) => {
    const form = await aTranslatedForm({ enable_partial_submissions: true, auto_save });
    const page = await browser.page();
    await page.goto(address(form, '?lang=de'));
    await page.getByLabel('Vorname').fill('Ada');
    await page.locator('.nav .primary').click();
    await page.locator('.continue').waitFor();
    const link = await page.locator('.continue input').inputValue();
    for (const where of [link, auto_save ? link : page.url()]) {
      const other = await browser.page({ locale: 'en' });
      await other.goto(where);
      expect(await other.getByLabel('Vorname').inputValue()).toBe('Ada');
    }
    if (auto_save) return;
    await page.locator('.nav .primary').click();
    await page.locator('.thank-you').waitFor();
    await page.goBack();
    await expect.poll(() => page.getByLabel('Vorname').inputValue()).toBe('');
    expect(await page.getByRole('alert').count()).toBe(0);
  },
);

test('going back to a sent form begins another visit, also where the address names the first', async () => {
  const form = await aTranslatedForm({ properties: [NAME], auto_save: false });
  const page = await browser.page();
  await page.goto(address(form));
  await page.getByLabel('Name').fill('A');
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await page.getByLabel('Vorname').waitFor();
  expect(page.url()).toContain('visit=');
  for (const count of [1, 2]) {
    await page.getByLabel('Vorname').fill('Ada');
    await page.locator('.nav .primary').click();
    await page.locator('.thank-you').waitFor();
    expect(await home.records(form)).toHaveLength(count);
    await page.goBack();
    await expect.poll(() => page.getByLabel('Vorname').inputValue()).toBe('');
  }
});

test('a visit in another language from the middle on is one start, left by nobody', async () => {
  const form = await aTranslatedForm({ auto_save: false });
  const page = await browser.page(COUNTED);
  await page.goto(address(form));
  await page.getByLabel('Name').fill('Ada');
  await page.locator('.nav .primary').click();
  await page.getByLabel('More').fill('All');
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await page.waitForURL(/visit=/);
  await page.getByLabel('More').fill('All of it');
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  const numbers = async () => {
    await home.service.context.visits.flush();
    return (await home.call('GET', `/open/forms/${form.id}/statistics`)).body;
  };
  await until(async () => (await numbers()).totals.completed === 1);
  const { totals, steps, fields } = await numbers();
  expect(totals).toMatchObject({ views: 1, starts: 1, completed: 1 });
  expect(steps).toEqual([
    { index: 0, reached: 1, left: 0 },
    { index: 1, reached: 1, left: 0 },
  ]);
  const answered = new Map(fields.map(({ id, answered }: any) => [id, answered]));
  expect([answered.get('name'), answered.get('more')]).toEqual([1, 1]);
});

test.each([true, false])(
  'filling in again begins as the form was first opened, by a script: %s',
  async (hasScript) => {
    const form = await aTranslatedForm({
      properties: [{ id: 'station', type: 'text', name: 'Station', hidden: true }, NAME],
      re_fillable: true,
    });
    const page = await browser.page({ javaScriptEnabled: hasScript });
    await page.goto(address(form, '?station=%265&utm_source=poster&submission_hash=x&name=Bob'));
    await page.getByRole('button', { name: 'Deutsch' }).click();
    for (const name of ['Ada', 'Bob', 'Joan']) {
      await page.getByLabel('Vorname').fill(name);
      await page.locator('.nav .primary').click();
      await page.locator('.thank-you .button').click();
      await expect.poll(() => page.getByLabel('Vorname').inputValue()).toBe('Bob');
    }
    const records = await home.records(form);
    expect(records.map(({ data }) => [data.name, data.station])).toEqual([
      ['Joan', '&5'],
      ['Bob', '&5'],
      ['Ada', '&5'],
    ]);
    for (const { meta } of records) expect(meta.attribution).toEqual({ utm_source: 'poster' });
  },
);

test('the page after sending leads to no visit that somebody wrote into its address', async () => {
  const form = await home.form({ properties: [NAME], re_fillable: true });
  const page = await browser.page();
  await page.goto(address(form, '?name=Ada'));
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  const forged = new URL(page.url());
  expect(forged.searchParams.get('again')).toBe('name=Ada');
  forged.searchParams.set(
    'again',
    'name=Eve&visit=AAAAAAAAAAAAAAAAAAAAAA&submission_id=1&personal=2&key=3&lang=de',
  );
  await page.goto(forged.href);
  const again = await page.locator('.thank-you .button').getAttribute('href');
  expect(again).toBe(`/forms/${form.slug}?name=Eve`);
});
