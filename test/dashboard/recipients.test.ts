import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aField, aTextField, TEXT_FIELD_ID, type TestUser } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { until } from '../setup/until.ts';
import { expectFine, signedInPage } from './screens.ts';

const smtp = useSmtpServer();
const browser = useBrowser();
const home = useHome(() => ({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'forms@example.org' } }));

const number = aField('02', 'text', 'Member number', { hidden: true });
const aSurvey = (overrides: Record<string, unknown> = {}) =>
  home.form({ title: 'Members', properties: [aTextField(), number], ...overrides });

/** Milliseconds after which the dashboard looks at the state of recipients again. */
const LOADED_AGAIN_MS = 60_000;

interface Opening {
  person?: TestUser;
  device?: BrowserContextOptions;
  /** Whether the test moves the time of the page. */
  hasClock?: boolean;
}

async function open(
  form: { id: number },
  { person = home.ada, device, hasClock = false }: Opening = {},
): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, person, device);
  if (hasClock) await page.clock.install();
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/share?part=personal`);
  return page;
}
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
const list = async (form: { id: number }) =>
  (await home.call('GET', `/open/forms/${form.id}/recipients`)).body.data;

async function paste(page: Page, text: string): Promise<void> {
  await press(page, 'Add people');
  await page.getByLabel('People, one in a row').fill(text);
}

test('people are added, invited, reminded; their answers are seen, and links taken along', async () => {
  const form = await aSurvey();
  const page = await open(form);
  await page.getByText('Nobody is on the list yet').waitFor();
  await expectFine(page, 'an empty list');
  await paste(
    page,
    'name;email;member number;shoe size\nAda;ada@example.org;4711;38\nBob;bob@example.org;4712;44\nCleo;;;\n;no address;;',
  );
  await page.getByText('3 people, 2 of them with an address. Filled in: member number.').waitFor();
  await page.getByText('Columns that fill in no question: shoe size.').waitFor();
  await page.getByText('1 row without a name or a good address: 5').waitFor();
  await expectFine(page, 'people that were read');
  await press(page, 'Add 3 people');
  await rowOf(page, 'Ada').waitFor();
  await page.getByText('0 of 3 answered').waitFor();
  expect((await list(form))[0].prefill).toEqual({ [number.id]: '4711' });

  await press(page, 'Invite');
  await page.getByLabel('Subject').fill('For {name}');
  await page.getByLabel('Replies go to').fill('team@example.org');
  await expectFine(page, 'the text of a mail');
  await press(page, 'Send 2 mails');
  await until(() => smtp.mails.length === 2, { what: 'two mails' });
  await rowOf(page, 'Ada').getByText('Invited', { exact: true }).waitFor();
  expect(smtp.mails.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]).toSorted()).toEqual([
    'For Ada',
    'For Bob',
  ]);
  expect(smtp.mails[0]?.text).toContain('Reply-To: team@example.org\n');

  const [{ link }] = await list(form);
  const guest = await (await browser.context()).newPage();
  await guest.goto(link);
  await guest.getByLabel('Name').fill('Ada L.');
  await guest.getByRole('button', { name: 'Submit' }).click();
  await guest.locator('.thank-you').waitFor();
  const [record] = await home.records(form);
  expect(record.data).toMatchObject({ [TEXT_FIELD_ID]: 'Ada L.', [number.id]: '4711' });

  await page.reload();
  await page.getByText('1 of 3 answered').waitFor();
  await rowOf(page, 'Ada').getByText('Answered').waitFor();
  await expectFine(page, 'a list of recipients');
  smtp.mails.length = 0;
  await press(page, 'Remind');
  await press(page, 'Send 1 mail');
  await until(() => smtp.mails.length === 1, { what: 'one mail' });
  expect(smtp.mails[0]?.recipients).toEqual(['bob@example.org']);

  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download links')]);
  const rows = parse(await readFile(await download.path(), 'utf8'), { bom: true, columns: true });
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatchObject({ name: 'Ada', email: 'ada@example.org', link, status: 'Answered' });

  await rowOf(page, 'Ada').getByRole('button', { name: 'More for Ada' }).click();
  await page.getByRole('menuitem', { name: 'See the response' }).click();
  await page.getByText('Ada L.').first().waitFor();
  await page.getByText('Ada ada@example.org').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Recipient', exact: true }).check();
  await page.getByLabel('Kind of file').selectOption('CSV');
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Export CSV')]);
  const [line] = parse(await readFile(await file.path(), 'utf8'), { columns: true });
  expect(line).toMatchObject({ Name: 'Ada L.', recipient_name: 'Ada' });
});

test('people come from a file, one too long to be shown, too', async () => {
  const form = await aSurvey();
  const page = await open(form, { device: PHONE });
  await press(page, 'Add people');
  const choose = async (name: string, buffer: Buffer) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, 'Choose a file …')]);
    await chooser.setFiles({ name, mimeType: 'text/csv', buffer });
  };
  const field = page.getByLabel('People, one in a row');
  // As Excel writes it in the West.
  await choose('few.csv', Buffer.from('name;email\r\nZo\u00eb;zoe@example.org', 'latin1'));
  await page.getByText('1 person, 1 of them with an address.').waitFor();
  await expect.poll(() => field.inputValue()).toContain('Zo\u00eb;zoe@example.org');
  const rows = Array.from({ length: 9_000 }, (_, at) => `Person ${at};person.${at}@example.org`);
  await choose('many.csv', Buffer.from(rows.join('\n')));
  await page.getByText('9,000 people, 9,000 of them with an address.').waitFor();
  expect([await field.inputValue(), await field.isDisabled()]).toEqual(['', true]);
  await page.getByText('many.csv').waitFor();
  await expectFine(page, 'a list too long to be shown');
  await press(page, 'Add 9,000 people');
  await page.getByText('0 of 9,000 answered').waitFor();
});

test('somebody is let in again or removed, and the list searched, by keyboard too', async () => {
  const form = await aSurvey();
  const people = ['Ada', 'Bob'].map((name) => ({ name, email: `${name}@example.org` }));
  const { body } = await home.call('POST', `/open/forms/${form.id}/recipients`, { recipients: people });
  const { pathname, search } = new URL(body.recipients[0].link);
  await home.service.request('POST', `${pathname}/answer${search}`, { body: { [TEXT_FIELD_ID]: 'x' } });
  const page = await open(form);
  await page.getByLabel('State').selectOption('Answered');
  await rowOf(page, 'Bob').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'More for Ada' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Let answer once more' }).press('Enter');
  await page.getByText('Ada may answer once more.').waitFor();
  await page.getByText('Nobody matches').waitFor();
  await page.getByLabel('State').selectOption('Everybody');
  await page.getByLabel('Name or address').fill('BOB@');
  await rowOf(page, 'Ada').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'More for Bob' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Remove' }).press('Enter');
  await press(page, 'Remove');
  await page.getByText('Bob was removed.').waitFor();
  expect((await list(form)).map(({ name }: any) => name)).toEqual(['Ada']);
});

test('an address is corrected after a typo', async () => {
  const form = await aSurvey();
  const people = ['ada@exampel.org', 'bob@example.org'].map((email) => ({
    email,
    name: email.split('@')[0],
  }));
  await home.call('POST', `/open/forms/${form.id}/recipients`, { recipients: people });
  const mail = { kind: 'invitation', subject: 'Hello', text: 'Please: {link}' };
  await home.call('POST', `/open/forms/${form.id}/recipients/mails`, mail);
  const isMailedTo = (address: string) => smtp.mails.some(({ recipients }) => recipients.includes(address));
  await until(() => isMailedTo('ada@exampel.org'), { what: 'the first mail' });
  const page = await open(form);
  await press(page, 'More for ada');
  await page.getByRole('menuitem', { name: 'Correct the address' }).click();
  await page.getByLabel('E-mail address').fill('bob@example.org');
  await press(page, 'Save');
  await page.getByText('This address is on the list already.').waitFor();
  await expectFine(page, 'an address that is on the list');
  await page.getByLabel('E-mail address').fill('ada@example.org');
  await press(page, 'Save');
  await page.getByText('A mail with another link is on its way to it.').waitFor();
  await rowOf(page, 'ada').getByText('ada@example.org').waitFor();
  await until(() => isMailedTo('ada@example.org'), { what: 'the mail to the right address' });
});

test('what is typed about a recipient stays when the list loses them meanwhile', async () => {
  const form = await aSurvey();
  const { body } = await home.call('POST', `/open/forms/${form.id}/recipients`, {
    recipients: [{ name: 'Ada' }, { name: 'Bob' }],
  });
  const page = await open(form, { hasClock: true });
  await page.getByLabel('State').selectOption('Not invited');
  await press(page, 'More for Ada');
  await page.getByRole('menuitem', { name: 'Add an address' }).click();
  await page.getByLabel('E-mail address').fill('ada@example.org');
  await fetch(body.recipients[0].link);
  await page.clock.fastForward(LOADED_AGAIN_MS);
  await rowOf(page, 'Ada').waitFor({ state: 'detached' });
  await press(page, 'Save');
  await page.getByText('The address was saved.').waitFor();
  expect((await list(form)).map(({ email }: { email: string | null }) => email)).toEqual([
    'ada@example.org',
    null,
  ]);
});

test('a form is made one for recipients, and anonymous after a question', async () => {
  const form = await aSurvey();
  const { body } = await home.call('POST', `/open/forms/${form.id}/recipients`, {
    recipients: [{ name: 'Ada' }],
  });
  const { pathname, search } = new URL(body.recipients[0].link);
  await home.service.request('POST', `${pathname}/answer${search}`, { body: { [TEXT_FIELD_ID]: 'x' } });
  const page = await open(form, { device: PHONE });
  const required = page.getByRole('switch', { name: 'Only by personal link' });
  await required.click();
  await expect.poll(() => required.isChecked()).toBe(true);
  await page.getByRole('switch', { name: 'Anonymous' }).click();
  await page.getByText('Make the form anonymous?').waitFor();
  await expectFine(page, 'the question before a form is anonymous');
  await press(page, 'Make anonymous');
  await expect.poll(() => page.getByRole('switch', { name: 'Anonymous' }).isChecked()).toBe(true);
  const settings = await home.call('GET', `/open/forms/${form.id}/personal-links`);
  expect(settings.body).toMatchObject({ required: true, anonymous: true });
  await expectFine(page, 'recipients on a phone');
});

test('who answered since the page was opened counts before a form is made anonymous', async () => {
  const form = await aSurvey();
  const { body } = await home.call('POST', `/open/forms/${form.id}/recipients`, {
    recipients: [{ name: 'Ada' }],
  });
  const page = await open(form);
  await page.getByText('0 of 1 answered').waitFor();
  const { pathname, search } = new URL(body.recipients[0].link);
  await home.service.request('POST', `${pathname}/answer${search}`, { body: { [TEXT_FIELD_ID]: 'x' } });
  await page.getByRole('switch', { name: 'Anonymous' }).click();
  await page.getByText('Make the form anonymous?').waitFor();
  await press(page, 'Cancel');
  const settings = await home.call('GET', `/open/forms/${form.id}/personal-links`);
  expect(settings.body).toMatchObject({ anonymous: false });
});

test('mails that are being sent are not cancelled in appearance', async () => {
  const form = await aSurvey({ title: 'Win $$ and $& more' });
  const people = [{ name: 'Ada', email: 'ada@example.org' }];
  await home.call('POST', `/open/forms/${form.id}/recipients`, { recipients: people });
  const page = await open(form);
  const gate = Promise.withResolvers<void>();
  await page.route(/\/recipients\/mails$/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await press(page, 'Invite');
  expect(await page.getByLabel('Subject').inputValue()).toBe('Please answer: Win $$ and $& more');
  await press(page, 'Send 1 mail');
  await page.getByRole('button', { name: 'Cancel' }).and(page.locator('[aria-disabled=true]')).waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Subject').waitFor();
  gate.resolve();
  await page.getByText('1 mail on the way.').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('who may only read is told so', async () => {
  const form = await aSurvey();
  const page = await open(form, { person: await home.member('readonly') });
  await page.getByRole('tabpanel').getByText('Only editors see personal links').waitFor();
  expect(await page.getByRole('button', { name: 'Add people' }).count()).toBe(0);
});

test('letters of a file that are read wrongly are seen, and read as those of another region', async () => {
  const form = await aSurvey();
  const page = await open(form);
  await press(page, 'Add people');
  // Jiří, as Excel writes it in Prague.
  const buffer = Buffer.from('name;email\nJi\xf8\xed;jiri@example.org\n', 'latin1');
  await page.getByLabel('List of people').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
  await page.getByText('First: Jiøí <jiri@example.org>').waitFor();
  await page.getByLabel('Its letters are of').selectOption('Central Europe');
  await page.getByText('First: Jiří <jiri@example.org>').waitFor();
  await expectFine(page, 'the encoding of a file');
  await press(page, 'Add 1 person');
  await rowOf(page, 'Jiří').waitFor();
  expect((await list(form))[0]).toMatchObject({ name: 'Jiří', email: 'jiri@example.org' });
  await page.close();
});
