import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

const AGE = aField('01', 'number', 'Age');
const younger = (than: number) => ({
  operatorIdentifier: 'and',
  children: [
    {
      identifier: AGE.id,
      value: { operator: 'less_than', property_meta: { id: AGE.id, type: 'number' }, value: than },
    },
  ],
});
const CHILD = { id: 'child', name: 'A child', conditions: younger(12) };
const YOUNG = { id: 'young', name: 'Too young to vote', conditions: younger(18) };

type Form = { id: number; slug: string };
async function aFormWithAnswers(): Promise<Form> {
  const form = await home.form({ properties: [AGE], endings: [CHILD, YOUNG] });
  for (const age of [5, 6, 15, 40]) await home.submit(form, { [AGE.id]: age });
  return form;
}
const removeChild = (form: Form) => home.call('PUT', `/open/forms/${form.id}`, { endings: [YOUNG] });

async function open(form: Form, screen: string, device: BrowserContextOptions = DESKTOP) {
  const page = await signedInPage(browser, home.service.url, home.ada, device);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/${screen}`);
  return page;
}

test('responses say which ending they reached, and are filtered by it', async () => {
  const form = await aFormWithAnswers();
  await removeChild(form);
  const page = await open(form, 'responses');
  await page.getByRole('columnheader', { name: 'Ending' }).waitFor();
  expect(await page.getByRole('cell', { name: 'Too young to vote' }).count()).toBe(1);
  expect(await page.getByRole('cell', { name: '(removed ending)' }).count()).toBe(2);
  await expectFine(page, 'responses with endings');
  const ending = page.getByRole('combobox', { name: 'Ending' });
  expect(await ending.locator('option').allTextContents()).toEqual([
    'Any ending',
    'Too young to vote',
    '(removed ending)',
    'No ending',
  ]);
  await ending.selectOption({ label: '(removed ending)' });
  await page.getByText('2 responses found').waitFor();
  expect(page.url()).toContain('ending=child');
  await page.reload();
  await page.getByText('2 responses found').waitFor();
  await ending.selectOption({ label: 'No ending' });
  await page.getByText('1 response found').waitFor();
  await ending.selectOption({ label: 'Too young to vote' });
  // Until then the row of the former filter is there.
  await page.getByRole('cell', { name: 'Too young to vote' }).waitFor();
  await page.locator('[data-response]').click();
  const panel = page.getByRole('dialog');
  await panel.getByText('About this response').waitFor();
  expect(await panel.locator('dt:text-is("Ending") + dd').textContent()).toBe('Too young to vote');
});

test('a filter by ending is saved with a view, and exported', async () => {
  const form = await aFormWithAnswers();
  const page = await open(form, 'responses?ending=young');
  await page.getByText('1 response found').waitFor();
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Young');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { body } = await home.call('GET', `/open/forms/${form.id}/saved-views`);
  expect(body[0].definition).toMatchObject({ ending: 'young', columns: null });
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Kind of file').selectOption('csv');
  const downloading = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Export CSV' }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await downloading).createReadStream()) chunks.push(chunk as Buffer);
  const lines = Buffer.concat(chunks).toString().split('\n');
  expect(lines[0]).toContain('ending');
  expect(lines[1]).toContain('Too young to vote');
  expect(lines).toHaveLength(3);
});

test('analytics count the endings; forms that never had one show nothing of it', async () => {
  const form = await aFormWithAnswers();
  await removeChild(form);
  for (const device of [DESKTOP, PHONE]) {
    const page = await open(form, 'analytics', device);
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Endings' }) });
    await card.waitFor();
    expect(await card.getByRole('listitem').allTextContents()).toEqual([
      'Too young to vote1 completed responses25%',
      '(removed ending)2 completed responses50%',
      'No ending1 completed responses25%',
    ]);
    await expectFine(page, 'analytics with endings');
  }
  const plain = await home.form({ properties: [AGE] });
  await home.submit(plain, { [AGE.id]: 7 });
  const page = await open(plain, 'analytics');
  await page.getByRole('heading', { name: 'Devices' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Endings' }).count()).toBe(0);
  const list = await open(plain, 'responses');
  await list.getByRole('cell', { name: '7', exact: true }).waitFor();
  expect(await list.getByRole('combobox', { name: 'Ending' }).count()).toBe(0);
  expect(await list.getByRole('columnheader', { name: 'Ending' }).count()).toBe(0);
});
