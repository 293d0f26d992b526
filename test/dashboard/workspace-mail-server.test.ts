import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { aMailServer, mailServerPath } from '../mail/mail-server.ts';
import { PHONE, useBrowser } from '../setup/browser.ts';
import type { TestUser } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const smtp = useSmtpServer();
/** A service without a mail server. */
const home = useHome();

async function open(who: TestUser = home.ada, device = {}): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, who, device);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/settings`);
  await page.getByRole('heading', { name: 'Mail server' }).waitFor();
  return page;
}
const stored = async () => (await home.call('GET', mailServerPath(home.workspaceId))).body.mail_server;

test('a mail server is set up, tried, and left again, by keyboard alone', async () => {
  smtp.refusals.clear();
  smtp.mails.length = 0;
  const page = await open();
  const { keyboard } = page;
  await page.getByText('This service has no mail server').waitFor();
  await page.getByRole('button', { name: 'Use a server of your own' }).focus();
  await keyboard.press('Enter');
  const isFocused = (label: string) =>
    page.getByLabel(label, { exact: true }).evaluate((input) => input === document.activeElement);
  await expect.poll(() => isFocused('Host')).toBe(true);
  await expectFine(page, 'new');
  const { host, port } = aMailServer(smtp);
  await keyboard.type(host);
  await keyboard.press('Tab');
  expect(await page.getByLabel('Port', { exact: true }).inputValue()).toBe('587');
  await keyboard.press('Tab');
  // By its first letter, as selects are used.
  await keyboard.type('Not');
  expect(await page.getByLabel('Port', { exact: true }).inputValue()).toBe('25');
  await keyboard.press('Shift+Tab');
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type(String(port));
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  expect(await isFocused('Sender’s address')).toBe(true);
  await keyboard.type('team@example.org');
  await keyboard.press('Tab');
  await keyboard.type('The team');
  // Past "Save".
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await page.getByText(`The mail server took the mail to ${home.ada.email}: 250 taken`).waitFor();
  expect(smtp.mails).toHaveLength(1);
  expect(await stored()).toBeNull();
  await expectFine(page, 'tried');

  await keyboard.press('Shift+Tab');
  await keyboard.press('Enter');
  await page.getByText('Saved. Mails go through this server from now on.').waitFor();
  expect(await stored()).toMatchObject({ host, port, security: 'none', sender_name: 'The team' });

  smtp.refusals.set(home.ada.email, '550 5.7.1 not from here');
  await page.getByRole('button', { name: 'Send a test mail' }).press('Enter');
  await page.getByText('The mail server refused the mail').waitFor();
  await expectFine(page, 'refused');

  await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
  await page.getByRole('alertdialog').waitFor();
  await expectFine(page, 'question');
  await page.getByRole('button', { name: 'Remove mail server' }).press('Enter');
  await page.getByText('This service has no mail server').waitFor();
  expect(await stored()).toBeNull();
});

test('problems are at their fields; the password is never shown, and asked for again for another server', async () => {
  const login = { host: 'localhost', security: 'tls', user_name: 'team', password: 'a secret word' };
  await home.call('PUT', mailServerPath(home.workspaceId), aMailServer(smtp, login));
  const page = await open(home.ada, PHONE);
  const save = page.getByRole('button', { name: 'Save mail server' });
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
  expect(await page.content()).not.toContain('a secret word');
  await page.getByLabel('Sender’s name').fill('Others');
  await save.click();
  await page.getByText('Saved. Mails go through this server from now on.').waitFor();
  expect(await stored()).toMatchObject({ has_password: true, sender_name: 'Others' });

  await page.getByLabel('Host').fill('127.0.0.1');
  await page.getByLabel('Sender’s address').fill('no address');
  await save.click();
  await page.getByText('The password is required.').waitFor();
  await page.getByText('The sender address must be a valid email address.').waitFor();
  await expectFine(page, 'problems');
  await home.call('DELETE', mailServerPath(home.workspaceId));
});

test('members who are no admins are told who sets it', async () => {
  const page = await open(await home.member('user'));
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Mail server' }) });
  await card.getByText('Only admins of this workspace can do this.').waitFor();
});
