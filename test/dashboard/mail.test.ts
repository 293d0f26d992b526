import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aField, type TestUser } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { until } from '../setup/until.ts';
import { expectFine, signedInPage } from './screens.ts';

const NAME = aField('01', 'text', 'Your name');
const MAIL = aField('02', 'email', 'E-mail address');
const TOPIC = aField('03', 'select', 'Topic', {
  select: { options: [{ name: 'Support' }, { name: 'Sales' }] },
});

const browser = useBrowser();
const smtp = useSmtpServer();
const home = useHome(() => ({ env: { SMTP_URL: smtp.url } }));
const mailless = useHome();
beforeEach(() => {
  smtp.mails.length = 0;
});

const aFormHere = (where = home) => where.form({ title: 'Registration', properties: [NAME, MAIL, TOPIC] });

async function open(
  form: { id: number },
  path: string,
  where = home,
  who: TestUser = where.ada,
  device?: BrowserContextOptions,
): Promise<Page> {
  const page = await signedInPage(browser, where.service.url, who, device);
  await page.goto(
    `${where.service.url}/workspaces/${where.workspaceId}/forms/${form.id}/integrations${path}`,
  );
  return page;
}

async function stored(form: { id: number }, where = home) {
  const { body } = await where.call('GET', `/open/forms/${form.id}/integrations`);
  expect(body).toHaveLength(1);
  return body[0];
}

async function mail(count = 1) {
  await until(() => smtp.mails.length >= count, { what: `${count} mails` });
  return smtp.mails[count - 1];
}

const confirmationOf = async (form: { id: number }) => {
  const answer = await home.call('POST', `/open/forms/${form.id}/integrations`, {
    integration_id: 'email_confirmation',
    data: {
      recipient_field: MAIL.id,
      text: '<h2>Welcome</h2><p>See <a href="https://a.example/">us</a>.</p>',
    },
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.form_integration;
};

test('owners are told of what meets the condition, with a subject that mentions an answer', async () => {
  const form = await aFormHere();
  const page = await open(form, '');
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByRole('menuitem', { name: 'Mail to owners' }).click();
  const to = page.getByLabel('To', { exact: true });
  await expect.poll(() => to.inputValue()).toBe(home.ada.email);
  await expect.poll(() => page.getByLabel('An answer to the mail goes to').inputValue()).toBe(MAIL.id);

  // The error of the service is shown at its field.
  await to.fill('ada@example.org, nonsense');
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByText('The Recipients must all be valid e-mail addresses.').waitFor();
  await expect.poll(() => to.getAttribute('aria-invalid')).toBe('true');
  await to.fill('ada@example.org,\ngrace@example.org');

  // By keyboard, in the middle of the text.
  const subject = page.getByRole('textbox', { name: 'Subject' });
  await subject.click();
  await page.keyboard.type('From , a < b');
  for (let left = 0; left < ', a < b'.length; left += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+Tab');
  await page.locator('button:focus', { hasText: 'Insert field' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Your name' }).waitFor();
  await page.keyboard.press('Enter');
  await until(async () => (await subject.innerText()).replaceAll('\u200b', '') === 'From Your name, a < b');
  await page.keyboard.type('!');
  await page.getByLabel('Without an answer to Your name').fill('A & “B” "C"');

  await page.getByLabel('Answers in the mail').selectOption('Only chosen ones');
  await page.getByRole('checkbox', { name: 'Topic' }).check();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByLabel('Field', { exact: true }).selectOption('Topic');
  await page.getByRole('combobox', { name: 'Value' }).selectOption('Support');
  await page.getByText('Only when Topic is Support').waitFor();
  await expectFine(page, 'new notification');
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByText('Nothing has been sent yet').waitFor();
  expect(await page.getByRole('link', { name: 'Verify' }).count()).toBe(0);

  await home.submit(form, { [NAME.id]: 'No', [TOPIC.id]: 'Sales' });
  await home.submit(form, { [MAIL.id]: 'jane@example.net', [TOPIC.id]: 'Support' });
  const sent = await mail();
  expect(sent?.recipients).toEqual(['ada@example.org', 'grace@example.org']);
  expect(sent?.text).toContain('Reply-To: jane@example.net');
  expect(sent?.text).toContain('Topic: Support');
  expect(sent?.text).not.toContain('E-mail address');

  // The log shows the mail.
  await page.reload();
  await page.getByRole('cell', { name: 'Delivered' }).waitFor();
  await page.getByRole('cell', { name: /^Accepted/ }).waitFor();
  await page.getByRole('link', { name: /^#/ }).click();
  const shown = page.getByRole('region', { name: 'Mail' });
  await shown.getByText('From A & “B” "C"!, a < b').waitFor();
  await expectFine(page, 'delivery of a mail');

  // The settings as they were saved; then they are changed.
  await page.goBack();
  const tabs = page.getByRole('navigation', { name: 'Integration', exact: true });
  await tabs.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('From Your name!, a < b').waitFor();
  await expect.poll(() => page.getByRole('checkbox', { name: 'Topic' }).isChecked()).toBe(true);
  await page.getByLabel('Answers in the mail').selectOption('All');
  await page.getByLabel('An answer to the mail goes to').selectOption('Nobody in particular');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved, and in force').waitFor();
  const { data, logic } = await stored(form);
  expect(Object.keys(data).sort()).toEqual(['recipients', 'subject']);
  expect(logic.children).toHaveLength(1);
});

test('respondents get a text of one’s own, by the keyboard alone', async () => {
  const campaign = aField('05', 'text', 'Campaign', { hidden: true });
  const form = await home.form({ title: 'Registration', properties: [NAME, MAIL, campaign] });
  const page = await open(form, '/new?provider=email_confirmation');
  await page.getByText('Anybody can type somebody else’s address.').waitFor();
  expect(await page.getByText('no mail server').count()).toBe(0);
  await expect.poll(() => page.getByLabel('To the address in').inputValue()).toBe(MAIL.id);
  const text = page.getByRole('textbox', { name: 'Text' });
  await text.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByText('The Text field is required.').waitFor();
  await expect.poll(() => text.getAttribute('aria-invalid')).toBe('true');

  await text.focus();
  await page.keyboard.type('Hello ');
  await page.getByRole('button', { name: 'Insert field into Text' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Your name' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Without an answer to Your name').waitFor();
  await page.keyboard.type(', thank you.');
  await page.getByLabel('Without an answer to Your name').fill('Sir & Madam');
  await page.getByLabel('An answer to the mail goes to').fill('team@example.org');
  await page.getByLabel('Answers in the mail').selectOption('Only chosen ones');
  const chosen = page.getByRole('group', { name: 'Chosen answers' });
  await expect
    .poll(() => chosen.locator('label').allInnerTexts())
    .toEqual([NAME.name, MAIL.name, 'Campaign (hidden)']);
  await page.getByLabel('Answers in the mail').selectOption('All that people saw');
  await expectFine(page, 'new confirmation');
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByText('Nothing has been sent yet').waitFor();

  await home.submit(form, { [NAME.id]: 'Jane <b>', [MAIL.id]: 'jane@example.net', [campaign.id]: 'spring' });
  const sent = await mail();
  expect(sent?.recipients).toEqual(['jane@example.net']);
  expect(sent?.text).toContain('Hello Jane <b>, thank you.');
  expect(sent?.text).toContain('Reply-To: team@example.org');
  expect(sent?.text).toContain('E-mail address: jane@example.net');
  expect(sent?.text).not.toContain('spring');
  await home.submit(form, { [MAIL.id]: 'grace@example.net' });
  expect((await mail(2))?.text).toContain('Hello Sir & Madam, thank you.');
});

test('a mention is taken out as a whole, and one of a deleted field says so', async () => {
  const form = await aFormHere();
  const mention = (id: string) => `<span mention-field-id="${id}" mention-fallback="">Old name</span>`;
  const { id } = await confirmationOf(form);
  await home.call('PUT', `/open/forms/${form.id}/integrations/${id}`, {
    integration_id: 'email_confirmation',
    data: { subject: `A ${mention('gone')} B ${mention(NAME.id)}` },
  });
  const page = await open(form, `/${id}?tab=settings`);
  const subject = page.getByRole('textbox', { name: 'Subject' });
  await subject.getByText('A deleted field').waitFor();
  await subject.focus();
  await page.keyboard.press('End');
  // First the place for the caret is deleted, then the mention.
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.getByLabel('Without an answer to Your name').waitFor({ state: 'detached' });
  await page.getByLabel('Without an answer to a deleted field').fill('x');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved, and in force').waitFor();
  const { data } = await stored(form);
  expect(data.subject).toContain('mention-field-id="gone" mention-fallback="x"');
  expect(data.subject).not.toContain(NAME.id);
  // An untouched text stays as it was.
  expect(data.text).toContain('<h2>Welcome</h2>');
});

describe('a test', () => {
  test('goes to the account, and shows the mail', async () => {
    const form = await aFormHere();
    const { id } = await confirmationOf(form);
    const page = await open(form, `/${id}`);
    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Test mail' });
    await dialog.getByText('The mail server answered with 250.').waitFor();
    await dialog.getByText(home.ada.email).waitFor();
    await dialog.getByRole('heading', { name: 'Welcome' }).waitFor();
    await dialog.getByRole('link', { name: 'us' }).waitFor();
    await expectFine(page, 'test mail');
    await dialog.getByRole('tab', { name: 'Plain text' }).click();
    await dialog.getByText('See us (https://a.example/).').waitFor();
    expect((await mail())?.recipients).toEqual([home.ada.email]);
  });

  test('without a mail server shows what would be sent, and the screens say why', async () => {
    const form = await aFormHere(mailless);
    const page = await open(form, '/new?provider=email', mailless);
    // The notice is shown before and after the integration is added.
    await page.getByText('Mails wait until an admin sets one').waitFor();
    await expectFine(page, 'a mail without a mail server');
    await page.getByRole('button', { name: 'Add integration' }).click();
    await page.getByText('Nothing has been sent yet').waitFor();
    await page.getByText('There is no mail server yet').first().waitFor();
    await expectFine(page, 'no mail server');
    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Test mail' });
    await dialog.getByText('this is what would be sent').waitFor();
    await dialog.getByText('Not sent').waitFor();
    await dialog.getByText(mailless.ada.email).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'All integrations' }).click();
    await page.getByRole('listitem').getByText('No mail server yet').waitFor();
    await expectFine(page, 'list without a mail server');
  });
});

test('is changed while others change something else of it, and the field of its address is gone', async () => {
  const form = await aFormHere();
  const { id } = await confirmationOf(form);
  const page = await open(form, `/${id}?tab=settings`);
  const subject = page.getByRole('textbox', { name: 'Subject' });
  await subject.fill('Welcome');
  await home.call('PUT', `/open/forms/${form.id}/integrations/${id}`, {
    integration_id: 'email_confirmation',
    data: { reply_to: 'team@example.com', text: '<p>Written by another</p>' },
  });
  await home.call('PUT', `/open/forms/${form.id}`, { properties: [NAME] });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved, and in force').waitFor();
  expect((await stored(form)).data).toMatchObject({
    subject: 'Welcome',
    reply_to: 'team@example.com',
    text: '<p>Written by another</p>',
    recipient_field: MAIL.id,
  });
});

test('is switched off, and deleted by its name', async () => {
  const form = await aFormHere();
  const { id } = await confirmationOf(form);
  const page = await open(form, '');
  await page.getByText('to the answer to “E-mail address”').waitFor();
  await page.getByRole('link', { name: 'Confirmation by mail' }).click();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('button', { name: 'Activate', exact: true }).waitFor();
  expect((await stored(form)).status).toBe('inactive');
  await page.goto(`${page.url().replace(/\/\d+$/, '')}/${id}?tab=settings`);
  await page.getByRole('button', { name: 'Delete integration' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('textbox').fill('Confirmation by mail');
  await dialog.getByRole('button', { name: 'Delete integration' }).click();
  await page.getByText('No integrations yet').waitFor();
});

test('on a phone, for a form without an address', async () => {
  const form = await home.form({ properties: [NAME] });
  const page = await open(form, '/new?provider=email_confirmation', home, home.ada, PHONE);
  await page.getByText('The published form has no e-mail field yet.').waitFor();
  await page.getByRole('button', { name: 'Add integration' }).tap();
  await page.getByText('The Recipient Field field is required.').waitFor();
  await expectFine(page, 'on a phone');
});
