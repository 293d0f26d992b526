import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aMember, aToken, aWorkspace } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aSurvey, seed } from './responses.ts';
import { expectFine, keepMessages, signedInPage, signInAs } from './screens.ts';

const browser = useBrowser();
const home = useHome();
const LONG = 'An unusually long title that goes on and on to see what becomes of it';

beforeAll(async () => {
  await home.form({ title: LONG.slice(0, 60), tags: ['events', '2026'] });
  await home.form({ title: 'نموذج تسجيل', visibility: 'draft' });
  await home.form({ title: 'Closed form', visibility: 'closed' });
  await aToken(home.service, home.ada);
});

async function pageOf(
  path: string,
  options?: BrowserContextOptions,
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.context(options);
  await signInAs(context, home.service.url, home.ada);
  const page = await context.newPage();
  await page.goto(home.service.url + path);
  return { page, context };
}

const here = (path: string) => `/workspaces/${home.workspaceId}${path}`;

test.each([
  ['forms', () => here('/forms'), 'Closed form'],
  ['members', () => here('/members'), 'You'],
  ['audit log', () => here('/audit-log'), 'Created a form'],
  ['workspace settings', () => here('/settings'), 'Leave workspace'],
  ['workspaces', () => '/workspaces', 'New workspace'],
  ['account', () => '/account', 'Change password'],
  ['security', () => '/account/security', 'This one'],
  ['tokens', () => '/account/tokens', 'forms-write'],
  ['a missing workspace', () => '/workspaces/999999/forms', 'Go to your workspaces'],
  ['nothing', () => '/account/nothing', 'There is nothing at this address'],
])('%s', async (label, path, text) => {
  const { page } = await pageOf(path());
  await page.getByText(text).first().waitFor();
  await expectFine(page, label);
});

test('a workspace that is not there leads to those that are', async () => {
  const { page } = await pageOf('/workspaces/999999/forms');
  await page.getByRole('link', { name: 'Go to your workspaces' }).click();
  await page.getByRole('button', { name: 'New workspace' }).waitFor();
});

test('the audit log tells all of an event on a phone, and a name turns no other', async () => {
  const form = await home.form({ title: 'Party' });
  await home.call('POST', `/open/forms/${form.id}/saved-views`, { name: 'في العربية', definition: {} });
  const { page } = await pageOf(here('/audit-log'), PHONE);
  const event = page.getByRole('row', { name: /Saved a view/ });
  const line = event.getByRole('cell').filter({ hasText: 'Saved a view of responses' });
  await line.getByText('just now').or(line.getByText(/ago/)).waitFor();
  await line.getByText('Ada', { exact: true }).waitFor();
  const right = await line.evaluate((cell) => cell.getBoundingClientRect().right);
  expect(right).toBeLessThanOrEqual(360);
  const [view = 0, title = 0] = await Promise.all(
    ['في العربية', 'Party'].map((name) =>
      line.getByText(name, { exact: true }).evaluate((part) => part.getBoundingClientRect().left),
    ),
  );
  expect(view).toBeLessThan(title);
  await expectFine(page, 'audit log on a phone');
});

describe('forms', () => {
  test('are searched, and the address keeps what was searched', async () => {
    const { page } = await pageOf(here('/forms'));
    await page.getByRole('link', { name: 'Closed form' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('unusually');
    await page.getByRole('link', { name: 'Closed form' }).waitFor({ state: 'detached' });
    await page.waitForURL(/search=unusually/);
    await page.reload();
    await page.getByRole('link', { name: 'An unusually' }).waitFor();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('unusually');
    await page.getByRole('link', { name: '#events' }).click();
    await page.waitForURL(/tag=events/);
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No forms match').waitFor();
    await page.getByRole('button', { name: 'Show all forms' }).click();
    await page.getByRole('link', { name: 'Closed form' }).waitFor();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('');
  });

  test('the key that leads to the search can be switched off', async () => {
    const { page } = await pageOf('/account');
    await page.getByText('Single keys are shortcuts').click();
    await page.goto(home.service.url + here('/forms'));
    await page.getByRole('link', { name: 'Closed form' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('unusually');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    expect(await page.locator('#search-forms').inputValue()).toBe('');
  });

  test('have tags that can be read, however many there are', async () => {
    const tags = ['sales', 'a-much-longer-tag-than-that', ...Array.from({ length: 8 }, (_, n) => `tag${n}`)];
    const { title } = await home.form({ title: 'Many tags', tags });
    const { page } = await pageOf(here('/forms'), PHONE);
    const row = page.getByRole('row').filter({ hasText: title });
    const short = row.getByRole('link', { name: '#sales', exact: true });
    await short.waitFor();
    expect(await short.evaluate((tag) => tag.scrollWidth - tag.clientWidth)).toBe(0);
    expect(await row.getByRole('link', { name: '#' }).count()).toBe(5);
    await row.getByText('and 5 more').waitFor();
    await expectFine(page, 'many tags');
  });

  test('of one workspace are not shown in another', async () => {
    const other = await aWorkspace(home.service, home.ada, 'The other one');
    const { page } = await pageOf(here('/forms'));
    const former = page.getByRole('link', { name: 'Closed form' });
    await former.waitFor();
    const answer = Promise.withResolvers<void>();
    await page.route(`**/open/workspaces/${other}/forms?*`, async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Workspace:' }).click();
    await page.getByRole('menuitem', { name: 'The other one' }).click();
    await page.waitForURL(`**/workspaces/${other}/forms`);
    await former.waitFor({ state: 'detached' });
    answer.resolve();
    await page.getByText('No forms yet').waitFor();
  });

  test('keep the title that was typed when a template is chosen, however long', async () => {
    const long = 'Some title '.repeat(20).trim();
    const { page } = await pageOf(here('/forms'));
    await page.getByRole('button', { name: 'New form' }).first().click();
    const title = page.getByRole('textbox', { name: 'Title' });
    await page.getByRole('radio', { name: 'Contact' }).check();
    await expect.poll(() => title.inputValue()).toBe('Contact us');
    await page.getByRole('radio', { name: 'Blank form' }).check();
    await expect.poll(() => title.inputValue()).toBe('');
    await title.fill(long);
    await page.getByRole('radio', { name: 'Contact' }).check();
    await page.getByRole('button', { name: 'Create form' }).click();
    await page.waitForURL(/\/build$/);
    const head = page.getByRole('textbox', { name: 'Title of the form' });
    await expect.poll(() => head.inputValue()).toBe(long);
    await expect.poll(() => head.getAttribute('maxlength')).toBe('255');
  });

  test('say when the last answer came, and go by it', async () => {
    const form = await home.form({ title: 'Answered' });
    await home.form({ title: 'Younger' });
    await home.service.request('POST', `/forms/${form.slug}/answer`, { body: {} });
    const { page } = await pageOf(here('/forms'));
    await page
      .getByRole('row', { name: /Younger/ })
      .getByText('None yet')
      .waitFor();
    const answered = page.getByRole('row', { name: /Answered/ });
    // The other time is that of the last change.
    await expect.poll(() => answered.getByRole('time').count()).toBe(2);
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Last response');
    await page.getByRole('row').nth(1).getByText('Answered').waitFor();
    await page.waitForURL(/sort=last_submission_at/);
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Title');
    await page.getByRole('row').nth(1).getByText('An unusually').waitFor();
  });

  test('are closed, with a way back', async () => {
    await home.form({ title: 'To be closed' });
    const { page } = await pageOf(here('/forms'));
    const row = page.getByRole('row', { name: /To be closed/ });
    await row.getByRole('button', { name: 'More for To be closed' }).waitFor();
    await keepMessages(page);
    await row.getByRole('button', { name: 'More for To be closed' }).click();
    await page.getByRole('menuitem', { name: 'Close', exact: true }).click();
    await row.getByRole('cell', { name: 'Closed', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByRole('cell', { name: 'Published', exact: true }).waitFor();
  });

  test('go to the trash, come back, and are deleted for good once their title was typed', async () => {
    const form = await home.form({ title: 'To be deleted' });
    const { page } = await pageOf(here('/forms'));
    const row = page.getByRole('row', { name: /To be deleted/ });
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'More for To be deleted' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await keepMessages(page);
    await choose('Move to trash');
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByRole('cell', { name: 'Published', exact: true }).waitFor();
    await choose('Move to trash');
    await row.waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('In the trash');
    await row.getByRole('cell', { name: 'In the trash', exact: true }).waitFor();
    await expectFine(page, 'trash');
    await page.getByRole('link', { name: 'To be deleted' }).click();
    await page.getByText(/The form is in the trash\. On .+ it is deleted with its answers\./).waitFor();
    await expectFine(page, 'form-in-trash');
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText(/it is deleted with its answers/).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'View form' }).waitFor();
    await choose('Move to trash');
    await page.waitForURL(/\/forms$/);
    await page.getByLabel('Status').selectOption('In the trash');
    await choose('Delete for good');
    const dialog = page.getByRole('alertdialog');
    const confirm = dialog.getByRole('button', { name: 'Delete for good' });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    // The focus comes into the field by itself.
    await dialog.locator('input:focus').waitFor();
    await page.keyboard.type('To be deleted');
    await expectFine(page, 'delete');
    await page.keyboard.press('Enter');
    await page.getByText('The form was deleted.').waitFor();
    await page.getByText('The trash is empty').waitFor();
    expect((await home.call('GET', `/open/forms/${form.id}`)).status).toBe(404);
  });

  test('get another link, and copies', async () => {
    const form = await home.form({ title: 'Shared', opens_at: '2020-01-01', closes_at: '2099-01-01' });
    const { page } = await pageOf(here(`/forms/${form.id}`));
    await page.getByText(/^Open since .*2020.*\. Closes on .*(2098|2099).*\.$/).waitFor();
    const link = page.getByLabel('Public link of the form');
    const former = await link.inputValue();
    await page.getByRole('button', { name: 'More for Shared' }).click();
    await page.getByRole('menuitem', { name: 'Regenerate link' }).click();
    await page.getByRole('alertdialog').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('button[aria-label="More for Shared"]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Regenerate link' }).click();
    await page.getByRole('alertdialog').getByRole('textbox').fill('Shared');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Regenerate link' }).click();
    await page.getByText('The form has a new link.').waitFor();
    await expect.poll(() => link.inputValue()).not.toBe(former);
    await expectFine(page, 'form');
    await page.getByRole('button', { name: 'More for Shared' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(`/${form.id}`));
    await page.getByRole('heading', { name: /Copy of Shared/i }).waitFor();
  });
});

test('a form moves to another workspace that one may change, its address along, and back', async () => {
  const person = await home.newMember('user');
  const ask = async (method: string, path: string, body?: object) =>
    (await home.service.request(method, path, { token: person.token, body })).body;
  const own = (await ask('GET', '/open/workspaces')).find(({ role }: any) => role === 'admin').id;
  const other = await aWorkspace(home.service, home.ada, 'Looked at');
  await aMember(home.service, home.ada, other, person, 'readonly');
  const form = await home.form({ title: 'On its way' });
  const page = await signedInPage(browser, home.service.url, person);
  await page.goto(home.service.url + here(`/forms/${form.id}/settings`));
  await keepMessages(page);
  const item = page.getByRole('menuitem', { name: 'Move to workspace' });
  const openMenu = () => page.getByRole('button', { name: 'More for On its way' }).click();
  await openMenu();
  await item.click();
  const target = page.getByRole('dialog').getByLabel('Workspace');
  const refused = target.getByRole('option', { name: 'Looked at (you are a viewer)' });
  await expect.poll(() => refused.getAttribute('disabled')).not.toBeNull();
  await expectFine(page, 'move');
  await target.selectOption('My Workspace');
  await page.getByRole('button', { name: 'Move form' }).click();
  await page.waitForURL(`**/workspaces/${own}/forms/${form.id}/settings`);
  expect((await ask('GET', `/open/forms/${form.id}`)).workspace_id).toBe(own);
  await page.getByText('The form is in My Workspace now.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForURL(`**${here(`/forms/${form.id}/settings`)}`);

  // The form disappears from the list.
  await page.goto(home.service.url + here('/forms?search=way'));
  await openMenu();
  await item.click();
  await target.selectOption('My Workspace');
  await page.getByRole('button', { name: 'Move form' }).click();
  await page.getByText('No forms match').waitFor();

  // Without another workspace to move it to, the menu says so.
  await ask('POST', `/open/workspaces/${home.workspaceId}/leave`);
  await page.goto(`${home.service.url}/workspaces/${own}/forms`);
  await openMenu();
  await item.getByText('In your other workspaces you are a viewer.').waitFor();
  await expect.poll(() => item.getAttribute('aria-disabled')).toBe('true');
});

test('a member is removed once the name was typed', async () => {
  await home.newMember('user');
  const { page } = await pageOf(here('/members'));
  await page.getByRole('button', { name: 'More for Grace' }).click();
  await page.getByRole('menuitem', { name: 'Remove from workspace' }).click();
  const remove = page.getByRole('alertdialog').getByRole('button', { name: 'Remove' });
  await expect.poll(() => remove.isDisabled()).toBe(true);
  await page.getByRole('alertdialog').locator('input:focus').waitFor();
  await page.keyboard.type('Grace');
  await remove.click();
  await page.getByRole('button', { name: 'More for Grace' }).waitFor({ state: 'detached' });
});

test('the palette leads anywhere by keyboard', async () => {
  const { page } = await pageOf(here('/members'));
  await page.getByRole('heading', { name: 'Members' }).waitFor();
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Search places and forms' });
  await box.waitFor();
  await expectFine(page, 'palette');
  await box.fill('unusually');
  await page.getByRole('option', { name: /unusually/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /unusually/ }).waitFor();
});

test('the palette says when nothing fits, and not before the forms were asked for', async () => {
  const { page } = await pageOf(here('/members'));
  await page.getByRole('heading', { name: 'Members' }).waitFor();
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Search places and forms' });
  const said = page.getByRole('dialog').getByRole('status');
  await page.getByRole('option', { name: 'API' }).waitFor();
  const answer = Promise.withResolvers<void>();
  await page.route('**/forms?*search=nothing*', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await box.fill('nothing like it');
  await said.getByText('Looking for it …').waitFor();
  answer.resolve();
  await said.getByText('Nothing with this name.').waitFor();
  await page.route('**/forms?*search=nowhere*', (route) => route.fulfill({ status: 403, json: {} }));
  await box.fill('nowhere');
  await said.getByText('Forms cannot be looked for now.').waitFor();
  await expectFine(page, 'palette without a result');
});

test('the drawer of phones leads on and closes', async () => {
  const { page } = await pageOf(here('/forms'));
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await expectFine(page, 'drawer');
  await page.getByRole('dialog').getByRole('link', { name: 'Members' }).click();
  await page.getByRole('heading', { name: 'Members' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('the theme is kept', async () => {
  const { page } = await pageOf('/account');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await expectFine(page, 'menu');
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  expect(await scheme()).toBe('dark');
  await page.reload();
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  expect(await scheme()).toBe('dark');
});

test('a session that ended elsewhere leads to signing in, and back', async () => {
  const person = await home.newMember('user');
  const page = await signedInPage(browser, home.service.url, person);
  await page.goto(`${home.service.url}/account`);
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  await home.service.request('POST', '/logout', { cookie: person.cookie });
  await page.getByRole('link', { name: 'Security' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
});

test('a day of the audit log is one of the reader, as its times are', async () => {
  await home.form({ title: 'Of this moment' });
  const [{ created_at: moment }] = (await home.call('GET', `/open/workspaces/${home.workspaceId}/audit-log`))
    .body;
  // A zone whose day differs from that of UTC now: 14 hours ahead, or 11 behind.
  const timezoneId = new Date(moment).getUTCHours() >= 10 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago';
  const day = new Date(moment).toLocaleDateString('sv', { timeZone: timezoneId });
  const { page } = await pageOf(here(`/audit-log?since=${day}&until=${day}`), { timezoneId });
  await page.getByText('Of this moment').waitFor();
  await page.goto(
    `${home.service.url}${here(`/audit-log?since=${moment.slice(0, 10)}&until=${moment.slice(0, 10)}`)}`,
  );
  await page
    .getByRole('table', { name: 'Events' })
    .or(page.getByText('Nothing matches the filters'))
    .waitFor();
  expect(await page.getByText('Of this moment').count()).toBe(0);
});

test('what is changed of a response and not saved is asked about, by whichever way it is left', async () => {
  const form = await aSurvey(home);
  await seed(home, form.id, 2);
  const { page } = await pageOf(here(`/forms/${form.id}/responses`));
  await page
    .getByRole('row', { name: /Visitor 2/ })
    .getByRole('link')
    .click();
  const panel = page.getByRole('dialog');
  const edit = panel.getByRole('button', { name: 'Edit' });
  const name = panel.getByLabel('Your name');
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  // Without any typed text, there is no question.
  await edit.click();
  await name.focus();
  await page.keyboard.press('Escape');
  await name.waitFor({ state: 'detached' });
  await edit.click();
  await name.fill('Half a na');
  const ways = [
    () => page.keyboard.press('Escape'),
    () => page.goBack(),
    () => edit.click(),
    () => panel.getByRole('button', { name: 'Close' }).click(),
    () => page.getByRole('link', { name: 'Build' }).click(),
    () =>
      page
        .getByRole('row', { name: /Visitor 1/ })
        .getByRole('link')
        .click(),
  ];
  for (const leave of ways) {
    await leave();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => name.inputValue()).toBe('Half a na');
  }
  await ways.at(-1)?.();
  await question.waitFor();
  await expectFine(page, 'leaving a response');
  await question.getByRole('button', { name: 'Leave' }).click();
  await panel.getByText('visitor1@example.com').waitFor();
});

test('an error has a way out', async () => {
  const { page } = await pageOf('/account');
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  await page.route('**/settings/tokens', (route) =>
    route.fulfill({ status: 400, json: { message: 'Not now.' } }),
  );
  await page.getByRole('link', { name: 'Access tokens' }).click();
  await page.getByText('Not now.').waitFor();
  await expectFine(page, 'error');
  await page.unroute('**/settings/tokens');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('forms-write').first().waitFor();
});
