import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { fillIn, kept, PROPERTIES } from './begun-form.ts';

const home = useHome();
const browser = useBrowser();

const address = (form: { slug: string }) => `${home.service.url}/forms/${form.slug}`;
const savingForm = (overrides = {}) =>
  home.form({ properties: PROPERTIES, enable_partial_submissions: true, ...overrides });
const partials = (form: { id: number }) =>
  home.call('GET', `/open/forms/${form.id}/submissions?status=partial`).then(({ body }) => body.data);

async function opened() {
  const form = await savingForm();
  const page = await browser.page();
  await page.goto(address(form));
  return { form, page };
}

const completed = (form: { id: number }) =>
  home.records(form).then((records) => records.filter(({ status }) => status === 'completed'));

/** Checks that the saved submission and the sent one are the same. */
async function expectOneSubmission(form: { id: number }): Promise<void> {
  expect(await home.records(form)).toHaveLength(1);
  expect(await partials(form)).toEqual([]);
}

test('a partial submission grows as one goes, and goes on elsewhere by its link', async () => {
  const { form, page } = await opened();
  await fillIn(page);
  await page.getByText('Continue later').click();
  const link = page.getByLabel('Open this link on any device to continue.');
  const [partial] = await partials(form);
  expect(JSON.stringify(partial)).toContain('Ada');

  const elsewhere = await browser.page();
  await elsewhere.goto(await link.inputValue());
  await elsewhere.getByLabel('More').fill('From elsewhere');
  expect(await elsewhere.locator('[name=name]').inputValue()).toBe('Ada');
  await elsewhere.locator('.nav .primary').click();
  await elsewhere.locator('.thank-you').waitFor();
  const records = await home.records(form);
  expect(records).toHaveLength(1);
  expect(JSON.stringify(records)).toContain('From elsewhere');
});

test.each([
  { how: 'is sent', isSaved: false },
  { how: 'is saved on the way, and sent', isSaved: true },
])(
  'that the answers were sent from elsewhere is told when the page they were begun on $how',
  async ({ isSaved }) => {
    const { form, page } = await opened();
    await fillIn(page);
    await page.getByText('Continue later').click();
    const link = await page.getByLabel('Open this link on any device to continue.').inputValue();
    const submission_hash = new URL(link).searchParams.get('submission_hash');
    expect((await home.submit(form, { name: 'Ada', submission_hash })).status).toBe(200);
    if (isSaved) {
      const refused = page.waitForResponse((answer) => answer.status() === 422);
      await page.getByLabel('More').fill('Typed meanwhile');
      await refused;
    }
    const more = await page.getByLabel('More').inputValue();
    await page.locator('.nav .primary').click();
    await page
      .getByText('This link is no longer valid. What you send now will be saved as new answers.')
      .waitFor();
    expect(await completed(form)).toHaveLength(1);
    expect(await page.getByLabel('More').inputValue()).toBe(more);
    await page.locator('.nav .primary').click();
    await page.locator('.thank-you').waitFor();
    expect(await completed(form)).toHaveLength(2);
    expect(await partials(form)).toEqual([]);
  },
);

test('with a captcha each save brings a proof, and the form that is sent another', async () => {
  const form = await savingForm({ use_captcha: true });
  const page = await browser.page();
  const statuses: number[] = [];
  page.on('response', (answer) => {
    if (answer.url().endsWith('/answer')) statuses.push(answer.status());
  });
  const isLoaded = page.waitForResponse(/proof/);
  await page.goto(address(form));
  await isLoaded;
  await fillIn(page);
  await page.getByText('Continue later').waitFor();
  expect(JSON.stringify(await partials(form))).toContain('Ada');
  await page.locator('[data-back]').click();
  await page.getByLabel('Name').fill('Grace');
  await page.locator('.nav .primary').click();
  await expect.poll(async () => JSON.stringify(await partials(form))).toContain('Grace');
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  await expectOneSubmission(form);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('nothing is saved where somebody has to solve the captcha', async () => {
  const form = await savingForm({ use_captcha: true });
  const page = await browser.page();
  await page.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: null }));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(address(form));
  await fillIn(page);
  await page.goto('about:blank');
  expect(asked.filter((url) => url.endsWith('/answer'))).toEqual([]);
});

test('what is being saved when the form is sent is the same submission', async () => {
  const form = await savingForm();
  const page = await browser.page();
  const release = Promise.withResolvers<void>();
  await page.route('**/answer', async (route) => {
    await release.promise;
    await route.continue();
  });
  await page.goto(address(form));
  const save = page.waitForRequest('**/answer');
  await fillIn(page);
  await save;
  await page.locator('.nav .primary').click();
  await expect.poll(() => page.locator('.nav .primary').textContent()).toBe('Sending…');
  release.resolve();
  await page.locator('.thank-you').waitFor();
  await expectOneSubmission(form);
});

/** Lets the next save be stored, but loses its answer. */
async function loseAnswer(page: Page): Promise<void> {
  const once = { times: 1 };
  await page.route('**/answer', (route) => route.fetch().then(() => route.abort()), once);
}

/** A page whose first save was stored, but whose answer was lost. */
async function savedUnheard() {
  const { form, page } = await opened();
  await loseAnswer(page);
  await fillIn(page);
  await expect.poll(() => partials(form)).toHaveLength(1);
  return { form, page };
}

test('a save whose answer was lost is the same submission as those after it', async () => {
  const { form, page } = await savedUnheard();
  await page.locator('[data-back]').click();
  await page.getByText('Continue later').waitFor();
  const [partial, ...others] = await partials(form);
  expect(others).toEqual([]);
  expect(JSON.stringify(partial)).toContain('Line two');
});

test('a save whose answer was lost is the same submission after the page was loaded anew', async () => {
  const { form, page } = await savedUnheard();
  await page.reload();
  await page.getByText('Continue later').waitFor();
  expect(await partials(form)).toHaveLength(1);
  await page.locator('[data-back]').click();
  await page.getByLabel('Pin').fill('0815');
  await page.locator('.nav .primary').click();
  await expect.poll(async () => JSON.stringify(await partials(form))).toContain('0815');
  expect(JSON.stringify(await partials(form))).toContain('Line two');
  expect(await partials(form)).toHaveLength(1);
});

test('what the device does not keep is saved all the same', async () => {
  const { form, page } = await opened();
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Pin').fill('4711');
  await page.locator('.nav .primary').click();
  await expect.poll(async () => JSON.stringify(await partials(form))).toContain('4711');
  expect(await partials(form)).toHaveLength(1);
  expect(await kept(page.context())).not.toContain('4711');
});

test('a save whose answer was lost is the same submission also where it is refused for now', async () => {
  const { form, page } = await savedUnheard();
  const refuse = (route: Route) => route.fulfill({ status: 429, json: { message: 'Too many.' } });
  await page.route('**/answer', refuse, { times: 1 });
  const refused = page.waitForResponse('**/answer');
  await page.locator('[data-back]').click();
  await refused;
  await page.locator('.nav .primary').click();
  await page.getByText('Continue later').waitFor();
  const [partial, ...others] = await partials(form);
  expect(others).toEqual([]);
  expect(JSON.stringify(partial)).toContain('Line two');
});

test('a save whose answer was lost is the same submission as the form that is sent', async () => {
  const { form, page } = await savedUnheard();
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  await expectOneSubmission(form);
});

test('a save whose answer is lost while the form is being sent is the same submission', async () => {
  const form = await savingForm();
  const page = await browser.page();
  const lose = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    await route.fetch();
    await lose.promise;
    await route.abort();
  };
  await page.route('**/answer', hold, { times: 1 });
  await page.goto(address(form));
  await fillIn(page);
  await expect.poll(() => partials(form)).toHaveLength(1);
  await page.locator('.nav .primary').click();
  await expect.poll(() => page.locator('.nav .primary').textContent()).toBe('Sending…');
  lose.resolve();
  await page.locator('.thank-you').waitFor();
  await expectOneSubmission(form);
});

test('a save that never gets an answer is the same submission as the form that is sent', async () => {
  const { form, page } = await opened();
  await page.route('**/answer', (route) => route.fetch().then(() => route.abort()));
  await fillIn(page);
  await expect.poll(() => partials(form)).toHaveLength(1);
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  await expectOneSubmission(form);
});

test('what a page saved while it was left goes on when one comes back', async () => {
  const form = await savingForm();
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form));
  await page.getByLabel('Name').fill('Ada');
  await expect.poll(() => kept(context)).toContain('Ada');
  await page.goto('about:blank');
  await expect.poll(() => partials(form)).toHaveLength(1);
  await page.goto(address(form));
  await page.getByText('Continue later').waitFor();
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.locator('.nav .primary').click();
  await expect.poll(async () => JSON.stringify(await partials(form))).toContain('Lovelace');
  expect(await partials(form)).toHaveLength(1);
});

test('what was typed during a save is saved when the page is left', async () => {
  const form = await savingForm({ auto_save: false });
  const page = await browser.page();
  await page.goto(address(form));
  await fillIn(page);
  await page.getByText('Continue later').waitFor();
  // The next save is never answered.
  await page.evaluate(() => {
    const { fetch } = window;
    window.fetch = () => {
      window.fetch = fetch;
      document.title = 'Saving';
      return new Promise(() => {});
    };
  });
  await page.locator('[data-back]').click();
  await expect.poll(() => page.title()).toBe('Saving');
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.goto('about:blank');
  await expect.poll(async () => JSON.stringify(await partials(form))).toContain('Lovelace');
  expect(await partials(form)).toHaveLength(1);
});

test('nothing is saved by a page that is left because its form was sent', async () => {
  const form = await savingForm({ redirect_url: 'https://example.com/thanks' });
  const page = await browser.page();
  await page.route('https://example.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' }),
  );
  // The first save fails, so something remains to be saved.
  let saves = 0;
  await page.route('**/answer', (route) => (saves++ === 0 ? route.abort() : route.continue()));
  await page.goto(address(form));
  await fillIn(page);
  await expect.poll(() => saves).toBe(1);
  await page.locator('.nav .primary').click();
  await page.waitForURL('https://example.com/thanks');
  await expectOneSubmission(form);
});

test('nothing is saved beside a form that was sent, while the page that thanks for it cannot be had', async () => {
  const form = await savingForm({ auto_save: false });
  const page = await browser.page();
  await page.goto(address(form));
  await fillIn(page);
  await page.getByText('Continue later').waitFor();
  await page.route('**/thank-you*', (route) => route.abort());
  await page.locator('.nav .primary').click();
  await page.getByRole('alert').getByText('could not be sent').waitFor();
  await page.locator('[data-back]').click();
  await page.locator('.nav .primary').click();
  await page.unroute('**/thank-you*');
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  await expectOneSubmission(form);
});

test('what was begun anew is not kept again by a save that was under way', async () => {
  const form = await savingForm();
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form));
  await page.getByLabel('Name').fill('Ada');
  await expect.poll(() => kept(context)).toContain('Ada');
  await page.addInitScript(() => {
    const { fetch } = window;
    // Reported a moment later, when the page has dealt with the answer.
    const tellLater = (sent: unknown) => setTimeout(() => console.info(`answered ${sent}`), 100);
    window.fetch = (...of) => fetch(...of).finally(() => tellLater(of[1]?.body));
  });
  await page.reload();
  await page.getByText('Continue later').waitFor();
  await page.getByRole('button', { name: 'Start over' }).click();
  const [save, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/answer', (route) => save.promise.then(() => route.continue()));
  const asked = page.waitForRequest('**/answer');
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.evaluate(() => dispatchEvent(new Event('pagehide')));
  await asked;
  await page.route(address(form), (route) => leave.promise.then(() => route.continue()));
  const left = page.waitForRequest(address(form));
  const answered = page.waitForEvent('console', (message) => /answered .*Lovelace/.test(message.text()));
  await page.getByRole('button', { name: 'Start over' }).evaluate((button: any) => button.click());
  await left;
  save.resolve();
  await answered;
  leave.resolve();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('');
  expect(await kept(context)).not.toContain('Ada');
});

test('answers longer than a page may send while it is left are saved all the same', async () => {
  const { form, page } = await opened();
  await page.getByLabel('Name').fill('long '.repeat(14_000));
  await page.locator('.nav .primary').click();
  await expect.poll(async () => JSON.stringify(await partials(form)).length).toBeGreaterThan(70_000);
});

test.each([
  ['can be written', true],
  ['cannot be written', false],
])('the link to go on is copied where the clipboard %s', async (_, isAllowed) => {
  const form = await savingForm();
  const page = await browser.page();
  await page.addInitScript((isAllowed) => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
    document.execCommand = () => isAllowed;
  }, isAllowed);
  await page.goto(address(form));
  await fillIn(page);
  await page.getByText('Continue later').click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect
    .poll(() => page.locator('.continue [role=status]').textContent())
    .toBe(isAllowed ? 'Copied' : '');
});

test.each([true, false])(
  'whoever only opens a link has begun nothing, though it fills in answers; autosave %s',
  async (auto_save) => {
    const station = { id: 'station', type: 'text', name: 'Station', hidden: true };
    const topic = { ...PROPERTIES[2], prefill: 'Sales' };
    const form = await savingForm({
      properties: [PROPERTIES[0], topic, station, { id: 'agree', type: 'checkbox', name: 'Agree' }],
      auto_save,
    });
    const page = await browser.page();
    const saves: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/answer')) saves.push(request.postData() ?? '');
    });
    await page.clock.install();
    const link = `${address(form)}?station=5&utm_source=mail&name=Ada`;
    for (const open of [() => page.goto(link), () => page.reload()]) {
      await open();
      await page.waitForLoadState('networkidle');
      await page.clock.runFor(8_000);
      await page.evaluate(() => dispatchEvent(new Event('pagehide')));
    }
    expect(page.url()).toBe(link);
    await page.goto('about:blank');
    expect(saves).toEqual([]);
    // Until the first answer.
    await page.goto(link);
    await page.getByLabel('Name').fill('Grace');
    const saved = page.waitForRequest('**/answer');
    await page.waitForLoadState('networkidle');
    await page.clock.runFor(8_000);
    expect((await saved).postDataJSON()).toMatchObject({ name: 'Grace', station: '5', topic: 'Sales' });
  },
);

test('a recipient who only opens a link that fills in answers has not started', async () => {
  const form = await savingForm({ settings: { personal_links: { required: false } } });
  const recipients = `/open/forms/${form.id}/recipients`;
  const ada = { name: 'Ada', email: 'ada@example.com', prefill: { name: 'Ada' } };
  expect((await home.call('POST', recipients, { recipients: [ada] })).status).toBeLessThan(300);
  const known = async () => (await home.call('GET', recipients)).body.data[0];
  const page = await browser.page();
  await page.clock.install();
  await page.goto((await known()).link);
  expect(await page.getByLabel('Name').inputValue()).toBe('Ada');
  await page.waitForLoadState('networkidle');
  await page.clock.runFor(8_000);
  await page.waitForLoadState('networkidle');
  expect((await known()).status).toBe('opened');
  await page.locator('.nav .primary').click();
  await page.getByText('Continue later').waitFor();
  expect((await known()).status).toBe('started');
});
