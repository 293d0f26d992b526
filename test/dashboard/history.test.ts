import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { aField, aTextField, type TestUser } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { expectFine, keepMessages, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

const AGE = aField('08', 'number', 'Age');
const MAIL = aField('07', 'email', 'Mail');

async function aFormWithAPast() {
  const form = await home.form({ title: 'Guests', properties: [aTextField(), AGE] });
  const save = (body: object) => home.call('PUT', `/open/forms/${form.id}`, body);
  await save({ properties: [aTextField({ name: 'Whole name' }), MAIL], submitted_text: 'Bye' });
  await save({ title: 'Visitors', color: '#aa0000' });
  return form;
}

async function open(
  form: { id: number },
  { person = home.ada, device = DESKTOP }: { person?: TestUser; device?: BrowserContextOptions } = {},
): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, person, device);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  const isPhone = device === PHONE;
  if (isPhone) await page.getByRole('button', { name: 'More for building' }).click();
  await page.getByRole(isPhone ? 'menuitem' : 'button', { name: 'Versions' }).click();
  await page.getByRole('heading', { name: 'Version 3' }).waitFor();
  return page;
}

const entries = (page: Page) => page.getByRole('navigation', { name: 'Versions' }).getByRole('link');
const previewed = (page: Page) => page.frameLocator('iframe[title="Preview of the form"]');
const read = async (form: { id: number }) => (await home.call('GET', `/open/forms/${form.id}`)).body;

test('what bringing a version back changes is told without the retention of fields, which stays as it is', async () => {
  const form = await home.form({ properties: [MAIL, AGE] });
  const properties = [{ ...MAIL, retention_days: 30 }, AGE];
  await home.call('PUT', `/open/forms/${form.id}`, { properties });
  await home.call('PUT', `/open/forms/${form.id}`, { title: 'Visitors' });
  const page = await open(form);
  const told = (title: string) => page.getByRole('region', { name: title }).innerText();
  await entries(page).nth(1).click();
  await expect.poll(() => told('What it changed')).toBe('What it changed\nChanged\nMail');
  await entries(page).nth(2).click();
  await page.getByRole('region', { name: 'Version 1' }).waitFor();
  await expect
    .poll(() => told('What bringing it back changes'))
    .toBe('What bringing it back changes\nTexts and look\ntitle');
  await home.call('PUT', `/open/forms/${form.id}`, { title: form.title });
  await page.reload();
  await page.getByRole('region', { name: 'Version 1' }).waitFor();
  await expect.poll(() => told('What bringing it back changes')).toMatch(/Nothing\.$/);
  const back = page.getByRole('button', { name: 'Bring back' });
  expect(await back.getAttribute('aria-disabled')).toBe('true');
});

test('versions are looked at, one is brought back, and that is undone', async () => {
  const form = await aFormWithAPast();
  const page = await open(form);
  expect(await entries(page).allInnerTexts()).toEqual([
    expect.stringMatching(/^Version 3\n+Now\n.*\nAda: title, color$/s),
    expect.stringMatching(/^Version 2\n.*\nAda: questions, thank-you text$/s),
    expect.stringMatching(/^Version 1\n.*\nAda: first version$/s),
  ]);
  await previewed(page).getByRole('heading', { name: 'Visitors' }).waitFor();
  const back = page.getByRole('button', { name: 'Bring back' });
  expect(await back.getAttribute('aria-disabled')).toBe('true');

  await entries(page).nth(1).click();
  const shown = page.getByRole('region', { name: 'Version 2' });
  await expect
    .poll(() => shown.getByRole('region', { name: 'What it changed' }).innerText())
    .toBe('What it changed\nAdded\nMail\nRemoved\nAge\nChanged\nWhole name\nTexts and look\nthank-you text');
  await expect
    .poll(() => shown.getByRole('region', { name: 'What bringing it back changes' }).innerText())
    .toBe('What bringing it back changes\nTexts and look\ntitle, color');
  await previewed(page).getByLabel('Whole name').waitFor();
  await expectFine(page, 'versions');

  await entries(page).nth(2).click();
  await previewed(page).getByLabel('Age').waitFor();
  expect(new URL(page.url()).search).toBe('?version=1');
  await keepMessages(page);
  // Long enough for a tooltip to appear; there must be none yet.
  await back.hover();
  await page.waitForTimeout(700);
  await page.mouse.move(0, 0);
  await back.focus();
  await back.press('Enter');
  await page.getByText('Published: the form is what it was as version 1.').waitFor();
  await page.getByRole('heading', { name: 'Version 4' }).waitFor();
  await expect.poll(() => entries(page).first().innerText()).toMatch(/Ada: version 1 again$/);
  expect(await read(form)).toMatchObject({ title: 'Guests', color: form.color, properties: form.properties });
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Bring back');
  expect(await page.getByRole('tooltip').count()).toBe(0);

  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Version 5' }).waitFor();
  expect(await read(form)).toMatchObject({ title: 'Visitors', color: '#aa0000' });
});

test('who may only read sees what changed', async () => {
  const form = await aFormWithAPast();
  const page = await open(form, { person: await home.member('readonly') });
  await entries(page).nth(1).click();
  await page.getByText('Those who may change the form see here how it looked.').waitFor();
  await page.getByText('Whole name').first().waitFor();
  const back = page.getByRole('button', { name: 'Bring back' });
  expect(await back.getAttribute('aria-disabled')).toBe('true');
});

test('on a phone, by keyboard, and back to what is built', async () => {
  const form = await aFormWithAPast();
  const page = await open(form, { device: PHONE });
  await entries(page).nth(1).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Version 2' }).waitFor();
  await expectFine(page, 'versions on a phone');
  await page.goBack();
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
});

test('what cannot be brought back any more says why', async () => {
  const form = await aFormWithAPast();
  const page = await open(form);
  const { pool } = home.service.context;
  await pool.query(
    `update form_versions set definition = definition || '{"theme": "of-old"}' where form_id = $1 and version = 1`,
    [form.id],
  );
  await entries(page).nth(2).click();
  await page.getByRole('button', { name: 'Bring back' }).click();
  await page.getByText('The selected theme is invalid.').waitFor();
  await until(async () => (await read(form)).version === 3);
});

test('what somebody else changed meanwhile is not overwritten unseen', async () => {
  const form = await aFormWithAPast();
  const page = await open(form);
  await entries(page).nth(2).click();
  await previewed(page).getByLabel('Age').waitFor();
  await home.call('PUT', `/open/forms/${form.id}`, { title: 'By another' });
  await page.getByRole('button', { name: 'Bring back' }).click();
  await page.getByText('Somebody else changed the form meanwhile.').waitFor();
  await expect.poll(() => entries(page).count()).toBe(4);
  expect((await read(form)).title).toBe('By another');
});

test('a form from before there were versions has them from its next change on', async () => {
  const form = await home.form();
  await home.service.context.pool.query('delete from form_versions where form_id = $1', [form.id]);
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build/history`);
  await page.getByText('No versions yet').waitFor();
  await expectFine(page, 'no versions');
});
