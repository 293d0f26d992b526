import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { hold, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

async function open(path: string): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}${path}`);
  return page;
}

test('Enter pressed again while a form is made makes no other', async () => {
  const page = await open(`/workspaces/${home.workspaceId}/forms`);
  await page.getByRole('button', { name: 'New form' }).first().click();
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.fill('Made once');
  const held = await hold(page, /\/open\/forms$/);
  for (let press = 0; press < 3; press++) {
    await title.press('Enter');
    await page
      .getByRole('button', { name: 'Create form' })
      .and(page.locator('[aria-disabled=true]'))
      .waitFor();
  }
  await page.getByRole('button', { name: 'Cancel' }).and(page.locator('[aria-disabled=true]')).waitFor();
  await title.press('Escape');
  await title.waitFor();
  held.go();
  await page.waitForURL(/\/build$/);
  expect(held.came).toBe(1);
});

test('what is being saved can neither be discarded nor saved again', async () => {
  const form = await home.form({ title: 'Before' });
  const page = await open(`/workspaces/${home.workspaceId}/forms/${form.id}/settings?part=texts`);
  await page.getByLabel('Title', { exact: true }).fill('After');
  const held = await hold(page, /\/open\/forms\/\d+$/, 'PUT');
  const bar = page.getByRole('region', { name: 'Changes' });
  await bar.getByRole('button', { name: 'Save' }).click();
  await bar.getByRole('button', { name: 'Discard' }).and(page.locator('[aria-disabled=true]')).waitFor();
  await bar.getByRole('button', { name: 'Discard' }).click({ force: true });
  await page.keyboard.press('Control+s');
  held.go();
  await bar.waitFor({ state: 'detached' });
  expect(held.came).toBe(1);
  expect((await home.call('GET', `/open/forms/${form.id}`)).body.title).toBe('After');
});

test.each([
  [
    'an invitation',
    (): string => `/workspaces/${home.workspaceId}/members`,
    'Invite',
    'E-mail address',
    'twice@example.com',
    /users\/add$/,
    'Hand over this link',
  ],
  [
    'a workspace',
    (): string => '/workspaces',
    'New workspace',
    'Name',
    'Twice',
    /\/open\/workspaces\/create$/,
    null,
  ],
] as const)('%s sent twice at the same moment is one', async (_, path, button, label, text, posted, next) => {
  const page = await open(path());
  await page.getByRole('button', { name: button }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(label).fill(text);
  const held = await hold(page, posted);
  await dialog.locator('form').evaluate((form: HTMLFormElement) => {
    form.requestSubmit();
    form.requestSubmit();
  });
  await dialog.getByLabel(label).press('Enter');
  held.go();
  await (next ? page.getByRole('dialog', { name: next }).waitFor() : dialog.waitFor({ state: 'detached' }));
  expect(held.came).toBe(1);
});

test('what is shown once is not lost to whoever presses Escape before it is there', async () => {
  const page = await open('/account/tokens');
  await page.getByRole('button', { name: 'New token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Waited for');
  const held = await hold(page, /\/settings\/tokens$/);
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByRole('button', { name: 'Close' }).and(page.locator('[aria-disabled=true]')).waitFor();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Cancel' }).click({ force: true });
  held.go();
  await dialog.getByRole('textbox', { name: 'Token' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('a refusal that comes after Escape is told where it can be seen', async () => {
  const page = await open('/workspaces');
  await page.getByRole('button', { name: 'New workspace' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(' ');
  const held = await hold(page, /\/open\/workspaces\/create$/);
  await dialog.getByLabel('Name').press('Enter');
  await dialog.getByRole('button', { name: 'Cancel' }).and(page.locator('[aria-disabled=true]')).waitFor();
  await page.keyboard.press('Escape');
  held.go();
  await page.getByText('name field is required').waitFor();
});

test('what is being thrown away is not kept in appearance: the question stays until it is gone', async () => {
  const form = await home.form({ title: 'Published' });
  await home.call('PUT', `/open/forms/${form.id}/draft`, { title: 'Thrown away' });
  const page = await open(`/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  await page.getByRole('button', { name: 'Discard' }).click();
  const held = await hold(page, /\/draft(\?|$)/, 'DELETE');
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect.poll(() => held.came).toBe(1);
  const cancel = question.getByRole('button', { name: 'Cancel' });
  await cancel.and(page.locator('[aria-disabled=true]')).waitFor();
  await page.keyboard.press('Escape');
  await cancel.click({ force: true });
  await question.waitFor();
  held.go();
  await page.getByText('The changes were discarded.').waitFor();
  await question.waitFor({ state: 'detached' });
});

test('a refusal that comes after one has left the screen is told all the same', async () => {
  const page = await open('/workspaces');
  const toForms = page.getByRole('main').getByRole('listitem').getByRole('link').first();
  await toForms.click();
  await page.waitForURL(/\/forms$/);
  await page.goBack();
  await page.getByRole('button', { name: 'New workspace' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(' ');
  const held = await hold(page, /\/open\/workspaces\/create$/);
  await dialog.getByLabel('Name').press('Enter');
  await expect.poll(() => held.came).toBe(1);
  await dialog.getByRole('button', { name: 'Cancel' }).and(page.locator('[aria-disabled=true]')).waitFor();
  await page.goForward();
  await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
  held.go();
  await page.getByRole('region', { name: 'Messages' }).getByText('name field is required').waitFor();
});
