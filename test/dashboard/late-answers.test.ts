import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aTextField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';
import { aSurvey, openResponses, seed } from './responses.ts';
import { hold, keepMessages, signedInPage } from './screens.ts';

/** What somebody does while the service has not answered yet. */

const browser = useBrowser();
const home = useHome();
const receiver = useWebhookReceiver();

async function open(form: { id: number }, screen: string): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/${screen}`);
  return page;
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const stored = async (form: { id: number }) => (await home.call('GET', `/open/forms/${form.id}`)).body;

test('a setting that is put back while it is being saved waits to be saved again', async () => {
  const form = await home.form();
  const page = await open(form, 'settings?part=after');
  const confetti = page.getByRole('switch', { name: 'Confetti' });
  await confetti.check();
  const held = await hold(page, /\/open\/forms\/\d+$/, 'PUT');
  await button(page, 'Save').click();
  await expect.poll(() => held.came).toBe(1);
  await confetti.uncheck();
  held.go();
  await page.getByText('Saved.', { exact: true }).waitFor();
  await page.getByText('1 change not saved yet').waitFor();
  expect(await confetti.isChecked()).toBe(false);
  expect((await stored(form)).confetti_on_submission).toBe(true);
  await button(page, 'Save').click();
  await expect.poll(async () => (await stored(form)).confetti_on_submission).toBe(false);
  await page.getByRole('region', { name: 'Changes' }).waitFor({ state: 'detached' });
});

test('what is typed into an integration while it is being saved stays, and is saved by the next press', async () => {
  const form = await home.form();
  const body = { integration_id: 'webhook', data: { webhook_url: receiver.url } };
  const made = await home.call('POST', `/open/forms/${form.id}/integrations`, body);
  expect(made.status, made.text).toBe(200);
  const path = `/open/forms/${form.id}/integrations/${made.body.form_integration.id}`;
  const page = await open(form, `integrations/${made.body.form_integration.id}?tab=settings`);
  const address = page.getByLabel('Address');
  await address.fill(`${receiver.url}/first`);
  const held = await hold(page, /\/integrations\/\d+$/, 'PUT');
  await button(page, 'Save').click();
  await expect.poll(() => held.came).toBe(1);
  await address.fill(`${receiver.url}/second`);
  held.go();
  await page.getByText('Saved, and in force').waitFor();
  await expect.poll(() => button(page, 'Send a test').getAttribute('aria-disabled')).toBe('true');
  expect(await address.inputValue()).toBe(`${receiver.url}/second`);
  await button(page, 'Save').click();
  await expect
    .poll(async () => (await home.call('GET', path)).body.data.webhook_url)
    .toBe(`${receiver.url}/second`);
  await expect.poll(() => button(page, 'Send a test').getAttribute('aria-disabled')).not.toBe('true');
});

test('a response that goes to the trash late takes along neither who went on to another nor who closed it', async () => {
  const form = await aSurvey(home);
  await seed(home, form.id, 5);
  const [{ id }] = await home.records(form);
  const page = await openResponses(browser, home, form, { path: `/${id}` });
  await keepMessages(page);
  const panel = page.getByRole('dialog');
  await panel.getByText('visitor5@example.com').waitFor();
  let held = await hold(page, /\/submissions\/trash$/);
  await button(page, 'Move to trash').click();
  await expect.poll(() => held.came).toBe(1);
  await page.keyboard.press('j');
  await panel.getByText('visitor4@example.com').waitFor();
  held.go();
  await page.getByText('The response is in the trash.').waitFor();
  await page.getByText('4 responses').waitFor();
  await panel.getByText('visitor4@example.com').waitFor();

  await page.unroute(/\/submissions\/trash$/);
  held = await hold(page, /\/submissions\/trash$/);
  await button(page, 'Move to trash').click();
  await expect.poll(() => held.came).toBe(1);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  held.go();
  await page.getByText('3 responses').waitFor();
  await page.getByText('The response is in the trash.').nth(1).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/responses$/);
  expect(await panel.count()).toBe(0);
});

test('a view stays as it was changed while it was being saved, and nobody is led back to it', async () => {
  const form = await aSurvey(home);
  await seed(home, form.id, 5);
  const definition = { search: 'Visitor' };
  const made = await home.call('POST', `/open/forms/${form.id}/saved-views`, { name: 'Mine', definition });
  const page = await openResponses(browser, home, form, { path: `?view=${made.body.view.id}` });
  await keepMessages(page);
  const search = page.getByRole('searchbox');
  const views = async () => (await home.call('GET', `/open/forms/${form.id}/saved-views`)).body;
  await page.getByText('5 responses found').waitFor();
  await search.fill('Visitor 4');
  await page.getByText('1 response found').waitFor();
  let held = await hold(page, /\/saved-views\/\d+$/, 'PUT');
  await button(page, 'Save changes').click();
  await expect.poll(() => held.came).toBe(1);
  await search.fill('Visitor 3');
  await page.getByText('visitor3@example.com').waitFor();
  held.go();
  await page.getByText('Mine is saved for everybody.').waitFor();
  await expect.poll(async () => (await views())[0].definition.search).toBe('Visitor 4');
  await page.getByText('visitor3@example.com').waitFor();
  expect(await search.inputValue()).toBe('Visitor 3');

  await page.unroute(/\/saved-views\/\d+$/);
  held = await hold(page, /\/saved-views\/\d+$/, 'PUT');
  await button(page, 'Save changes').click();
  await expect.poll(() => held.came).toBe(1);
  await page.getByRole('link', { name: 'All responses' }).click();
  await page.getByText('5 responses').waitFor();
  held.go();
  await page.getByText('Mine is saved for everybody.').nth(1).waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('what is being sent again or moved is not called off in appearance', async () => {
  const form = await home.form({ title: 'On its way' });
  const body = { integration_id: 'webhook', data: { webhook_url: receiver.url } };
  const made = await home.call('POST', `/open/forms/${form.id}/integrations`, body);
  await home.submit(form, { [aTextField().id]: 'Ada' });
  await receiver.received(1);
  const page = await open(form, `integrations/${made.body.form_integration.id}?state=delivered`);
  await page.getByRole('cell', { name: 'Delivered' }).waitFor();
  await button(page, 'Send again …').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type 1 to confirm').fill('1');
  let held = await hold(page, /\/deliveries\/replay$/);
  await button(page, 'Send 1 again').click();
  await expectHeld();
  held.go();
  await dialog.waitFor({ state: 'detached' });

  await button(page, 'More for On its way').click();
  await page.getByRole('menuitem', { name: 'Move to workspace' }).click();
  held = await hold(page, /\/move$/);
  await button(page, 'Move form').click();
  await expectHeld();
  held.go();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('The form is in My Workspace now.').waitFor();

  async function expectHeld(): Promise<void> {
    await expect.poll(() => held.came).toBe(1);
    await button(page, 'Cancel').and(page.locator('[aria-disabled=true]')).waitFor();
    await page.keyboard.press('Escape');
    await button(page, 'Cancel').click({ force: true });
    expect(await dialog.count()).toBe(1);
  }
});

test('an upload that is done late replaces no picture once its dialog is closed', async () => {
  const form = await home.form();
  const page = await open(form, 'settings?part=appearance');
  await button(page, 'Choose: Logo').click();
  const held = await hold(page, /\/pictures$/);
  const buffer = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><text>Late</text></svg>');
  const file = { name: 'late.svg', mimeType: 'image/svg+xml', buffer };
  await page.getByLabel('Upload a picture').setInputFiles(file);
  await page.getByText('Uploading …').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByLabel('Logo', { exact: true }).fill('https://example.com/logo.png');
  const done = page.waitForResponse(
    (answer) => /\/pictures$/.test(answer.url()) && answer.request().method() === 'POST',
  );
  held.go();
  await done;
  // It is among the others, to be chosen.
  await button(page, 'Choose: Logo').click();
  await page.getByRole('button', { name: /^Choose picture 1, added/ }).waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByLabel('Logo', { exact: true }).inputValue()).toBe('https://example.com/logo.png');
});

test('what applies at once shows what was chosen meanwhile, and keeps the focus', async () => {
  const form = await home.form();
  const people = [{ name: 'Ada', email: 'ada@example.org' }];
  await home.call('POST', `/open/forms/${form.id}/recipients`, { recipients: people });
  const page = await open(form, 'share?part=personal');
  for (const name of ['Only by personal link', 'Anonymous']) {
    const choice = page.getByRole('switch', { name });
    const held = await hold(page, /\/personal-links$/, 'PUT');
    await choice.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => held.came).toBe(1);
    expect(await choice.isChecked()).toBe(true);
    held.go();
    await choice.and(page.locator(':not([aria-disabled=true])')).waitFor();
    expect(await choice.isChecked()).toBe(true);
    expect(await choice.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.unroute(/\/personal-links$/);
  }
  const { body } = await home.call('GET', `/open/forms/${form.id}/personal-links`);
  expect(body).toMatchObject({ required: true, anonymous: true });
});

test('the role that was chosen for somebody is shown while it is being stored', async () => {
  const grace = await home.newMember('user');
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/members`);
  const role = page
    .getByRole('row')
    .filter({ hasText: grace.email })
    .getByRole('button', { name: /^Role of / });
  const held = await hold(page, /\/update-role$/, 'PUT');
  await role.press('Enter');
  await page.getByRole('menuitemradio', { name: 'Viewer' }).press('Enter');
  await expect.poll(() => held.came).toBe(1);
  expect(await role.innerText()).toBe('Viewer');
  held.go();
  await page.getByText('Grace is now a viewer.').waitFor();
  expect(await role.innerText()).toBe('Viewer');
  await expect.poll(() => role.evaluate((button) => button === document.activeElement)).toBe(true);
});

test('a question about other responses stays open, and what was ticked stays ticked', async () => {
  const form = await aSurvey(home);
  await seed(home, form.id, 3);
  const ids = (await home.records(form)).map(({ id }) => id);
  await home.call('POST', `/open/forms/${form.id}/submissions/trash`, { submissionIds: ids });
  const page = await openResponses(browser, home, form, { path: '/trash' });
  const row = (name: string) => page.getByRole('row', { name });
  const held = await hold(page, /\/trash\/restore$/);
  await row('Visitor 1').getByRole('button', { name: 'Restore' }).click();
  await expect.poll(() => held.came).toBe(1);
  await row('Visitor 2').getByRole('checkbox').check();
  const remove = button(page, 'Delete for good').first();
  await expect.poll(() => remove.getAttribute('aria-disabled')).toBe('true');
  await expect.poll(() => button(page, 'Empty the trash').getAttribute('aria-disabled')).toBe('true');
  held.go();
  await page.getByText('1 response is back.').waitFor();
  await page.getByText('1 selected').waitFor();
  expect(await row('Visitor 2').getByRole('checkbox').isChecked()).toBe(true);
});

test('a mail server that is being saved is not given up in appearance', async () => {
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/settings`);
  await button(page, 'Use a server of your own').click();
  await page.getByLabel('Host').fill('127.0.0.1');
  await page.getByLabel('Sender’s address').fill('forms@example.org');
  const held = await hold(page, /\/mail-server$/, 'PUT');
  await button(page, 'Save mail server').click();
  await expect.poll(() => held.came).toBe(1);
  await button(page, 'Cancel').and(page.locator('[aria-disabled=true]')).waitFor();
  held.go();
  await page.getByText('Saved. Mails go through this server from now on.').waitFor();
  // What is saved is left without a question; what is typed since is not.
  const members = page.getByRole('link', { name: 'Members' });
  await members.click();
  await page.getByRole('heading', { name: 'Members' }).waitFor();
  await page.goBack();
  await page.getByLabel('Host').fill('mail.example.org');
  await members.click();
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor();
  await button(page, 'Cancel').click();
  expect(await page.getByLabel('Host').inputValue()).toBe('mail.example.org');
  await page.unroute(/\/mail-server$/);
  const again = await hold(page, /\/mail-server$/, 'PUT');
  await button(page, 'Save mail server').click();
  await expect.poll(() => again.came).toBe(1);
  await page.getByLabel('Password', { exact: true }).fill('typed since');
  again.go();
  await page.getByText('Saved. Mails go through this server from now on.').waitFor();
  await button(page, 'Save mail server').and(page.locator(':not([aria-disabled=true])')).waitFor();
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('typed since');
});

test('who has gone to another screen stays there when something was added, brought back, or thrown away', async () => {
  const form = await home.form({ title: 'First title' });
  await home.call('PUT', `/open/forms/${form.id}`, { title: 'Second title' });
  const page = await open(form, 'build/history?version=1');
  let held = await hold(page, /\/restore/);
  await button(page, 'Bring back').click();
  await expect.poll(() => held.came).toBe(1);
  await page
    .getByRole('navigation', { name: 'Form', exact: true })
    .getByRole('link', { name: 'Overview' })
    .click();
  await page.waitForURL(/\/forms\/\d+$/);
  held.go();
  await page.getByText('Published: the form is what it was as version 1.').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/forms\/\d+$/);

  await page.goto(page.url().replace(/\?.*|$/, '/integrations/new?provider=webhook'));
  await page.getByLabel('Address').fill(receiver.url);
  held = await hold(page, /\/integrations$/);
  await button(page, 'Add integration').click();
  await expect.poll(() => held.came).toBe(1);
  await page
    .getByRole('navigation', { name: 'Form', exact: true })
    .getByRole('link', { name: 'Overview' })
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL(/\/forms\/\d+$/);
  held.go();
  await page.getByText('The integration is active.').waitFor();

  held = await hold(page, /\/trash$/);
  await button(page, 'More for First title').click();
  await page.getByRole('menuitem', { name: 'Move to trash' }).click();
  await expect.poll(() => held.came).toBe(1);
  expect(new URL(page.url()).pathname).toMatch(/\/forms\/\d+$/);
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  held.go();
  await page.getByText('The form is in the trash.').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/members$/);
});

test('a form that was opened by another name than its number is left, too, when it goes to the trash', async () => {
  const form = await home.form({ title: 'Named' });
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.slug}/share`);
  await button(page, 'More for Named').click();
  await page.getByRole('menuitem', { name: 'Move to trash' }).click();
  await page.getByText('The form is in the trash.').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/forms$/);
});
