import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aWorkspace } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, hold, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

async function accountPage(person: Awaited<ReturnType<typeof home.newMember>>, path: string) {
  const page = await signedInPage(browser, home.service.url, person);
  await page.goto(home.service.url + path);
  return page;
}

test('the second factor is switched on, signed in with, and switched off', async () => {
  const person = await home.newMember('user');
  const page = await accountPage(person, '/account/security');
  await page.getByRole('button', { name: 'Switch on' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill('wrong');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('The current password is wrong.').waitFor();
  await dialog.getByLabel('Your password').fill(person.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor();
  await expectFine(page, 'enrolment');
  await dialog.getByText('I cannot scan it').click();
  const secret = await dialog.getByRole('textbox', { name: 'Secret' }).inputValue();
  await dialog.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate());
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await dialog.getByText('Keep these recovery codes').waitFor();
  await expectFine(page, 'recovery codes');
  const codes = await dialog.getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByText('10 recovery codes left').waitFor();

  const elsewhere = await browser.page();
  await elsewhere.goto(`${home.service.url}/sign-in`);
  await elsewhere.getByLabel('E-mail address').fill(person.email);
  await elsewhere.getByLabel('Password').fill(person.password);
  await elsewhere.getByRole('button', { name: 'Sign in' }).click();
  await elsewhere.getByRole('heading', { name: 'Enter your code' }).waitFor();
  await expectFine(elsewhere, 'second step');
  await elsewhere.getByLabel('Code').fill(codes[0] ?? '');
  await elsewhere.getByRole('button', { name: 'Continue' }).click();
  await elsewhere.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();

  await page.reload();
  await page.getByText('9 recovery codes left').waitFor();

  // New ones are shown even to whoever goes back before they are there.
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('link', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'New recovery codes' }).click();
  await dialog.getByLabel('Your password').fill(person.password);
  await dialog.getByLabel('Code').fill(codes[1] ?? '');
  const held = await hold(page, /\/recovery-codes$/);
  await dialog.getByRole('button', { name: 'Make new codes' }).click();
  await expect.poll(() => held.came).toBe(1);
  await page.goBack();
  held.go();
  await dialog.getByText('Keep these recovery codes').waitFor();
  const [newCode = ''] = await dialog.getByRole('listitem').allTextContents();
  await dialog.getByRole('button', { name: 'I have kept them' }).click();

  await page.getByRole('button', { name: 'Switch off' }).click();
  await dialog.getByLabel('Your password').fill(person.password);
  await dialog.getByLabel('Code').fill(newCode);
  await dialog.getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('The second factor is off.').waitFor();
  await page.getByRole('button', { name: 'Switch on' }).waitFor();
});

test('a second factor that was switched on is shown, also when the answer was lost', async () => {
  const person = await home.newMember('user');
  const page = await accountPage(person, '/account/security');
  await page.getByRole('button', { name: 'Switch on' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(person.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('I cannot scan it').click();
  const secret = await dialog.getByRole('textbox', { name: 'Secret' }).inputValue();
  await page.route('**/settings/second-factor/confirm', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await dialog.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate());
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await page.getByText('The service cannot be reached.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('10 recovery codes left').waitFor();
  await page.getByRole('button', { name: 'New recovery codes' }).waitFor();
});

test('what somebody else has ended or cancelled meanwhile goes from the list when it is not found', async () => {
  const person = await home.newMember('user');
  const page = await accountPage(person, '/account/security');
  await home.service.request('POST', '/login', { body: { email: person.email, password: person.password } });
  await page.reload();
  const end = page.getByRole('button', { name: 'End', exact: true });
  await end.waitFor();
  await home.service.request('DELETE', '/settings/sessions', { cookie: person.cookie });
  await end.click();
  await page.getByText('Session not found.').waitFor();
  await end.waitFor({ state: 'detached' });
});

test('a token is made, shown once, works, and is revoked', async () => {
  const person = await home.newMember('user');
  const page = await accountPage(person, '/account/tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  await expectFine(page, 'new token');
  await dialog.getByLabel('Name').fill('Nightly export');
  await dialog.getByLabel('Read workspaces').check();
  await dialog.getByLabel('Ends after').selectOption({ label: 'Never' });
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const token = await dialog.getByRole('textbox', { name: 'Token' }).inputValue();
  await page.mouse.click(5, 5);
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Token' }).inputValue()).toBe(token);
  expect((await home.call('GET', '/open/workspaces', undefined, token)).status).toBe(200);
  expect(
    (await home.call('GET', `/open/workspaces/${home.workspaceId}/users`, undefined, token)).status,
  ).toBe(403);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('never expires').waitFor();
  await page.getByRole('button', { name: 'Revoke Nightly export' }).click();
  await page.getByRole('alertdialog').getByRole('textbox').fill('Nightly export');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('no longer works').waitFor();
  expect((await home.call('GET', '/open/workspaces', undefined, token)).status).toBe(401);
});

test('what was typed as a password can be looked at, wherever one is asked for', async () => {
  const person = await home.newMember('user');
  const page = await accountPage(person, '/account');
  const isShown = (label: string) =>
    page.getByLabel(label, { exact: true }).evaluate((input) => (input as HTMLInputElement).type === 'text');
  await page.getByLabel('New password').fill('another horse');
  const look = page
    .locator('div')
    .filter({ has: page.getByLabel('New password') })
    .last()
    .getByRole('button', { name: 'Show what is typed' });
  expect(await isShown('New password')).toBe(false);
  await look.click();
  expect(await look.getAttribute('aria-pressed')).toBe('true');
  expect(await isShown('New password')).toBe(true);
  expect(await isShown('Current password')).toBe(false);
  expect(await page.getByLabel('New password').inputValue()).toBe('another horse');
  await look.press('Enter');
  expect(await isShown('New password')).toBe(false);

  const outside = await browser.page();
  for (const path of ['/sign-in', '/register']) {
    await outside.goto(home.service.url + path);
    await outside.getByLabel('Password').fill('correct horse');
    await outside.getByRole('button', { name: 'Show what is typed' }).click();
    expect(await outside.getByLabel('Password').getAttribute('type'), path).toBe('text');
  }
});

test('name and password are changed, other sessions ended', async () => {
  const person = await home.newMember('user');
  const page = await accountPage(person, '/account');
  await page.getByLabel('Name').fill('Grace Brewster Hopper');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Account of Grace Brewster Hopper' }).waitFor();

  const other = await home.service.request('POST', '/login', {
    body: { email: person.email, password: person.password },
  });
  const cookie = other.headers.get('set-cookie')?.split(';')[0] ?? '';
  await page.getByRole('link', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByText('The session has ended.').waitFor();
  expect((await home.service.request('GET', '/user', { cookie })).status).toBe(401);

  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByLabel('Current password').fill(person.password);
  await page.getByLabel('New password').fill('another horse battery');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password was changed.').waitFor();
  const again = { email: person.email, password: 'another horse battery' };
  expect((await home.service.request('POST', '/login', { body: again })).status).toBe(200);
});

test('a workspace is renamed, left alone, and deleted by typing its name', async () => {
  const person = await home.newMember('user');
  const page = await accountPage(person, '/workspaces');
  await page.getByRole('button', { name: 'New workspace' }).click();
  await page.getByLabel('Name').fill('Short-lived');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Name').fill('Short lived');
  await page.getByLabel('Icon').fill('🌱');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Workspace: Short lived' }).waitFor();
  await page.getByRole('button', { name: 'Delete workspace' }).click();
  await page.getByRole('alertdialog').getByRole('textbox').fill('Short lived');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete workspace' }).click();
  await page.getByText('Short lived was deleted.').waitFor();
  await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
  await expect.poll(() => page.getByRole('main').getByText('Short lived').count()).toBe(0);
});

test('a workspace takes larger files and longer links, by its admins', async () => {
  const workspaceId = await aWorkspace(home.service, home.ada);
  const settings = `/workspaces/${workspaceId}/settings`;
  const page = await accountPage(home.ada, settings);
  const size = page.getByLabel('Largest uploaded file (MB)');
  const hours = page.getByLabel('Links to files and exports work for (hours)');
  expect([await size.inputValue(), await hours.inputValue()]).toEqual(['25', '24']);
  await size.fill('500');
  await hours.fill('72');
  await page.getByRole('button', { name: 'Save limits' }).click();
  await page.getByText('Saved.').waitFor();
  const stored = async () => {
    const { body } = await home.call('GET', '/open/workspaces');
    const { max_file_size, settings } = body.find(({ id }: { id: number }) => id === workspaceId);
    return [max_file_size, settings.external_file_links?.expires_in_hours];
  };
  expect(await stored()).toEqual([500, 72]);
  await page.reload();
  expect([await size.inputValue(), await hours.inputValue()]).toEqual(['500', '72']);
  // The browser says that the value is too large; an empty input means the default.
  await size.fill('5000');
  await page.getByRole('button', { name: 'Save limits' }).click();
  expect(await size.evaluate((input: HTMLInputElement) => input.validity.rangeOverflow)).toBe(true);
  await size.fill('');
  await hours.fill('');
  await page.getByRole('button', { name: 'Save limits' }).click();
  await expect.poll(stored).toEqual([25, undefined]);

  const member = await home.newMember('user', workspaceId);
  const other = await accountPage(member, settings);
  expect(await other.getByLabel('Largest uploaded file (MB)').isDisabled()).toBe(true);
});

test('an account is deleted with the password and its address typed', async () => {
  const person = await home.newMember('user');
  const own = await home.service.request('GET', '/open/workspaces', { cookie: person.cookie });
  for (const { id, users_count } of own.body as { id: number; users_count: number }[])
    if (users_count === 1)
      await home.service.request('DELETE', `/open/workspaces/${id}`, { cookie: person.cookie });
  const page = await accountPage(person, '/account');
  const other = await page.context().newPage();
  await other.goto(`${home.service.url}/account/tokens`);
  await other.getByText('No tokens yet').or(other.getByText('Revoke')).first().waitFor();
  const remove = async (password: string) => {
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Delete account' }).click();
    // The focus is in the field already.
    await page.getByRole('alertdialog').locator('input:focus').waitFor();
    await page.keyboard.type(person.email);
    await page.keyboard.press('Enter');
  };
  await remove('wrong');
  await page.getByText('The current password is wrong.').waitFor();
  await expectFine(page, 'delete account');
  await remove(person.password);
  await page.getByText('Your account was deleted.').waitFor();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  // Another tab no longer shows anything of the account either.
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  const gone = await home.service.request('GET', '/user', { cookie: person.cookie });
  expect(gone.status).toBe(401);
});

test('what an assistant has to be told stands under API, and works with a token in it', async () => {
  const page = await accountPage(home.ada, `/workspaces/${home.workspaceId}/api`);
  const shown = await page.getByRole('region', { name: 'mcp.json' }).innerText();
  await expectFine(page, 'API');
  const { url, headers } = JSON.parse(shown).mcpServers.formstead;
  expect(url).toBe(`${home.service.url}/mcp`);
  const authorization = headers.Authorization.replace('TOKEN', home.ada.token);
  const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const answer = await home.service.request('POST', '/mcp', { headers: { authorization }, body });
  expect(answer.body).toMatchObject({ id: 1, result: {} });
});
