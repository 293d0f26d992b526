import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';
import { hold, signedInPage } from './screens.ts';

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
