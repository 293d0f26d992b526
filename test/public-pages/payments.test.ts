import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { violationsOf } from '../setup/axe.ts';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { KNOWN_KEY, useStripeServer } from '../setup/stripe-server.ts';
import { until } from '../setup/until.ts';

const stripe = useStripeServer();
const home = useHome(() => ({ env: { STRIPE_API_URL: stripe.url } }));
const browser = useBrowser();

beforeAll(async () => {
  const path = `/open/workspaces/${home.workspaceId}/payments`;
  expect((await home.call('PUT', path, { stripe_secret_key: KNOWN_KEY })).status).toBe(200);
});

const NAME = { id: 'name', type: 'text', name: 'Name', required: true };
const FEE = { id: 'fee', type: 'payment', name: 'Fee', help: 'With lunch.', amount: 12.5, currency: 'EUR' };
const mention = (id: string) => `<span mention mention-field-id="${id}">it</span>`;
const aForm = (overrides = {}) =>
  home.form({
    title: 'Course',
    properties: [NAME, FEE],
    submitted_text: `<p>See you!</p><p>Paid: ${mention('fee')}</p>`,
    ...overrides,
  });

/**
 * Presses a button that leads to Stripe's page, pays there, and comes back. The page itself is not to be had in tests; that the browser asks
 * for it shows that the policy of our page lets it.
 */
async function payAtStripe(page: Page, press: () => Promise<unknown>): Promise<Page> {
  const led = page
    .context()
    .waitForEvent('request', (request) => /^https:\/\/checkout\.stripe\.com\//.test(request.url()));
  await press();
  const asked = await led;
  expect(asked.frame()).toBe(page.mainFrame());
  stripe.pay();
  return comeBack(page, 'success_url');
}

async function comeBack(page: Page, by: 'success_url' | 'cancel_url'): Promise<Page> {
  const back = await page.context().newPage();
  await back.goto(stripe.sessions.at(-1)?.form.get(by) ?? '');
  return back;
}

test.each([true, false])('a form is filled in, paid and thanked for, scripts %s', async (hasScripts) => {
  const form = await aForm();
  const context = await browser.context({ ...(hasScripts ? PHONE : DESKTOP), javaScriptEnabled: hasScripts });
  const page = await context.newPage();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await page.getByText('€12.50').waitFor();
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button', { name: 'Submit' }).click();
  const pay = page.getByRole('button', { name: 'Pay €12.50' });
  await pay.waitFor();
  expect(await home.records(form)).toEqual([]);
  if (hasScripts) expect(await violationsOf(page)).toEqual([]);
  const back = await payAtStripe(page, () => pay.click());
  await back.getByText('See you!').waitFor();
  expect(await back.locator('#thanks').innerText()).toMatch(
    /Paid: €12\.50 \(pi_\S+\)\s+This is a test: no money is charged\./,
  );
  const [record] = await home.records(form);
  expect(record.data).toMatchObject({ name: 'Ada', fee: expect.stringMatching(/^pi_/) });
  // The way back leads to no second payment.
  await (await comeBack(page, 'success_url')).getByText('See you!').waitFor();
  expect(await home.records(form)).toHaveLength(1);
});

test('an amount follows the answer, or the calculation, that decides about it, as the page to pay has it then', async () => {
  const tickets = { id: 'tickets', type: 'number', name: 'Tickets' };
  const form = await aForm({
    properties: [NAME, tickets, { ...FEE, amount: mention('cv_total') }],
    computed_variables: [{ id: 'cv_total', name: 'Total', formula: '{tickets} * 12.345' }],
    language: 'de',
  });
  for (const javaScriptEnabled of [true, false]) {
    const page = await (await browser.context({ javaScriptEnabled })).newPage();
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    const fee = page.getByRole('group', { name: 'Fee' });
    await fee.getByText('0,00 €', { exact: true }).waitFor();
    await page.getByLabel('Tickets').fill('2');
    if (javaScriptEnabled) await fee.getByText('24,69 €', { exact: true }).waitFor();
    // It is shown again with what is missing.
    await page.getByRole('button', { name: 'Absenden' }).click();
    await page.getByRole('alert').first().waitFor();
    await fee.getByText('24,69 €', { exact: true }).waitFor();
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Tickets').fill('1.5');
    if (javaScriptEnabled) await fee.getByText('18,52 €', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Absenden' }).click();
    await page.getByRole('button', { name: '18,52' }).waitFor();
  }
});

test.each([true, false])(
  'an edit that would cost more than was paid says so, scripts %s',
  async (javaScriptEnabled) => {
    const tickets = { id: 'tickets', type: 'number', name: 'Tickets' };
    const amount = '<span mention mention-field-id="tickets">it</span>';
    const form = await aForm({ properties: [NAME, tickets, { ...FEE, amount }], editable_submissions: true });
    const page = await (await browser.context({ ...PHONE, javaScriptEnabled })).newPage();
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    await page.getByLabel('Name').fill('Ada');
    const fillIn = async (count: string, button: string) => {
      await page.getByLabel('Tickets').fill(count);
      await page.getByRole('button', { name: button }).click();
    };
    const block = page.locator('[data-block=fee]');
    await fillIn('-5', 'Submit');
    await block.getByText('“Fee” must be at least 0.').waitFor();
    await block.getByText('You pay after sending').waitFor();
    await fillIn('5', 'Submit');
    const pay = page.getByRole('button', { name: 'Pay €5.00' });
    await payAtStripe(page, () => pay.click());
    await until(async () => (await home.records(form)).length === 1);
    const [record] = await home.records(form);
    await page.goto(`${home.service.url}/forms/${form.slug}?submission_id=${record.submission_id}`);
    expect(await block.getByText('You pay after sending').count()).toBe(0);
    await fillIn('500', 'Save changes');
    await block.getByText('Your answers would then cost more than was paid').waitFor();
    if (javaScriptEnabled) expect(await violationsOf(page)).toEqual([]);
    await fillIn('4', 'Save changes');
    await page.getByText('See you!').waitFor();
    expect((await home.records(form))[0].data).toMatchObject({ tickets: 4 });
  },
);

test('whoever comes back without having paid can pay then', async () => {
  const form = await aForm();
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button', { name: 'Submit' }).click();
  const led = page.waitForRequest(/checkout\.stripe\.com/);
  await page.getByRole('button', { name: 'Pay €12.50' }).click();
  await led;
  const again = await comeBack(page, 'cancel_url');
  const count = stripe.sessions.length;
  const back = await payAtStripe(again, () => again.getByRole('button', { name: 'Pay €12.50' }).click());
  await back.getByText('See you!').waitFor();
  // It was the same page of Stripe.
  expect(stripe.sessions).toHaveLength(count);
});

test('while Stripe cannot be asked, the page says so, and goes on when it can', async () => {
  const form = await aForm();
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button', { name: 'Submit' }).click();
  stripe.instead.push((response) => response.writeHead(500).end('{}'));
  await page.getByRole('button', { name: 'Pay €12.50' }).click();
  await page.getByRole('alert').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const back = await payAtStripe(page, () => page.getByRole('button', { name: 'Pay €12.50' }).click());
  await back.getByText('See you!').waitFor();
});

test('a form on another site leads the whole page to Stripe, which is shown in no frame', async () => {
  const form = await aForm();
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<h1>A site</h1><iframe src="${home.service.url}/forms/${form.slug}" title="Form" width="600" height="700"></iframe>`,
    );
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void site.close());
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  const frame = page.frameLocator('iframe');
  await frame.getByLabel('Name').fill('Ada');
  await frame.getByRole('button', { name: 'Submit' }).click();
  const back = await payAtStripe(page, () => frame.getByRole('button', { name: 'Pay €12.50' }).click());
  await back.getByText('See you!').waitFor();
  await until(async () => (await home.records(form)).length === 1);
});

test('a form that asks for money needs a network, and what waited before it did so is paid by a link', async () => {
  const free = await aForm({ properties: [NAME], settings: { works_offline: true } });
  const address = `${home.service.url}/forms/${free.slug}`;
  const page = await (await browser.context()).newPage();
  await page.goto(address);
  const isStored = () => page.evaluate(async () => (await caches.match(location.href)) !== undefined);
  await expect.poll(isStored).toBe(true);
  await page.context().setOffline(true);
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('They are kept on this device').waitFor();

  expect(
    (await home.call('PUT', `/open/forms/${free.id}`, { ...free, properties: [NAME, FEE] })).status,
  ).toBe(200);
  const answer = await fetch(address, { headers: { accept: 'text/html' } });
  expect(answer.headers.get('works-offline')).toBe('?0');
  await page.context().setOffline(false);
  await page.goto(address);
  await page.getByRole('link', { name: 'Please pay' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.reload();
  await page.getByRole('link', { name: 'Please pay' }).click();
  const back = await payAtStripe(page, () => page.getByRole('button', { name: 'Pay €12.50' }).click());
  await back.getByText('See you!').waitFor();
  expect((await home.records(free)).map(({ data }) => data.name)).toEqual(['Ada']);
  await back.goto(address);
  await back.getByLabel('Name').waitFor();
  await expect.poll(() => back.locator('.waiting').count()).toBe(0);
});
