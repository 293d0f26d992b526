import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SNIPPETS } from '../../dashboard/integrations/snippets.ts';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aField, type TestUser } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import {
  type ReceivedRequest,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../setup/webhook-receiver.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NAME = aField('01', 'text', 'Your name');
const TOPIC = aField('02', 'select', 'Topic', {
  select: { options: [{ name: 'Support' }, { name: 'Sales' }] },
});

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  // Waiting deliveries must not reach the receiver of another test.
  await sql`update deliveries set state = 'cancelled' where state = 'pending'`.execute(
    home.service.context.db,
  );
  await receiver.close();
});

const aFormHere = () => home.form({ title: 'Sent on', properties: [NAME, TOPIC] });

async function anIntegration(form: { id: number }, more: object = {}, data: object = {}) {
  const body = {
    integration_id: 'webhook',
    data: { webhook_url: receiver.url, webhook_secret: SECRET, ...data },
    ...more,
  };
  const answer = await home.call('POST', `/open/forms/${form.id}/integrations`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.form_integration;
}

async function open(form: { id: number }, path: string, who: TestUser = home.ada): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, who);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/integrations${path}`);
  return page;
}

const conditionOn = ({ id, type }: { id: string; type: string }, value: string) => ({
  operatorIdentifier: 'and',
  children: [{ identifier: id, value: { operator: 'equals', property_meta: { id, type }, value } }],
});

const submit = (form: { slug: string }, name: string) => home.submit(form, { [NAME.id]: name });
const deliveriesOf = async (form: { id: number }, integration: { id: number }) =>
  (await home.call('GET', `/open/forms/${form.id}/integrations/${integration.id}/deliveries`)).body;

/** Waits until this many attempts were made in total. */
const attempted = (form: { id: number }, integration: { id: number }, count: number) =>
  until(async () => {
    const deliveries: { attempts: number }[] = await deliveriesOf(form, integration);
    return deliveries.reduce((sum, { attempts }) => sum + attempts, 0) >= count;
  });

test('whose condition asks for an option that is renamed is told before that is published, and as long as it is so', async () => {
  const form = await aFormHere();
  const integration = await anIntegration(form, { logic: conditionOn(TOPIC, 'Sales') });
  const page = await open(form, '');
  await page.getByText('No problems').waitFor();
  await page.getByRole('link', { name: 'Build' }).click();
  await page.getByRole('button', { name: 'Settings of Topic' }).click();
  await page.getByRole('textbox', { name: 'Option 2' }).fill('Orders');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByText('The integration “Webhook” sends nothing any more: “Topic” has no option “Sales”.')
    .waitFor();
  await dialog.getByRole('button', { name: 'Publish anyway' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Integrations' }).click();
  await page.getByText('Nothing to send: “Topic” has no option “Sales”.').waitFor();
  await expectFine(page, 'nothing to send');
  const path = `/open/forms/${form.id}/integrations/${integration.id}`;
  await home.call('PUT', path, { ...integration, logic: conditionOn(TOPIC, 'Orders') });
  await page.reload();
  await page.getByText('No problems').waitFor();
});

test('a webhook is made with everything it can be told, and sends what meets its condition', async () => {
  const form = await aFormHere();
  const page = await open(form, '');
  await page.getByText('No integrations yet').waitFor();
  await expectFine(page, 'none');
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByRole('menuitem', { name: 'Webhook' }).click();
  const secret = page.getByLabel('Secret');
  const first = await secret.inputValue();
  expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  await page.getByRole('button', { name: 'Generate' }).click();
  await expect.poll(() => secret.inputValue()).not.toBe(first);
  await secret.fill(SECRET);

  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByText('The Webhook Url field is required.').waitFor();
  await expect.poll(() => page.getByLabel('Address').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Address').fill(receiver.url);

  await page.getByRole('button', { name: 'Add header' }).click();
  await page.getByLabel('Name of header 1').fill('X-Source');
  await page.getByLabel('Value of header 1').fill('forms');
  await page.getByRole('button', { name: 'Add header' }).click();
  await page.getByLabel('Name of header 2').fill('X-Source');
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByText("Header 'X-Source' is given more than once.").waitFor();
  await page.getByRole('button', { name: 'Remove header X-Source' }).last().click();

  await page.getByLabel('Also when a response is changed').check();
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByLabel('Field').selectOption('Topic');
  await page.getByRole('combobox', { name: 'Value' }).selectOption('Support');
  await page.getByText('Only when Topic is Support').waitFor();
  await expectFine(page, 'new');
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByText('Nothing has been sent yet').waitFor();
  await expectFine(page, 'empty log');

  await home.submit(form, { [NAME.id]: 'No', [TOPIC.id]: 'Sales' });
  await home.submit(form, { [NAME.id]: 'Yes', [TOPIC.id]: 'Support' });
  const [request] = await receiver.received(1);
  expect(JSON.parse(request?.body.toString() ?? '').data[NAME.id].value).toBe('Yes');
  expect(request?.headers['x-source']).toBe('forms');
  expect(await isGenuineInNode(request, SECRET)).toBe(true);

  const [{ id }] = await home.records(form);
  const changed = { [NAME.id]: 'Perhaps', [TOPIC.id]: 'Support' };
  await home.call('PUT', `/open/forms/${form.id}/submissions/${id}`, changed);
  const [, edit] = await receiver.received(2);
  expect(JSON.parse(String(edit?.body))).toMatchObject({ event: 'submission.updated', submission_id: id });
});

test('an address inside is refused with word of how to open it', async () => {
  const form = await aFormHere();
  const page = await open(form, '/new?provider=webhook');
  await page.getByLabel('Address').fill('http://10.0.0.5/hook');
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByText('WEBHOOK_ALLOWED_NETWORKS').waitFor();
  await expectFine(page, 'refused address');
});

test('what is stored stays hidden, and is kept, replaced or removed', async () => {
  const form = await aFormHere();
  const made = await anIntegration(form, {}, { webhook_headers: { 'X-One': 'first', 'X-Two': 'second' } });
  const page = await open(form, `/${made.id}?tab=settings`);
  await page.getByText('Stored encrypted, and not shown again.').waitFor();
  await expectFine(page, 'settings');
  expect(await page.content()).not.toContain(SECRET);
  await page.getByLabel('Value of header 2').fill('changed');
  const save = page.getByRole('button', { name: 'Save' });
  await save.press('Enter');
  await page.getByText('Saved, and in force').waitFor();
  // Shown anew, with what is stored now.
  await expect.poll(() => page.getByLabel('Value of header 2').inputValue()).not.toBe('changed');
  expect(await save.evaluate((button) => button === document.activeElement)).toBe(true);
  await submit(form, 'a');
  const [request] = await receiver.received(1);
  expect(request?.headers).toMatchObject({ 'x-one': 'first', 'x-two': 'changed' });
  expect(await isGenuineInNode(request, SECRET)).toBe(true);

  await page.getByRole('button', { name: 'Replace' }).click();
  await page.getByLabel('Secret').fill('another secret');
  await page.getByRole('button', { name: 'Keep the stored one' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Not signed').waitFor();
  await page.getByRole('button', { name: 'Remove header X-One' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Keep the stored one' }).waitFor({ state: 'detached' });
  await submit(form, 'b');
  const [, second] = await receiver.received(2);
  expect(second?.headers['x-webhook-signature']).toBeUndefined();
  expect(second?.headers['x-one']).toBeUndefined();
});

test('one whose secret cannot be read any more says so before anything is sent, until it is set again', async () => {
  const form = await aFormHere();
  const { id } = await anIntegration(form);
  await sql`update integrations set secrets_encrypted = ${Buffer.alloc(64, 1)} where id = ${id}`.execute(
    home.service.context.db,
  );
  const page = await open(form, '');
  await page.getByRole('listitem').getByText('Secret cannot be read').waitFor();
  await page.goto(`${page.url()}/${id}?tab=settings`);
  const notice = page.getByText('deliveries wait until they are set again');
  await notice.waitFor();
  await page.getByRole('button', { name: 'Replace' }).click();
  await page.getByLabel('Secret').fill('another secret');
  await page.getByRole('button', { name: 'Save' }).click();
  await notice.waitFor({ state: 'detached' });
});

test('with an address of another server the values of headers are typed again, or taken away', async () => {
  const form = await aFormHere();
  const headers = { 'X-One': 'first', 'X-Two': 'second' };
  const made = await anIntegration(
    form,
    {},
    { webhook_url: 'https://former.example.com/', webhook_headers: headers },
  );
  const page = await open(form, `/${made.id}?tab=settings`);
  await page.getByLabel('Address').fill(receiver.url);
  const save = page.getByRole('button', { name: 'Save' });
  await save.click();
  await page.getByRole('group', { name: 'Headers' }).getByText('Send the values again').waitFor();
  await expectFine(page, 'headers of another server');
  await page.getByLabel('Value of header 1').fill('typed again');
  await page.getByRole('button', { name: 'Remove header X-Two' }).click();
  await save.click();
  await page.getByText('Saved, and in force').waitFor();
  await submit(form, 'a');
  const [request] = await receiver.received(1);
  expect(request?.headers['x-one']).toBe('typed again');
  expect(request?.headers['x-two']).toBeUndefined();
});

test('what is changed and not saved is asked about, and no test is sent of it', async () => {
  const form = await aFormHere();
  const made = await anIntegration(form);
  const page = await open(form, `/${made.id}?tab=settings`);
  const address = page.getByLabel('Address');
  const unsaved = `${receiver.url}/unsaved`;
  await address.fill(unsaved);
  for (const name of ['Send a test', 'Deactivate'])
    await expect.poll(() => page.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true');
  // Typed text stays when somebody else changes the integration and the page is updated.
  await home.call('PUT', `/open/forms/${form.id}/integrations/${made.id}`, {
    integration_id: 'webhook',
    status: 'inactive',
    data: {},
  });
  await page.clock.setFixedTime(Date.now() + 60_000);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await page.getByRole('button', { name: 'Activate', exact: true }).waitFor();
  await expect.poll(() => address.inputValue()).toBe(unsaved);
  await page.getByRole('link', { name: 'Verify' }).click();
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  await expect.poll(() => address.inputValue()).toBe(unsaved);
  await page.getByRole('link', { name: 'All integrations' }).click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('link', { name: 'Webhook' }).click();
  const tabs = page.getByRole('navigation', { name: 'Integration', exact: true });
  await tabs.getByRole('link', { name: 'Settings' }).click();
  await expect.poll(() => address.inputValue()).toBe(receiver.url);
});

test('what others save meanwhile stays when something else of it is saved', async () => {
  const form = await aFormHere();
  const made = await anIntegration(form, {}, { webhook_headers: { 'X-One': 'first' } });
  const page = await open(form, `/${made.id}?tab=settings`);
  await page.getByLabel('Also when a response is changed').check();
  const others = await home.call('PUT', `/open/forms/${form.id}/integrations/${made.id}`, {
    integration_id: 'webhook',
    data: {
      webhook_url: `${receiver.url}/elsewhere`,
      webhook_secret: null,
      webhook_headers: { 'X-One': 'second' },
    },
    logic: conditionOn(TOPIC, 'Support'),
  });
  expect(others.status, others.text).toBe(200);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved, and in force').waitFor();
  const { body } = await home.call('GET', `/open/forms/${form.id}/integrations/${made.id}`);
  const { webhook_url, webhook_secret, sends_edits } = body.data;
  expect([webhook_url, webhook_secret, sends_edits]).toEqual([`${receiver.url}/elsewhere`, undefined, true]);
  expect(body.logic).toEqual(others.body.form_integration.logic);
  await expect.poll(() => page.getByLabel('Address').inputValue()).toBe(`${receiver.url}/elsewhere`);
});

test('a platform knows where its scenario is', async () => {
  const form = await aFormHere();
  const page = await open(form, '/new?provider=make');
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByLabel('Link to the scenario at Make').fill('https://make.example.com/scenario/1');
  await page.getByRole('button', { name: 'Add integration' }).click();
  const link = page.getByRole('link', { name: 'Open the scenario' });
  await link.waitFor();
  await expect.poll(() => link.getAttribute('href')).toBe('https://make.example.com/scenario/1');
});

test('a test shows what was sent and what came back', async () => {
  const form = await aFormHere();
  const made = await anIntegration(form, { status: 'inactive' });
  receiver.script([{ status: 500, body: '{"error":"It broke"}' }]);
  const page = await open(form, `/${made.id}`);
  await page.getByRole('button', { name: 'Send a test' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The receiver answered with status 500.').waitFor();
  await expect
    .poll(() => dialog.getByRole('region', { name: 'Request' }).innerText())
    .toContain('Sample text');
  await expect
    .poll(() => dialog.getByRole('region', { name: 'Response' }).innerText())
    .toContain('"error": "It broke"');
  await expectFine(page, 'test');
  await page.keyboard.press('Escape');
  await page.locator('button:focus', { hasText: 'Send a test' }).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByText('Delivered').waitFor();
});

describe('health', () => {
  test('is told in the list', async () => {
    const form = await aFormHere();
    receiver.script([], 500);
    const failing = await anIntegration(form);
    await submit(form, 'a');
    await attempted(form, failing, 1);
    await anIntegration(form, { integration_id: 'n8n', status: 'inactive' });
    const page = await open(form, '');
    await page.getByText('Failing').waitFor();
    await page.getByText('1 waiting').waitFor();
    await page.getByText('Sends nothing').waitFor();
    await expectFine(page, 'list');
    await page.getByRole('link', { name: 'n8n' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Activate', exact: true }).click();
    await page.getByRole('button', { name: 'Deactivate' }).waitFor();
  });

  test('a stopped one says why, and goes on where it was', async () => {
    const form = await aFormHere();
    receiver.script([410]);
    const made = await anIntegration(form);
    await submit(form, 'a');
    await until(async () => {
      const { body } = await home.call('GET', `/open/forms/${form.id}/integrations/${made.id}`);
      return body.status === 'inactive';
    });
    const page = await open(form, `/${made.id}`);
    await page.getByText('Deliveries were stopped: The receiver answered 410 Gone.').waitFor();
    await expectFine(page, 'stopped');
    await page.getByRole('button', { name: 'Activate', exact: true }).click();
    await page.getByText('Active: new responses are sent.').waitFor();
    await page.getByText('Deliveries were stopped').waitFor({ state: 'detached' });
  });
});

describe('the log', () => {
  test('follows a delivery from failure to success by itself', async () => {
    const form = await aFormHere();
    receiver.script([], { status: 500, body: 'It broke' });
    const made = await anIntegration(form);
    await submit(form, 'a');
    const page = await open(form, `/${made.id}`);
    await page.getByRole('cell', { name: 'Waiting' }).waitFor();
    await page.getByText('Status 500').waitFor();
    // The head of the page is updated by itself as well.
    await page.getByText('Failing').waitFor();
    await page.getByText('1 waiting').waitFor();
    await expectFine(page, 'log');
    receiver.script([]);
    await sql`update deliveries set next_attempt_at = now() where integration_id = ${made.id}`.execute(
      home.service.context.db,
    );
    await page.getByRole('cell', { name: 'Delivered' }).waitFor();
    await page.getByText('Failing').waitFor({ state: 'detached' });
    await page.getByText('No problems').waitFor();
    const { length: before } = receiver.requests;
    await page.getByRole('link', { name: /^#/ }).click();
    await page.getByRole('region', { name: 'Reply to attempt 1' }).getByText('It broke').waitFor();
    await expectFine(page, 'delivery');
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The delivery is sent again.').waitFor();
    await page.getByText(`${before + 1}.`, { exact: true }).waitFor();
    const requests = await receiver.received(before + 1);
    expect(requests.at(-1)?.body).toEqual(requests[0]?.body);
    await page.getByRole('link', { name: /^Open response/ }).click();
    await page.getByRole('dialog').getByText('Your name').waitFor();
  });

  test('is filtered by state and time, in the address', async () => {
    const form = await aFormHere();
    const made = await anIntegration(form);
    for (const name of ['a', 'b', 'c']) await submit(form, name);
    await attempted(form, made, 3);
    const [, b, a] = await deliveriesOf(form, made);
    const { db } = home.service.context;
    await sql`update deliveries set created_at = '2026-01-02T12:00:00Z' where id = ${a.id}`.execute(db);
    await sql`update deliveries set state = 'exhausted' where id = ${b.id}`.execute(db);
    const page = await open(form, `/${made.id}`);
    const rows = page.getByRole('link', { name: /^#/ });
    await rows.nth(2).waitFor();
    await page.getByLabel('State').selectOption('Given up');
    await expect.poll(() => rows.allInnerTexts()).toEqual([`#${b.submission_id}`]);
    await page.reload();
    await rows.first().waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await rows.nth(2).waitFor();
    await page.getByLabel('To', { exact: true }).fill('2026-01-02');
    await expect.poll(() => rows.allInnerTexts()).toEqual([`#${a.submission_id}`]);
    await page.getByLabel('From').fill('2026-01-03');
    await page.getByText('Nothing matches the filters').waitFor();
    await expectFine(page, 'nothing fits');
  });

  test('sends again what fits, and only that', async () => {
    const form = await aFormHere();
    const made = await anIntegration(form);
    for (const name of ['a', 'b', 'c']) await submit(form, name);
    await attempted(form, made, 3);
    const [c, b, a] = await deliveriesOf(form, made);
    const { db } = home.service.context;
    await sql`update deliveries set state = 'exhausted' where id in (${a.id}, ${b.id})`.execute(db);
    await sql`update deliveries set created_at = '2026-01-02T12:00:00Z' where id = ${a.id}`.execute(db);
    const page = await open(form, `/${made.id}?state=exhausted`);
    await page.getByRole('button', { name: 'Send again …' }).click();
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByLabel('Which').inputValue()).toBe('exhausted');
    await dialog.getByLabel('Created from').fill('2026-01-02');
    await dialog.getByLabel('Created to').fill('2026-01-02');
    await expectFine(page, 'replay');
    await dialog.getByRole('button', { name: 'Send 1 again' }).click();
    await page.getByText('1 delivery is sent again.').waitFor();
    const requests = await receiver.received(4);
    expect(requests[3]?.headers['webhook-id']).toBe(a.webhook_id);
    await attempted(form, made, 4);
    const after = await deliveriesOf(form, made);
    expect(after.map(({ attempts }: { attempts: number }) => attempts)).toEqual([c.attempts, b.attempts, 2]);
  });

  test('sends nothing that arrived already without being told how much', async () => {
    const form = await aFormHere();
    const made = await anIntegration(form);
    for (const name of ['a', 'b']) await submit(form, name);
    await attempted(form, made, 2);
    await receiver.received(2);
    const [{ id: old }] = await deliveriesOf(form, made);
    // A delivery that has waited long is kept and counted.
    await sql`update deliveries set created_at = '2021-01-02T12:00:00Z' where id = ${old}`.execute(
      home.service.context.db,
    );
    const page = await open(form, `/${made.id}`);
    await page.getByRole('button', { name: 'Send again …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No deliveries match.').waitFor();
    await expect.poll(() => dialog.getByLabel('Which').inputValue()).toBe('exhausted');
    await dialog.getByLabel('Which').selectOption('In any state (2)');
    await dialog.getByText('2 deliveries arrived already').waitFor();
    await expectFine(page, 'replay of what arrived');
    const send = dialog.getByRole('button', { name: 'Send 2 again' });
    await expect.poll(() => send.isDisabled()).toBe(true);
    expect(receiver.requests).toHaveLength(2);
    await dialog.getByLabel('Type 2 to confirm').fill('2');
    await send.click();
    await page.getByText('2 deliveries are sent again.').waitFor();
    await receiver.received(4);
  });

  test('is read page by page', async () => {
    const form = await aFormHere();
    const made = await anIntegration(form, { status: 'inactive' });
    const { db } = home.service.context;
    await sql`insert into deliveries (form_id, integration_id, submission_id, body, state, attempts)
      select ${form.id}, ${made.id}, n, '{}', 'delivered', 0 from generate_series(1, 70) n`.execute(db);
    const page = await open(form, `/${made.id}`);
    const rows = page.getByRole('link', { name: /^#/ });
    await rows.nth(49).waitFor();
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByRole('button', { name: 'Show earlier' }).click();
    await rows.nth(69).waitFor();
    await page.getByRole('button', { name: 'Show earlier' }).waitFor({ state: 'detached' });
  });
});

test('deleting wants the host, and takes the log along', async () => {
  const form = await aFormHere();
  const made = await anIntegration(form);
  const page = await open(form, `/${made.id}?tab=settings`);
  await page.getByRole('button', { name: 'Delete integration' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('textbox').fill(new URL(receiver.url).host);
  await dialog.getByRole('button', { name: 'Delete integration' }).click();
  await page.getByText('No integrations yet').waitFor();
  expect((await home.call('GET', `/open/forms/${form.id}/integrations`)).body).toEqual([]);
});

test('a viewer is told why there is nothing to see', async () => {
  const form = await aFormHere();
  const { id } = await anIntegration(form);
  const viewer = await home.member('readonly');
  for (const path of ['', `/${id}`, `/${id}/deliveries/1`, '/new']) {
    const page = await open(form, path, viewer);
    await page.getByText('For editors and admins').waitFor();
    await expectFine(page, `viewer at ${path}`);
  }
});

test('what waits for an inactive integration has no time, and says what it waits for', async () => {
  const form = await aFormHere();
  receiver.script([], 500);
  const integration = await anIntegration(form);
  await submit(form, 'Ada');
  await attempted(form, integration, 1);
  await home.call('PUT', `/open/forms/${form.id}/integrations/${integration.id}`, {
    integration_id: 'webhook',
    status: 'inactive',
    data: {},
  });
  const [{ id }] = await deliveriesOf(form, integration);
  const page = await open(form, `/${integration.id}`);
  await page.getByRole('row').getByText('when the integration is active').waitFor();
  await page.goto(`${page.url()}/deliveries/${id}`);
  await page.getByRole('definition').getByText('when the integration is active').waitFor();
});

test('on a phone', async () => {
  const form = await aFormHere();
  const made = await anIntegration(form);
  const page = await signedInPage(browser, home.service.url, home.ada, PHONE);
  await page.goto(
    `${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/integrations/${made.id}?tab=verify`,
  );
  await page.getByRole('tab', { name: 'Ruby' }).tap();
  await page.getByText('OpenSSL.secure_compare').waitFor();
  await expectFine(page, 'verify');
});

describe('snippets that verify', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'formstead-snippets-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each(['node', 'python', 'shell'])('%s knows a real delivery, and a forged one', async (language) => {
    const form = await aFormHere();
    await anIntegration(form);
    await submit(form, 'Zoë “quoted” \\ 日本');
    const [request] = await receiver.received(1);
    const signature = String(request?.headers['x-webhook-signature']);
    const body = request?.body ?? Buffer.alloc(0);
    const verify = await verifier(folder, language);
    expect(await verify(SECRET, body, signature)).toBe(true);
    expect(await verify(SECRET, Buffer.concat([body, Buffer.from(' ')]), signature)).toBe(false);
    expect(await verify('another secret', body, signature)).toBe(false);
    expect(
      await verify(
        SECRET,
        body,
        signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
    ).toBe(false);
  });
});

const run = promisify(execFile);

/** A program from the code of a snippet; it prints `genuine` or something else. */
async function verifier(folder: string, language: string) {
  const code = SNIPPETS.find(({ id }) => id === language)?.code ?? '';
  const [file, text, command] = {
    node: [
      'verify.mjs',
      `import { readFileSync } from 'node:fs';\n${code}\nconst { SECRET, SIGNATURE } = process.env;\nconsole.log(isGenuine(SECRET, readFileSync('body.json'), SIGNATURE) ? 'genuine' : 'forged');\n`,
      process.execPath,
    ],
    python: [
      'verify.py',
      `${code}\nimport os\nbody = open("body.json", "rb").read()\nprint("genuine" if is_genuine(os.environ["SECRET"], body, os.environ["SIGNATURE"]) else "forged")\n`,
      'python3',
    ],
    shell: ['verify.sh', code, 'sh'],
  }[language] as [string, string, string];
  await writeFile(join(folder, file), text);
  return async (secret: string, body: Buffer, signature: string) => {
    await writeFile(join(folder, 'body.json'), body);
    const env = { ...process.env, SECRET: secret, SIGNATURE: signature };
    const { stdout } = await run(command, [file], { cwd: folder, env });
    return stdout.trim() === 'genuine';
  };
}

async function isGenuineInNode(request: ReceivedRequest | undefined, secret: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'formstead-snippets-'));
  try {
    const verify = await verifier(folder, 'node');
    return await verify(
      secret,
      request?.body ?? Buffer.alloc(0),
      String(request?.headers['x-webhook-signature']),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
