import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aUser } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome({ env: { ROLES: 'http' } });
const mailing = useHome({ env: { ROLES: 'http', SMTP_URL: 'smtp://127.0.0.1:9' } });

const membersOf = async (where: typeof home, device?: BrowserContextOptions) => {
  const page = await signedInPage(browser, where.service.url, where.ada, device);
  await page.goto(`${where.service.url}/workspaces/${where.workspaceId}/members`);
  return page;
};
const invite = (where: typeof home, email: string, token?: string) =>
  where.call('POST', `/open/workspaces/${where.workspaceId}/users/add`, { email, role: 'user' }, token);

test('a member is shown with the day they joined, not with that of their account', async () => {
  const { pool } = home.service.context;
  await pool.query(`update users set created_at = '2020-02-02' where id = $1`, [home.ada.id]);
  const page = await membersOf(home);
  const row = page.getByRole('row', { name: /Ada/ });
  await row.waitFor();
  expect(await row.innerText()).not.toContain('2020');
});

test('with an admin who is removed go the invitations, on the screen too', async () => {
  const grace = await home.newMember('admin');
  await invite(home, 'by-grace@example.com', grace.token);
  await invite(home, 'by-ada@example.com');
  const page = await membersOf(home);
  await page.getByRole('cell', { name: 'by-grace@example.com' }).waitFor();
  await page.getByRole('button', { name: 'More for Grace' }).click();
  await page.getByRole('menuitem', { name: 'Remove from workspace' }).click();
  // What they know goes on working, and only people can take it away.
  await page.getByRole('alertdialog').getByText('go on working for everybody who knows them').waitFor();
  await page.getByRole('alertdialog').getByRole('textbox').fill('Grace');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('by-grace@example.com').waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'by-ada@example.com' }).waitFor();
  await page.getByRole('button', { name: 'Renew and get link' }).click();
  await page.getByRole('dialog', { name: 'Invitation link' }).waitFor();
});

test('a role is chosen by keyboard without giving those on the way', async () => {
  const member = await home.newMember('admin');
  await home.service.request('PUT', '/user', { cookie: member.cookie, body: { name: 'Vera' } });
  const page = await membersOf(home);
  const roles = async () => {
    const { body } = await home.call('GET', `/open/workspaces/${home.workspaceId}/audit-log`);
    return body.filter(({ verb }: { verb: string }) => verb === 'member.role_changed').length;
  };
  const before = await roles();
  const button = page.getByRole('button', { name: 'Role of Vera: Admin' });
  await button.focus();
  const press = async (key: string, focused: string) => {
    await page.keyboard.press(key);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(focused);
  };
  await press('ArrowDown', 'Admin');
  await press('ArrowDown', 'Editor');
  await press('Escape', 'Admin');
  expect(await roles()).toBe(before);
  await press('Enter', 'Admin');
  await press('ArrowDown', 'Editor');
  await press('ArrowDown', 'Viewer');
  await page.keyboard.press('Enter');
  await page.getByText('Vera is now a viewer.').waitFor();
  const after = page.getByRole('button', { name: 'Role of Vera: Viewer' });
  await expect.poll(() => after.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await roles()).toBe(before + 1);
});

test.each([
  ['two spaces', 'Zoe  Quinn', 'Zoe Quinn'],
  ['a space that does not break', 'Zoe\u00a0Quinn', 'Zoe Quinn'],
  ['an accent behind its letter', 'Zoe\u0308 Quinn', 'Zo\u00eb Quinn'],
  ['characters nobody sees', '\u200eZoe\u200b Quinn', 'Zoe Quinn'],
])('a member whose name has %s is removed once it was typed as it looks', async (_what, name, typed) => {
  const zoe = await home.newMember('readonly');
  const body = { name };
  await home.service.request('PUT', '/user', { cookie: zoe.cookie, body });
  const page = await membersOf(home);
  const row = page.getByRole('row').filter({ hasText: zoe.email });
  await row.getByRole('button', { name: 'More for' }).click();
  await page.getByRole('menuitem', { name: 'Remove from workspace' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('textbox').fill('Zoe');
  const remove = dialog.getByRole('button', { name: 'Remove' });
  expect(await remove.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill(typed);
  await remove.click();
  await page.getByText(zoe.email).waitFor({ state: 'detached' });
});

test('a member whose name nobody sees is shown and removed by the address', async () => {
  const blank = await home.newMember('readonly');
  const set = (name: string) =>
    home.service.request('PUT', '/user', { cookie: blank.cookie, body: { name } });
  for (const name of ['\u200b', '\u3164', '\u2800', '\u0007', ' \u00ad\u2060 ']) {
    expect((await set(name)).body.errors, JSON.stringify(name)).toEqual({
      name: ['The name field is required.'],
    });
  }
  expect((await set('\u2800x')).status).toBe(200);
  // As names were before.
  await home.service.context.pool.query('update users set name = $1 where id = $2', ['\u3164', blank.id]);
  const page = await membersOf(home);
  await page.getByRole('button', { name: `More for ${blank.email}` }).click();
  await page.getByRole('menuitem', { name: 'Remove from workspace' }).click();
  const dialog = page.getByRole('alertdialog', { name: `Remove ${blank.email}?` });
  const remove = dialog.getByRole('button', { name: 'Remove' });
  expect(await remove.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill(blank.email);
  await remove.click();
  await page.getByText(`${blank.email} was removed.`).waitFor();
});

test('a token whose name nobody sees is revoked by typing what is done', async () => {
  const { pool } = home.service.context;
  const person = await aUser(home.service, { name: 'Ida' });
  await pool.query('update access_tokens set name = $1 where user_id = $2', ['\u2800', person.id]);
  const page = await signedInPage(browser, home.service.url, person);
  await page.goto(`${home.service.url}/account/tokens`);
  await page.getByRole('button', { name: 'Revoke' }).first().click();
  const dialog = page.getByRole('alertdialog');
  const revoke = dialog.getByRole('button', { name: 'Revoke' });
  expect(await revoke.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill((await revoke.innerText()).trim());
  await revoke.click();
  await dialog.waitFor({ state: 'detached' });
});

test('an invitation is still there for whoever signs out to accept it with another account', async () => {
  const [bob, carol] = [await home.stranger(), await aUser(home.service, { name: 'Carol' })];
  const { invite_link } = (await invite(home, 'somebody@example.com')).body;
  const page = await signedInPage(browser, home.service.url, bob);
  await page.goto(invite_link);
  await page.getByRole('button', { name: 'Join as Mallory' }).waitFor();
  await page.getByRole('button', { name: 'Sign out to use another account' }).click();
  await page.getByRole('button', { name: 'Create account' }).waitFor();
  await expect.poll(() => page.getByLabel('E-mail address').inputValue()).toBe('somebody@example.com');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.getByLabel('E-mail address').fill(carol.email);
  await page.getByLabel('Password').fill(carol.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Join as Carol' }).click();
  await page.getByRole('button', { name: 'Workspace: Research' }).waitFor();
});

test.each([
  ['jörg@example.org', 'jörg@example.org'],
  ['vera@müller.example', 'vera@xn--mller-kva.example'],
])('%s is invited, registers and signs in', async (email, stored) => {
  const page = await membersOf(home);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
  const link = await page.getByLabel('Invitation link').inputValue();
  const theirs = await browser.page();
  await theirs.goto(link);
  await theirs.getByLabel('Your name').fill('Invited');
  await theirs.getByLabel('Password').fill('correct horse battery');
  await theirs.getByRole('button', { name: 'Create account' }).click();
  await theirs.getByRole('button', { name: 'Workspace: Research' }).waitFor();
  const { rows } = await home.service.context.pool.query('select id from users where email = $1', [stored]);
  expect(rows).toHaveLength(1);

  const again = await browser.page();
  await again.goto(`${home.service.url}/sign-in`);
  await again.getByLabel('E-mail address').fill(email);
  await again.getByLabel('Password').fill('correct horse battery');
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.getByRole('button', { name: 'Workspace: Research' }).waitFor();
});

test('several people are invited at a time, and who is left stays in the field with the reason', async () => {
  const member = await home.stranger();
  await invite(home, 'asked-before@example.com');
  const page = await membersOf(home);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('E-mail addresses');
  const send = dialog.getByRole('button', { name: 'Invite', exact: true });
  await field.fill(Array.from({ length: 101 }, (_, n) => `n${n}@example.com`).join(' '));
  await send.click();
  await dialog.getByText('At most 100 at a time.').waitFor();
  await field.fill(
    `"Lovelace, Ada" <one@example.com>; two@example.com, TWO@example.com\nasked-before@example.com not-an-address ${member.email}`,
  );
  await dialog.getByRole('radio', { name: 'Viewer' }).check();
  await send.click();
  await dialog.getByText('3 people were invited or added.', { exact: true }).waitFor();
  await dialog.getByText('asked-before@example.com: User has already been invited.').waitFor();
  await expectFine(page, 'some of several invitations');
  await expect.poll(() => field.inputValue()).toBe('asked-before@example.com\nnot-an-address');
  await field.fill('three@example.com');
  await send.click();
  await dialog.getByRole('heading', { name: 'Hand over these links' }).waitFor();
  const link = await dialog.getByLabel('Invitation link of two@example.com').inputValue();
  expect(link).toContain('/register?email=two%40example.com');
  await expectFine(page, 'links to hand over');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Invite');
  const { body } = await home.call('GET', `/open/workspaces/${home.workspaceId}/invites`);
  const roles = body.map(({ email, role }: { email: string; role: string }) => `${email} ${role}`);
  for (const name of ['one', 'two', 'three']) expect(roles).toContain(`${name}@example.com readonly`);
});

test('an invitation is sent again or taken back on a phone too', async () => {
  expect((await invite(home, 'somebody.with.a.long.name@example.com')).status).toBe(200);
  const page = await membersOf(home, PHONE);
  const invited = page.getByRole('region', { name: 'Invited' }).getByRole('row', { name: /long\.name/ });
  for (const name of ['Renew and get link', 'Cancel']) {
    const box = await invited.getByRole('button', { name }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(360);
  }
  await expectFine(page, 'an invitation on a phone');
  await invited.getByRole('button', { name: 'Cancel' }).click();
  await invited.waitFor({ state: 'detached' });
});

test('who was a member already is not counted as invited', async () => {
  const [member, stranger] = [await home.newMember('admin'), await aUser(home.service)];
  const page = await membersOf(home);
  const add = async (...emails: string[]) => {
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail addresses').fill(emails.join('\n'));
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await add(member.email, stranger.email);
  const words = `${stranger.email} is invited or a member now. 1 was a member already; the role stays.`;
  await page.getByText(words).waitFor();
  await add(member.email);
  await page.getByText(`${member.email} was a member already; the role stays.`).waitFor();
  await add(member.email, stranger.email);
  await page.getByText('2 were members already; their roles stay.').waitFor();
});

test('where the service sends mail an invitation is sent again, and whose mail fails is told', async () => {
  expect((await invite(mailing, 'by-mail@example.com')).status).toBe(200);
  const failures = () =>
    runAllJobs(mailing.service.context).then(
      () => 'none',
      (error) => String(error),
    );
  await expect.poll(failures).toContain('send_invite');
  const page = await membersOf(mailing);
  const problem = page.getByText('The mail server did not take the mail yet.');
  await problem.waitFor();
  await expectFine(page, 'an invitation whose mail failed');
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('The mail goes out again.').waitFor();
  await problem.waitFor({ state: 'detached' });
});
