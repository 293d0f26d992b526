import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readWorkbook, valuesOf } from '../exports/xlsx-reader.ts';
import { useBrowser } from '../setup/browser.ts';
import { startService, type TestService } from '../setup/service.ts';
import { type ReceivedRequest, useWebhookReceiver } from '../setup/webhook-receiver.ts';

// One story from an empty installation to a colleague who may only look: everything is set up through the screens.

const PASSWORD = 'correct horse battery';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const QUESTION = 'What may we call you?';
const ANSWER = 'Grace “Amazing” Hopper, née Murray';

let service: TestService;
// A second try needs an empty installation, too.
beforeEach(async () => {
  service = await startService({ env: { REGISTRATION: 'first' } });
});
afterEach(() => service?.stop());
const browser = useBrowser();
const receiver = useWebhookReceiver();

test('from the first account to a colleague', async () => {
  const page = await browser.page({ viewport: { width: 1440, height: 900 } });
  const screens = page.getByRole('navigation', { name: 'Form' });

  await page.goto(`${service.url}/`);
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  await register(page, 'Ada Lovelace', 'ada@example.com');
  await page.getByText('No forms yet').waitFor();

  // A form from a template, with one more question.
  await page.getByRole('button', { name: 'New form' }).first().click();
  await page.getByRole('radio', { name: 'Contact' }).check();
  await page.getByRole('textbox', { name: 'Title' }).fill('Write to us');
  await page.getByRole('button', { name: 'Create form' }).click();
  await page.waitForURL(/\/build$/);
  const formId = Number(/forms\/(\d+)/.exec(page.url())?.[1]);
  await page.locator('[data-name-of]').first().fill(QUESTION);
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  await page.frameLocator('iframe[title="Preview of the form"]').getByLabel(QUESTION).waitFor();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Publish/ })
    .click();
  await page.getByText('The form is published.').waitFor();

  // A signed webhook.
  await screens.getByRole('link', { name: 'Integrations' }).click();
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByRole('menuitem', { name: 'Webhook' }).click();
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByLabel('Secret').fill(SECRET);
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.getByText('Nothing has been sent yet').waitFor();

  // A visitor answers on the public page.
  await screens.getByRole('link', { name: 'Share' }).click();
  const link = await page.getByLabel('Public link of the form').inputValue();
  const listening = page.waitForResponse(/\/submissions\/events$/);
  await screens.getByRole('link', { name: 'Responses' }).click();
  await page.getByText('No responses yet').waitFor();
  await listening;
  const visitor = await browser.page();
  await visitor.goto(link);
  await visitor.getByLabel(QUESTION).fill(ANSWER);
  await visitor.getByLabel('E-mail').fill('grace@example.com');
  await visitor.getByLabel('What is it about?').selectOption('Press');
  await visitor.getByLabel('Message').fill('Hello');
  await visitor.getByRole('button', { name: 'Send' }).click();
  await visitor.getByText('Thank you for your message.').waitFor();

  // The response appears without a reload, and its signed webhook has arrived.
  await page.getByRole('table', { name: 'Responses' }).getByText(ANSWER).waitFor();
  const [request] = await receiver.received(1);
  const body = JSON.parse(request?.body.toString() ?? '{}');
  expect(JSON.stringify(body.data)).toContain(JSON.stringify(ANSWER).slice(1, -1));
  expect(isGenuine(SECRET, request)).toBe(true);
  expect(isGenuine('another secret', request)).toBe(false);
  await screens.getByRole('link', { name: 'Integrations' }).click();
  await page.getByRole('link', { name: 'Webhook' }).click();
  await page.getByRole('cell', { name: 'Delivered' }).waitFor();

  // The same answer in a file.
  await screens.getByRole('link', { name: 'Responses' }).click();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Export Excel file' }).click(),
  ]);
  const [headers = [], ...rows] = valuesOf(readWorkbook(await readFile(await download.path())));
  expect(rows.map((row) => row[headers.indexOf(QUESTION)])).toEqual([ANSWER]);
  await page.keyboard.press('Escape');

  // A colleague who may only look.
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill('alan@example.com');
  await dialog.getByLabel('Viewer').check();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const invitation = await dialog.getByLabel('Invitation link').inputValue();

  const context = await browser.context();
  const colleague = await context.newPage();
  await colleague.goto(invitation);
  await colleague.getByRole('heading', { name: 'Join the workspace' }).waitFor();
  await register(colleague, 'Alan Turing');
  await colleague.getByRole('link', { name: 'Write to us' }).click();
  await colleague.getByRole('link', { name: 'Responses', exact: true }).click();
  await colleague.getByRole('row', { name: /Grace/ }).getByRole('link').click();

  // A forbidden action says why, and the service refuses it too.
  const edit = colleague.getByRole('dialog').getByRole('button', { name: 'Edit' });
  await expect.poll(() => edit.getAttribute('aria-disabled')).toBe('true');
  await edit.focus();
  await colleague.getByRole('tooltip', { name: /not change them/ }).waitFor();
  await colleague.keyboard.press('Escape');
  const [{ name = '', value = '' } = {}] = await context.cookies();
  const asColleague = (method: string, path: string, sent?: object) =>
    service.request(method, path, { cookie: `${name}=${value}`, body: sent });
  const form = await asColleague('GET', `/open/forms/${formId}`);
  expect(form.status).toBe(200);
  const { body: submissions } = await asColleague('GET', `/open/forms/${formId}/submissions`);
  const [submission] = submissions.data;
  const answers = submission.data;
  const refused = await Promise.all([
    asColleague('PUT', `/open/forms/${formId}`, { title: 'Mine' }),
    asColleague('PUT', `/open/forms/${formId}/submissions/${submission.id}`, answers),
    asColleague('DELETE', `/open/forms/${formId}/submissions/${submission.id}`),
    asColleague('GET', `/open/forms/${formId}/integrations`),
    asColleague('DELETE', `/open/forms/${formId}`),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
});

/** Fills in the screen for a new account; an invitation provides the address. */
async function register(page: Page, name: string, email?: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  if (email) await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
}

/** The documented scheme: an HMAC with SHA-256 over the raw bytes of the body, in hexadecimal digits. */
function isGenuine(secret: string, request: ReceivedRequest | undefined): boolean {
  const given = Buffer.from(String(request?.headers['x-webhook-signature']));
  const mac = createHmac('sha256', secret).update(request?.body ?? '');
  const wanted = Buffer.from(`sha256=${mac.digest('hex')}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
