import type { BrowserContext, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { PNG } from '../files/upload.ts';
import { violationsOf } from '../setup/axe.ts';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { aFront, type Front } from './front.ts';

const home = useHome();
const browser = useBrowser();

const OFFLINE = { works_offline: true };
const NAME = { id: 'name', type: 'text', name: 'Name', required: true };

const aForm = (overrides: Record<string, unknown> = {}) =>
  home.form({ title: 'Field notes', properties: [NAME], settings: OFFLINE, ...overrides });
let front: Front;
beforeEach(async () => {
  front = await aFront(home.service.url);
});
const address = (form: { slug: string }, query = '') => `${front.url}/forms/${form.slug}${query}`;
const send = (page: Page) => page.locator('.nav .primary').click();
const names = async (form: { id: number }) =>
  (await home.records(form)).map(({ data }) => Object.values(data)[0]).sort();

/** A page of the form, stored on the device. Without permissions, the browser does not wake its worker, which may be faster. */
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

async function choosePhoto(page: Page, name: string): Promise<void> {
  await page.locator('[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer: PNG });
  await page.locator('.uploaded input').waitFor({ state: 'attached' });
}

/** Fills in the form and sends it; the device keeps it. */
async function keep(page: Page, name: string): Promise<void> {
  await page.locator('[name=name]').fill(name);
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
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('link', { name: 'Fill in again' }).click();
    await page.getByText('1 response on this device waits to be sent.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await keep(page, 'Grace');
    expect(await home.records(form)).toEqual([]);

    await context.setOffline(false);
    await page.locator('.kept').getByText('1 response that had waited was sent.').waitFor();
    await page.locator('.sent-later').getByText('1 response that had waited was sent.').waitFor();
    expect(await names(form)).toEqual(['Ada', 'Grace']);
    for (const { completion_time: seconds } of await home.records(form)) expect(seconds).toBeLessThan(60);
    await page.goto(address(form));
    await page.getByLabel('Name').waitFor();
    expect(await page.locator('.waiting').count()).toBe(0);
  });

  test('the day on which a page was stored is not that of a response on another day', async () => {
    const seen = { id: 'seen', type: 'date', name: 'Seen', prefill_today: true, disable_future_dates: true };
    const form = await aForm({
      properties: [
        NAME,
        seen,
        { ...seen, id: 'at', name: 'At', with_time: true },
        { ...seen, id: 'day', name: 'Day', hidden: true },
      ],
    });
    const context = await browser.context();
    const page = await storedPage(context, form);
    await context.setOffline(true);
    const now = Date.now() + 2 * 86_400_000;
    const today = new Date(now).toISOString().slice(0, 10);
    await page.clock.install({ time: now });
    await page.reload();
    const value = (name: string) => page.locator(`[name=${name}]`).inputValue();
    await expect.poll(() => value('seen')).toBe(today);
    expect(await value('day')).toBe(today);
    expect(await value('at')).toMatch(new RegExp(`^${today}T\\d\\d:\\d\\d$`));
    expect(await page.locator('[name=seen]').getAttribute('max')).toBe(today);
    await page.locator('[name=seen]').fill('2026-01-02');
    await keep(page, 'Ada');
    await page.reload();
    await expect.poll(() => value('seen')).toBe(today);
  });

  test('a form opened at its other address is filled in again there', async () => {
    const form = await aForm({ re_fillable: true });
    const context = await browser.context();
    const page = await storedPage(context, { slug: form.uuid });
    await context.setOffline(true);
    await page.reload();
    await keep(page, 'Ada');
    await page.getByRole('link', { name: 'Fill in again' }).click();
    await keep(page, 'Grace');
    await context.setOffline(false);
    await until(async () => (await home.records(form)).length === 2);
  });

  test('the same answers of two visits are two submissions, sent when any form is opened', async () => {
    const form = await aForm({ re_fillable: true });
    const context = await browser.context();
    const page = await storedPage(context, form, '?lang=en');
    await context.setOffline(true);
    await page.reload();
    await keep(page, 'Ada');
    await page.getByRole('link', { name: 'Fill in again' }).click();
    await keep(page, 'Ada');
    await page.close();
    await context.setOffline(false);
    const other = await home.form();
    const later = await context.newPage();
    await later.goto(address(other));
    await until(async () => (await home.records(form)).length === 2);
  });

  test('files wait with the answers', async () => {
    const form = await aForm({
      properties: [NAME, { id: 'photo', type: 'files', name: 'Photo', required: true }],
    });
    const context = await browser.context();
    const page = await storedPage(context, form);
    await context.setOffline(true);
    await page.reload();
    await choosePhoto(page, 'tree.png');
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
    await choosePhoto(page, 'tree.png');
    await context.setOffline(false);
    await page.getByLabel('Name').fill('Ada');
    await send(page);
    await page.getByText('Your answers have been saved').waitFor();
    expect(JSON.stringify(await home.records(form))).toMatch(/tree[^"]*\.png/);
  });
});

describe('a file that was chosen without a network', () => {
  const PHOTO = { id: 'photo', type: 'files', name: 'Photo' };

  /** A file chosen offline, on a page that is then filled in and sent in this weather. */
  async function sentIn(weather: Front['weather']) {
    const form = await aForm({ properties: [NAME, PHOTO] });
    const context = await browser.context();
    const page = await storedPage(context, form);
    await context.setOffline(true);
    await choosePhoto(page, 'tree.png');
    await context.setOffline(false);
    front.weather = weather;
    await page.getByLabel('Name').fill('Ada');
    return { form, page };
  }

  test('waits with the form while the service has no time for files', async () => {
    const { form, page } = await sentIn('fileless');
    await send(page);
    await page.getByText('They are kept on this device').waitFor();
    expect(await home.records(form)).toEqual([]);
    front.weather = 'fine';
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.locator('.kept').getByText('1 response that had waited was sent.').waitFor();
    expect(JSON.stringify(await home.records(form))).toMatch(/tree[^"]*\.png/);
  });

  test('holds up no other form while it cannot be passed on, and is discarded after a question', async () => {
    const { form, page } = await sentIn('fileless');
    await send(page);
    await page.getByText('They are kept on this device').waitFor();
    await page.context().setOffline(true);
    await page.goto(address(form));
    await keep(page, 'Grace');
    const discard = page.locator('.waiting').getByRole('button', { name: 'Discard' });
    await expect.poll(() => discard.count()).toBe(2);
    await page.context().setOffline(false);
    await until(async () => (await home.records(form)).length === 1);
    expect(await names(form)).toEqual(['Grace']);
    await expect.poll(() => discard.count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);

    await discard.click();
    await page.getByText('Discard this response for good?').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await discard.click();
    await page.getByText('Discard this response for good?').waitFor();
    await discard.click();
    await page.locator('.waiting').waitFor({ state: 'detached' });
    await expect.poll(() => keptFiles(page)).toBe(0);
    expect(await names(form)).toEqual(['Grace']);
  });

  test('is told at its field when it is refused, and the form goes without it', async () => {
    const { form, page } = await sentIn('fine');
    const changed = { ...form, properties: [NAME, { ...PHOTO, allowed_file_types: 'pdf' }] };
    expect((await home.call('PUT', `/open/forms/${form.id}`, changed)).status).toBe(200);
    await send(page);
    await page.locator('.uploaded').getByText('only: pdf').waitFor();
    await page.locator('#summary').getByRole('link', { name: 'only: pdf' }).waitFor();
    await page.getByRole('button', { name: /Remove/ }).click();
    await send(page);
    await page.getByText('Your answers have been saved').waitFor();
    expect(await names(form)).toEqual(['Ada']);
  });
});

test('an upload that breaks off while the form waits for it is begun anew before the form goes', async () => {
  const form = await aForm({ properties: [NAME, { id: 'photo', type: 'files', name: 'Photo' }] });
  const page = await storedPage(await browser.context(), form);
  front.weather = 'hanging';
  const buffer = PNG;
  await page.locator('[type=file]').setInputFiles({ name: 'tree.png', mimeType: 'image/png', buffer });
  await page.locator('.uploaded progress').waitFor();
  await page.getByLabel('Name').fill('Ada');
  await send(page);
  await page.getByText('Please wait until all files are uploaded.').waitFor();
  front.weather = 'fine';
  front.giveUp();
  await page.getByText('Your answers have been saved').waitFor();
  expect(JSON.stringify(await home.records(form))).toMatch(/tree[^"]*\.png/);
});

describe('where the device fails after a file was chosen', () => {
  const PHOTO = { id: 'photo', type: 'files', name: 'Photo' };

  /** Makes this page fail to read files, or to record that one was uploaded. */
  const breakFiles = (page: Page, act: 'get' | 'put') =>
    page.evaluate((act) => {
      const known: any = IDBObjectStore.prototype[act];
      const tries = Object.assign(window, { tries: 0 });
      IDBObjectStore.prototype[act] = function (this: IDBObjectStore, ...given: any[]) {
        // Answers are looked up, too, as they may be names of files.
        const isMeant = act === 'get' ? /^[\da-f]{8}-/.test(given[0]) : given[0].reference !== undefined;
        if (this.name !== 'files' || !isMeant) return known.apply(this, given);
        tries.tries += 1;
        throw new DOMException('Full.', 'QuotaExceededError');
      };
    }, act);
  const triesOf = (page: Page) => page.evaluate('tries');

  test('a file that arrives all the same goes with the form', async () => {
    const form = await aForm({ properties: [NAME, PHOTO] });
    const page = await storedPage(await browser.context(), form);
    await breakFiles(page, 'put');
    await choosePhoto(page, 'tree.png');
    await expect.poll(() => triesOf(page)).toBe(1);
    await page.getByLabel('Name').fill('Ada');
    await send(page);
    await page.getByText('Your answers have been saved').waitFor();
    expect(JSON.stringify(await home.records(form))).toMatch(/tree[^"]*\.png/);
  });

  /** A form that waits with a file, on a device whose storage fails when the network returns. */
  async function waiting(act: 'get' | 'put') {
    const form = await aForm({ properties: [NAME, PHOTO] });
    const context = await browser.context();
    const page = await storedPage(context, form);
    await context.setOffline(true);
    await choosePhoto(page, 'tree.png');
    await keep(page, 'Ada');
    await breakFiles(page, act);
    await context.setOffline(false);
    await expect.poll(() => triesOf(page)).toBeGreaterThan(0);
    return { form, page };
  }

  test('what waits is sent although it cannot be noted that its file was', async () => {
    const { form, page } = await waiting('put');
    await page.locator('.kept').getByText('1 response that had waited was sent.').waitFor();
    expect(JSON.stringify(await home.records(form))).toMatch(/tree[^"]*\.png/);
  });

  test('what waits is not refused while its file cannot be read, and nothing waits behind it', async () => {
    const { form, page } = await waiting('get');
    await page.context().setOffline(true);
    await page.evaluate(() => location.reload()).catch(() => {});
    await keep(page, 'Grace');
    await breakFiles(page, 'get');
    await page.context().setOffline(false);
    await until(async () => (await home.records(form)).length === 1);
    expect(JSON.stringify(await home.records(form))).toContain('Grace');
    await page.goto(address(form));
    await until(async () => (await home.records(form)).length === 2);
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
      const ours = registrations.find(({ scopeURL }) => scopeURL.startsWith(front.url));
      if (ours) resolve(ours.registrationId);
    }),
  );
  await browserSide.send('ServiceWorker.enable');
  await browserSide.send('ServiceWorker.dispatchSyncEvent', {
    origin: front.url,
    registrationId: await registered,
    tag: 'send',
    lastChance: false,
  });
  await until(async () => (await home.records(form)).length === 1);
});

test('answers whose receipt is lost on the way are sent again, and are one submission whatever the form has become', async () => {
  const form = await aForm();
  const context = await browser.context();
  const page = await storedPage(context, form);
  front.weather = 'lossy';
  await keep(page, 'Ada');
  expect(await names(form)).toEqual(['Ada']);
  const properties = [{ id: 'box', type: 'checkbox', name: 'Box' }, NAME];
  expect((await home.call('PUT', `/open/forms/${form.id}`, { ...form, properties })).status).toBe(200);
  front.weather = 'fine';
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.locator('.kept').getByText('1 response that had waited was sent.').waitFor();
  expect(await names(form)).toEqual(['Ada']);
});

test('a service that cannot answer is waited for, with the page that is stored', async () => {
  const form = await aForm();
  const context = await browser.context();
  const page = await storedPage(context, form);
  for (const weather of ['busy', 'hanging'] as const) {
    front.weather = weather;
    await page.goto(address(form));
    await page.getByLabel('Name').waitFor();
  }
  front.weather = 'busy';
  await keep(page, 'Ada');
  await page.getByText('1 response on this device waits to be sent.').waitFor();
  const sendNow = page.getByRole('button', { name: 'Send now' });
  const tried = page.waitForResponse(/visit=/);
  await sendNow.click();
  expect((await tried).status()).toBe(503);
  expect(await home.records(form)).toEqual([]);
  front.weather = 'fine';
  // Pressing again while the form is being sent has no effect.
  await expect
    .poll(async () => {
      await sendNow.click({ timeout: 1_000 }).catch(() => {});
      return (await home.records(form)).length;
    })
    .toBe(1);
  await page.locator('.kept').getByText('1 response that had waited was sent.').waitFor();
  await page.locator('.waiting').waitFor({ state: 'detached' });
  expect(await names(form)).toEqual(['Ada']);
});

test.each(['refused', 'sign-in', 'foreign'] as const)(
  'what a proxy answers in place of the service (%s) takes nothing away',
  async (weather) => {
    const form = await aForm({ properties: [NAME, { id: 'photo', type: 'files', name: 'Photo' }] });
    const page = await storedPage(await browser.context(), form);
    front.weather = weather;
    if (weather !== 'refused') await choosePhoto(page, 'tree.png');
    await keep(page, 'Ada');
    const isTried = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await page.getByRole('button', { name: 'Send now' }).click();
    await isTried;
    await expect.poll(() => page.getByRole('button', { name: 'Send now' }).isEnabled()).toBe(true);
    front.weather = 'fine';
    await page.reload();
    await until(async () => (await home.records(form)).length === 1);
    if (weather !== 'refused') expect(JSON.stringify(await home.records(form))).toMatch(/tree[^"]*\.png/);
  },
);

describe('what the form does not take any more', () => {
  const options = (...all: string[]) => ({ options: all.map((name) => ({ name, id: name })) });
  const properties = (...all: string[]) => [
    NAME,
    { id: 'tree', type: 'select', name: 'Kind', select: options(...all) },
    { id: 'photo', type: 'files', name: 'Photo' },
    { id: 'pin', type: 'text', name: 'Pin', secret_input: true },
  ];
  const refused = (page: Page) => page.getByText('was not accepted: The choice for “Kind” is not valid.');

  /** Two forms that wait with an option that no longer exists. */
  async function twoRefused(overrides: Record<string, unknown> = {}) {
    const form = await aForm({ properties: properties('Oak', 'Elm'), ...overrides });
    const context = await browser.context();
    const page = await storedPage(context, form);
    await context.setOffline(true);
    for (const name of ['Ada', 'Grace']) {
      await page.goto(address(form));
      await page.getByLabel('Kind').selectOption('Elm');
      await page.getByLabel('Pin').fill(`${name} 4711`);
      await choosePhoto(page, `${name}.png`);
      await keep(page, name);
    }
    const changed = { ...form, properties: properties('Oak', 'Ash') };
    expect((await home.call('PUT', `/open/forms/${form.id}`, changed)).status).toBe(200);
    await context.setOffline(false);
    await expect.poll(() => refused(page).count()).toBe(2);
    return { form, context, page };
  }

  test('is corrected one by one, with files and secrets, and nothing of anybody else', async () => {
    const { form, page } = await twoRefused();
    for (const name of ['Ada', 'Grace']) {
      await page.getByRole('button', { name: 'Correct' }).first().click();
      await expect.poll(() => page.getByLabel('Name').inputValue()).toBe(name);
      await expect.poll(() => page.getByLabel('Pin').inputValue()).toBe(`${name} 4711`);
      await expect
        .poll(() => page.locator('.uploaded').allInnerTexts())
        .toEqual([expect.stringContaining(`${name}.png`)]);
      await page.getByLabel('Kind').selectOption('Ash');
      await send(page);
      await page.getByText('Your answers have been saved').waitFor();
      // What is left is shown above the thanks, and corrected from there.
      await page.evaluate(() => dispatchEvent(new Event('online')));
    }
    await page.goto(address(form));
    await page.getByLabel('Name').waitFor();
    await expect.poll(() => page.locator('.waiting').count()).toBe(0);
    const records = (await home.records(form)).map(({ data }) => data);
    for (const name of ['Ada', 'Grace']) {
      const data = records.find((one) => one.name === name);
      expect(data).toMatchObject({ tree: 'Ash', pin: `${name} 4711` });
      expect(JSON.stringify(data.photo)).toContain(name);
    }
    expect(await keptFiles(page)).toBe(0);
  });

  test('a drawn signature is drawn anew, and not taken for a name that was typed', async () => {
    const sign = { id: 'sign', type: 'signature', name: 'Signature' };
    const form = await aForm({ properties: [...properties('Oak', 'Elm'), sign] });
    const context = await browser.context();
    const page = await storedPage(context, form);
    await context.setOffline(true);
    await page.goto(address(form));
    await page.getByLabel('Kind').selectOption('Elm');
    await page.locator('canvas').scrollIntoViewIfNeeded();
    const box = (await page.locator('canvas').boundingBox())!;
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 90, box.y + 40, { steps: 5 });
    await page.mouse.up();
    await keep(page, 'Ada');
    await home.call('PUT', `/open/forms/${form.id}`, {
      ...form,
      properties: [...properties('Oak', 'Ash'), sign],
    });
    await context.setOffline(false);
    await refused(page).waitFor();
    await page.getByRole('button', { name: 'Correct' }).click();
    await expect.poll(() => page.locator('[name=name]').inputValue()).toBe('Ada');
    expect(await page.locator('[data-typed]').inputValue()).toBe('');
    await page.getByLabel('Kind').selectOption('Ash');
    await send(page);
    await page.getByText('Your answers have been saved').waitFor();
    expect((await home.records(form))[0].data.sign).toBeUndefined();
  });

  test('is corrected with what was typed over what the address had filled in', async () => {
    const form = await aForm({ properties: properties('Oak', 'Elm') });
    const context = await browser.context();
    const page = await storedPage(context, form, '?name=Anybody');
    await context.setOffline(true);
    await page.goto(address(form, '?name=Anybody'));
    await page.getByLabel('Kind').selectOption('Elm');
    await keep(page, 'Ada');
    const changed = { ...form, properties: properties('Oak', 'Ash') };
    expect((await home.call('PUT', `/open/forms/${form.id}`, changed)).status).toBe(200);
    await context.setOffline(false);
    await refused(page).waitFor();
    await page.getByRole('button', { name: 'Correct' }).click();
    await page.waitForURL(/name=Anybody/);
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada');
  });

  test('of what was corrected nothing stays where the form leads to another site', async () => {
    const { form, context, page } = await twoRefused({ redirect_url: 'https://example.com/thanks' });
    await context.route('https://example.com/**', (route) => route.fulfill({ body: 'Thanks' }));
    for (const left of [1, 0]) {
      await page.getByRole('button', { name: 'Correct' }).first().click();
      await page.locator('.uploaded').waitFor();
      await page.getByLabel('Kind').selectOption('Ash');
      await send(page);
      await page.waitForURL('https://example.com/thanks');
      await page.goto(address(form));
      await page.getByLabel('Name').waitFor();
      await expect.poll(() => refused(page).count()).toBe(left);
      expect(await keptFiles(page)).toBe(left);
    }
    expect((await home.records(form)).map(({ data }) => data.name).sort()).toEqual(['Ada', 'Grace']);
  });

  test('is corrected after a question where something was begun, and waits again without a network', async () => {
    const { form, context, page } = await twoRefused();
    await page.goto(address(form));
    await page.getByLabel('Name').fill('Begun');
    await page.getByRole('button', { name: 'Correct' }).first().click();
    await page.getByText('Delete all your answers here and start over?').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Begun');
    await page.getByRole('button', { name: 'Correct' }).first().click();
    await page.getByText('Delete all your answers here and start over?').waitFor();
    await page.getByRole('button', { name: 'Correct' }).first().click();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada');
    await page.locator('.uploaded').getByText('Ada.png').waitFor();
    await page.getByLabel('Kind').selectOption('Oak');
    await context.setOffline(true);
    await send(page);
    await page.getByText('They are kept on this device').waitFor();
    await context.setOffline(false);
    await until(async () => (await home.records(form)).length === 1);
    const [{ data }] = await home.records(form);
    expect(data).toMatchObject({ name: 'Ada', tree: 'Oak' });
    expect(JSON.stringify(data.photo)).toContain('Ada');
    await expect.poll(() => keptFiles(page)).toBe(1);
  });

  test('is discarded after a question', async () => {
    const { page } = await twoRefused();
    await page.getByRole('button', { name: 'Discard' }).last().click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard' }).last().click();
    await page.getByText('Discard this response for good?').waitFor();
    await page.getByRole('button', { name: 'Discard' }).last().click();
    await expect.poll(() => refused(page).count()).toBe(1);
    await expect.poll(() => keptFiles(page)).toBe(1);
  });

  test('the keyboard goes on from where it was when what had the focus is gone', async () => {
    const form = await aForm({ properties: properties('Oak', 'Elm') });
    const context = await browser.context();
    const page = await storedPage(context, form);
    const hasFocus = (selector: string) =>
      page.locator(selector).evaluate((element) => element === document.activeElement);
    await context.setOffline(true);
    for (const [name, kind] of [
      ['Ada', 'Elm'],
      ['Bob', 'Elm'],
      ['Grace', 'Oak'],
    ] as const) {
      await page.goto(address(form));
      await page.getByLabel('Kind').selectOption(kind);
      await keep(page, name);
    }
    await page.goto(address(form));
    await page.getByRole('button', { name: 'Send now' }).focus();
    const changed = { ...form, properties: properties('Oak', 'Ash') };
    expect((await home.call('PUT', `/open/forms/${form.id}`, changed)).status).toBe(200);
    await context.setOffline(false);
    await expect.poll(() => refused(page).count()).toBe(2);
    expect(await names(form)).toEqual(['Grace']);
    await expect.poll(() => hasFocus('.waiting')).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    for (const [left, focused] of [
      [1, '.waiting'],
      [0, '.sent-later'],
    ] as const) {
      await page.getByRole('button', { name: 'Discard' }).first().press('Enter');
      await page.getByText('Discard this response for good?').waitFor();
      await page.getByRole('button', { name: 'Discard' }).first().press('Enter');
      await expect.poll(() => refused(page).count()).toBe(left);
      await expect.poll(() => hasFocus(focused)).toBe(true);
    }
  });
});

test('a file whose upload is gone by then is uploaded anew', async () => {
  const form = await aForm({ properties: [NAME, { id: 'photo', type: 'files', name: 'Photo' }] });
  const context = await browser.context();
  const page = await storedPage(context, form);
  await choosePhoto(page, 'tree.png');
  await context.setOffline(true);
  await keep(page, 'Ada');
  await home.service.context.pool.query('delete from uploads where form_id = $1', [form.id]);
  await context.setOffline(false);
  await page.getByText('1 response that had waited was sent.').waitFor();
  expect(JSON.stringify(await home.records(form))).toMatch(/tree[^"]*\.png/);
  expect(await keptFiles(page)).toBe(0);
});

test.each([
  ['closed', { closes_at: '2020-01-01T00:00:00Z' }],
  ['protected', { password: 'open sesame' }],
])('what reaches a form that is %s waits until it takes answers again', async (_, overrides) => {
  const form = await aForm();
  const context = await browser.context();
  const page = await storedPage(context, form);
  await context.setOffline(true);
  await page.reload();
  await keep(page, 'Ada');
  const set = (changes: Record<string, unknown>) =>
    home.call('PUT', `/open/forms/${form.id}`, { ...form, ...changes });
  expect((await set(overrides)).status).toBe(200);
  const asked = page.waitForResponse((answer) => answer.url().includes('visit=') && answer.status() === 403);
  await context.setOffline(false);
  await asked;
  expect(await home.records(form)).toEqual([]);
  expect((await set({ closes_at: null, password: null, settings: {} })).status).toBe(200);
  // A form that no longer works offline still sends what the device has kept.
  await page.goto(address(form));
  await until(async () => (await home.records(form)).length === 1);
});

test('what waits for a form whose address was changed reaches it', async () => {
  const form = await aForm();
  const context = await browser.context();
  const page = await storedPage(context, form);
  await context.setOffline(true);
  await keep(page, 'Ada');
  expect((await home.call('PUT', `/open/forms/${form.id}`, { ...form, slug: `${form.slug}-2` })).status).toBe(
    200,
  );
  await context.setOffline(false);
  await until(async () => (await home.records(form)).length === 1);
});

test('a form that is not to be filled in so any more is forgotten by the device', async () => {
  const form = await aForm();
  const context = await browser.context();
  const page = await storedPage(context, form, '?name=Ada');
  await page.goto(address(form));
  await expect.poll(() => isStored(page)).toBe(true);
  await context.setOffline(true);
  await page.goto(address(form, '?name=Ada'));
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada');
  await context.setOffline(false);
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
  expect(answer.headers.get('works-offline')).toBe('?0');
  expect(answer.headers.get('content-security-policy')).not.toContain('worker-src');
  expect(await answer.text()).not.toContain('"offline":{');
});
