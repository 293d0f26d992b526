import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chatAt } from '../../dashboard/integrations/chats.ts';
import { useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../setup/webhook-receiver.ts';
import { expectFine, signedInPage } from './screens.ts';

const NAME = aField('01', 'text', 'Your name');
const TOPIC = aField('02', 'select', 'Topic', {
  select: { options: [{ name: 'Support' }, { name: 'Sales' }] },
});

const browser = useBrowser();
const home = useHome();
let receiver: WebhookReceiver;
let form: any;
beforeEach(async () => {
  receiver = await startWebhookReceiver();
  form = await home.form({ title: 'Registration', properties: [NAME, TOPIC] });
});
afterEach(() => receiver.close());

async function open(path: string): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/integrations${path}`);
  return page;
}

async function stored(): Promise<any> {
  const { body } = await home.call('GET', `/open/forms/${form.id}/integrations`);
  expect(body).toHaveLength(1);
  return body[0];
}

test('a chat is told of what meets the condition, in words that mention an answer', async () => {
  const page = await open('');
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByText('Chats', { exact: true }).waitFor();
  await expectFine(page, 'menu');
  await page.getByRole('menuitem', { name: 'Slack' }).click();
  await page.getByText('New: Slack').waitFor();
  await page.getByText('In your Slack app: “Incoming Webhooks”').waitFor();
  expect(await page.getByLabel('Secret').count()).toBe(0);
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByText('The Webhook Url field is required.').waitFor();
  await page.getByLabel('Address').fill(receiver.url);

  const message = page.getByRole('textbox', { name: 'Message' });
  await expect.poll(() => message.getAttribute('aria-placeholder')).toBe('New response to “Registration”');
  await message.click();
  await page.keyboard.type('From ');
  await page.getByRole('button', { name: 'Insert field' }).click();
  await page.getByRole('menuitem', { name: 'Your name' }).click();
  await until(async () => (await message.innerText()).replaceAll('\u200b', '') === 'From Your name');
  await page.getByLabel('Without an answer to Your name').fill('nobody');
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByLabel('Field', { exact: true }).selectOption('Topic');
  await page.getByRole('combobox', { name: 'Value' }).selectOption('Support');
  await expectFine(page, 'new');
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByText('Nothing has been sent yet').waitFor();
  await page.getByRole('heading', { name: 'Slack' }).waitFor();
  expect(await page.getByRole('link', { name: 'Verify' }).count()).toBe(0);

  await home.submit(form, { [NAME.id]: 'Grace', [TOPIC.id]: 'Sales' });
  await home.submit(form, { [TOPIC.id]: 'Support' });
  const [request] = await receiver.received(1);
  const sent = JSON.parse(request!.body.toString());
  expect(sent.text).toBe('From nobody');
  expect(JSON.stringify(sent.blocks)).toContain('Support');
  expect(request!.headers['x-webhook-signature']).toBeUndefined();

  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The receiver answered with status 200.').waitFor();
  await page.getByText('"From Sample text"').first().waitFor();
  await page.keyboard.press('Escape');

  // The log shows the body.
  await page.reload();
  await page.getByRole('cell', { name: 'Delivered' }).waitFor();
  await page.getByRole('link', { name: /^#/ }).click();
  await page.getByText('"From nobody"').first().waitFor();
  await expectFine(page, 'delivery');
});

test('what is not shown is kept, and another format is chosen any time', async () => {
  const data = {
    webhook_url: receiver.url,
    format: 'discord',
    message: 'Hello',
    include_answers: false,
    webhook_secret: 'a secret of some length',
    webhook_headers: { 'X-Source': 'forms' },
  };
  const { body } = await home.call('POST', `/open/forms/${form.id}/integrations`, {
    integration_id: 'webhook',
    data,
  });
  const page = await open('');
  await page.getByRole('link', { name: 'Discord' }).waitFor();
  await expectFine(page, 'list');
  await page.goto(`${page.url()}/${body.form_integration.id}?tab=settings`);
  await expect.poll(() => page.getByLabel('What is sent').inputValue()).toBe('discord');
  await expect
    .poll(() => page.getByRole('checkbox', { name: 'With questions and answers' }).isChecked())
    .toBe(false);
  await page.getByRole('checkbox', { name: 'With questions and answers' }).check();
  await page.getByRole('textbox', { name: 'Message' }).fill('');
  await page.getByLabel('What is sent').selectOption('Message for Microsoft Teams');
  await expectFine(page, 'settings');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved, and in force').waitFor();
  const masked = { webhook_secret: '********', webhook_headers: { 'X-Source': '********' } };
  expect((await stored()).data).toEqual({
    webhook_url: receiver.url,
    format: 'teams',
    include_answers: true,
    ...masked,
  });

  await page.getByLabel('What is sent').selectOption('JSON');
  await page.getByText('Stored encrypted, and not shown again.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Webhook' }).waitFor();
  expect((await stored()).data).toEqual({ webhook_url: receiver.url, include_answers: true, ...masked });
});

test('headers that were meant for another receiver are seen, and can be taken away from a chat', async () => {
  const data = { webhook_url: receiver.url, webhook_headers: { 'X-Api-Key': 'of our own' } };
  const { body } = await home.call('POST', `/open/forms/${form.id}/integrations`, {
    integration_id: 'webhook',
    data,
  });
  const page = await open(`/${body.form_integration.id}?tab=settings`);
  await page.getByLabel('What is sent').selectOption('Message for Slack');
  await page.getByRole('button', { name: 'Remove header X-Api-Key' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved, and in force').waitFor();
  expect((await stored()).data).toEqual({
    webhook_url: receiver.url,
    format: 'slack',
    include_answers: true,
  });
});

test('where the address of a chat is put in for JSON, its messages are offered', async () => {
  const page = await open('/new?provider=webhook');
  await page.getByLabel('Address').fill('https://hooks.slack.com/services/T0/B0/xyz');
  await page.getByText('This is an address of Slack.').waitFor();
  await expectFine(page, 'offer');
  await page.getByRole('button', { name: 'Send messages for Slack' }).click();
  await expect.poll(() => page.getByLabel('What is sent').inputValue()).toBe('slack');
  await expect.poll(() => page.getByText('This is an address of Slack.').count()).toBe(0);
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByText('Nothing has been sent yet').waitFor();
  const { data } = await stored();
  expect(data).toEqual({
    webhook_url: 'https://hooks.slack.com/services/T0/B0/xyz',
    format: 'slack',
    include_answers: true,
  });
});

test('Telegram asks for the address of a bot that says which chat is told', async () => {
  const page = await open('');
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByRole('menuitem', { name: 'Telegram' }).click();
  await page.getByText('New: Telegram').waitFor();
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByText('The Webhook Url must say which chat is told').waitFor();
  await expectFine(page, 'without a chat');
  await page.getByLabel('Address').fill(`${receiver.url}?chat_id=-1001`);
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByText('Nothing has been sent yet').waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The receiver answered with status 200.').waitFor();
  const [request] = await receiver.received(1);
  expect(JSON.parse(request!.body.toString()).text).toContain('New response to “Registration”');
});

test.each([
  ['https://hooks.slack.com/services/T0/B0/x', 'slack'],
  ['https://hooks.slack.com/triggers/T0/1/x', undefined],
  ['https://discord.com/api/webhooks/1/x', 'discord'],
  ['https://ptb.discord.com/api/webhooks/1/x', 'discord'],
  ['https://discord.com/api/webhooks/1/x/slack', undefined],
  ['https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=t', 'google_chat'],
  ['https://example.webhook.office.com/webhookb2/a@b/IncomingWebhook/c/d', 'teams'],
  ['https://prod-1.westeurope.logic.azure.com:443/workflows/a/triggers/manual/paths/invoke', 'teams'],
  ['https://default1.0a.environment.api.powerplatform.com:443/powerautomate/automations', 'teams'],
  ['https://api.telegram.org/bot1:a-b_c/sendMessage?chat_id=-1001', 'telegram'],
  ['https://api.telegram.org/bot1:a-b_c/getUpdates', undefined],
  ['https://hooks.slack.com.evil.example/services/T0', undefined],
  ['https://example.com/https://discord.com/api/webhooks/1/x', undefined],
])('%s is known as an address of %s', (url, chat) => {
  expect(chatAt(url)?.id).toBe(chat);
});
