import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { aField, type TestUser } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

const NAME = aField('01', 'text', 'Your name', { help: '<p>As on your <b>card</b></p>' });
const COLOR = aField('02', 'select', 'A color', { select: { options: [{ id: 'r', name: 'Red' }] } });
const TASTE = aField('03', 'matrix', 'How was it?', { rows: ['The coffee'], columns: ['Good', 'Bad'] });
const BLOCKS = [NAME, COLOR, TASTE];

interface How {
  who?: TestUser;
  device?: BrowserContextOptions;
}

async function open(
  form: { id: number },
  { who = home.ada, device = DESKTOP }: How = {},
  screen = 'settings?part=languages',
): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, who, device);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/${screen}`);
  return page;
}

const read = async (form: { id: number }) => (await home.call('GET', `/open/forms/${form.id}`)).body;
const group = (page: Page, name: string) => page.getByRole('group', { name });
const said = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

async function add(page: Page, language: string): Promise<void> {
  await page.getByLabel('Another language').selectOption(language);
  await page.getByRole('button', { name: 'Add language' }).click();
  await page.getByRole('tab', { name: language }).and(page.locator('[data-state=active]')).waitFor();
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('region', { name: 'Changes' }).waitFor({ state: 'detached' });
}

test('a language is added, its texts are written beside the original ones, and it is kept', async () => {
  const form = await home.form({ title: 'Coffee', properties: BLOCKS, submitted_text: '<p>Thanks</p>' });
  const page = await open(form);
  await add(page, 'German');
  await page.getByText('0 of 10 texts').waitFor();
  const title = said(page, 'Title Coffee');
  expect([await title.getAttribute('lang'), await title.getAttribute('dir')]).toEqual(['de', 'ltr']);
  await title.fill('Kaffee');
  await said(page, 'Question Your name').fill('Ihr Name');
  await said(page, 'Option Red').fill('Rot');
  await said(page, 'Row The coffee').fill('Der Kaffee');
  await said(page, 'Column Good').fill('Gut');
  await group(page, 'The form itself').getByRole('button', { name: 'Begin with the original' }).click();
  const thanks = said(page, 'Thank-you text in German');
  await thanks.press('Control+a');
  await page.keyboard.type('Danke, ');
  await page.getByRole('button', { name: 'Insert field into Thank-you text in German' }).click();
  await page.getByRole('menuitem', { name: 'Your name' }).click();
  await page.getByLabel('Without an answer to Your name').fill('Gast');
  // Help texts may mention answers too.
  await page.getByRole('button', { name: 'Insert field into Help in German' }).waitFor();
  await page.getByText('6 of 10 texts').waitFor();
  await expectFine(page, 'a language');
  await save(page);
  const { translations } = await read(form);
  expect(translations).toEqual({
    de: {
      title: 'Kaffee',
      submitted_text: expect.stringMatching(/^<p>Danke,.*mention-fallback="Gast".*Your name/),
      properties: {
        [NAME.id]: { name: 'Ihr Name' },
        [COLOR.id]: { labels: { Red: 'Rot' } },
        [TASTE.id]: { labels: { 'The coffee': 'Der Kaffee', Good: 'Gut' } },
      },
    },
  });
  const link = page.getByRole('link', { name: 'Open the form in German' });
  await expect.poll(() => link.getAttribute('href')).toBe(`${form.share_url}?lang=de`);
  // Emptied translations are removed.
  await said(page, 'Row The coffee').fill('');
  await said(page, 'Column Good').fill('');
  await save(page);
  expect((await read(form)).translations.de.properties[TASTE.id]).toBeUndefined();
});

test('what is missing is found by the keyboard, and alone where one likes', async () => {
  const translations = { de: { title: 'Kaffee', properties: { [NAME.id]: { name: 'Ihr Name' } } } };
  const form = await home.form({ title: 'Coffee', properties: BLOCKS, translations });
  const page = await open(form);
  await page.getByText('2 of 9 texts').waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-text-of'));
  const next = page.getByRole('button', { name: 'Next that is missing' });
  await next.click();
  expect(await focused()).toBe(JSON.stringify([NAME.id, 'help']));
  await next.click();
  expect(await focused()).toBe(JSON.stringify([COLOR.id, 'name']));
  await page.keyboard.press('Control+Enter');
  expect(await focused()).toBe(JSON.stringify([COLOR.id, 'labels', 'Red']));
  await page.getByLabel('Only what is missing').check();
  await said(page, 'Title Coffee').waitFor({ state: 'detached' });
  await said(page, 'Option Red').fill('Rot');
  await expect.poll(() => said(page, 'Option Red').inputValue()).toBe('Rot');
  await page.keyboard.press('Control+Enter');
  expect(await focused()).toBe(JSON.stringify([TASTE.id, 'name']));
  await page.getByLabel('Only what is missing').uncheck();
  await said(page, 'Title Coffee').waitFor();
});

test('several languages stand side by side; one that goes is asked about, what others stored stays', async () => {
  const kept = { 'pt-BR': { title: 'Café' }, de: { title: 'Kaffee', note: 'of a program' } };
  const form = await home.form({ title: 'Coffee', language: 'fr', translations: kept });
  const page = await open(form);
  expect(await page.getByLabel('Another language').locator('option[value=fr]').count()).toBe(0);
  await add(page, 'Arabic');
  await expect.poll(() => said(page, 'Title Coffee').getAttribute('dir')).toBe('rtl');
  expect(page.url()).toContain('language=ar');
  await said(page, 'Title Coffee').fill('قهوة');
  await save(page);
  expect((await read(form)).translations).toEqual({ ...kept, ar: { title: 'قهوة' } });
  await page.reload();
  await page.getByRole('tab', { name: 'German' }).click();
  await expect.poll(() => said(page, 'Title Coffee').inputValue()).toBe('Kaffee');
  await page.getByRole('button', { name: 'Remove German' }).click();
  const dialog = page.getByRole('alertdialog');
  await expectFine(page, 'removing');
  await dialog.getByRole('button', { name: 'Remove German' }).click();
  await page.getByRole('tab', { name: 'German' }).waitFor({ state: 'detached' });
  await save(page);
  expect((await read(form)).translations).toEqual({ 'pt-BR': kept['pt-BR'], ar: { title: 'قهوة' } });
});

test('texts go to a translator as a table, and come back', async () => {
  const form = await home.form({ title: 'Coffee', properties: BLOCKS, translations: { de: {} } });
  const page = await open(form);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download texts' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`${form.slug}-de.csv`);
  const csv = await readFile(await file.path(), 'utf8');
  const upload = (content: Buffer) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'texts.csv', mimeType: 'text/csv', buffer: content });
  await upload(Buffer.from('Gr\u00fc\u00dfe', 'latin1'));
  await page.getByText('The file is neither UTF-8 nor UTF-16').waitFor();
  await upload(Buffer.from('a,b'));
  await page.getByText('The file has no columns').waitFor();
  const done = csv
    .replace('"Coffee",""', '"Coffee","Kaffee"')
    .replace('"The coffee",""', '"The coffee","Der Kaffee"');
  // As Excel writes “Unicode Text”.
  await upload(Buffer.from(done, 'utf16le'));
  await page.getByText('2 texts taken from the file.').waitFor();
  await expect.poll(() => said(page, 'Title Coffee').inputValue()).toBe('Kaffee');
  await save(page);
  expect((await read(form)).translations.de).toEqual({
    title: 'Kaffee',
    properties: { [TASTE.id]: { labels: { 'The coffee': 'Der Kaffee' } } },
  });
});

test('two people translate at the same time, and neither loses what the other wrote', async () => {
  const form = await home.form({ title: 'Coffee', properties: BLOCKS });
  const pages = [await open(form), await open(form, { who: await home.member('user') })];
  const [german, french] = pages as [Page, Page];
  await add(german, 'German');
  await said(german, 'Title Coffee').fill('Kaffee');
  await add(french, 'French');
  await said(french, 'Title Coffee').fill('Café');
  await save(german);
  await save(french);
  const both = { de: { title: 'Kaffee' }, fr: { title: 'Café' } };
  expect((await read(form)).translations).toEqual(both);
  await french.getByRole('tab', { name: 'German' }).waitFor();
  await said(german, 'Question Your name').fill('Ihr Name');
  await save(german);
  const more = { ...both.de, properties: { [NAME.id]: { name: 'Ihr Name' } } };
  expect((await read(form)).translations).toEqual({ ...both, de: more });
});

describe('with changes that are not published yet', () => {
  const NEW = aField('04', 'text', 'Anything else?');

  test('new questions are translated before they are published, and neither loses the other', async () => {
    const form = await home.form({ title: 'Coffee', properties: BLOCKS });
    const builder = await open(form, {}, 'build');
    const title = builder.getByRole('textbox', { name: 'Title of the form' });
    await title.fill('Coffee!');
    const saved = builder.getByRole('status').getByText('Saved', { exact: true });
    await saved.waitFor();
    const draft = { properties: [...BLOCKS, NEW] };
    const path = `/open/forms/${form.id}/draft`;
    const before = (await home.call('GET', path)).body;
    const query = `?revision=${before.revision}&version=${form.version}`;
    const answer = await home.call('PUT', path + query, { ...before.definition, ...draft });
    expect(answer.status, answer.text).toBe(200);
    await builder.reload();
    await title.waitFor();

    // The builder stays open while the translations are saved elsewhere.
    const page = await open(form);
    await add(page, 'German');
    await page.getByText('These are the texts of the builder').waitFor();
    await said(page, 'Title Coffee!').fill('Kaffee!');
    await said(page, 'Question Anything else?').fill('Noch etwas?');
    await save(page);
    const translations = {
      de: { title: 'Kaffee!', properties: { [NEW.id]: { name: 'Noch etwas?' } } },
    };
    expect(await read(form)).toMatchObject({ title: 'Coffee', translations });

    await title.fill('Coffee?');
    await saved.waitFor();
    await builder.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = builder.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Publish( all the same)?$/ }).click();
    await builder.getByText('The form is published.').waitFor();
    const published = await read(form);
    expect(published).toMatchObject({ title: 'Coffee?', translations });
    expect(published.properties).toHaveLength(4);

    // The settings were open all the time: saving there must not bring back the old form.
    await said(page, 'Question Anything else?').fill('Sonst noch etwas?');
    await save(page);
    expect(await read(form)).toMatchObject({
      title: 'Coffee?',
      translations: { de: { properties: { [NEW.id]: { name: 'Sonst noch etwas?' } } } },
    });
  });
});

test('a viewer reads them', async () => {
  const form = await home.form({ title: 'Coffee', translations: { de: { title: 'Kaffee' } } });
  const page = await open(form, { who: await home.member('readonly') });
  await expect.poll(() => said(page, 'Title Coffee').isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Remove German' }).count()).toBe(0);
  await expectFine(page, 'viewer');
});

test('on a phone a translation stands below its original', async () => {
  const form = await home.form({ title: 'Coffee', properties: BLOCKS, translations: { de: {} } });
  const page = await open(form, { device: PHONE });
  const original = await page.getByText('Your name', { exact: true }).last().boundingBox();
  const input = await said(page, 'Question Your name').boundingBox();
  expect(input?.y).toBeGreaterThan(original?.y ?? Number.POSITIVE_INFINITY);
  await said(page, 'Question Your name').fill('Ihr Name');
  await page.getByRole('button', { name: 'Save', exact: true }).tap();
  await page.getByRole('region', { name: 'Changes' }).waitFor({ state: 'detached' });
  expect((await read(form)).translations.de.properties[NAME.id]).toEqual({ name: 'Ihr Name' });
});
