import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aWorkspace } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { expectFine, hold, signedInPage } from './screens.ts';

const browser = useBrowser();
const smtp = useSmtpServer();
const home = useHome(() => ({ env: { SMTP_URL: smtp.url } }));

async function open(path: string): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}${path}`);
  return page;
}

const question = (page: Page) => page.getByRole('alertdialog');

async function leave(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Members' }).first().click();
}

test('what is typed into several forms of a workspace is asked about at once, and no more once it is saved', async () => {
  const page = await open(`/workspaces/${home.workspaceId}/settings`);
  await page.getByLabel('Name', { exact: true }).fill('Renamed');
  await page.getByLabel('Largest uploaded file (MB)').fill('7');
  await page.getByRole('button', { name: 'Use a server of your own' }).click();
  await page.getByLabel('Host').fill('mail.example.org');
  await leave(page);
  await question(page)
    .getByText(
      'The name and icon you typed would be lost. The limits you typed would be lost. What you changed of this mail server would be lost.',
    )
    .waitFor();
  await expectFine(page, 'typed into several forms');
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  await question(page).waitFor({ state: 'detached' });
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Renamed');

  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').first().waitFor();
  await leave(page);
  await question(page)
    .getByText(/^The limits you typed would be lost\.$/)
    .waitFor();
  await question(page).getByRole('button', { name: 'Cancel' }).click();

  // What is typed while it is saved is not saved.
  const held = await hold(page, /\/settings$/, 'PUT');
  await page.getByRole('button', { name: 'Save limits' }).click();
  await expect.poll(() => held.came).toBe(1);
  await page.getByLabel('Largest uploaded file (MB)').fill('8');
  held.go();
  await page
    .getByRole('button', { name: 'Save limits' })
    .and(page.locator(':not([aria-disabled=true])'))
    .waitFor();
  await leave(page);
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Save limits' }).click();
  const limit = async () =>
    (await home.call('GET', '/open/workspaces')).body.find(
      ({ id }: { id: number }) => id === home.workspaceId,
    ).max_file_size;
  await expect.poll(limit).toBe(8);
  await page
    .getByRole('button', { name: 'Save limits' })
    .and(page.locator(':not([aria-disabled=true])'))
    .waitFor();
  await leave(page);
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
});

test('the name and the address typed in the account are asked about until they are saved', async () => {
  const page = await open('/account');
  await page.getByLabel('Name', { exact: true }).fill('Countess Ada');
  await page.getByLabel('New e-mail address').fill('countess@example.org');
  await page.getByRole('link', { name: 'Security' }).click();
  await question(page)
    .getByText('The name you typed would be lost. The e-mail address you typed would be lost.')
    .waitFor();
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').first().waitFor();
  await page.getByRole('link', { name: 'Security' }).click();
  await question(page)
    .getByText(/^The e-mail address you typed would be lost\.$/)
    .waitFor();
  await question(page).getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL('**/account/security');
});

test('whoever deletes the workspace is not asked about what they typed for it', async () => {
  const workspaceId = await aWorkspace(home.service, home.ada, 'Short-lived');
  const page = await open(`/workspaces/${workspaceId}/settings`);
  await page.getByLabel('Name', { exact: true }).fill('Renamed');
  await page.getByRole('button', { name: 'Delete workspace' }).click();
  await question(page).getByRole('textbox').fill('Short-lived');
  await question(page).getByRole('button', { name: 'Delete workspace' }).click();
  await page.getByText('Short-lived was deleted.').waitFor();
  await page.waitForURL('**/workspaces');
});
