import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PNG, upload } from '../files/upload.ts';
import { useBrowser } from '../setup/browser.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();
const photo = aField('02', 'files', 'Photo');

async function open(path: string, person = home.ada): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, person);
  await page.goto(home.service.url + path);
  return page;
}
const pathOf = (form: { id: number }) => `/workspaces/${home.workspaceId}/forms/${form.id}`;

test('responses are printed, each on a sheet of its own, with nothing around them', async () => {
  const unanswered = aField('09', 'text', 'Anything else?');
  const form = await home.form({ title: 'Visits', properties: [aTextField(), photo, unanswered] });
  const { body } = await upload(home.service, form, photo.id, PNG, 'cat.png');
  await home.submit(form, { [TEXT_FIELD_ID]: 'Ada', [photo.id]: [body.reference] });
  await home.submit(form, { [TEXT_FIELD_ID]: 'Bob' });
  const page = await open(`${pathOf(form)}/responses`);
  for (const name of ['Ada', 'Bob']) await page.getByRole('row', { name }).getByRole('checkbox').check();
  const [sheets] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Print, in a new tab' }).click(),
  ]);
  await sheets.getByRole('heading', { name: '2 responses to print' }).waitFor();
  await sheets.getByRole('article').nth(1).waitFor();
  await expectFine(sheets, 'responses to print');
  await sheets.getByText('Anything else?').first().waitFor();
  await sheets.getByRole('checkbox', { name: 'Only what was answered' }).check();
  expect(await sheets.getByText('Anything else?').count()).toBe(0);
  await sheets.getByRole('button', { name: 'Show the picture' }).click();
  await sheets.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const seen = await sheets.evaluate(() => ({
    background: getComputedStyle(document.querySelector('main')?.parentElement as Element).backgroundColor,
    breaks: [...document.querySelectorAll('article')].map((sheet) => getComputedStyle(sheet).breakAfter),
    buttons: [...document.querySelectorAll('button')].filter((button) => button.checkVisibility()).length,
    heading: document.querySelector('h1')?.checkVisibility(),
    text: document.querySelector('main')?.innerText ?? '',
  }));
  expect(seen).toMatchObject({ background: 'rgb(255, 255, 255)', breaks: ['page', 'auto'], buttons: 0 });
  expect(seen.heading).toBe(false);
  for (const text of ['Ada', 'Bob', 'Visits']) expect(seen.text).toContain(text);
  const pdf = await sheets.pdf();
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2);
});

test('an opened response leads to its sheet; who may not see it is told so', async () => {
  const form = await home.form({ title: 'Visits' });
  await home.submit(form, { [TEXT_FIELD_ID]: 'Ada' });
  const [{ submission_id, id }] = await home.records(form);
  const page = await open(`${pathOf(form)}/responses/${submission_id}`);
  await page.getByRole('button', { name: 'More for this response' }).click();
  const link = page.getByRole('menuitem', { name: 'Print or save as PDF' });
  await expect.poll(() => link.getAttribute('href')).toBe(`${pathOf(form)}/print?ids=${id}`);
  await page.goto(`${home.service.url}${pathOf(form)}/print?ids=${id}`);
  await page.getByRole('article').getByText('Ada').waitFor();
  await expect.poll(() => page.title()).toContain(`Visits ${id}`);
  await page.goto(`${home.service.url}${pathOf(form)}/print?ids=oops`);
  await page.getByText('Nothing to print').waitFor();
  const stranger = await open(`${pathOf(form)}/print?ids=${id}`, await home.stranger());
  await stranger.getByRole('alert').first().waitFor();
  expect(await stranger.getByText('Ada').count()).toBe(0);
  await stranger.context().clearCookies();
  await stranger.goto(`${home.service.url}${pathOf(form)}/print?ids=${id}`);
  await stranger.getByLabel('E-mail address').waitFor();
});

test('what was deleted meanwhile is left out, and that is told', async () => {
  const form = await home.form({ title: 'Visits' });
  for (const name of ['Ada', 'Bob']) await home.submit(form, { [TEXT_FIELD_ID]: name });
  const [bob, ada] = await home.records(form);
  await home.call('DELETE', `/open/forms/${form.id}/submissions/${bob.id}`);
  const page = await open(`${pathOf(form)}/print?ids=${bob.id},${ada.id}`);
  await page.getByRole('heading', { name: '1 response to print' }).waitFor();
  await page.getByText('1 response is left out: deleted').waitFor();
  await expectFine(page, 'one response is gone');
  const print = page.getByRole('button', { name: 'Print or save as PDF' });
  await expect.poll(() => print.getAttribute('aria-disabled')).not.toBe('true');
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => page.locator('main').innerText()).not.toContain('left out');
});

test('a signature is printed unasked, other pictures when all are asked for', async () => {
  const signature = aField('03', 'signature', 'Signed');
  const form = await home.form({ title: 'Visits', properties: [photo, signature] });
  const { body } = await upload(home.service, form, photo.id, PNG, 'cat.png');
  const drawn = `data:image/png;base64,${PNG.toString('base64')}`;
  await home.submit(form, { [photo.id]: [body.reference], [signature.id]: drawn });
  const [{ id }] = await home.records(form);
  const page = await open(`${pathOf(form)}/print?ids=${id}`);
  const pictures = page.getByRole('article').getByRole('img');
  await expect.poll(() => pictures.count()).toBe(1);
  await page.getByRole('checkbox', { name: 'All pictures' }).check();
  await expect.poll(() => pictures.count()).toBe(2);
  await expectFine(page, 'pictures to print');

  // An open response shows the same, so that both look alike on paper.
  await page.goto(`${home.service.url}${pathOf(form)}/responses/${id}`);
  const panel = page.getByRole('dialog');
  await expect.poll(() => panel.getByRole('img').count()).toBe(1);
  await panel.getByRole('button', { name: 'Show the picture' }).click();
  await expect.poll(() => panel.getByRole('img').count()).toBe(2);
});

test('an open response is printed alone, with its form', async () => {
  const form = await home.form({ title: 'Visits' });
  for (const name of ['Ada', 'Bob']) await home.submit(form, { [TEXT_FIELD_ID]: name });
  const [{ submission_id }] = await home.records(form);
  const page = await open(`${pathOf(form)}/responses/${submission_id}`);
  await page.getByRole('dialog').getByText('Bob').waitFor();
  await page.emulateMedia({ media: 'print' });
  const text = await page.evaluate(() => document.body.innerText);
  expect(text).toMatch(/^Visits\n/);
  expect(text).toContain('Bob');
  for (const other of ['Ada', 'Responses', 'Only what was answered', 'Earlier'])
    expect(text).not.toContain(other);
});

test('the table is printed whole, with all loaded rows and nothing to press', async () => {
  const long = 'word '.repeat(60).trim();
  const form = await home.form({ title: 'Visits' });
  for (let index = 0; index < 40; index++) await home.submit(form, { [TEXT_FIELD_ID]: `${index} ${long}` });
  const page = await open(`${pathOf(form)}/responses`);
  await page.getByText(/^39 word/).waitFor();
  const printed = page.locator('table tbody tr');
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  expect(await printed.count()).toBe(40);
  const seen = await page.evaluate(() => ({
    controls: [...document.querySelectorAll('button, input, nav, header')].filter((one) =>
      one.checkVisibility(),
    ).length,
    excess: document.documentElement.scrollWidth - innerWidth,
    text: document.querySelector('main')?.innerText ?? '',
  }));
  expect(seen).toMatchObject({ controls: 0, excess: 0 });
  expect(seen.text).toContain(`0 ${long}`);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: 'screen' });
  await expect.poll(() => printed.count()).toBe(0);
  await page.getByText(/^39 word/).waitFor();
});
