import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';
import { aSurvey, openResponses, seed } from './responses.ts';
import { hold, keepMessages, signedInPage } from './screens.ts';

/** What somebody changes, decides or leaves before the service has answered. */

const browser = useBrowser();
const home = useHome();
const receiver = useWebhookReceiver();

async function open(path: string): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/${path}`);
  return page;
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without saving?' });
const toScreen = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Form', exact: true }).getByRole('link', { name }).click();
const toShare = (page: Page) => toScreen(page, 'Share');

test('whoever leaves an integration while it is being saved is asked, and has it still when that fails', async () => {
  const form = await home.form();
  const body = { integration_id: 'webhook', data: { webhook_url: receiver.url } };
  const made = await home.call('POST', `/open/forms/${form.id}/integrations`, body);
  const page = await open(`forms/${form.id}/integrations/${made.body.form_integration.id}?tab=settings`);
  const address = page.getByLabel('Address');
  await address.fill(`${receiver.url}/first`);
  const gate = Promise.withResolvers<void>();
  await page.route(/\/integrations\/\d+$/, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    await gate.promise;
    await route.fulfill({ status: 503, json: { message: 'Come back later.' } });
  });
  await button(page, 'Save').click();
  await button(page, 'Save').and(page.locator('[aria-disabled=true]')).waitFor();
  await toShare(page);
  await question(page).waitFor();
  gate.resolve();
  await page.getByText('Come back later.').waitFor();
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  expect(await address.inputValue()).toBe(`${receiver.url}/first`);
  await page.unrouteAll();
  await keepMessages(page);

  const held = await hold(page, /\/integrations\/\d+$/, 'PUT');
  await button(page, 'Save').click();
  await expect.poll(() => held.came).toBe(1);
  await address.fill(`${receiver.url}/second`);
  await toShare(page);
  await question(page).waitFor();
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  held.go();
  await page.getByText('Saved, and in force').waitFor();
  await button(page, 'Save').click();
  await page.getByText('Saved, and in force').nth(1).waitFor();
  await toShare(page);
  await page.waitForURL(/\/share$/);
});

test('whoever leaves a scenario while it is being added is asked', async () => {
  const form = await home.form();
  const page = await open(`forms/${form.id}/build/scenarios`);
  await button(page, 'Add a scenario').click();
  const name = page.getByLabel('Name');
  await name.fill('Child');
  const held = await hold(page, /\/scenarios$/);
  await button(page, 'Add scenario').and(page.locator(':not([aria-disabled=true])')).click();
  await expect.poll(() => held.came).toBe(1);
  await name.press('a');
  expect(await name.inputValue()).toBe('Child');
  await button(page, 'Cancel').and(page.locator('[aria-disabled=true]')).waitFor();
  await toShare(page);
  await question(page).waitFor();
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  held.go();
  await page.getByText('Child is added.').waitFor();
  await page.getByRole('article', { name: 'Child' }).waitFor();
});

test('every response that is moved to the trash goes there, also while another one does, and once', async () => {
  const form = await aSurvey(home);
  await seed(home, form.id, 5);
  const [{ id }] = await home.records(form);
  const page = await openResponses(browser, home, form, { path: `/${id}` });
  await keepMessages(page);
  const panel = page.getByRole('dialog');
  await panel.getByText('visitor5@example.com').waitFor();
  const held = await hold(page, /\/submissions\/trash$/);
  await button(page, 'Move to trash').dblclick();
  await page.keyboard.press('j');
  await panel.getByText('visitor4@example.com').waitFor();
  await button(page, 'Move to trash').click();
  await expect.poll(() => held.came).toBe(2);
  held.go();
  await page.getByText('3 responses').waitFor();
  await panel.getByText('visitor3@example.com').waitFor();
  await page.getByText('The response is in the trash.').nth(1).waitFor();
  expect(held.came).toBe(2);
  expect((await home.records(form)).map(({ id: left }) => left)).toEqual([id - 2, id - 3, id - 4]);
});

test('of two decisions about a response the last one counts, also when it is left before the first is saved', async () => {
  const form = await aSurvey(home);
  await seed(home, form.id, 2);
  const [{ id }] = await home.records(form);
  const page = await openResponses(browser, home, form, { path: `/${id}` });
  await keepMessages(page);
  const decide = async (state: string) => {
    await page.getByRole('dialog').getByRole('button', { name: 'Review:' }).press('Enter');
    await page.getByRole('menuitem', { name: state }).press('Enter');
  };
  const held = await hold(page, /\/review$/);
  await decide('Approved');
  await expect.poll(() => held.came).toBe(1);
  await decide('Rejected');
  await button(page, 'Review: Rejected').waitFor();
  await page.keyboard.press('j');
  await page.getByRole('dialog').getByText('visitor1@example.com').waitFor();
  held.go();
  await page.getByText('Review: rejected.').waitFor();
  const state = async () =>
    (await home.call('GET', `/open/forms/${form.id}/submissions/${id}/review`)).body.state;
  expect(await state()).toBe('rejected');
  await button(page, 'Undo').click();
  await expect.poll(state).toBe('received');
});

test('a menu whose button cannot be used now does not open', async () => {
  const form = await aSurvey(home);
  await seed(home, form.id, 2);
  const page = await openResponses(browser, home, form);
  await page.getByRole('checkbox', { name: 'Select the loaded responses' }).check();
  const held = await hold(page, /\/submissions\/reviews$/, 'PUT');
  const review = button(page, 'Review');
  await review.press('Enter');
  await page.getByRole('menuitem', { name: 'Approved' }).press('Enter');
  await expect.poll(() => held.came).toBe(1);
  for (const open of [() => review.press('Enter'), () => review.click({ force: true })]) {
    await open();
    expect(await page.getByRole('menu').count()).toBe(0);
  }
  held.go();
  await page.getByText('2 responses: approved.').waitFor();
});

test('of two roles chosen for somebody the last one counts', async () => {
  const grace = await home.newMember('user');
  const page = await open('members');
  const role = page
    .getByRole('row')
    .filter({ hasText: grace.email })
    .getByRole('button', { name: /^Role of / });
  const held = await hold(page, /\/update-role$/, 'PUT');
  for (const name of ['Admin', 'Viewer']) {
    await role.press('Enter');
    await page.getByRole('menuitemradio', { name }).press('Enter');
    await expect.poll(() => role.innerText()).toBe(name);
  }
  held.go();
  await page.getByText('Grace is now a viewer.').waitFor();
  expect(await role.innerText()).toBe('Viewer');
  expect(held.came).toBe(2);
});

test('nothing can be typed into an invitation that is on its way', async () => {
  const page = await open('members');
  await button(page, 'Invite').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail addresses').fill('first@example.org');
  const held = await hold(page, /\/users\/add$/);
  await button(page, 'Invite').last().click();
  await expect.poll(() => held.came).toBe(1);
  await dialog.getByLabel('E-mail addresses').press('Enter');
  await page.keyboard.type('second@example.org');
  expect(await dialog.getByLabel('E-mail addresses').inputValue()).toBe('first@example.org');
  held.go();
  await page.getByRole('dialog', { name: 'Hand over this link' }).waitFor();
});

test('whoever is asked whether to leave when everything has been saved leaves', async () => {
  const form = await home.form();
  const body = { integration_id: 'webhook', data: { webhook_url: receiver.url } };
  const made = await home.call('POST', `/open/forms/${form.id}/integrations`, body);
  const page = await open(`forms/${form.id}/integrations`);
  const list = new RegExp(`/forms/${form.id}/integrations$`);
  const listIsShown = page.getByRole('button', { name: 'Add integration' });

  // A screen that stays until then.
  await page.getByRole('main').getByRole('listitem').getByRole('link').first().click();
  const tabs = page.getByRole('navigation', { name: 'Integration', exact: true });
  await tabs.getByText('Settings').click();
  await page.getByLabel('Address').fill(`${receiver.url}/changed`);
  let held = await hold(page, /\/integrations\/\d+$/, 'PUT');
  await button(page, 'Save').click();
  await expect.poll(() => held.came).toBe(1);
  await page.goBack();
  await question(page).waitFor();
  held.go();
  await question(page).waitFor({ state: 'detached' });
  await page.waitForURL(new RegExp(`/integrations/${made.body.form_integration.id}$`));
  await tabs.getByText('Settings').and(page.locator(':not([aria-current])')).waitFor();
  await page.goBack();
  await page.waitForURL(list);
  await listIsShown.waitFor();

  // One that leads to another itself.
  await listIsShown.click();
  await page.getByRole('menuitem', { name: 'Webhook' }).click();
  await page.getByLabel('Address').fill(`${receiver.url}/other`);
  held = await hold(page, /\/integrations$/);
  await page.getByRole('main').getByRole('button', { name: 'Add integration' }).click();
  await expect.poll(() => held.came).toBe(1);
  await page.goBack();
  await question(page).waitFor();
  held.go();
  await question(page).waitFor({ state: 'detached' });
  await page.getByRole('main').getByRole('listitem').nth(1).waitFor();
  expect(page.url()).toMatch(list);

  // One that is gone then.
  const other = await open(`forms/${form.id}/build/scenarios`);
  await toShare(other);
  await other.waitForURL(/\/share$/);
  await other.goBack();
  await button(other, 'Add a scenario').click();
  await other.getByLabel('Name').fill('Usual');
  held = await hold(other, /\/scenarios$/);
  await button(other, 'Add scenario').and(other.locator(':not([aria-disabled=true])')).click();
  await expect.poll(() => held.came).toBe(1);
  await other.goForward();
  await question(other).waitFor();
  held.go();
  await question(other).waitFor({ state: 'detached' });
  await other.getByText('For posters and slides.').waitFor();
  expect(other.url()).toMatch(/\/share$/);
});

test('nothing can be typed into an integration that is being added', async () => {
  const form = await home.form();
  const page = await open(`forms/${form.id}/integrations/new?provider=webhook`);
  const address = page.getByLabel('Address');
  await address.fill(receiver.url);
  const held = await hold(page, /\/integrations$/);
  await button(page, 'Add integration').click();
  await expect.poll(() => held.came).toBe(1);
  await address.press('End');
  await page.keyboard.type('/other');
  expect(await address.inputValue()).toBe(receiver.url);
  const edits = page.getByRole('checkbox', { name: 'Also when a response is changed' });
  await edits.click();
  expect(await edits.isChecked()).toBe(false);
  held.go();
  await page.getByText('The integration is active.').waitFor();
});

test('people in a file that is chosen while others are being added are there to be added, too', async () => {
  const form = await home.form();
  const page = await open(`forms/${form.id}/share?part=personal`);
  const dialog = page.getByRole('dialog');
  await button(page, 'Add people').first().click();
  await keepMessages(page);
  await dialog.getByLabel('People, one in a row').fill('Ada, ada@example.org');
  const held = await hold(page, /\/recipients$/);
  await button(page, 'Add 1 person').click();
  await expect.poll(() => held.came).toBe(1);
  const buffer = Buffer.from('Ada, ada@example.org\nGrace, grace@example.org');
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer };
  await dialog.getByLabel('List of people').setInputFiles(file);
  await dialog.getByText('2 people, 2 of them').waitFor();
  held.go();
  await page.getByText('1 person was added.').waitFor();
  await button(page, 'Add 1 person').click();
  await page.getByText('1 person was added.').nth(1).waitFor();
  await dialog.waitFor({ state: 'detached' });
  const { body } = await home.call('GET', `/open/forms/${form.id}/recipients`);
  const addresses = body.data.map(({ email }: { email: string }) => email);
  expect(addresses.sort()).toEqual(['ada@example.org', 'grace@example.org']);
});

test('who has gone elsewhere stays there when an integration or a workspace was deleted', async () => {
  const form = await home.form();
  const data = { webhook_url: receiver.url };
  await home.call('POST', `/open/forms/${form.id}/integrations`, { integration_id: 'webhook', data });
  const page = await open(`forms/${form.id}`);
  await toScreen(page, 'Integrations');
  await page.getByRole('main').getByRole('listitem').getByRole('link').first().click();
  await page.getByRole('navigation', { name: 'Integration', exact: true }).getByText('Settings').click();
  let held = await hold(page, /\/integrations\/\d+$/, 'DELETE');
  await confirmDeleting('integration', new URL(receiver.url).host);
  for (let back = 0; back < 3; back++) await page.goBack();
  await page.waitForURL(/\/forms\/\d+$/);
  held.go();
  await page.getByText('The integration was deleted.').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/forms\/\d+$/);

  // A second try finds the workspace of the first.
  const doomed = `Doomed ${Date.now()}`;
  await home.call('POST', '/open/workspaces/create', { name: doomed });
  await page.reload();
  await page.getByRole('button', { name: 'Workspace:' }).click();
  await page.getByRole('menuitem', { name: doomed }).click();
  // Until then the form's own link to its settings is there, too.
  await page.waitForURL(/\/workspaces\/\d+\/forms$/);
  await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  held = await hold(page, /\/open\/workspaces\/\d+$/, 'DELETE');
  await confirmDeleting('workspace', doomed);
  for (let back = 0; back < 2; back++) await page.goBack();
  await page.waitForURL(/\/forms\/\d+$/);
  held.go();
  await page.getByText(`${doomed} was deleted.`).waitFor();
  await page.getByRole('button', { name: 'Workspace:' }).click();
  await expect.poll(() => page.getByRole('menuitem', { name: doomed }).count()).toBe(0);
  expect(new URL(page.url()).pathname).toMatch(/\/forms\/\d+$/);

  async function confirmDeleting(what: string, word: string): Promise<void> {
    await button(page, `Delete ${what}`).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill(word);
    await dialog.getByRole('button', { name: `Delete ${what}` }).click();
    await expect.poll(() => held.came).toBe(1);
  }
});

test('who has gone elsewhere stays there when a workspace was made', async () => {
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/account`);
  await page.getByRole('button', { name: 'Workspace:' }).click();
  await page.getByRole('menuitem', { name: 'All workspaces' }).click();
  await button(page, 'New workspace').first().click();
  // A second try finds the workspace of the first.
  const name = `Made late ${Date.now()}`;
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  const held = await hold(page, /\/open\/workspaces\/create$/);
  await page.getByRole('dialog').getByLabel('Name').press('Enter');
  await expect.poll(() => held.came).toBe(1);
  await page.goBack();
  await page.waitForURL(/\/account$/);
  held.go();
  await page.getByRole('button', { name: 'Workspace:' }).click();
  await page.getByRole('menuitem', { name }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/account');
});

test('what an empty workspace shows depends on its trash, and comes at once', async () => {
  const made = await home.call('POST', '/open/workspaces/create', { name: 'Empty' });
  const id = made.body.workspace?.id ?? made.body.id;
  const page = await signedInPage(browser, home.service.url, home.ada);
  const held = await hold(page, /\/open\/workspaces\/\d+\/forms\?.*status=trash/, 'GET');
  await page.goto(`${home.service.url}/workspaces/${id}/forms`);
  await expect.poll(() => held.came).toBe(1);
  const none = page.getByText('No forms yet');
  expect(await none.count()).toBe(0);
  await button(page, 'New form').waitFor();
  held.go();
  await none.waitFor();
  expect(await page.getByRole('searchbox').count()).toBe(0);
});

test('lists that come late move nothing', async () => {
  const form = await home.form();
  const page = await signedInPage(browser, home.service.url, home.ada);
  const [integrations, tables] = [
    await hold(page, /\/integrations$/, 'GET'),
    await hold(page, /\/live-tables$/, 'GET'),
  ];
  const screen = `${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}`;
  await page.goto(`${screen}/settings?part=notifications`);
  const top = async (link: Locator) => (await link.boundingBox())?.y;
  const mail = page.getByRole('link', { name: 'Mail me every response' });
  const before = await top(mail);
  integrations.go();
  await page.getByText('Nobody is told yet.').waitFor();
  expect(await top(mail)).toBe(before);

  const first = page.waitForResponse(/\/integrations$/);
  await page.goto(`${screen}/integrations`);
  await (await first).finished();
  await expect.poll(() => tables.came).toBe(1);
  expect(await page.getByText('No integrations yet').count()).toBe(0);
  expect(await page.getByText('Spreadsheets and reports').count()).toBe(0);
  tables.go();
  await page.getByText('No integrations yet').waitFor();
  await page.getByText('Spreadsheets and reports').waitFor();
});
