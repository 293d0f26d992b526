import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aWorkspace } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';
import { aSurvey, openResponses, seed } from './responses.ts';
import { hold, keepMessages, signedInPage } from './screens.ts';

/** What somebody does who has gone on to another screen, while that is not there yet or the former one still waits. */

const browser = useBrowser();
const home = useHome();
const receiver = useWebhookReceiver();

async function open(path: string): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await keepMessages(page);
  return page;
}
const ofForm = (form: { id: number }, screen = '') =>
  `/workspaces/${home.workspaceId}/forms/${form.id}${screen}`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Form', exact: true }).getByRole('link', { name });
const pathOf = (page: Page) => new URL(page.url()).pathname;
const stored = async (form: { id: number }) => (await home.call('GET', `/open/forms/${form.id}`)).body;
const script = (name: string) => new RegExp(`/${name}-[^/]*\\.js$`);
const waiting = (page: Page) => page.locator('main').getByRole('status', { name: 'Loading' });

/** Opens a form by the palette, without loading the page anew. */
async function goTo(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search places and forms' }).fill(title);
  await page.getByRole('option', { name: title }).click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
}

async function choose(page: Page, title: string, item: string): Promise<void> {
  await button(page, `More for ${title}`).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('what was begun with one form, and is undone, is about this form on the screens of another, too', async () => {
  const alpha = await home.form({ title: 'Alpha' });
  const beta = await home.form({ title: 'Beta', visibility: 'closed' });
  const page = await open(ofForm(beta));
  await goTo(page, 'Alpha');
  await choose(page, 'Alpha', 'Close');
  await page.getByText('The form is closed.').waitFor();
  await goTo(page, 'Beta');
  await button(page, 'Undo').click();
  await page.getByText('The form is open to answers.').waitFor();
  expect((await stored(alpha)).visibility).toBe('public');
  expect((await stored(beta)).visibility).toBe('closed');

  await goTo(page, 'Alpha');
  const held = await hold(page, /\/trash$/);
  await choose(page, 'Alpha', 'Move to trash');
  await expect.poll(() => held.came).toBe(1);
  await goTo(page, 'Beta');
  held.go();
  await page.getByText('The form is in the trash.').waitFor();
  expect(pathOf(page)).toBe(ofForm(beta));
  await button(page, 'Undo').last().click();
  await page.getByText('The form is back.').waitFor();
  expect((await stored(alpha)).trash_ends_at).toBe(null);
});

test('a copy that is made late takes nobody along, and keeps nobody from copying another form', async () => {
  await home.form({ title: 'Epsilon' });
  const second = await home.form({ title: 'Zeta' });
  const page = await open(ofForm(second));
  await goTo(page, 'Epsilon');
  const held = await hold(page, /\/duplicate\b/);
  await choose(page, 'Epsilon', 'Duplicate');
  await expect.poll(() => held.came).toBe(1);
  await goTo(page, 'Zeta');
  await choose(page, 'Zeta', 'Duplicate');
  await expect.poll(() => held.came).toBe(2);
  await tab(page, 'Settings').click();
  await page.getByRole('link', { name: 'Texts', exact: true }).click();
  const title = page.getByLabel('Title', { exact: true });
  await title.fill('Zeta and Eta');
  held.go();
  await page.getByText('The copy is a draft until you publish it.').nth(1).waitFor();
  expect(pathOf(page)).toBe(ofForm(second, '/settings'));
  expect(await title.inputValue()).toBe('Zeta and Eta');
});

test('nobody is led to what was made, published or deleted late', async () => {
  const draft = await home.form({ title: 'Theta', visibility: 'draft' });
  const page = await open(ofForm(draft));
  let held = await hold(page, /\/open\/forms\/\d+$/, 'GET');
  await choose(page, 'Theta', 'Publish');
  await expect.poll(() => held.came).toBe(1);
  await tab(page, 'Share').click();
  await page.waitForURL(/\/share$/);
  let answered = page.waitForResponse(/\/open\/forms\/\d+$/);
  held.go();
  await answered;
  await page.unroute(/\/open\/forms\/\d+$/);
  expect(pathOf(page)).toBe(ofForm(draft, '/share'));

  const view = { name: 'Mine', definition: { search: 'Ada' } };
  await home.call('POST', `/open/forms/${draft.id}/saved-views`, view);
  await tab(page, 'Responses').click();
  await page.getByRole('link', { name: 'Mine' }).click();
  await button(page, 'Options of Mine').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  held = await hold(page, /\/saved-views\/\d+$/, 'DELETE');
  await button(page, 'Delete view').click();
  await expect.poll(() => held.came).toBe(1);
  await page.goBack();
  await page.goBack();
  await page.waitForURL(/\/share$/);
  held.go();
  await page.getByText('Mine was deleted.').waitFor();
  expect(pathOf(page)).toBe(ofForm(draft, '/share'));

  await page.getByRole('link', { name: 'Members' }).click();
  // Until then the form's own link to the forms is there, too.
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Forms' }).click();
  await button(page, 'New form').click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Iota');
  held = await hold(page, /\/open\/forms$/);
  await button(page, 'Create form').click();
  await expect.poll(() => held.came).toBe(1);
  await page.goBack();
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  answered = page.waitForResponse(/\/open\/forms$/);
  held.go();
  await answered;
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  expect(pathOf(page)).toMatch(/\/members$/);
});

test('what is left does not act while the next screen is being loaded, and is not in the title of the tab', async () => {
  const form = await home.form({ title: 'Kappa' });
  const page = await open(ofForm(form, '/settings?part=after'));
  await page.getByRole('switch', { name: 'Confetti' }).check();
  let held = await hold(page, script('members'), 'GET');
  await page.getByRole('link', { name: 'Members' }).click();
  await button(page, 'Leave').click();
  await expect.poll(() => page.title()).toBe('Loading · Formstead');
  const saved = await hold(page, /\/open\/forms\/\d+$/, 'PUT');
  await page.keyboard.press('Control+s');
  held.go();
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  await expect.poll(() => page.title()).toBe('Members · Formstead');
  expect(saved.came).toBe(0);

  await page.goto(home.service.url + ofForm(form, '/integrations/new?provider=webhook'));
  await page.getByLabel('Address').fill(receiver.url);
  const made = await hold(page, /\/integrations$/);
  await button(page, 'Add integration').click();
  await expect.poll(() => made.came).toBe(1);
  held = await hold(page, script('analytics'), 'GET');
  await tab(page, 'Analytics').click();
  await button(page, 'Leave').click();
  await waiting(page).waitFor();
  made.go();
  await page.getByText('The integration is active.').waitFor();
  held.go();
  await expect.poll(() => page.title()).toBe('Analytics · Kappa · Formstead');
  expect(pathOf(page)).toBe(ofForm(form, '/analytics'));
});

test('a screen that is gone back to before the next one was loaded has its title again', async () => {
  const form = await home.form({ title: 'Lambda' });
  const page = await open(ofForm(form, '/share'));
  const held = await hold(page, script('analytics'), 'GET');
  await tab(page, 'Analytics').click();
  await expect.poll(() => page.title()).toBe('Loading · Formstead');
  await tab(page, 'Share').click();
  await expect.poll(() => page.title()).toBe('Share · Lambda · Formstead');
  held.go();
});

test('a search that was typed last does not take back the click after it', async () => {
  const form = await aSurvey(home);
  await seed(home, form.id, 5);
  const page = await openResponses(browser, home, form);
  await page.getByText('5 responses').waitFor();
  const held = await hold(page, script('analytics'), 'GET');
  await page.getByRole('searchbox').fill('Visitor 4');
  await tab(page, 'Analytics').click();
  await waiting(page).waitFor();
  expect(pathOf(page)).toBe(ofForm(form, '/analytics'));
  held.go();
  await page.getByRole('heading', { name: 'Per day' }).waitFor();

  await tab(page, 'Responses').click();
  await page.locator('[data-response]').nth(4).waitFor();
  await page.getByRole('searchbox').fill('Visitor 1');
  await page.locator('[data-response]').nth(1).waitFor({ state: 'detached' });
  // Both at once, as a busy machine would wait between them.
  await page.getByRole('searchbox').evaluate((box: HTMLInputElement) => {
    box.select();
    document.execCommand('insertText', false, 'Visitor 4');
    document.querySelector<HTMLElement>('[data-response]')?.click();
  });
  await page.getByRole('dialog').getByText('visitor1@example.com').waitFor();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('Visitor 1');
  await page.getByRole('dialog').getByText('visitor1@example.com').waitFor();
});

test('a dialog of one workspace is not open over another, and its form is made where it was begun', async () => {
  const page = await open(`/workspaces/${home.workspaceId}/forms`);
  const workspaceId = await aWorkspace(home.service, home.ada, 'Other');
  await page.reload();
  await page.getByRole('button', { name: /^Workspace:/ }).click();
  await page.getByRole('menuitem', { name: 'Other' }).click();
  await page.waitForURL(`**/workspaces/${workspaceId}/forms`);
  // Until then it is the button of the other workspace.
  await page.getByText('No forms yet').waitFor();
  await button(page, 'New form').first().click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Mu');
  const held = await hold(page, /\/open\/forms$/);
  await button(page, 'Create form').click();
  await expect.poll(() => held.came).toBe(1);
  await page.goBack();
  await page.waitForURL(`**/workspaces/${home.workspaceId}/forms`);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const answered = page.waitForResponse(/\/open\/forms$/);
  held.go();
  await answered;
  await expect
    .poll(async () => (await home.call('GET', `/open/workspaces/${workspaceId}/forms`)).body.data.length)
    .toBe(1);
  expect(pathOf(page)).toBe(`/workspaces/${home.workspaceId}/forms`);
});

test('whoever signs out and presses a link all the same ends at the screen for signing in', async () => {
  const page = await open(`/workspaces/${home.workspaceId}/forms`);
  const held = await hold(page, script('sign-in'), 'GET');
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect.poll(() => held.came).toBe(1);
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  held.go();
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
});

test('whoever has registered by invitation waits for the next screen, and cannot accept once more', async () => {
  const invitation = { email: 'grace@example.com', role: 'user' };
  const made = await home.call('POST', `/open/workspaces/${home.workspaceId}/users/add`, invitation);
  const page = await browser.page();
  await page.goto(made.body.invite_link);
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('Password').fill('correct horse battery');
  const posted = await hold(page, /\/register$/);
  posted.go();
  const held = await hold(page, script('forms'), 'GET');
  await page.evaluate(() => {
    const press = () => {
      const submit = document.querySelector<HTMLElement>('[type=submit]');
      submit?.click();
      if (submit) requestAnimationFrame(press);
    };
    press();
  });
  await expect.poll(() => held.came).toBeGreaterThan(0);
  await waiting(page).waitFor();
  held.go();
  await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
  expect(posted.came).toBe(1);
});
