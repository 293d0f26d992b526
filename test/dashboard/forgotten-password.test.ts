import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { expectFine, hold } from './screens.ts';

const smtp = useSmtpServer();
const browser = useBrowser();
const home = useHome(() => ({ env: { SMTP_URL: smtp.url } }));

test('a forgotten password is replaced by a link that is mailed, once', async () => {
  const person = await home.newMember('user');
  const page = await browser.page(PHONE);
  await page.goto(`${home.service.url}/sign-in`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expectFine(page, 'asking for a link');
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  await page.getByText(person.email).waitFor();
  await expectFine(page, 'a link is on its way');
  await expect.poll(() => smtp.mails.length).toBe(1);
  const link = /https?:\S+\/password#[\w.]+/.exec(smtp.mails[0]?.text ?? '')?.[0] ?? '';

  const elsewhere = await browser.page();
  await elsewhere.goto(link);
  await elsewhere.getByRole('heading', { name: 'Choose a new password' }).waitFor();
  await expectFine(elsewhere, 'a new password');
  await elsewhere.getByLabel('New password').fill('a new and longer one');
  await elsewhere.getByRole('button', { name: 'Save password' }).click();
  const changed = elsewhere.getByRole('heading', { name: 'Your password has been changed' });
  await changed.waitFor();
  const nextScreen = await hold(elsewhere, /\/sign-in-[^/]+\.js$/, 'GET');
  await elsewhere.getByRole('link', { name: 'Sign in' }).click();
  await expect.poll(() => nextScreen.came).toBe(1);
  // The address has no fragment any more, and the screen is as before.
  await expect.poll(() => new URL(elsewhere.url()).pathname).toBe('/sign-in');
  expect(await changed.isVisible()).toBe(true);
  nextScreen.go();
  await elsewhere.getByLabel('E-mail address').fill(person.email);
  await elsewhere.getByLabel('Password', { exact: true }).fill('a new and longer one');
  await elsewhere.getByRole('button', { name: 'Sign in' }).click();
  await elsewhere.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();

  // The same link once more.
  await page.goto(link);
  await page.getByLabel('New password').fill('yet another long one');
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByText('This link no longer works.').waitFor();
  await expectFine(page, 'a link that was used');
  await page.getByRole('link', { name: 'Send a new link' }).click();
  await page.getByRole('button', { name: 'Send the link' }).waitFor();
});
