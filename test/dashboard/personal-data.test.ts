import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aField, aForm, aWorkspace, type TestUser } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { prepareRows } from '../setup/prepare-rows.ts';
import { expectFine, signedInPage } from './screens.ts';

const MAIL = 'grace.hopper@example.com';
const MAIL_FIELD = aField('01', 'email', 'Mail');
const NAME_FIELD = aField('02', 'text', 'Name');
const FILES_FIELD = aField('03', 'files', 'Files');

const browser = useBrowser();
const home = useHome();

let workspaceId: number;
let path: string;
beforeEach(async () => {
  workspaceId = await aWorkspace(home.service, home.ada, 'Museum');
  path = `/workspaces/${workspaceId}/personal-data`;
});

async function pageOf(person: TestUser, at = path): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, person);
  await page.goto(home.service.url + at);
  return page;
}

const aPublicForm = (title: string) =>
  aForm(home.service, home.ada, workspaceId, { title, properties: [MAIL_FIELD, NAME_FIELD, FILES_FIELD] });

/** All requested addresses and all addresses of the page: others keep these, such as proxies and the browser's history. */
function addressesOf(page: Page): string[] {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  return addresses;
}

async function search(page: Page, value: string): Promise<void> {
  await page.getByRole('searchbox').fill(value);
  await page.keyboard.press('Enter');
}

test('what is stored of a person is found, opened, downloaded and erased', async () => {
  const [feedback, party] = [await aPublicForm('Feedback'), await aPublicForm('نموذج الحفل')];
  const reference = await upload(feedback.slug);
  for (const answers of [
    { [MAIL_FIELD.id]: MAIL, [NAME_FIELD.id]: 'Grace', [FILES_FIELD.id]: [reference] },
    { [NAME_FIELD.id]: MAIL.toUpperCase() },
    { [MAIL_FIELD.id]: 'ada@example.com' },
  ])
    await home.submit(feedback, answers);
  await home.submit(party, { [MAIL_FIELD.id]: MAIL });
  await invite(MAIL);
  await draft(feedback.id);

  // By keyboard, from anywhere.
  const page = await pageOf(home.ada, `/workspaces/${workspaceId}/forms`);
  const addresses = addressesOf(page);
  await page.getByRole('link', { name: 'Personal data' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('personal');
  await page.getByRole('option', { name: 'Personal data Museum' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Search first.').waitFor();
  await expectFine(page, 'nothing searched');
  await search(page, `  ${MAIL} `);
  await page.getByText('Found: 3 responses in 2 forms, 1 draft, 1 invitation.').waitFor();
  const inFeedback = page.getByRole('region', { name: 'Feedback' });
  await expect.poll(() => inFeedback.getByRole('link', { name: /^Response/ }).count()).toBe(2);
  await inFeedback.getByText('Found in Mail').waitFor();
  await inFeedback.getByText('Name: Grace').waitFor();
  await inFeedback.getByRole('link', { name: 'note.txt' }).waitFor();
  await expectFine(page, 'found');

  // From a response, one returns to the search result.
  await inFeedback
    .getByRole('link', { name: /^Response/ })
    .first()
    .click();
  await page.getByRole('dialog').getByText('Grace', { exact: true }).waitFor();
  await page.goBack();
  await page.getByText('Found: 3 responses').waitFor();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe(MAIL);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download everything' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('person.json');
  const document = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect([document.value, document.submissions.length, document.drafts.length]).toEqual([MAIL, 3, 1]);

  await page.getByRole('button', { name: 'Erase…' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('3 responses in 2 forms, with every answer and 1 file').waitFor();
  await dialog.getByText('what webhooks and mails delivered').waitFor();
  await expectFine(page, 'erase');
  const confirm = dialog.getByRole('button', { name: 'Erase for good' });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await page.locator('input:focus').waitFor();
  await page.keyboard.type(MAIL);
  await page.keyboard.press('Enter');
  const told = page.locator('[aria-live]').getByText('Erased: 3 responses, 1 file, 1 draft, 1 invitation.');
  await told.waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Nothing is left').waitFor();
  await page.getByRole('heading', { name: 'Erased before' }).waitFor();
  await expectFine(page, 'erased');
  expect((await home.records(feedback)).map(({ data }) => data[MAIL_FIELD.id])).toEqual(['ada@example.com']);
  expect(await home.records(party)).toEqual([]);

  // Neither the browser's history nor a proxy's log shows who the person was.
  expect(addresses.length).toBeGreaterThan(10);
  for (const address of addresses) expect(decodeURIComponent(address).toLowerCase()).not.toContain('grace');
});

test('what came by their personal link is shown too, though it does not name them', async () => {
  const form = await aPublicForm('Feedback');
  const body = { recipients: [{ name: 'Grace', email: MAIL }] };
  const added = await home.call('POST', `/open/forms/${form.id}/recipients`, body);
  const { pathname, search: code } = new URL(added.body.recipients[0].link);
  await home.service.request('POST', `${pathname}/answer${code}`, {
    body: { [NAME_FIELD.id]: 'Rather not' },
  });
  const page = await pageOf(home.ada);
  await search(page, MAIL);
  await page.getByText('Found: 1 response in 1 form, 1 place on a list of recipients.').waitFor();
  await page.getByRole('region', { name: 'Feedback' }).getByText('Came by their personal link').waitFor();
  await page.getByText('Name: Rather not').waitFor();
  await expectFine(page, 'found by the personal link');
});

test('other values are exact, and whoever gave the same is warned of', async () => {
  const form = await aPublicForm('Guests');
  await home.submit(form, { [NAME_FIELD.id]: 'Maria' });
  const page = await pageOf(home.ada);
  await search(page, 'maria');
  await page.getByText('Nothing found', { exact: true }).waitFor();
  await expectFine(page, 'nothing found');
  await search(page, 'Maria');
  await page.getByText('Found: 1 response in 1 form.').waitFor();
  await page.getByRole('button', { name: 'Erase…' }).click();
  await page.getByRole('alertdialog').getByText('Everybody who gave this answer is erased.').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('button:focus').getByText('Erase…').waitFor();
  expect(await home.records(form)).toHaveLength(1);
});

test('a long search goes on by itself, and stops where it is hardly one person any more', async () => {
  const form = await aPublicForm('Poll');
  await fill(form.id, 620);
  const page = await pageOf(home.ada);
  await search(page, 'Yes');
  await page.getByText('so the search stopped here').waitFor();
  await page.getByText(/^Found so far: 5\d\d responses in 1 form\.$/).waitFor();
  const erase = page.getByRole('button', { name: 'Erase…' });
  await expect.poll(() => erase.getAttribute('aria-disabled')).toBe('true');
  await expectFine(page, 'stopped');
  await page.getByRole('button', { name: 'Search on' }).click();
  await page.getByText('Found: 620 responses in 1 form.').waitFor();
  await expect.poll(() => erase.getAttribute('aria-disabled')).not.toBe('true');
  await expect.poll(() => page.getByRole('link', { name: /^Response/ }).count()).toBe(10);
  await page.getByRole('button', { name: 'Show all 620 responses' }).click();
  await expect.poll(() => page.getByRole('link', { name: /^Response/ }).count()).toBe(620);
});

test('what goes wrong is told, and has a way out', async () => {
  const form = await aPublicForm('Guests');
  await home.submit(form, { [MAIL_FIELD.id]: MAIL });
  const page = await pageOf(home.ada);
  const fail = (what: string) =>
    page.route(`**/people/${what}`, (route) => route.fulfill({ status: 400, json: { message: 'Not now.' } }));
  await fail('find');
  await search(page, MAIL);
  await page.getByRole('alert').getByText('Not now.').waitFor();
  await page.unroute('**/people/find');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Found: 1 response in 1 form.').waitFor();
  await fail('erase');
  await page.getByRole('button', { name: 'Erase…' }).click();
  await page.locator('input:focus').waitFor();
  await page.keyboard.type(MAIL);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Not now.').waitFor();
  await page.getByText('Found: 1 response in 1 form.').waitFor();
  expect(await page.getByText('Erased:').count()).toBe(0);
});

test('nobody but admins is shown the way, and who opens the address is refused', async () => {
  const editor = await home.newMember('user', workspaceId);
  const page = await pageOf(editor);
  await page.getByText('Only admins of this workspace can do this. You are an editor.').waitFor();
  expect(await page.getByRole('searchbox').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Personal data' }).count()).toBe(0);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('personal');
  await page.getByText('Nothing with this name.').waitFor();
});

const query = (text: string, values: unknown[]) => home.service.context.pool.query(text, values);

async function upload(slug: string): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob(['A note'], { type: 'text/plain' }), 'note.txt');
  const address = `${home.service.url}/forms/${slug}/files?field=${FILES_FIELD.id}`;
  const answer = await fetch(address, { method: 'POST', body });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { reference: string }).reference;
}

async function invite(email: string): Promise<void> {
  const body = { email, role: 'readonly' };
  const answer = await home.call('POST', `/open/workspaces/${workspaceId}/users/add`, body);
  expect(answer.status, answer.text).toBe(200);
}

async function draft(formId: number): Promise<void> {
  const answers = JSON.stringify({ [MAIL_FIELD.id]: MAIL });
  await query(`insert into form_drafts (form_id, id_hash, answers) values ($1, '\\x01', $2)`, [
    formId,
    answers,
  ]);
}

async function fill(formId: number, count: number): Promise<void> {
  await prepareRows(home.service, [
    `with added as (
       insert into submissions (form_id, public_id, status, data)
       select $1, gen_random_uuid(), 'completed', $2 from generate_series(1, $3::int))
     update form_counters set completed_count = completed_count + $3::int where form_id = $1`,
    [formId, JSON.stringify({ [NAME_FIELD.id]: 'Yes' }), count],
  ]);
}
