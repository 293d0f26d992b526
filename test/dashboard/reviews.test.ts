import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { aSurvey, ID, type Opening, openResponses, seed } from './responses.ts';
import { expectFine, keepMessages } from './screens.ts';

const browser = useBrowser();
const home = useHome();

async function open(form: { id: number }, opening: Opening = {}): Promise<Page> {
  const page = await openResponses(browser, home, form, opening);
  await keepMessages(page);
  return page;
}

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
const reviewOf = async (form: { id: number }, id: number) =>
  (await home.call('GET', `/open/forms/${form.id}/submissions/${id}/review`)).body;

/** The states of responses, by name, as the API tells them. */
async function states(form: { id: number }): Promise<Record<string, string>> {
  const { body } = await home.call('GET', `/open/forms/${form.id}/submissions?order=asc`);
  return Object.fromEntries(
    body.data.map(({ data, review }: any) => [data[ID.name], review?.state ?? 'received']),
  );
}

test('a response is decided about and noted by keyboard; who reads along sees it', async () => {
  const form = await aSurvey(home, { title: 'Applications' });
  for (const name of ['Hedy', 'Mary']) await home.submit(form, { [ID.name]: name });
  const [mary] = await home.records(form);
  const page = await open(form);
  await row(page, 'Hedy').waitFor();
  // Without any review, the screen shows nothing about reviews.
  expect(await page.getByRole('columnheader', { name: 'Review' }).count()).toBe(0);
  expect(await page.getByRole('combobox', { name: 'Review', exact: true }).count()).toBe(0);
  const colleague = await open(form, {
    person: await home.newMember('user'),
    path: `/${mary.submission_id}`,
  });
  await colleague.getByRole('dialog').getByRole('button', { name: 'Review: Received' }).waitFor();

  await row(page, 'Mary').getByRole('link').focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog');
  await panel.getByRole('button', { name: 'Review: Received' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Received' }).waitFor();
  await expectFine(page, 'menu of a review');
  await page.keyboard.press('ArrowDown');
  await page.locator('[role=menuitem]:focus').getByText('Has issues').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Review: has issues.').waitFor();
  await page.locator('button:focus[aria-label="Review: Has issues"]').waitFor();

  await panel.getByRole('button', { name: 'Write a note' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('textarea:focus').waitFor();
  await page.keyboard.type('Please check the address.');
  await page.keyboard.press('Enter');
  await page.keyboard.type('<b>Twice</b>');
  await expectFine(page, 'a note being written');
  await page.keyboard.press('Control+Enter');
  await page.getByText('The note was saved.').waitFor();
  const history = panel.getByRole('list', { name: 'Notes and decisions' });
  await history.getByText('Please check the address.').waitFor();
  await page.locator('button:focus').getByText('Write a note').waitFor();
  await expectFine(page, 'a history');
  expect((await reviewOf(form, mary.id)).history).toMatchObject([
    { author: { name: 'Ada' }, state: 'has_issues', note: null },
    { author: { name: 'Ada' }, state: null, note: 'Please check the address.\n<b>Twice</b>' },
  ]);

  // In the table, which now has the column and the filter, and on the other screen without a reload.
  await row(page, 'Mary').getByText('Has issues').waitFor();
  await row(page, 'Mary').getByRole('img', { name: '1 note' }).waitFor();
  await row(page, 'Hedy').getByText('Received').waitFor();
  const theirs = colleague.getByRole('dialog');
  await theirs.getByRole('button', { name: 'Review: Has issues' }).waitFor();
  await theirs.getByText('Ada found issues, just now').waitFor();
  await theirs.getByText('Please check the address.').waitFor();
  await colleague.getByRole('columnheader', { name: 'Review' }).waitFor();

  // Only its author or an admin may delete a note, and the other is no admin.
  expect(await theirs.getByRole('button', { name: 'Delete this note' }).count()).toBe(0);
  await panel.getByRole('button', { name: 'Delete this note' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete this note?' });
  await expectFine(page, 'question before a note is deleted');
  await question.getByRole('button', { name: 'Delete note' }).click();
  await page.getByText('The note was deleted.').waitFor();
  await history.getByText('Please check').waitFor({ state: 'detached' });
  await theirs.getByText('Please check').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await panel.getByRole('button', { name: 'Review: Received' }).waitFor();
});

test('a note that is not saved is not lost without a question', async () => {
  const form = await aSurvey(home);
  await seed(home, form.id, 2);
  const page = await open(form);
  await row(page, 'Visitor 2').getByRole('link').click();
  const panel = page.getByRole('dialog', { name: /./ });
  await panel.getByRole('button', { name: 'Write a note' }).click();
  await page.locator('textarea:focus').waitFor();
  await page.keyboard.type('Half a tho');
  await panel.getByRole('button', { name: /^Next/ }).click();
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await question.getByText('Your note would be lost.').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => panel.getByLabel('Note', { exact: true }).inputValue()).toBe('Half a tho');
  const gate = Promise.withResolvers<void>();
  await page.route(/\/review/, async (route) => {
    if (route.request().method() !== 'GET') await gate.promise;
    await route.continue();
  });
  await panel.getByRole('button', { name: 'Save note' }).click();
  await panel.getByRole('button', { name: 'Cancel' }).and(page.locator('[aria-disabled=true]')).waitFor();
  // Text typed now would be lost.
  expect(await panel.getByLabel('Note', { exact: true }).isEditable()).toBe(false);
  gate.resolve();
  await page.getByText('The note was saved.').waitFor();
  await panel.getByRole('button', { name: /^Next/ }).click();
  await panel.getByText('visitor1@example.com').waitFor();
});

test('many are decided about at once, found by that, and set back', async () => {
  const form = await aSurvey(home, { title: 'Many' });
  await seed(home, form.id, 6);
  const page = await open(form);
  for (const name of ['Visitor 5', 'Visitor 3']) await row(page, name).getByRole('checkbox').check();
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Review' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Approved' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('2 responses: approved.').waitFor();
  await page.locator('button:focus').getByText('Review').waitFor();
  await row(page, 'Visitor 5').getByText('Approved').waitFor();
  await row(page, 'Visitor 4').getByText('Received').waitFor();
  await expectFine(page, 'reviewed responses');
  await page.getByRole('button', { name: 'Dismiss' }).click();

  await page.getByRole('combobox', { name: 'Review', exact: true }).selectOption('Approved');
  await page.getByText('2 responses found').waitFor();
  await page.reload();
  await page.getByText('2 responses found').waitFor();
  await keepMessages(page);
  // A response stays in place after its state changes, until the list is loaded again.
  await page.getByLabel('Select the loaded responses').check();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('menuitem', { name: 'Rejected' }).click();
  await row(page, 'Visitor 3').getByText('Rejected').waitFor();
  expect(await states(form)).toMatchObject({ 'Visitor 5': 'rejected', 'Visitor 4': 'received' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await row(page, 'Visitor 3').getByText('Approved').waitFor();
  expect(await states(form)).toMatchObject({ 'Visitor 5': 'approved', 'Visitor 3': 'approved' });

  // All that match a filter, including those not loaded.
  await page.getByRole('combobox', { name: 'Review', exact: true }).selectOption('Received');
  await page.getByText('4 responses found').waitFor();
  await row(page, 'Visitor 1').getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Select all 4' }).click();
  await page.getByText('4 selected').waitFor();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('menuitem', { name: 'Has issues' }).click();
  await page.getByText('4 responses: has issues.').waitFor();
  const all = Object.values(await states(form)).sort();
  expect(all).toEqual(['approved', 'approved', ...Array(4).fill('has_issues')]);

  // The column can be hidden like any other.
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Review' }).uncheck();
  await page.getByRole('columnheader', { name: 'Review' }).waitFor({ state: 'detached' });
});

test('what is decided about and no longer matches is not counted, selected or exported any more', async () => {
  const form = await aSurvey(home, { title: 'No longer' });
  await seed(home, form.id, 130);
  const page = await open(form);
  const review = async (state: string) => {
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.getByRole('menuitem', { name: state }).click();
  };
  await row(page, 'Visitor 130').getByRole('checkbox').check();
  await review('Approved');
  await page.getByText('1 response: approved.').waitFor();
  await page.getByRole('combobox', { name: 'Review', exact: true }).selectOption('Received');
  await page.getByText('129 responses found').waitFor();
  await page.getByLabel('Select the loaded responses').check();
  await page.getByRole('button', { name: 'Select all 129' }).click();
  await review('Rejected');
  await page.getByText('129 responses: rejected.').waitFor();
  // The rows stay, but nothing is done with them that would find none.
  await page.getByText('0 responses found').waitFor();
  await row(page, 'Visitor 129').getByText('Rejected').waitFor();
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByText('129 responses found').waitFor();

  // Loaded rows that were selected stay so, for a second decision.
  await row(page, 'Visitor 129').getByRole('checkbox').check();
  await review('Has issues');
  await page.getByText('1 response: has issues.').waitFor();
  await page.getByRole('button', { name: 'Select all 128' }).waitFor();
  await review('Approved');
  await row(page, 'Visitor 129').getByText('Approved').waitFor();
});

test('an export counts what matches when it is begun', async () => {
  const form = await aSurvey(home, { title: 'Counted' });
  await seed(home, form.id, 3);
  const ids = (await home.records(form)).map(({ id }: any) => id);
  const decide = (state: string) =>
    home.call('PUT', `/open/forms/${form.id}/submissions/reviews`, { submissionIds: ids, state });
  await decide('has_issues');
  const page = await open(form, { path: '?review=has_issues' });
  await page.getByText('3 responses found').waitFor();
  // Somebody else decides meanwhile.
  await decide('rejected');
  await row(page, 'Visitor 3').getByText('Rejected').waitFor();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export responses' });
  const scope = dialog.getByLabel('Responses in the file');
  await expect.poll(() => scope.inputValue()).toBe('shown');
  await scope.getByText('The 0 that match the filter').waitFor({ state: 'attached' });
  const start = dialog.getByRole('button', { name: 'Export Excel file' });
  await expect.poll(() => start.getAttribute('aria-disabled')).toBe('true');
  await scope.selectOption('All 3 responses');
  await expect.poll(() => start.getAttribute('aria-disabled')).toBeNull();
});

test('viewers read what was said, on a phone too, and are told why they say nothing', async () => {
  const form = await aSurvey(home);
  await home.submit(form, { [ID.name]: 'Ada' });
  const [record] = await home.records(form);
  const path = `/open/forms/${form.id}/submissions/${record.id}/review`;
  const long = `https://example.com/${'x'.repeat(300)}`;
  await home.call('POST', path, { state: 'rejected', note: `مرفوض\n${long}` });
  const person = await home.member('readonly');
  const page = await open(form, { person, path: `/${record.submission_id}`, device: PHONE });
  const panel = page.getByRole('dialog');
  await panel.getByText(/مرفوض/).waitFor();
  await expectFine(page, 'a history on a phone');
  for (const name of ['Review: Rejected', 'Write a note']) {
    const button = panel.getByRole('button', { name });
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    await button.focus();
    await page.getByRole('tooltip', { name: /not change them/ }).waitFor();
  }
  expect(await panel.getByRole('button', { name: 'Delete this note' }).count()).toBe(0);
  // Straight to the history.
  await panel.getByRole('button', { name: '1 note' }).click();
  await page.locator('h3:focus').getByText('Notes and decisions').waitFor();
});
