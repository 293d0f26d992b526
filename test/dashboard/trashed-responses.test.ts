import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { aSurvey, ID, type Opening, openResponses, seed } from './responses.ts';
import { expectFine, keepMessages } from './screens.ts';

const browser = useBrowser();
const home = useHome();

/** A survey with this many responses, all in the trash but the last. */
async function aTrash(title: string, count: number, opening: Opening = {}) {
  const form = await aSurvey(home, { title });
  await seed(home, form.id, count);
  const ids: number[] = (await home.records(form)).map(({ id }) => id);
  const path = `/open/forms/${form.id}/submissions/trash`;
  const moved = await home.call('POST', path, { submissionIds: ids.slice(1) });
  expect(moved.status, moved.text).toBe(200);
  const page = await openResponses(browser, home, form, opening);
  const left = async () => (await home.call('GET', path)).body.meta.total;
  return { form, page, left };
}

const row = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Responses in the trash' }).getByRole('row', { name });

test('what is in the trash is found from the list, looked at, and restored', async () => {
  const { form, page } = await aTrash('Looked at', 4);
  await page.getByRole('link', { name: '3 in the trash' }).click();
  await page.getByRole('heading', { name: 'Trash' }).waitFor();
  await expectFine(page, 'trash');
  await row(page, 'Visitor 2')
    .getByRole('button', { name: /20\d\d/ })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('visitor2@example.com').waitFor();
  await expectFine(page, 'a response in the trash');
  await page.keyboard.press('Escape');
  await row(page, 'Visitor 2').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('1 response is back.').waitFor();
  await row(page, 'Visitor 2').waitFor({ state: 'detached' });
  // Two at once, by keyboard.
  await page.getByLabel('Select all on this page').focus();
  await page.keyboard.press('Space');
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Restore', exact: true }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByText('2 responses are back.').waitFor();
  await page.getByText('Nothing is in the trash').waitFor();
  await expectFine(page, 'an empty trash');
  await page.getByRole('link', { name: 'Responses' }).last().click();
  await page.getByText('4 responses').waitFor();
  expect((await home.records(form)).map(({ data }) => data[ID.name]).sort()).toEqual([
    ...['Visitor 1', 'Visitor 2', 'Visitor 3', 'Visitor 4'],
  ]);
});

test('two that went one after the other are both taken back, the second while the first is on its way', async () => {
  const form = await aSurvey(home, { title: 'Taken back' });
  await seed(home, form.id, 3);
  const [{ id }] = await home.records(form);
  const page = await openResponses(browser, home, form, { path: `/${id}` });
  await keepMessages(page);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/submissions/trash/restore', async (route) => {
    await held;
    await route.continue();
  });
  for (const name of ['Visitor 3', 'Visitor 2']) {
    const dialog = page.getByRole('dialog');
    await dialog.getByText(name, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Move to trash' }).click();
    await dialog.getByText(name, { exact: true }).waitFor({ state: 'detached' });
  }
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect.poll(() => undo.count()).toBe(2);
  await undo.first().click();
  await expect.poll(() => undo.count()).toBe(1);
  await undo.click();
  letGo();
  await expect.poll(async () => (await home.records(form)).length).toBe(3);
});

test('it is deleted for good once that was confirmed: some, and all of many pages', async () => {
  const { page, left } = await aTrash('Emptied', 56);
  const confirm = async (count: string) => {
    await page.getByRole('alertdialog').locator('input:focus').waitFor();
    await page.keyboard.type(count);
    await page.keyboard.press('Enter');
  };
  await page.getByRole('link', { name: '55 in the trash' }).click();
  await row(page, 'Visitor 55').getByRole('button', { name: 'Delete for good' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete 1 response for good?' });
  await expect.poll(() => question.getByRole('button', { name: 'Delete for good' }).isDisabled()).toBe(true);
  await confirm('1');
  await page.getByText('1 response was deleted.').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Page 2 of 2').waitFor();
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Delete for good' }).first().click();
  await confirm('4');
  await page.getByText('4 responses were deleted.').waitFor();
  // There is no second page any more.
  await page.getByText('50 responses').waitFor();
  expect(await left()).toBe(50);
  await page.getByRole('button', { name: 'Empty the trash' }).click();
  await confirm('50');
  await page.getByText('The trash is empty.').waitFor();
  await page.getByText('Nothing is in the trash').waitFor();
  expect(await left()).toBe(0);
});

test('what went elsewhere meanwhile is told, and ticked no more', async () => {
  const { form, page } = await aTrash('Elsewhere', 4);
  await page.getByRole('link', { name: '3 in the trash' }).click();
  await page.getByLabel('Select all on this page').check();
  await page.getByText('3 selected').waitFor();
  const path = `/open/forms/${form.id}/submissions/trash`;
  const [first] = (await home.call('GET', path)).body.data;
  await home.call('POST', `${path}/restore`, { submissionIds: [first.id] });
  const restore = page.getByRole('button', { name: 'Restore', exact: true }).first();
  await restore.click();
  await page.getByText('This submission is not in the trash.').waitFor();
  await page.getByText('2 selected').waitFor();
  await restore.click();
  await page.getByText('2 responses are back.').waitFor();
  expect(await home.records(form)).toHaveLength(4);
});

test('viewers look, and are told why they cannot change it; a phone shows it whole', async () => {
  const person = await home.member('readonly');
  const { page } = await aTrash('Seen', 3, { person, device: PHONE });
  await page.getByRole('link', { name: '2 in the trash' }).click();
  const restore = row(page, 'Visitor 2').getByRole('button', { name: 'Restore' });
  await expect.poll(() => restore.getAttribute('aria-disabled')).toBe('true');
  await expectFine(page, 'trash on a phone');
});

test('a link to a response in the trash shows it there, restores it, and goes on leading to it', async () => {
  const form = await aSurvey(home, { title: 'Linked' });
  await seed(home, form.id, 2);
  const [{ id }] = await home.records(form);
  await home.call('POST', `/open/forms/${form.id}/submissions/${id}/review`, { state: 'approved' });
  const path = `/open/forms/${form.id}/submissions/trash`;
  await home.call('POST', path, { submissionIds: [id] });
  // As a viewer, who may only look.
  const viewer = await home.member('readonly');
  const seen = await openResponses(browser, home, form, { path: `/${id}`, person: viewer });
  const refused = seen.getByRole('dialog');
  await refused.getByText('This response is in the trash.').waitFor();
  expect(await refused.getByRole('button', { name: 'Restore' }).getAttribute('aria-disabled')).toBe('true');

  const page = await openResponses(browser, home, form, { path: `/${id}` });
  const panel = page.getByRole('dialog');
  await panel.getByText('This response is in the trash.').waitFor();
  await panel.getByText('visitor2@example.com').waitFor();
  expect(await panel.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  await expectFine(page, 'a response in the trash, by its link');
  await panel.getByRole('button', { name: 'Restore' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('1 response is back.').waitFor();
  await panel.getByRole('button', { name: 'Edit' }).waitFor();
  await page.reload();
  await panel.getByText('visitor2@example.com').waitFor();

  // An earlier entry of the audit log leads there too.
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/audit-log`);
  const entry = page.getByRole('row', { name: 'Reviewed' }).first();
  await entry.getByRole('link', { name: 'Open the response' }).click();
  await panel.getByText('visitor2@example.com').waitFor();

  const [{ id: current }] = await home.records(form);
  await home.call('DELETE', `/open/forms/${form.id}/submissions/${current}`);
  await page.reload();
  await panel.getByRole('heading', { name: 'This response no longer exists' }).waitFor();
});

test('many that are taken back are in the order they had', async () => {
  const form = await aSurvey(home, { title: 'In order' });
  await seed(home, form.id, 120);
  const names = async () => {
    const { body } = await home.call('GET', `/open/forms/${form.id}/submissions?per_page=100&page=2`);
    return body.data.map(({ data }: any) => data[ID.name]);
  };
  const before = await names();
  const page = await openResponses(browser, home, form);
  await keepMessages(page);
  await page.getByLabel('Select the loaded responses').check();
  await page.getByRole('button', { name: 'Select all 120' }).click();
  await page.getByRole('button', { name: 'Move to trash' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Move to trash' }).click();
  await page.getByText('120 responses are in the trash.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('120 responses are back.').waitFor();
  expect(await names()).toEqual(before);
});
