import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { aFront } from './front.ts';
import { aVisitor } from './visitor.ts';

/** Pages that were opened by a name which another form has taken since. */
const home = useHome();
const browser = useBrowser();
const visitor = () => aVisitor(home.service);

const NAME = { id: 'name', type: 'text', name: 'Name' };
const BREAK = { id: 'pb', type: 'nf-page-break', name: 'p' };
const MORE = { id: 'more', type: 'text', name: 'More' };
const PHOTO = { id: 'photo', type: 'files', name: 'Photo' };
const TWO_PAGES = [NAME, BREAK, MORE];

type Form = { id: number; slug: string; uuid: string };

const aSlug = () => `slug-${randomUUID().slice(0, 8)}`;
const dataOf = async (form: Form) => (await home.records(form)).map(({ data }) => data);

/** Another form, with the same fields, takes the slug of this one, which gets another. */
async function giveAway(form: Form, properties: object[], other = {}): Promise<Form> {
  const renamed = await home.call('PUT', `/open/forms/${form.id}`, { slug: aSlug() });
  expect(renamed.status, renamed.text).toBe(200);
  return home.form({ title: 'Another form', properties, slug: form.slug, ...other });
}

describe('without a script, what is sent from a page', () => {
  test('reaches the form that the page shows, step by step and after a reload', async () => {
    const form = await home.form({ properties: TWO_PAGES });
    const first = await visitor().open(`/forms/${form.slug}`);
    const taker = await giveAway(form, TWO_PAGES);
    const second = await visitor().send(first, { name: 'Ada' });
    const reloaded = await visitor().open(second.path);
    const thanks = await visitor().send(reloaded, { more: 'Enough' });
    expect(thanks.path).toContain('/thank-you');
    expect(await dataOf(form)).toMatchObject([{ name: 'Ada', more: 'Enough' }]);
    expect(await dataOf(taker)).toEqual([]);
  });

  test('reaches it with its files', async () => {
    const form = await home.form({ properties: [NAME, PHOTO] });
    const page = await visitor().open(`/forms/${form.slug}`);
    const taker = await giveAway(form, [NAME, PHOTO]);
    await visitor().send(page, { name: 'Ada', photo: new File(['words'], 'a.txt', { type: 'text/plain' }) });
    expect((await home.records(form))[0].files.photo).toHaveLength(1);
    expect(await dataOf(taker)).toEqual([]);
  });

  test('reaches it behind its password', async () => {
    const form = await home.form({ properties: [NAME], password: 'sesame' });
    const asked = await visitor().open(`/forms/${form.slug}`);
    const taker = await giveAway(form, [NAME], { password: 'sesame' });
    const page = await visitor().send(asked, { password: 'sesame' });
    await visitor().send(page, { name: 'Ada' });
    expect(await dataOf(form)).toMatchObject([{ name: 'Ada' }]);
    expect(await dataOf(taker)).toEqual([]);
  });

  test('goes nowhere when that form was deleted', async () => {
    const form = await home.form({ properties: [NAME] });
    const page = await visitor().open(`/forms/${form.slug}`);
    await home.call('DELETE', `/open/forms/${form.id}`);
    const taker = await home.form({ properties: [NAME], slug: form.slug });
    expect((await visitor().send(page, { name: 'Ada' })).status).toBe(404);
    expect(await dataOf(taker)).toEqual([]);
  });
});

test('an HTML form of another site, and a client of the API, reach who has the name', async () => {
  const form = await home.form({ properties: [NAME] });
  const taker = await giveAway(form, [NAME]);
  const body = new URLSearchParams({ name: 'Ada' });
  const sent = await fetch(`${home.service.url}/forms/${form.slug}`, { method: 'POST', body });
  expect(sent.status).toBe(200);
  expect((await home.submit(form, { name: 'Grace' })).status).toBe(200);
  expect(await dataOf(taker)).toMatchObject([{ name: 'Grace' }, { name: 'Ada' }]);
  expect(await dataOf(form)).toEqual([]);
});

describe('with the script, what is sent from a page', () => {
  const addressOf = (form: Form) => `${home.service.url}/forms/${form.slug}`;

  test('reaches the form that the page shows, saved on the way, with a captcha and a file', async () => {
    const properties = [NAME, PHOTO, BREAK, MORE];
    const look = { properties, enable_partial_submissions: true, use_captcha: true };
    const form = await home.form(look);
    const page = await browser.page();
    await page.goto(addressOf(form));
    const taker = await giveAway(form, properties, look);
    await page.getByLabel('Name').fill('Ada');
    await page.locator('input[type=file]').setInputFiles({
      name: 'a.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('words'),
    });
    await page.getByText('a.txt').waitFor();
    await page.locator('.nav .primary').click();
    await page.getByText('Continue later').click();
    const link = await page.getByLabel('Open this link on any device to continue.').inputValue();
    const elsewhere = await browser.page();
    await elsewhere.goto(link);
    await expect.poll(() => elsewhere.getByLabel('Name').inputValue()).toBe('Ada');
    await page.getByLabel('More').fill('Enough');
    await page.locator('.nav .primary').click();
    await page.locator('.thank-you').waitFor();
    const [record] = await home.records(form);
    expect(record.data).toMatchObject({ name: 'Ada', more: 'Enough' });
    expect(record.files.photo).toHaveLength(1);
    const { body } = await home.call('GET', `/open/forms/${taker.id}/submissions?status=partial`);
    expect([...body.data, ...(await home.records(taker))]).toEqual([]);
  });

  test('stays on the page when that form is gone, whoever has its name', async () => {
    const form = await home.form({ properties: [NAME] });
    const page = await browser.page();
    await page.goto(addressOf(form));
    await page.getByLabel('Name').fill('Ada');
    await home.call('PUT', `/open/forms/${form.id}`, { slug: aSlug(), visibility: 'draft' });
    const taker = await home.form({ title: 'Another form', properties: [NAME], slug: form.slug });
    await page.locator('.nav .primary').click();
    await page
      .getByRole('alert')
      .getByText(/They are kept here; please try again\. Form not found/)
      .waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada');
    expect(await dataOf(taker)).toEqual([]);
  });

  test('reaches it from the device, and is corrected on its page', async () => {
    const form = await home.form({ properties: [NAME], settings: { works_offline: true }, auto_save: false });
    const front = await aFront(home.service.url);
    const page = await browser.page();
    await page.goto(`${front.url}/forms/${form.slug}`);
    const isStored = () =>
      page.evaluate(async () => (await caches.match(location.href, { ignoreVary: true })) !== undefined);
    await expect.poll(isStored).toBe(true);
    await page.getByLabel('Name').fill('A long name');
    front.weather = 'busy';
    await page.locator('.nav .primary').click();
    await page.locator('.kept').waitFor();
    const taker = await giveAway(form, [NAME]);
    await home.call('PUT', `/open/forms/${form.id}`, { properties: [{ ...NAME, max_char_limit: 5 }] });
    front.weather = 'fine';
    const { body } = await home.call('GET', `/open/forms/${form.id}`);
    await page.goto(`${front.url}/forms/${body.slug}`);
    await page.getByRole('button', { name: 'Correct' }).click();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('A long name');
    await page.getByLabel('Name').fill('Ada');
    await page.locator('.nav .primary').click();
    await page.locator('.thank-you').waitFor();
    expect(await dataOf(form)).toMatchObject([{ name: 'Ada' }]);
    expect(await dataOf(taker)).toEqual([]);
  });
});
