import { beforeEach, expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { KNOWN_KEY as KEY, useStripeServer } from '../setup/stripe-server.ts';
import { openResponses } from './responses.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const stripe = useStripeServer();
const home = useHome(() => ({ env: { STRIPE_API_URL: stripe.url } }));

const accountPath = () => `/open/workspaces/${home.workspaceId}/payments`;
const connected = async () => (await home.call('GET', accountPath())).body.payments;
const atWorkspace = (path: string) => `${home.service.url}/workspaces/${home.workspaceId}${path}`;
const FEE = { id: 'fee', type: 'payment', name: 'Fee', amount: 12.5, currency: 'EUR' };

type Form = { id: number; slug: string };
const aForm = (title: string, overrides: Record<string, unknown> = {}): Promise<Form> =>
  home.form({ title, properties: [aTextField(), FEE], ...overrides });

/** Sends the form. @returns the address where it is paid */
async function send(form: Form, name: string): Promise<string> {
  const sent = await home.submit(form, { [TEXT_FIELD_ID]: name });
  expect(sent.status, sent.text).toBe(200);
  const { pathname, search } = new URL(sent.body.payment.url);
  return pathname + search;
}

/** The sender goes on to Stripe's page. */
async function goToStripe(path: string): Promise<void> {
  expect((await home.service.request('POST', path, { headers: { accept: 'text/html' } })).status).toBe(303);
}

async function comeBack(path: string): Promise<void> {
  await home.service.request('GET', path, { headers: { accept: 'text/html' } });
}

beforeEach(async () => {
  stripe.reset();
  expect((await home.call('PUT', accountPath(), { stripe_secret_key: KEY })).status).toBe(200);
});

test('an account is connected by its key, marked as one for tests, and disconnected', async () => {
  await home.call('DELETE', accountPath());
  const page = await signedInPage(browser, home.service.url, home.ada, PHONE);
  await page.goto(atWorkspace('/settings'));
  const key = page.getByLabel('Secret key of Stripe');
  await key.fill('sk_test_nobodyknows123');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect.poll(() => key.getAttribute('aria-invalid')).toBe('true');
  await expectFine(page, 'a refused key');
  await key.fill(KEY);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText('Connected to Ada’s shop').waitFor();
  await page.getByText('Test mode', { exact: true }).waitFor();
  await expectFine(page, 'connected');
  expect(await page.content()).not.toContain(KEY);
  await page.getByRole('button', { name: 'Disconnect' }).click();
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  await dialog.getByText('Responses that wait for a payment go on waiting').waitFor();
  await expectFine(page, 'disconnecting');
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await key.waitFor();
  expect(await connected()).toBe(null);
});

test('members who are no admins are told who connects an account', async () => {
  const bob = await home.member('user');
  const page = await signedInPage(browser, home.service.url, bob);
  await page.goto(atWorkspace('/settings'));
  await page.getByRole('heading', { name: 'Payments' }).waitFor();
  await page.getByText('Only admins of this workspace can do this.').first().waitFor();
  expect(await page.getByLabel('Secret key of Stripe').count()).toBe(0);
});

test('what awaits a payment says how far it is, and is kept without one', async () => {
  const form = await aForm('Waiting');
  await goToStripe(await send(form, 'Ada'));
  await send(form, 'Bob');
  const page = await openResponses(browser, home, form);
  await page.getByRole('link', { name: 'Awaiting payment (2)' }).click();
  await page.getByRole('heading', { name: 'Awaiting payment' }).waitFor();
  const items = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('button') });
  const bob = items.filter({ hasText: 'Bob' });
  await bob.getByText('€12.50').waitFor();
  await bob.getByText('Not paid yet.').waitFor();
  const ada = items.filter({ hasText: 'Ada' });
  await ada.getByText('may be paying just now').waitFor();
  await expectFine(page, 'what awaits a payment');
  await ada.getByRole('button', { name: 'Keep without payment' }).click();
  // Whoever may be paying is not let in: the list stays as it is.
  await page.getByRole('alert').or(page.getByRole('status')).getByText(/pay/i).first().waitFor();
  expect(await home.records(form)).toEqual([]);
  await bob.getByRole('button', { name: 'Keep without payment' }).click();
  await expect.poll(async () => (await home.records(form)).length).toBe(1);
});

test('a paid response shows what was paid, and that it was in test mode', async () => {
  const form = await aForm('Paid');
  const path = await send(form, 'Ada');
  await goToStripe(path);
  const reference = stripe.pay();
  await comeBack(path);
  const [record] = await home.records(form);
  const page = await openResponses(browser, home, form, { path: `/${record.submission_id}` });
  const paid = page.locator('dt').filter({ hasText: 'Paid' }).locator('+ dd');
  await paid.waitFor();
  const text = await paid.textContent();
  for (const part of ['€12.50', 'Test mode', reference]) expect(text).toContain(part);
  await expectFine(page, 'a paid response');
});

test('the table says how much was paid, and analytics how much in all', async () => {
  const form = await aForm('Sums');
  for (const name of ['Ada', 'Bob']) {
    const path = await send(form, name);
    await goToStripe(path);
    stripe.pay();
    await comeBack(path);
  }
  const page = await openResponses(browser, home, form);
  const table = page.getByRole('table', { name: 'Responses' });
  await table.getByRole('cell', { name: '€12.50 Test mode' }).first().waitFor();
  expect(await table.getByText('pi_').count()).toBe(0);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Amount paid' }).check();
  await page.keyboard.press('Escape');
  await table.getByRole('cell', { name: '12.5', exact: true }).first().waitFor();
  await expectFine(page, 'amounts in the table');
  await page.goto(atWorkspace(`/forms/${form.id}/analytics`));
  await page.getByText('€25.00').waitFor();
  await page.getByText('by 2 payments').waitFor();
  expect(
    await page.getByRole('article').filter({ hasText: 'Fee' }).getByText('Read the answers').count(),
  ).toBe(0);
  await expectFine(page, 'what was paid in all');
});

test('whoever edits a response sees what was paid, and cannot type over it', async () => {
  const form = await aForm('Edited');
  const path = await send(form, 'Ada');
  await goToStripe(path);
  const reference = stripe.pay();
  await comeBack(path);
  const [record] = await home.records(form);
  const page = await openResponses(browser, home, form, { path: `/${record.submission_id}` });
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const fee = page.getByRole('group', { name: 'Fee' });
  for (const text of ['€12.50', reference, 'cannot be changed here']) await fee.getByText(text).waitFor();
  expect(await page.getByRole('textbox', { name: 'Fee' }).count()).toBe(0);
  await expectFine(page, 'a paid response that is edited');
  await page.getByRole('textbox', { name: 'Name' }).fill('Grace');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The response was saved.').waitFor();
  const [after] = await home.records(form);
  expect(after).toMatchObject({
    data: { [TEXT_FIELD_ID]: 'Grace', fee: reference },
    payment: record.payment,
  });
});

test('a payment block asks for the same from everybody, or for what a field says', async () => {
  const people = { id: 'people', type: 'number', name: 'People' };
  const form = await home.form({ title: 'Course', properties: [people] });
  const block = async () =>
    (await home.call('GET', `/open/forms/${form.id}/draft`)).body.definition?.properties?.[1];
  const page = await signedInPage(browser, home.service.url, home.ada, {
    viewport: { width: 1440, height: 1000 },
  });
  await page.goto(atWorkspace(`/forms/${form.id}/build`));
  await page.getByRole('searchbox', { name: 'Search fields to add' }).fill('payment');
  await page.keyboard.press('Enter');
  await page.getByLabel('Amount', { exact: true }).fill('25');
  await page.getByLabel('Currency').selectOption('CHF');
  await expect.poll(block).toMatchObject({ type: 'payment', amount: 25, currency: 'CHF' });
  await page.frameLocator('iframe[title="Preview of the form"]').getByText('CHF 25.00').waitFor();
  await page.getByLabel('Amount', { exact: true }).fill('');
  await page.getByText('Without an amount nobody is asked to pay.').waitFor();
  await page.getByLabel('How much').selectOption({ label: 'As “People” says' });
  await page.getByText('not into a hidden field, which anybody can set').waitFor();
  await page.getByText('it takes numbers below 0').waitFor();
  await expectFine(page, 'an amount that somebody could talk down');
  await expect.poll(async () => (await block()).amount).toContain('mention-field-id="people"');
  await page.getByRole('button', { name: 'Publish' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await expect
    .poll(async () => (await home.call('GET', `/open/forms/${form.id}`)).body.properties.length)
    .toBe(2);
  const sent = await home.submit(form, { people: 30 });
  expect(sent.body.payment).toMatchObject({ amount: 30, currency: 'CHF' });
});

test('what is paid, but finds the form full, waits for somebody who decides', async () => {
  const form = await aForm('Full', { max_submissions_count: 1 });
  const [late, early] = [await send(form, 'Ada'), await send(form, 'Bob')];
  await goToStripe(late);
  const session = stripe.sessions.at(-1);
  await goToStripe(early);
  stripe.pay();
  await comeBack(early);
  expect(await home.records(form)).toHaveLength(1);
  const reference = stripe.pay(session);
  await comeBack(late);
  const page = await signedInPage(browser, home.service.url, home.ada, PHONE);
  await page.goto(atWorkspace('/overview'));
  await page.getByText('1 paid response could not be taken in.').click();
  await page.getByRole('heading', { name: 'Paid, but not taken in' }).waitFor();
  for (const text of ['€12.50', 'Test mode', reference]) await page.getByText(text).first().waitFor();
  await expectFine(page, 'paid, but not taken in');
  // In the trash it still needs somebody, and deleting the form for good tells of it.
  await home.call('POST', `/open/forms/${form.id}/trash`);
  await page.goto(atWorkspace('/overview'));
  await page.getByText('1 paid response could not be taken in.').waitFor();
  await page.goto(atWorkspace(`/forms/${form.id}/settings?part=danger`));
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByRole('alertdialog').getByText('With 1 response that is paid, but not taken in').waitFor();
  await page.keyboard.press('Escape');
  await home.call('DELETE', `/open/forms/${form.id}/trash`);
  await page.goto(atWorkspace(`/forms/${form.id}/responses/paid`));
  await home.call('PUT', `/open/forms/${form.id}`, { max_submissions_count: 2 });
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await page.getByText('Nothing is left to decide').waitFor();
  const kept = (await home.records(form)).find(({ data }) => data[TEXT_FIELD_ID] === 'Ada');
  expect(kept.payment).toMatchObject({ amount: 12.5, currency: 'EUR', reference });
});

test('before somebody is erased, their payments and what is owed back are named', async () => {
  const mail = 'grace@example.org';
  const email = { id: 'mail', type: 'text', name: 'Mail' };
  const form = await aForm('Erasing', { properties: [email, FEE], max_submissions_count: 1 });
  const begin = async () => {
    const { body } = await home.submit(form, { mail });
    const { pathname, search } = new URL(body.payment.url);
    await goToStripe(pathname + search);
    return pathname + search;
  };
  const late = await begin();
  const session = stripe.sessions.at(-1);
  await begin();
  const early = await begin();
  stripe.pay();
  await comeBack(early);
  const owed = stripe.pay(session);
  await comeBack(late);
  const page = await signedInPage(browser, home.service.url, home.ada, PHONE);
  await page.goto(atWorkspace('/personal-data'));
  await page.getByRole('searchbox').fill(mail);
  await page.keyboard.press('Enter');
  await page.getByText('Found: 3 responses in 1 form.').waitFor();
  await page.getByText(owed).waitFor();
  await page.getByText('€12.50: Its sender was led to Stripe').waitFor();
  await page.getByRole('link', { name: 'A response that awaits its payment' }).waitFor();
  await expectFine(page, 'payments of a person');
  await page.getByRole('button', { name: 'Erase…' }).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await dialog.getByText('1 response is paid, but not taken in.').waitFor();
  await dialog.getByText('payments at Stripe').waitFor();
  await expectFine(page, 'erasing who has paid');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'A response that is paid, but not taken in' }).click();
  await page.getByRole('heading', { name: 'Paid, but not taken in' }).waitFor();
});
