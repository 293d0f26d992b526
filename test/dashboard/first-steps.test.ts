import { afterEach, beforeEach, expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aUser, aWorkspace } from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';
import { expectFine } from './screens.ts';

const PASSWORD = 'correct horse battery';

let service: TestService;
// A second try needs an empty installation, too.
beforeEach(async () => {
  service = await startService({ env: { REGISTRATION: 'first' } });
});
afterEach(() => service?.stop());
const browser = useBrowser();

test('first account, sign out, sign in, workspace, invitation, second person, limits of the role', async () => {
  const page = await browser.page();

  // An empty instance asks for its first account.
  await page.goto(`${service.url}/`);
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  await expectFine(page, 'first account');
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
  await page.getByText('No forms yet').waitFor();
  await expectFine(page, 'no forms');

  await page.getByRole('button', { name: 'Account of Ada Lovelace' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expectFine(page, 'sign in');

  // The field shows that the password is wrong; the right one leads to the screen asked for before.
  await page.goto(`${service.url}/account/tokens`);
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByLabel('Password').fill('wrong horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The email address or the password is wrong.').waitFor();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Access tokens' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/account/tokens');

  // Adds a second workspace with the switcher.
  await page.getByRole('button', { name: 'Workspace: My Workspace' }).click();
  await page.getByRole('menuitem', { name: 'All workspaces, or a new one' }).click();
  await page.getByRole('button', { name: 'New workspace' }).click();
  await page.getByLabel('Name').fill('مختبر الأبحاث');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await page.getByRole('button', { name: 'Workspace: مختبر الأبحاث' }).waitFor();

  await page.getByRole('button', { name: 'New form' }).first().click();
  await page.getByLabel('Title', { exact: true }).fill('Feedback');
  await page.getByRole('button', { name: 'Create form' }).click();
  await page.getByRole('heading', { name: 'Feedback' }).waitFor();

  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await expectFine(page, 'invite');
  await dialog.getByLabel('E-mail address').fill('grace@example.com');
  await dialog.getByLabel('Viewer').check();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const link = await dialog.getByLabel('Invitation link').inputValue();
  expect(link).toContain('invite_token=');
  await dialog.getByRole('button', { name: 'Done' }).click();
  // The focus returns to the button that opened the dialog.
  await page.locator('button:focus', { hasText: 'Invite' }).waitFor();
  await page.getByRole('cell', { name: 'grace@example.com' }).waitFor();

  const second = await (await browser.context()).newPage();
  await second.goto(link);
  await second.getByRole('heading', { name: 'Join the workspace' }).waitFor();
  await expectFine(second, 'invitation');
  await expect.poll(() => second.getByLabel('E-mail address').inputValue()).toBe('grace@example.com');
  await second.getByLabel('Your name').fill('Grace Hopper');
  await second.getByLabel('Password').fill(PASSWORD);
  await second.getByRole('button', { name: 'Create account' }).click();
  await second.getByRole('link', { name: 'Feedback' }).waitFor();

  // Actions forbidden to a viewer stay visible and say why.
  const create = second.getByRole('button', { name: 'New form' });
  await expect.poll(() => create.getAttribute('aria-disabled')).toBe('true');
  await create.focus();
  await second.getByRole('tooltip', { name: /not change them/ }).waitFor();
  await second.keyboard.press('Enter');
  expect(await second.getByRole('dialog').count()).toBe(0);
  await second.keyboard.press('Escape');
  await second.getByRole('button', { name: 'More for Feedback' }).click();
  await expect
    .poll(() => second.getByRole('menuitem', { name: 'Move to trash' }).getAttribute('aria-disabled'))
    .toBe('true');
  await second.keyboard.press('Escape');
  await second.getByRole('link', { name: 'Audit log' }).click();
  await second.getByText('Only admins of this workspace can do this. You are a viewer.').waitFor();

  // Once she is an editor, it is allowed.
  await page.reload();
  await page.getByRole('button', { name: 'Role of Grace Hopper' }).click();
  await page.getByRole('menuitemradio', { name: 'Editor' }).click();
  await page.getByText('Grace Hopper is now an editor.').waitFor();
  await second.getByRole('link', { name: 'Forms' }).click();
  await second.reload();
  await second.getByRole('button', { name: 'New form' }).click();
  await second.getByRole('dialog', { name: 'New form' }).waitFor();
});

test('an invitation is accepted with an account the operator made, where nobody else makes any', async () => {
  const { database, dataDir } = service;
  const closed = await startService({ env: { REGISTRATION: 'closed' }, database, dataDir });
  try {
    const admin = await aUser(closed);
    const workspaceId = await aWorkspace(closed, admin, 'Observatory');
    const vera = await aUser(closed, { name: 'Vera' });
    const answer = await closed.request('POST', `/open/workspaces/${workspaceId}/users/add`, {
      token: admin.token,
      body: { email: 'vera.rubin@example.com', role: 'user' },
    });
    const page = await browser.page();
    await page.goto(answer.body.invite_link);
    await page.getByRole('heading', { name: 'Join the workspace' }).waitFor();
    await expectFine(page, 'invitation where registration is closed');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill(vera.email);
    await page.getByLabel('Password').fill(vera.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Join as Vera' }).click();
    await page.getByRole('button', { name: 'Workspace: Observatory' }).waitFor();
  } finally {
    await closed.stop();
  }
});
