import { randomBytes } from 'node:crypto';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { aUser } from '../setup/factories.ts';
import { type OidcProvider, startOidcProvider } from '../setup/oidc-provider.ts';
import { startService, type TestService } from '../setup/service.ts';
import { expectFine, signInAs } from './screens.ts';

const browser = useBrowser();
let provider: OidcProvider;
let service: TestService;
beforeAll(async () => {
  // The provider is on another site, so it shares no cookies with the service.
  provider = await startOidcProvider('localhost');
  service = await startService({ env: provider.env });
});
afterEach(() => provider.reset());
afterAll(async () => {
  await service?.stop();
  await provider?.close();
});

/** The person who is signed in at the provider next, and who is asked there whether to continue. */
function aPerson(name: string): { email: string; name: string } {
  const sub = randomBytes(5).toString('hex');
  const person = { sub, name, email: `${sub}@example.com`, email_verified: true };
  provider.person = person;
  provider.asksPeople = true;
  return person;
}

async function signOn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Continue with Acme' }).click();
  await page.getByRole('link', { name: 'Sign in at Acme' }).click();
}

test('who comes for the first time gets an account, and the next time the screen they wanted', async () => {
  aPerson('Grace Hopper');
  const page = await browser.page(PHONE);
  await page.goto(`${service.url}/register`);
  await expectFine(page, 'sign up');
  await signOn(page);
  await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Account of Grace Hopper' }).waitFor();

  const again = await browser.page(DESKTOP);
  await again.goto(`${service.url}/account/security`);
  await again.getByRole('link', { name: 'Continue with Acme' }).waitFor();
  await expectFine(again, 'sign in');
  // By keyboard alone: the buttons to show the password and to sign in with it come first.
  await again.getByLabel('Password').focus();
  for (let presses = 0; presses < 3; presses++) await again.keyboard.press('Tab');
  expect(await again.evaluate(() => document.activeElement?.textContent)).toBe('Continue with Acme');
  await again.keyboard.press('Enter');
  await again.getByRole('link', { name: 'Sign in at Acme' }).click();
  await again.getByText('Connected').waitFor();
  expect(new URL(again.url()).pathname).toBe('/account/security');
  await expectFine(again, 'connected');
});

test('without a password one is set, then the connection can be undone', async () => {
  aPerson('Grace');
  const page = await browser.page();
  await page.goto(`${service.url}/sign-in?next=/account/security`);
  await signOn(page);
  await page.getByText('Connected').waitFor();
  await page.getByRole('button', { name: 'Disconnect' }).hover();
  await page.getByRole('tooltip').getByText('Set a password on your profile first').waitFor();
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByLabel('New password').waitFor();
  expect(await page.getByLabel('Current password').count()).toBe(0);
  await expectFine(page, 'no password');
  await page.getByLabel('New password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('Your password was set.').waitFor();
  await page.getByLabel('Current password').waitFor();
  await page.getByRole('link', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill('wrong');
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await dialog.getByText('The current password is wrong.').waitFor();
  await dialog.getByLabel('Your password').fill('correct horse battery');
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('From now on you sign in with your password').waitFor();
  await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
});

test('an account that is there already is connected by its owner, and asked for its second factor', async () => {
  const owner = await aUser(service, { name: 'Ada' });
  Object.assign(aPerson('Ada'), { email: owner.email });
  const page = await browser.page();
  await page.goto(`${service.url}/sign-in?next=/account/security`);
  await signOn(page);
  await page.getByRole('alert').getByText('There is an account with your e-mail address already.').waitFor();
  await expectFine(page, 'told to connect');
  await page.getByLabel('E-mail address').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expectFine(page, 'connect');
  await dialog.getByLabel('Your password').fill(owner.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Sign in at Acme' }).click();
  await page.getByText('Connected').waitFor();

  await page.getByRole('button', { name: 'Switch on' }).click();
  await dialog.getByLabel('Your password').fill(owner.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('I cannot scan it').click();
  const secret = await dialog.getByRole('textbox', { name: 'Secret' }).inputValue();
  await dialog.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate());
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await dialog.getByText('Keep these recovery codes').waitFor();
  const [code = ''] = await dialog.getByRole('listitem').allTextContents();

  const elsewhere = await browser.page();
  await elsewhere.goto(`${service.url}/account`);
  await signOn(elsewhere);
  await elsewhere.getByRole('heading', { name: 'Enter your code' }).waitFor();
  await elsewhere.getByRole('button', { name: 'Back' }).click();
  await elsewhere.reload();
  await elsewhere.getByLabel('Password').waitFor();
  await signOn(elsewhere);
  await elsewhere.getByLabel('Code').fill(code);
  await elsewhere.getByRole('button', { name: 'Continue' }).click();
  await elsewhere.getByRole('button', { name: 'Account of Ada' }).waitFor();
  expect(new URL(elsewhere.url()).pathname).toBe('/account');
});

test('who says no, or connects what is somebody else’s, reads why', async () => {
  aPerson('Grace');
  provider.person = null;
  const page = await browser.page();
  await page.goto(`${service.url}/sign-in`);
  await signOn(page);
  await page.getByText('You were not let in by Acme.').waitFor();

  aPerson('Grace');
  await signOn(page);
  await page.getByRole('button', { name: 'Account of Grace' }).waitFor();
  const context = await browser.context();
  const owner = await aUser(service);
  await signInAs(context, service.url, owner);
  const other = await context.newPage();
  await other.goto(`${service.url}/account/security`);
  await other.getByRole('button', { name: 'Connect', exact: true }).click();
  await other.getByLabel('Your password').fill(owner.password);
  await other.getByRole('button', { name: 'Continue' }).click();
  await other.getByRole('link', { name: 'Sign in at Acme' }).click();
  await other.getByText('Another account is connected with the one you have at Acme.').waitFor();
  await expectFine(other, 'somebody else’s');
});

test('tabs of whoever was signed in before show the other person', async () => {
  const context = await browser.context();
  const first = await aUser(service, { name: 'Ada' });
  await signInAs(context, service.url, first);
  const before = await context.newPage();
  await before.goto(`${service.url}/account`);
  await before.getByRole('button', { name: 'Account of Ada' }).waitFor();
  aPerson('Grace');
  const now = await context.newPage();
  await now.goto(`${service.url}/sign-in`);
  await signOn(now);
  await now.getByRole('button', { name: 'Account of Grace' }).waitFor();
  await before.getByRole('button', { name: 'Account of Grace' }).waitFor();
});
