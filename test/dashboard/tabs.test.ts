import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import type { TestUser } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, signedInPage, signInAs } from './screens.ts';

const browser = useBrowser();
const home = useHome();

/** Two tabs of one browser in which this person is signed in. */
async function twoTabs(person: TestUser): Promise<[Page, Page]> {
  const context = await browser.context();
  const tabs: [Page, Page] = [await context.newPage(), await context.newPage()];
  await signIn(tabs[0], person);
  return tabs;
}

async function signIn(page: Page, { name, email, password }: TestUser): Promise<void> {
  await page.goto(`${home.service.url}/sign-in`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: `Account of ${name}` }).waitFor();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account of' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

const formPath = (form: { id: number }, rest: string) =>
  `${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}${rest}`;

test('who signs out in one tab is signed out in the other, and who signs in there is in both', async () => {
  const [one, other] = await twoTabs(home.ada);
  await other.goto(`${home.service.url}/account`);
  await other.getByRole('button', { name: 'Account of Ada' }).waitFor();
  const problems: string[] = [];
  one.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await signOut(one);
  expect(problems.filter((text) => text.includes('Nobody is signed in'))).toEqual([]);
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();

  await signIn(one, home.ada);
  await other.goto(`${home.service.url}/account`);
  await other.getByRole('button', { name: 'Account of Ada' }).waitFor();
  await signIn(one, await home.member('user'));
  await other.getByRole('button', { name: 'Account of Grace' }).waitFor();
  await expect.poll(() => other.getByLabel('Name', { exact: true }).inputValue()).toBe('Grace');
});

test('who signs out is asked about what is not saved, and what is typed in the builder is saved before', async () => {
  const person = await home.member('user');
  const form = await home.form({ title: 'Before', properties: [] });
  const page = await signedInPage(browser, home.service.url, person);
  await page.goto(formPath(form, '/settings?part=texts'));
  await page.getByLabel('Title', { exact: true }).fill('Not saved');
  await page.getByRole('button', { name: 'Account of' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const question = page.getByRole('alertdialog', { name: 'Sign out without saving?' });
  await expectFine(page, 'signing out with something not saved');
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Not saved');
  await page.getByRole('button', { name: 'Discard' }).click();

  await page.goto(formPath(form, '/build'));
  await page.getByRole('textbox', { name: 'Title of the form' }).fill('By hand');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search places and forms' }).fill('Sign out');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect((await home.call('GET', `/open/forms/${form.id}/draft`)).body.definition.title).toBe('By hand');
});

test('what is not saved is not saved in the name of somebody else, and stays until the first is back', async () => {
  const form = await home.form({ title: 'Before' });
  const [one, other] = await twoTabs(home.ada);
  await other.goto(formPath(form, '/settings?part=texts'));
  const title = other.getByLabel('Title', { exact: true });
  await title.fill('By Ada');
  await signIn(one, await home.member('user'));
  const save = other.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await other.getByText('Somebody else signed in in another tab.').waitFor();
  await expect.poll(() => title.inputValue()).toBe('By Ada');
  expect((await home.call('GET', `/open/forms/${form.id}`)).body.title).toBe('Before');
  await signIn(one, home.ada);
  await save.click();
  await other.getByRole('link', { name: 'Forms', exact: true }).first().waitFor();
  await expect.poll(async () => (await home.call('GET', `/open/forms/${form.id}`)).body.title).toBe('By Ada');
});

test('a new integration outlives the session it was begun in', async () => {
  const person = await home.newMember('user');
  const form = await home.form();
  const context = await browser.context();
  await signInAs(context, home.service.url, person);
  const page = await context.newPage();
  await page.goto(formPath(form, '/integrations/new?provider=webhook'));
  const address = page.getByLabel('Address', { exact: true });
  await address.fill('https://example.com/hook');
  await home.service.request('POST', '/logout', { cookie: person.cookie });
  const add = page.getByRole('button', { name: 'Add integration' });
  await add.click();
  await page.getByText('Your session has ended. Sign in in another tab, then try again.').waitFor();
  await expect.poll(() => address.inputValue()).toBe('https://example.com/hook');
  await signIn(await context.newPage(), person);
  await add.click();
  await page.getByText('The integration is active.').waitFor();
});

test('a form that was deleted meanwhile is shown no more', async () => {
  const form = await home.form({ title: 'Deleted elsewhere' });
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.clock.install();
  await page.goto(formPath(form, '/share'));
  await page.getByRole('heading', { name: 'QR code' }).waitFor();
  await home.call('DELETE', `/open/forms/${form.id}`);
  await page.clock.fastForward(60_000);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await page.getByText('Form not found.').waitFor();
  await expect.poll(() => page.getByRole('heading', { name: 'QR code' }).count()).toBe(0);
});

test('whose role was taken meanwhile is told so, and keeps what was typed', async () => {
  const person = await home.newMember('user');
  const form = await home.form();
  const page = await signedInPage(browser, home.service.url, person);
  await page.goto(formPath(form, '/settings?part=texts'));
  const title = page.getByLabel('Title', { exact: true });
  await title.fill('By Grace');
  const role = `/open/workspaces/${home.workspaceId}/users/${person.id}/update-role`;
  expect((await home.call('PUT', role, { role: 'readonly' })).status).toBe(200);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page
    .getByText('As a viewer you can look at forms, responses and figures, but not change them.')
    .waitFor();
  await expect.poll(() => title.inputValue()).toBe('By Grace');
});

/** A tab behind another or in front again, as the browser tells it. */
function show(tab: Page, state: 'visible' | 'hidden'): Promise<void> {
  return tab.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, state);
}

test('many tabs with responses leave a connection for the next, and catch up when they are shown', async () => {
  const form = await home.form();
  const question = form.properties[0].id;
  await home.submit(form, { [question]: 'First' });
  const context = await browser.context();
  await signInAs(context, home.service.url, home.ada);
  const tabs: Page[] = [];
  // A browser opens six connections to a host over HTTP/1.1.
  while (tabs.length < 8) {
    for (const tab of tabs.slice(-1)) await show(tab, 'hidden');
    const tab = await context.newPage();
    await tab.goto(formPath(form, '/responses'));
    await tab.getByRole('cell', { name: 'First' }).waitFor();
    tabs.push(tab);
  }
  await home.submit(form, { [question]: 'Second' });
  await tabs.at(-1)!.getByRole('button', { name: '1 new' }).waitFor();
  expect(await tabs[0]!.getByRole('button', { name: '1 new' }).count()).toBe(0);
  const resumed = tabs[0]!.waitForRequest(/events\?last_event_id=\d/);
  await show(tabs[0]!, 'visible');
  await resumed;
  await tabs[0]!.getByRole('button', { name: '1 new' }).waitFor();
});

test('a response that arrives just before its tab is hidden is told when the tab is shown', async () => {
  const form = await home.form();
  const question = form.properties[0].id;
  await home.submit(form, { [question]: 'First' });
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.addInitScript(() => {
    const { EventSource } = window;
    window.EventSource = class extends EventSource {
      constructor(url: string | URL) {
        super(url);
        // After the page has heard of it.
        this.addEventListener('submission', () => setTimeout(() => document.body.append('Arrived'), 0));
      }
    };
  });
  await page.goto(formPath(form, '/responses'));
  await page.getByRole('cell', { name: 'First' }).waitFor();
  await home.submit(form, { [question]: 'Second' });
  await page.getByText('Arrived').waitFor();
  await show(page, 'hidden');
  await show(page, 'visible');
  await page.getByRole('button', { name: '1 new' }).waitFor();
});
