import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { openResponses } from './responses.ts';
import { signedInPage } from './screens.ts';

/** Fields with ids that every object of JavaScript has; see test/http/inherited-names.test.ts. */
const browser = useBrowser();
const home = useHome();

const TEXT = { id: 'constructor', type: 'text', name: 'Text' };
const BOX = { id: 'hasOwnProperty', type: 'checkbox', name: 'Box' };
const DAY = { id: 'toString', type: 'date', name: 'Day' };
const TOPICS = {
  id: 'isPrototypeOf',
  type: 'multi_select',
  name: 'Topics',
  multi_select: { options: ['valueOf', 'B'].map((name) => ({ name, id: name })) },
};
const PHOTO = { id: 'toLocaleString', type: 'files', name: 'Photo' };
const PEOPLE = {
  id: 'valueOf',
  type: 'repeat',
  name: 'People',
  questions: [
    { id: 'constructor', type: 'text', name: 'Who', required: true },
    { id: 'toString', type: 'number', name: 'Age' },
  ],
};
const LAST = { id: 'last', type: 'text', name: 'Last' };
const ALL = [TEXT, BOX, DAY, TOPICS, PHOTO, PEOPLE, LAST];

test('the page with its script checks, keeps and sends answers', async () => {
  const form = await home.form({ properties: [TEXT, BOX, DAY, TOPICS, PEOPLE, LAST] });
  const page = await browser.page();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  await page.goto(`${home.service.url}/forms/${form.slug}?constructor=Grace`);
  await page.getByLabel('Text').fill('Ada');
  if ((await page.getByLabel('Age').count()) === 0) await page.getByRole('button', { name: /add/i }).click();
  await page.getByLabel('Age').first().fill('3');
  await page.locator('.nav .primary').click();
  await page.locator('#summary').getByRole('link').first().waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel('Text').inputValue()).toBe('Ada');
  await page.getByLabel('Who').first().fill('Ann');
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  const [{ data }] = await home.records(form);
  expect(data).toMatchObject({ constructor: 'Ada', valueOf: [{ constructor: 'Ann', toString: 3 }] });
  expect(Object.keys(data)).not.toContain('toString');
  expect(failures).toEqual([]);
});

test('responses are listed, read and changed, also where there is no answer', async () => {
  const form = await home.form({ properties: ALL });
  const { body } = await home.submit(form, { last: 'Only this' });
  const page = await openResponses(browser, home, form);
  await page.getByText('Only this').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'Only this' });
  expect(await row.innerText()).not.toMatch(/native|function|\[object/);
  await page.goto(`${page.url()}/${body.submission_id}`);
  const panel = page.getByRole('dialog');
  await panel.getByText('Only this').waitFor();
  expect(await panel.innerText()).not.toMatch(/native|function|\[object/);
  await panel.getByRole('button', { name: 'Edit' }).click();
  expect(await panel.getByLabel('Text').inputValue()).toBe('');
  await panel.getByLabel('Text').fill('Ada');
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The response was saved.').waitFor();
  const [{ data }] = await home.records(form);
  expect(data).toMatchObject({ constructor: 'Ada', last: 'Only this' });
  expect(Object.keys(data)).not.toContain('toString');
});

test('a link is filled in', async () => {
  const form = await home.form({ properties: ALL });
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/share?part=prefill`);
  await page.getByLabel('Text').fill('Ada');
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Prefilled link' }).inputValue())
    .toContain('constructor=Ada');
});
