import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { aWorkbook, zipped } from '../form-import/a-workbook.ts';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, signedInPage } from './screens.ts';

const MEGABYTE = 1024 * 1024;

const browser = useBrowser();
const home = useHome();

const fixture = (name: string) =>
  readFile(new URL(`../form-import/fixtures/${name}.json`, import.meta.url), 'utf8');

async function open(device?: BrowserContextOptions): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, home.ada, device);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms`);
  await page.getByRole('button', { name: 'New form' }).first().press('Enter');
  await page.getByRole('tab', { name: 'From another product' }).click();
  return page;
}

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.getByLabel('File of the form').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });

/** The form that the builder shows. */
async function created(page: Page): Promise<any> {
  await page.waitForURL(/\/forms\/\d+\/build/);
  const id = /forms\/(\d+)\/build/.exec(page.url())?.[1];
  return (await home.call('GET', `/open/forms/${id}`)).body;
}

test('a form of Typeform is looked at, made as a draft and opened in the builder', async () => {
  const page = await open();
  await page.getByLabel('File of the form').waitFor();
  await page.getByText('Where do I get it?').click();
  await expectFine(page, 'the choice of a form');
  await choose(page, 'form.json', Buffer.from(await fixture('typeform')));
  await page.getByText('Recognised as Typeform: 22 questions.').waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Recognised as Typeform');
  const made = page.getByRole('region', { name: 'Questions in order' }).getByRole('listitem');
  await expect.poll(() => made.count()).toBe(26);
  expect((await made.nth(4).innerText()).split(/\n+/)).toEqual([
    'What is your talk about?',
    'Long text, required',
    expect.stringContaining('What do you bring'),
  ]);
  const lost = page.getByRole('region', { name: 'What is not as it was, by question' });
  await lost.getByText('Add a Payment block with its amount').waitFor();
  await lost.getByText('How many guests?').waitFor();
  await expectFine(page, 'what will be made');
  await page.getByLabel('Title', { exact: true }).fill('Registration 2027');
  await page.getByRole('button', { name: 'Create form' }).click();
  const form = await created(page);
  expect(form).toMatchObject({
    title: 'Registration 2027',
    visibility: 'draft',
    presentation_style: 'focused',
  });
  expect(form.properties).toHaveLength(26);
  await page.getByRole('heading', { name: 'Registration 2027' }).waitFor();
  await page.getByRole('button', { name: 'Settings of What is your talk about?' }).click();
  // Changes made in the builder are saved.
  await page.getByLabel('Placeholder').fill('In a sentence');
  const draft = () => home.call('GET', `/open/forms/${form.id}/draft`);
  await expect
    .poll(
      async () =>
        (await draft()).body.definition?.properties?.find(({ id }: any) => id === 'talk_title')?.placeholder,
    )
    .toBe('In a sentence');
  expect((await draft()).body.problems ?? {}).toEqual({});
});

test('an XLSForm comes from its Excel file, with its languages and its calculation', async () => {
  const page = await open();
  await choose(page, 'farm.xlsx', aWorkbook(JSON.parse(await fixture('xlsform'))));
  await page.getByText('Recognised as XLSForm: 25 questions.').waitFor();
  await page.getByText('And 1 calculation: area').waitFor();
  await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('Farm survey');
  await page.getByRole('button', { name: 'Create form' }).click();
  const form = await created(page);
  expect(form.computed_variables).toMatchObject([{ id: 'cv_area', formula: '({width} * {depth})' }]);
  expect(form.translations.fr.properties.name.name).toBe('Votre nom ?');
  await page.getByText('What is your name?').first().waitFor();
});

test('a survey of LimeSurvey comes from its .lss file, with its pages and conditions', async () => {
  const page = await open();
  const survey = new URL('../form-import/fixtures/limesurvey.lss', import.meta.url);
  await choose(page, 'limesurvey_survey_815.lss', await readFile(survey));
  await page.getByText('Recognised as LimeSurvey: 36 questions.').waitFor();
  await page.getByText('And 1 calculation: total').waitFor();
  await expectFine(page, 'a survey of LimeSurvey');
  await page.getByRole('button', { name: 'Create form' }).click();
  const form = await created(page);
  expect(form).toMatchObject({ title: 'Library survey', visibility: 'draft' });
  expect(form.translations.de.properties.name.name).toBe('Wie heißen Sie?');
  await page.getByText('What is your name?').first().waitFor();
});

test('what cannot be read is told', async () => {
  const page = await open();
  const told = async (name: string, content: Buffer, words: string) => {
    await choose(page, name, content);
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
  };
  await told('a.json', Buffer.from('{"a":'), 'This is not JSON.');
  await told('a.json', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]), 'This is not JSON.');
  await expectFine(page, 'a file that is no form');
  await told('a.lss', Buffer.from('<html></html>'), 'This is XML, but not from LimeSurvey.');
  await told('a.xls', Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), 'This is an old Excel file');
  await told('a.xlsx', Buffer.from('PK\u0003\u0004garbage'), 'The workbook cannot be read.');
  await told('a.xlsx', zipped({ 'word/document.xml': Buffer.from('<x/>') }), 'This is no Excel workbook.');
  await told('a.xlsx', aWorkbook({ Sheet1: [['a'], ['b']] }), 'This workbook is not an XLSForm');
  await told(
    'a.xlsx',
    zipped({ 'xl/workbook.xml': Buffer.alloc(60 * MEGABYTE) }),
    'The workbook is too large.',
  );
  await told('a.xlsx', lying(zipped({ 'xl/workbook.xml': Buffer.alloc(60 * MEGABYTE) })), 'not an XLSForm');
  await told('a.json', Buffer.alloc(6 * MEGABYTE, ' '), 'larger than 5 MB');
  await page.getByLabel('Or its JSON, pasted').fill('{"fields":[]}');
  await page.getByRole('button', { name: 'Check form' }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: 'This is not from a product that is known here.' })
    .waitFor();
});

/** Makes each part claim ten bytes, in both of its headers. */
function lying(zip: Buffer): Buffer {
  for (const [mark, at] of [
    [0x04034b50, 22],
    [0x02014b50, 24],
  ] as const) {
    const found = zip.indexOf(Buffer.from(new Uint32Array([mark]).buffer));
    zip.writeUInt32LE(10, found + at);
  }
  return zip;
}

test('all of it works by keyboard, on a phone, and what the service refuses is told', async () => {
  const page = await open(PHONE);
  await page.getByRole('tab', { name: 'From another product' }).press('Tab');
  const text = page.getByLabel('Or its JSON, pasted');
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab');
      return text.evaluate((element) => element === document.activeElement);
    })
    .toBe(true);
  const source = { title: '  ', properties: [{ id: 'a', type: 'scale', name: 'A', scale_step_value: -1 }] };
  await page.keyboard.insertText(JSON.stringify(source));
  await page.getByRole('button', { name: 'Check form' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Recognised as Formstead: 1 question.').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.insertText('Mended');
  await page.getByRole('button', { name: 'Create form' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('The scale_step_value field must be greater than 0.').waitFor();
  await expectFine(page, 'what the service refused');
  await page.getByRole('button', { name: 'Choose another' }).press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('file');
  await page.getByLabel('Or its JSON, pasted').fill(await fixture('survey-js'));
  await page.getByRole('button', { name: 'Check form' }).press('Enter');
  await page.getByText('Recognised as SurveyJS').waitFor();
  await page.getByRole('button', { name: 'Create form' }).press('Enter');
  expect((await created(page)).title).toBe('Customer survey');
});
