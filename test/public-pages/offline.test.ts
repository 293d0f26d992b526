import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { violationsOf } from '../setup/axe.ts';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

const home = useHome();
const browser = useBrowser();

const OFFLINE = { works_offline: true };
const NAME = { id: 'name', type: 'text', name: 'Name', required: true };
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const aForm = (overrides: Record<string, unknown> = {}) =>
  home.form({ title: 'Field notes', properties: [NAME], settings: OFFLINE, ...overrides });
const address = (form: { slug: string }, query = '') => `${home.service.url}/forms/${form.slug}${query}`;
const send = (page: Page) => page.locator('.nav .primary').click();
const names = async (form: { id: number }) =>
  (await home.records(form)).map(({ data }) => Object.values(data)[0]).sort();

/** A page of the form that the device has stored. No browser wakes its worker, which would be quicker now and then. */
async function storedPage(context: BrowserContext, form: { slug: string }, query = ''): Promise<Page> {
  await context.grantPermissions([]);
  const page = await context.newPage();
  await page.goto(address(form, query));
  await expect.poll(() => isStored(page)).toBe(true);
  return page;
}

const isStored = (page: Page) =>
  page.evaluate(
    async () =>
      navigator.serviceWorker.controller !== null &&
      (await caches.match(location.href, { ignoreVary: true })) !== undefined,
  );

const keptFiles = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.open('formstead-offline').onsuccess = ({ target }: any) => {
          const counted = target.result.transaction('files').objectStore('files').count();
          counted.onsuccess = () => resolve(counted.result);
        };
      }),
  );

/** Fills it in and sends it; the device keeps it. */
async function keep(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await send(page);
  await page.getByText('They are kept on this device').waitFor();
}

describe('without a network', () => {
  test('a form is opened and filled in again and again, and all is sent when there is one', async () => {
    const form = await aForm({ re_fillable: true });
    const context = await browser.context();
    const page = await storedPage(context, form);
    await context.setOffline(true);
    await page.reload();
    await keep(page, 'Ada');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Fill in again' }).click();
    await page.getByText('1 response on this device waits to be sent.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await keep(page, 'Grace');
    expect(await home.records(form)).toEqual([]);

    await context.setOffline(false);
    await page.getByText('2 responses that had waited were sent.').waitFor();
    expect(await names(form)).toEqual(['Ada', 'Grace']);
    for (const { completion_time: seconds } of await home.records(form)) expect(seconds).toBeLessThan(60);
    await page.goto(address(form));
    await page.getByLabel('Name').waitFor();
    expect(await page.locator('.waiting').count()).toBe(0);
  });

  test('what waits is sent by the next page that finds a network, under its own visit', async () => {
    const form = await aForm();
    const context = await browser.context();
    const page = await storedPage(context, form, '?lang=en');
    await context.setOffline(true);
    await page.reload();
    await keep(page, 'Ada');
    await page.close();
    await context.setOffline(false);
    const later = await context.newPage();
    await later.goto(address(form));
    await until(async () => (await home.records(form)).length === 1);
    await later.getByLabel('Name').fill('Ada');
    await send(later);
    await later.locator('.thank-you').waitFor();
    expect(await names(form)).toEqual(['Ada', 'Ada']);
  });

  test('files wait with the answers', async () => {
    const form = await aForm({
      properties: [NAME, { id: 'photo', type: 'files', name: 'Photo', required: true }],
    });
    const context = await browser.context();
    const page = await storedPage(context, form);
    await context.setOffline(true);
    await page.reload();
    await page.locator('[type=file]').setInputFiles({ name: 'tree.png', mimeType: 'image/png', buffer: PNG });
    await page.locator('.uploaded input').waitFor({ state: 'attached' });
    await keep(page, 'Ada');
    await context.setOffline(false);
    await page.getByText('1 response that had waited was sent.').waitFor();
    const [{ data }] = await home.records(form);
    expect(JSON.stringify(data)).toMatch(/tree.*\.png/);
    expect(await keptFiles(page)).toBe(0);
  });

  test('a file that was chosen without a network travels first when there is one again', async () => {
    const form = await aForm({ properties: [NAME, { id: 'photo', type: 'files', name: 'Photo' }] });
    const context = await browser.context();
    const page = await storedPage(context, form);
    await context.setOffline(true);
    await page.locator('[type=file]').setInputFiles({ name: 'tree.png', mimeType: 'image/png', buffer: PNG });
    await page.locator('.uploaded input').waitFor({ state: 'attached' });
    await context.setOffline(false);
    await page.getByLabel('Name').fill('Ada');
    await send(page);
    await page.getByText('Your answers have been saved').waitFor();
    expect(JSON.stringify(await home.records(form))).toMatch(/tree[^"]*\.png/);
  });
});

test('the worker sends what waits when the browser wakes it, without a page of the form', async () => {
  const form = await aForm();
  const context = await browser.context();
  const page = await storedPage(context, form);
  await context.setOffline(true);
  await keep(page, 'Ada');
  await page.goto('about:blank');
  await context.setOffline(false);
  const browserSide = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    browserSide.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL.startsWith(home.service.url));
      if (ours) resolve(ours.registrationId);
    }),
  );
  await browserSide.send('ServiceWorker.enable');
  await browserSide.send('ServiceWorker.dispatchSyncEvent', {
    origin: home.service.url,
    registrationId: await registered,
    tag: 'send',
    lastChance: false,
  });
  await until(async () => (await home.records(form)).length === 1);
});

test('answers whose receipt is lost on the way are sent again, and are one submission', async () => {
  const form = await aForm();
  const context = await browser.context();
  const page = await storedPage(context, form);
  await context.route('**/forms/*?visit=*', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await keep(page, 'Ada');
  expect(await names(form)).toEqual(['Ada']);
  await context.unroute('**/forms/*?visit=*');
  await page.goto(address(form));
  await page.getByText('1 response that had waited was sent.').waitFor();
  expect(await names(form)).toEqual(['Ada']);
});

test('a service that cannot answer is waited for', async () => {
  const form = await aForm();
  const context = await browser.context();
  const page = await storedPage(context, form);
  await context.route('**/forms/**', (route) => route.fulfill({ status: 503, json: {} }));
  await keep(page, 'Ada');
  const tried = page.waitForResponse(/visit=/);
  await page.goto(address(form));
  await tried;
  await context.unroute('**/forms/**');
  await page.getByText('1 response on this device waits to be sent.').waitFor();
  expect(await home.records(form)).toEqual([]);
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.getByText('1 response that had waited was sent.').waitFor();
  await page.locator('.waiting').waitFor({ state: 'detached' });
  expect(await names(form)).toEqual(['Ada']);
});

test('what the form does not take any more says why, is corrected, or discarded', async () => {
  const properties = (...options: string[]) => [
    {
      id: 'tree',
      type: 'select',
      name: 'Tree',
      select: { options: options.map((name) => ({ name, id: name })) },
    },
    NAME,
  ];
  const form = await aForm({ re_fillable: true, properties: properties('Oak', 'Elm') });
  const context = await browser.context();
  const page = await storedPage(context, form);
  await context.setOffline(true);
  for (const name of ['Ada', 'Grace']) {
    await page.goto(address(form));
    await page.getByLabel('Tree').selectOption('Elm');
    await keep(page, name);
  }
  const changed = await home.call('PUT', `/open/forms/${form.id}`, {
    ...form,
    properties: properties('Oak', 'Ash'),
  });
  expect(changed.status).toBe(200);
  await context.setOffline(false);
  await page.goto(address(form));
  const refused = page.getByText('was not accepted: The choice for “Tree” is not valid.');
  await expect.poll(() => refused.count()).toBe(2);
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('button', { name: 'Discard' }).last().click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard' }).last().click();
  await page.getByText('Discard this response for good?').waitFor();
  await page.getByRole('button', { name: 'Discard' }).last().click();
  await expect.poll(() => refused.count()).toBe(1);

  await page.getByRole('button', { name: 'Correct' }).click();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada');
  await page.getByLabel('Tree').selectOption('Ash');
  await send(page);
  await page.getByText('Your answers have been saved').waitFor();
  const [{ data }] = await home.records(form);
  expect(data).toMatchObject({ name: 'Ada', tree: 'Ash' });
  await page.goto(address(form));
  await page.getByLabel('Name').waitFor();
  expect(await page.locator('.waiting').count()).toBe(0);
});

test('what is refused at once comes back as it was, files included', async () => {
  const options = (...all: string[]) => ({ options: all.map((name) => ({ name, id: name })) });
  const properties = (...all: string[]) => [
    NAME,
    { id: 'tree', type: 'select', name: 'Tree', select: options(...all) },
    { id: 'photo', type: 'files', name: 'Photo' },
  ];
  const form = await aForm({ properties: properties('Oak', 'Elm') });
  const context = await browser.context();
  const page = await storedPage(context, form);
  await context.setOffline(true);
  await page.getByLabel('Tree', { exact: true }).selectOption('Elm');
  await page.locator('[type=file]').setInputFiles({ name: 'tree.png', mimeType: 'image/png', buffer: PNG });
  await page.locator('.uploaded input').waitFor({ state: 'attached' });
  await keep(page, 'Ada');
  const change = (...all: string[]) =>
    home.call('PUT', `/open/forms/${form.id}`, { ...form, properties: properties(...all) });
  await change('Oak');
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Correct' }).click();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada');
  await page.getByLabel('Tree', { exact: true }).selectOption('Oak');
  await context.setOffline(true);
  await send(page);
  await page.getByText('They are kept on this device').waitFor();
  await context.setOffline(false);
  await page.getByText('1 response that had waited was sent.').waitFor();
  const [{ data }] = await home.records(form);
  expect(data).toMatchObject({ name: 'Ada', tree: 'Oak' });
  expect(JSON.stringify(data)).toMatch(/tree[^"]*\.png/);
  await expect.poll(() => keptFiles(page)).toBe(0);
});

test('a file whose upload is gone by then is uploaded anew', async () => {
  const form = await aForm({ properties: [NAME, { id: 'photo', type: 'files', name: 'Photo' }] });
  const context = await browser.context();
  const page = await storedPage(context, form);
  await page.locator('[type=file]').setInputFiles({ name: 'tree.png', mimeType: 'image/png', buffer: PNG });
  await page.locator('.uploaded input').waitFor({ state: 'attached' });
  await context.setOffline(true);
  await keep(page, 'Ada');
  await home.service.context.pool.query('delete from uploads where form_id = $1', [form.id]);
  await context.setOffline(false);
  await page.getByText('1 response that had waited was sent.').waitFor();
  expect(JSON.stringify(await home.records(form))).toMatch(/tree[^"]*\.png/);
  expect(await keptFiles(page)).toBe(0);
});

test('what reaches a closed form waits until it is open again', async () => {
  const form = await aForm();
  const context = await browser.context();
  const page = await storedPage(context, form);
  await context.setOffline(true);
  await page.reload();
  await keep(page, 'Ada');
  const set = (overrides: Record<string, unknown>) =>
    home.call('PUT', `/open/forms/${form.id}`, { ...form, ...overrides });
  await set({ closes_at: '2020-01-01T00:00:00Z' });
  await context.setOffline(false);
  const asked = page.waitForResponse(/visit=/);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  expect((await asked).status()).toBe(403);
  await page.goto(address(form));
  await page.getByText('closed').first().waitFor();
  await set({ closes_at: null });
  await page.goto(address(form));
  await page.getByText('1 response that had waited was sent.').waitFor();
  expect(await names(form)).toEqual(['Ada']);
});

test('a form that is not to be filled in so any more is forgotten by the device', async () => {
  const form = await aForm();
  const context = await browser.context();
  const page = await storedPage(context, form);
  await home.call('PUT', `/open/forms/${form.id}`, { ...form, settings: {} });
  await page.goto(address(form));
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
});

test.each([
  ['is not asked for', { settings: {} }],
  ['with a captcha', { use_captcha: true }],
  ['with a password', { password: 'open sesame' }],
])('no device stores a form where it %s', async (_, overrides) => {
  const form = await aForm(overrides);
  const answer = await fetch(address(form), { headers: { accept: 'text/html' } });
  expect(answer.headers.get('works-offline')).toBeNull();
  expect(answer.headers.get('content-security-policy')).not.toContain('worker-src');
  expect(await answer.text()).not.toContain('"offline":{');
});
