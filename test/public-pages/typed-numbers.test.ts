import { describe, expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { aVisitor } from './visitor.ts';

const home = useHome();
const browser = useBrowser();

const PROPERTIES = [
  { id: 'n', type: 'number', name: 'Menge', required: true },
  { id: 'pb', type: 'nf-page-break', name: 'p' },
  { id: 's', type: 'slider', name: 'Strecke', slider_max_value: 10, slider_step_value: 0.5 },
];
const GERMAN = { properties: PROPERTIES, language: 'de' };

test('without a script a number is written as the language writes it, and stays so from step to step', async () => {
  const visitor = aVisitor(home.service);
  const form = await home.form(GERMAN);
  const first = await visitor.open(`/forms/${form.slug}`);
  const refused = await visitor.send(first, { n: '1.234' });
  expect(refused.text).toContain('„Menge“ muss eine Zahl sein, zum Beispiel 1234.');
  expect(refused.html).toContain('value="1.234"');
  const second = await visitor.send(refused, { n: '1,234' });
  expect(second.html).toContain('value="1,234"');
  const thanks = await visitor.send(second, { s: '2,5' });
  expect(thanks.path).toContain('thank-you');
  const [record] = await home.records(form);
  expect(record.data).toMatchObject({ n: 1.234, s: 2.5 });
});

test('with the script too, and other digits', async () => {
  const form = await home.form(GERMAN);
  const page = await browser.page();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  const next = page.locator('.nav .primary');
  await page.getByLabel('Menge').fill('1.234');
  await next.click();
  await page.locator('#summary').getByText('muss eine Zahl sein').waitFor();
  await page.getByLabel('Menge').fill('۱.۲۳۴,۵');
  await next.click();
  await page.getByLabel('Strecke').and(page.locator('[type=text]')).fill('3,5');
  await expect.poll(() => page.getByRole('slider').inputValue()).toBe('3.5');
  await next.click();
  await page.locator('.thank-you').waitFor();
  const [record] = await home.records(form);
  expect(record.data).toMatchObject({ n: 1234.5, s: 3.5 });
});

describe.each([true, false])('scripts %s', (javaScriptEnabled) => {
  const open = async (path: string) => {
    const page = await browser.page({ javaScriptEnabled });
    await page.goto(home.service.url + path);
    return page;
  };

  test('thousands typed beside a slider, or as a step of a scale, are not taken for one', async () => {
    const form = await home.form({
      language: 'de',
      properties: [
        { id: 's', type: 'slider', name: 'Betrag', slider_max_value: 50_000 },
        { id: 'c', type: 'scale', name: 'Skala', scale_min_value: 0, scale_max_value: 20_000 },
        { id: 'r', type: 'rating', name: 'Sterne', rating_max_value: 5000 },
      ],
    });
    const page = await open(`/forms/${form.slug}`);
    if (javaScriptEnabled) await page.getByRole('slider').waitFor();
    const fill = async (...numbers: string[]) => {
      for (const [index, number] of numbers.entries()) await page.locator(`#f${index}`).fill(number);
      await page.locator('.nav .primary').click();
    };
    await fill('12.345', '12.000', '1.000');
    await page.locator('#summary li').nth(2).waitFor();
    expect(await page.locator('#f0').inputValue()).toBe('12.345');
    expect(await home.records(form)).toEqual([]);
    await fill('12.345,0', '12000', '1000');
    await page.locator('.thank-you').waitFor();
    expect((await home.records(form))[0].data).toMatchObject({ s: 12_345, c: 12_000, r: 1000 });
  });

  test('a number with a decimal comma that the page comes with counts for what is shown', async () => {
    const isMore = {
      identifier: 'a',
      value: { operator: 'greater_than', property_meta: { id: 'a', type: 'number' }, value: 2 },
    };
    const logic = {
      conditions: { operatorIdentifier: 'and', children: [isMore] },
      actions: ['show-block'],
    };
    const properties = [
      { id: 'a', type: 'number', name: 'Menge', prefill: 2.5 },
      { id: 'z', type: 'text', name: 'Wofür', hidden: true, required: true, logic },
    ];
    const form = await home.form({ language: 'de', auto_save: false, properties });
    for (const query of ['', '?a=3.5']) {
      const page = await open(`/forms/${form.slug}${query}`);
      await page.waitForLoadState('networkidle');
      await expect.poll(() => page.getByLabel('Wofür').isVisible()).toBe(true);
      await page.locator('.nav .primary').click();
      await page.locator('#summary').getByText('Wofür').waitFor();
    }
    const hidden = await home.form({
      language: 'de',
      properties: [{ ...properties[0], hidden: true }, properties[1]],
    });
    const page = await open(`/forms/${hidden.slug}`);
    await page.waitForLoadState('networkidle');
    await expect.poll(() => page.getByLabel('Wofür').isVisible()).toBe(true);
  });

  test('a decimal comma is understood in English, where it cannot be thousands', async () => {
    const form = await home.form({ properties: [{ id: 'n', type: 'number', name: 'Weight' }] });
    const page = await open(`/forms/${form.slug}`);
    await page.getByLabel('Weight').fill('50,000');
    await page.locator('.nav .primary').click();
    await page.locator('#summary').getByText('must be a number like 1234.').waitFor();
    await page.getByLabel('Weight').fill('3,5');
    await page.locator('.nav .primary').click();
    await page.locator('.thank-you').waitFor();
    expect((await home.records(form))[0].data).toMatchObject({ n: 3.5 });
  });
});

test('a number that is changed later is shown as it is written', async () => {
  const form = await home.form({ ...GERMAN, editable_submissions: true });
  const { body } = await home.call('POST', `/forms/${form.slug}/answer`, { n: 1.234, s: 2 });
  const page = await aVisitor(home.service).open(`/forms/${form.slug}?submission_id=${body.submission_id}`);
  expect(page.html).toContain('value="1,234"');
});

test('a form on another site, and the API, write numbers as before', async () => {
  const form = await home.form(GERMAN);
  const answer = await fetch(`${home.service.url}/forms/${form.slug}`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ n: '1.234' }),
  });
  expect(answer.status).toBe(200);
  const { status } = await home.call('POST', `/forms/${form.slug}/answer`, { n: '3,5' });
  expect(status).toBe(422);
});

test.each([
  ['０３-1234-5678', 'ja', 'JP', '+81312345678'],
  ['０３－１２３４－５６７８', 'ja', 'JP', '+81312345678'],
  ['＋８１ ３ １２３４ ５６７８', 'de', 'DE', '+81312345678'],
  ['٠١٠٠١٢٣٤٥٦٧', 'ar', 'EG', '+201001234567'],
  ['\u202a+49 30 901820\u202c', 'en', 'US', '+4930901820'],
])('a telephone number typed as %s', async (typed, language, country, stored) => {
  const form = await home.form({ language, properties: [{ id: 't', type: 'phone_number', name: 'Tel' }] });
  const page = await browser.page();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await page.locator('.phone select').selectOption(country);
  await page.locator('[type=tel]').fill(typed);
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  const [record] = await home.records(form);
  expect(record.data.t).toBe(stored);
});

test('a mask takes the digits of any script', async () => {
  const form = await home.form({
    language: 'ja',
    properties: [{ id: 'code', type: 'text', name: 'Code', input_mask: '999-9999' }],
  });
  const page = await browser.page();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  const code = page.getByLabel('Code');
  // As soon as the part of the script for masks has loaded.
  await expect
    .poll(async () => {
      await code.fill('１２３-４５６');
      return code.inputValue();
    })
    .toBe('123-456');
  await code.press('End');
  await page.keyboard.insertText('٧');
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  const [record] = await home.records(form);
  expect(record.data.code).toBe('123-4567');
});
