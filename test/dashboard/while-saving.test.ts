import type { Page } from 'playwright-core';
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
const toShare = (page: Page) =>
  page.getByRole('navigation', { name: 'Form', exact: true }).getByRole('link', { name: 'Share' }).click();

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
