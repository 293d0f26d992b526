import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, signedInPage, signInAs } from './screens.ts';

// What is typed into a dialog is not lost by accident: neither by Back, nor by a click beside it, nor with the session.

const browser = useBrowser();
const home = useHome();
const ADDRESSES = 'ada@example.org\ngrace@example.org';

test('Back closes a dialog and the menu of a phone, and stays on the screen', async () => {
  const form = await home.form();
  const page = await onMembers();
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await page.getByRole('dialog', { name: 'Menu' }).waitFor();
  await backCloses(page);
  await page.getByRole('button', { name: /^Go to/ }).click();
  await backCloses(page);
  await invite(page);
  await backCloses(page);
  // A question too; the next Back leads to the screen before.
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Forms' }).click();
  await page.getByRole('button', { name: `More for ${form.title}` }).click();
  await page.getByRole('menuitem', { name: 'Regenerate link' }).click();
  await page.getByRole('alertdialog').waitFor();
  await backCloses(page);
  await page.goBack();
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
});

test('what was typed into a dialog is lost only to whoever says so', async () => {
  const page = await onMembers();
  await invite(page);
  const field = page.getByRole('dialog').getByRole('textbox');
  const question = page.getByRole('alertdialog', { name: 'Close without saving?' });
  await field.fill(ADDRESSES);
  await page.mouse.click(5, 5);
  for (const close of [
    () => page.goBack(),
    () => page.keyboard.press('Escape'),
    () => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click(),
  ]) {
    await close();
    await question.waitFor();
    // Back answers the question with no.
    await page.goBack();
    await question.waitFor({ state: 'detached' });
    await field.focus();
    expect(await field.inputValue()).toBe(ADDRESSES);
  }
  await page.keyboard.press('Escape');
  await question.waitFor();
  await expectFine(page, 'a question about a dialog');
  await question.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toMatch(/\/members$/);

  // Nothing is asked where nothing is left, and "Cancel" has said it already.
  await invite(page);
  await field.fill(ADDRESSES);
  await field.fill('');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await invite(page);
  await field.fill(ADDRESSES);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('Back does nothing while a dialog waits for what it shows only once', async () => {
  const page = await onMembers();
  await invite(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('waiting@example.com');
  const gate = Promise.withResolvers<void>();
  await page.route('**/invites', (route) => gate.promise.then(() => route.continue()));
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const cancel = dialog.getByRole('button', { name: 'Cancel' });
  await expect.poll(() => cancel.getAttribute('aria-disabled')).toBe('true');
  await page.goBack();
  gate.resolve();
  await dialog.getByRole('heading', { name: 'Hand over this link' }).waitFor();
});

test('the session may end while a dialog is filled in', async () => {
  const page = await onMembers();
  await invite(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(ADDRESSES);
  await page.context().clearCookies();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByText('Sign in in another tab, then try again.').first().waitFor();
  expect(await dialog.getByRole('textbox').inputValue()).toBe(ADDRESSES);
  await signInAs(page.context(), home.service.url, home.ada);
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByRole('heading', { name: 'Hand over these links' }).waitFor();
});

/** The list of members, reached from another screen. */
async function onMembers(): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, home.ada, PHONE);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms`);
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Members' }).click();
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return page;
}

function invite(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Invite' }).click();
}

async function backCloses(page: Page): Promise<void> {
  const before = page.url();
  await page.goBack();
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor({ state: 'detached' });
  await expect.poll(() => page.url()).toBe(before);
}
