import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();
const browser = useBrowser();

const NAME = { id: 'name', type: 'text', name: 'Name', required: true };
const MAIL = { id: 'mail', type: 'email', name: 'E-mail' };

const address = (form: { slug: string }, query = '') => `${home.service.url}/forms/${form.slug}${query}`;
/** Where the page of a form sends it to. */
const sending = (form: { uuid: string }) => `${home.service.url}/forms/${form.uuid}?*`;
const primary = (page: Page) => page.locator('.nav .primary');
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'));

async function opened(overrides: Record<string, unknown>): Promise<{ form: any; page: Page }> {
  const form = await home.form(overrides);
  const page = await browser.page();
  await page.goto(address(form));
  return { form, page };
}

/** A page of another site that embeds the form and records its messages in `heard`. */
async function framed(form: { slug: string }): Promise<Page> {
  const page = await browser.page();
  await page.route('http://other.localhost/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<script>heard=[];onmessage=({data})=>heard.push(data)</script><iframe src="${address(form)}" width="500" height="400"></iframe>`,
    }),
  );
  await page.goto('http://other.localhost/');
  return page;
}

test('a field that was left is checked, one that was only visited is not', async () => {
  const { page } = await opened({ properties: [NAME, MAIL] });
  const [name, mail] = [page.getByLabel('Name'), page.getByLabel('E-mail')];
  await name.focus();
  await mail.focus();
  expect(await page.locator('#f0-error').isVisible()).toBe(false);
  await mail.fill('ada');
  expect(await page.locator('#f1-error').isVisible()).toBe(false);
  await name.focus();
  await page.getByText('“E-mail” must be a valid email address.').waitFor();
  await expect.poll(() => mail.getAttribute('aria-invalid')).toBe('true');
  await mail.fill('ada@example.com');
  await page.locator('#f1-error').waitFor({ state: 'hidden' });
});

test('what is pressed to leave a field is not moved away by what is told about the field', async () => {
  const choices = {
    id: 'choice',
    type: 'select',
    name: 'Choice',
    options: ['A', 'B', 'C'],
    without_dropdown: true,
  };
  const agree = { id: 'agree', type: 'checkbox', name: 'Agree' };
  const { page } = await opened({ properties: [MAIL, choices, agree] });
  const wrong = page.getByText('“E-mail” must be a valid email address.');
  for (const label of ['B', 'Agree']) {
    await page.getByLabel('E-mail').fill('ada');
    const pressed = page.getByLabel(label, { exact: true });
    await pressed.hover();
    await page.mouse.down();
    await expect.poll(() => focused(page)).not.toBe('mail');
    expect(await wrong.isVisible()).toBe(false);
    await page.mouse.up();
    await wrong.waitFor();
    expect(await pressed.isChecked(), label).toBe(true);
    await page.getByLabel('E-mail').fill('');
    await wrong.waitFor({ state: 'hidden' });
  }
  // A press that is let go outside of the page.
  await page.getByLabel('E-mail').fill('ada');
  await page.getByLabel('C', { exact: true }).hover();
  await page.mouse.down();
  await page.mouse.move(-10, -10);
  await page.mouse.up();
  await wrong.waitFor();
});

test('while the service cannot be reached nothing is lost, and trying again sends one submission', async () => {
  const { form, page } = await opened({ properties: [NAME] });
  await page.getByLabel('Name').fill('Ada');
  // The submission is stored, but its answer is lost.
  await page.route(sending(form), async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    return route.abort();
  });
  await primary(page).click();
  await page.getByRole('alert').getByText('could not be sent').waitFor();
  await expect.poll(() => primary(page).textContent()).toBe('Try again');
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada');
  await page.unroute(sending(form));
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  expect(await home.records(form)).toHaveLength(1);
});

test.each([0, 502])(
  'where the page that thanks cannot be had (%i) nothing is lost, and trying again leads there',
  async (status) => {
    const { form, page } = await opened({ properties: [NAME] });
    const keptHere = () => page.evaluate(() => JSON.stringify(localStorage));
    await page.getByLabel('Name').fill('Ada');
    await page.route('**/thank-you*', (route) =>
      status === 0 ? route.abort() : route.fulfill({ status, body: '<main>Bad gateway</main>' }),
    );
    await primary(page).click();
    await page.getByRole('alert').getByText('could not be sent').waitFor();
    expect(await keptHere()).toContain('Ada');
    await page.unroute('**/thank-you*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.thank-you').waitFor();
    expect(await keptHere()).not.toContain('Ada');
    expect(await home.records(form)).toHaveLength(1);
  },
);

test.each([
  ['a network that asks to sign in', 200],
  ['a proxy that speaks JSON', 200, '{"ok":true}'],
  ['a proxy that refuses', 403],
  ['a proxy that finds it too long', 413],
])('where %s answers in place of the service nothing is lost', async (_, status, json = '') => {
  const { form, page } = await opened({ properties: [NAME], auto_save: false });
  const contentType = json ? 'application/json' : 'text/html';
  await page.getByLabel('Name').fill('Ada');
  await page.route(sending(form), (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status, contentType, body: json || '<h1>Not the service</h1>' })
      : route.continue(),
  );
  await primary(page).click();
  await page.getByRole('alert').getByText('could not be sent').waitFor();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada');
  await page.unroute(sending(form));
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  expect(await home.records(form)).toHaveLength(1);
});

test('without a network the page stays, says so, and is sent when there is one again', async () => {
  const { form, page } = await opened({ properties: [NAME] });
  const isReady = page.waitForResponse(/assets\/send-/);
  await page.getByLabel('Name').fill('Ada');
  await isReady;
  await page.context().setOffline(true);
  await primary(page).click();
  await page.getByRole('alert').getByText('You are offline').waitFor();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada');
  await page.context().setOffline(false);
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  expect(await home.records(form)).toHaveLength(1);
});

test.each([
  ['the device knows it', 'You are offline'],
  ['the device does not know it', 'could not be sent'],
])('the page stays where the network went before the first answer, and %s', async (_, text) => {
  const { form, page } = await opened({ properties: [NAME] });
  const isKnown = text === 'You are offline';
  if (isKnown) await page.context().setOffline(true);
  else await page.route('**', (route) => route.abort());
  await page.getByLabel('Name').fill('Ada');
  await primary(page).click();
  await page.getByRole('alert').getByText(text).waitFor();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada');
  if (isKnown) await page.context().setOffline(false);
  else await page.unroute('**');
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  expect(await home.records(form)).toHaveLength(1);
});

test('a press while the form is sent is no second one', async () => {
  const { form, page } = await opened({ properties: [NAME] });
  await page.getByLabel('Name').fill('Ada');
  let posts = 0;
  const release = Promise.withResolvers<void>();
  await page.route(sending(form), async (route) => {
    posts += 1;
    await release.promise;
    await route.continue();
  });
  await primary(page).click();
  await expect.poll(() => primary(page).textContent()).toBe('Sending…');
  await primary(page).click({ force: true });
  await page.getByLabel('Name').press('Enter');
  release.resolve();
  await page.locator('.thank-you').waitFor();
  expect(posts).toBe(1);
});

test('back from the thanks leads to an empty form, and forward to the thanks again', async () => {
  const { form, page } = await opened({ properties: [NAME] });
  await page.getByLabel('Name').fill('Ada');
  await primary(page).click();
  const thanks = page.locator('.thank-you');
  await thanks.waitFor();
  await page.goBack();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('');
  await page.goForward();
  await thanks.waitFor();
  expect(new URL(page.url()).pathname).toBe(`/forms/${form.slug}/thank-you`);
});

test('back twice from another site leads past the thanks to an empty form', async () => {
  const { form, page } = await opened({ properties: [NAME], auto_save: false });
  await page.getByLabel('Name').fill('Ada');
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  await page.goto('about:blank');
  await page.goBack();
  await page.locator('.thank-you').waitFor();
  await page.goBack();
  await page.getByLabel('Name').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/forms/${form.slug}`);
});

test('what only the service finds is shown at its field', async () => {
  const { form, page } = await opened({ properties: [NAME, MAIL], use_captcha: true });
  await page.route(sending(form), (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 422,
          json: { message: 'Taken.', errors: { mail: ['Taken.'], captcha: ['Prove it.'] } },
        })
      : route.continue(),
  );
  await page.getByLabel('Name').fill('Ada');
  await primary(page).click();
  const items = page.locator('#summary li');
  await expect.poll(() => items.allTextContents()).toEqual(['Taken.', 'Prove it.']);
  await expect.poll(() => page.locator('#f1-error').textContent()).toBe('Taken.');
  await items.getByRole('link').click();
  expect(await focused(page)).toBe('mail');
});

test('the page of another site is gone to', async () => {
  const { page } = await opened({ properties: [NAME], redirect_url: 'https://example.com/thanks?x=1' });
  await page.route('https://example.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' }),
  );
  await page.getByLabel('Name').fill('Ada');
  await primary(page).click();
  await page.waitForURL('https://example.com/thanks?x=1');
});

test('back from the page of another site leads to an empty form', async () => {
  const { page } = await opened({ properties: [NAME], redirect_url: 'https://example.com/thanks' });
  await page.route('https://example.com/**', (route) => route.fulfill({ body: 'Thanks' }));
  await page.getByLabel('Name').fill('Ada');
  await primary(page).click();
  await page.waitForURL('https://example.com/thanks');
  await page.goBack();
  await page.getByLabel('Name').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('');
});

test('back from the page of another site to the form as the browser has kept it, it is opened anew', async () => {
  const { page } = await opened({ properties: [NAME], redirect_url: 'https://example.com/thanks' });
  // The form stays where it is, as it would be kept.
  const gone = page.waitForRequest('https://example.com/**');
  await page.route('https://example.com/**', (route) => route.fulfill({ status: 204 }));
  await page.getByLabel('Name').fill('Ada');
  await primary(page).click();
  await gone;
  expect(await primary(page).textContent()).toBe('Sending…');
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await expect.poll(() => primary(page).textContent()).toBe('Submit');
  expect(await page.getByLabel('Name').inputValue()).toBe('');
});

test('a script that fails leaves a form the browser sends', async () => {
  const form = await home.form({ properties: [NAME] });
  const page = await browser.page();
  // The part of the script that sends cannot be loaded.
  await page.route('**/assets/send-*', (route) => route.abort());
  await page.goto(address(form));
  await page.getByLabel('Name').fill('Ada');
  await primary(page).click();
  await page.waitForURL(/thank-you/);
  expect(await home.records(form)).toHaveLength(1);
});

test('in a frame the page around hears how it goes, and no answers', async () => {
  const form = await home.form({
    properties: [NAME, { id: 'pb', type: 'nf-page-break', name: 'p' }, MAIL],
  });
  const page = await framed(form);
  const frame = page.frameLocator('iframe');
  await frame.getByLabel('Name').fill('Secret');
  await frame.locator('.nav .primary').click();
  await frame.getByLabel('E-mail').waitFor();
  await frame.locator('.nav .primary').click();
  await frame.locator('.thank-you').waitFor();
  const heard: any[] = await page.evaluate('heard');
  const events = heard.map(({ event }) => event);
  expect(events[0]).toBe('ready');
  expect(events).toContain('height');
  expect(heard.find(({ event }) => event === 'step')).toEqual({
    type: 'formstead',
    event: 'step',
    form: form.slug,
    step: 1,
    steps: 2,
  });
  const [record] = await home.records(form);
  const { submission_id: id } = heard.find(({ event }) => event === 'submit');
  expect(JSON.stringify(record)).toContain(id);
  expect(JSON.stringify(heard)).not.toContain('Secret');
});

test('nor the id of a submission that whoever knows it could read and change', async () => {
  const form = await home.form({ properties: [NAME], editable_submissions: true });
  const page = await framed(form);
  const frame = page.frameLocator('iframe');
  await frame.getByLabel('Name').fill('Secret');
  await frame.locator('.nav .primary').click();
  await frame.locator('.thank-you').waitFor();
  const heard: any[] = await page.evaluate('heard');
  expect(heard.filter(({ event }) => event === 'submit')).toEqual([
    { type: 'formstead', event: 'submit', form: form.slug, submission_id: '' },
  ]);
  const [record] = await home.records(form);
  expect(JSON.stringify(heard)).not.toContain(record.submission_id);
});

test('a proof of work stands in for the question', async () => {
  const { form, page } = await opened({ properties: [NAME], use_captcha: true });
  await expect.poll(() => page.locator('#captcha').isVisible()).toBe(true);
  await page.getByLabel('Name').fill('Ada');
  await page.getByText('Checked', { exact: true }).waitFor();
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  expect(await home.records(form)).toHaveLength(1);
});

test.each([
  ['where the page has no means for a proof', () => Object.defineProperty(crypto, 'subtle', { value: null })],
  ['where no proof can be had', () => {}],
])('a question that counts no more makes room for another one, %s', async (_, prepare) => {
  const form = await home.form({ properties: [NAME], use_captcha: true });
  const page = await browser.page();
  await page.addInitScript(prepare);
  await page.route('**/captcha', (route) => route.abort());
  await page.goto(address(form));
  const question = page.locator('label[for=captcha]');
  const tokenOf = () => page.locator('[name=captcha]').first().inputValue();
  const answerIt = async () => {
    const [, a, b] = /(\d+) plus (\d+)/.exec((await question.textContent()) ?? '') ?? [];
    await page.locator('#captcha').fill(String(Number(a) + Number(b)));
    // An answer counts only some seconds after the question was shown.
    const asked = Number(/\d{13}/.exec(await tokenOf()));
    await expect.poll(() => Date.now() - asked).toBeGreaterThan(2_100);
  };
  await page.getByLabel('Name').fill('Ada');
  await question.waitFor();
  await answerIt();
  const token = await tokenOf();
  const spent = createHash('sha256')
    .update(token.split('.')[3] ?? '')
    .digest();
  await home.service.context.pool.query(
    "insert into spent_challenges (challenge_hash, expires_at) values ($1, now() + interval '1 hour')",
    [spent],
  );
  await primary(page).click();
  await page.locator('#summary').getByRole('link', { name: 'The check failed.' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('captcha');
  expect(await page.locator('#captcha').getAttribute('aria-invalid')).toBe('true');
  expect(await tokenOf()).not.toBe(token);
  await answerIt();
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  expect(await home.records(form)).toHaveLength(1);
});

test('confetti falls, but not for whoever wants less motion', async () => {
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const form = await home.form({ properties: [NAME], confetti_on_submission: true });
    const page = await browser.page({ reducedMotion });
    await page.goto(address(form));
    await page.getByLabel('Name').fill('Ada');
    const loaded = page.waitForResponse(/confetti-/);
    await primary(page).click();
    await page.locator('.thank-you').waitFor();
    await loaded;
    if (reducedMotion === 'reduce') expect(await page.locator('canvas').count()).toBe(0);
    else await page.locator('canvas').waitFor({ state: 'attached' });
  }
});

const THREE_PAGES = [
  NAME,
  { id: 'one', type: 'nf-page-break', name: 'p' },
  MAIL,
  { id: 'two', type: 'nf-page-break', name: 'p' },
  { id: 'last', type: 'text', name: 'Last' },
];

test.each([
  ['a double click', (page: Page) => primary(page).dblclick()],
  ['Enter held down', (page: Page) => holdEnter(page)],
])('%s goes on by one step', async (_, press) => {
  const { form, page } = await opened({ properties: THREE_PAGES });
  await page.getByLabel('Name').fill('Ada');
  await press(page);
  await page.getByLabel('E-mail').waitFor();
  await press(page);
  await page.getByLabel('Last').waitFor();
  expect(await home.records(form)).toHaveLength(0);
});

/** Repeats the key, as a keyboard does while Enter is held. */
async function holdEnter({ keyboard }: Page): Promise<void> {
  for (let times = 0; times < 9; times++) await keyboard.down('Enter');
  await keyboard.up('Enter');
}

test('a date that is typed by half, or that no calendar has, is no answer', async () => {
  const properties = [
    { id: 'day', type: 'date', name: 'Day' },
    { id: 'pb', type: 'nf-page-break', name: 'p' },
    { id: 'time', type: 'date', name: 'Time', with_time: true },
  ];
  const { form, page } = await opened({ properties });
  const problem = (name: string) =>
    page.locator('#summary').getByRole('link', { name: `“${name}” is not a valid date.` });
  const [day, time] = [page.getByLabel('Day'), page.getByLabel('Time')];
  await day.pressSequentially('02312024');
  await primary(page).click();
  await problem('Day').click();
  await expect.poll(() => day.getAttribute('aria-invalid')).toBe('true');
  await day.fill('2024-02-29');
  await primary(page).click();
  await time.waitFor(); // typing does not wait for a page to be shown
  await time.pressSequentially('02292024');
  await primary(page).click();
  await problem('Time').waitFor();
  await time.fill('2024-02-29T10:30');
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  const [record] = await home.records(form);
  expect(record.data).toMatchObject({ day: '2024-02-29', time: expect.stringContaining('10:30') });
});

test.each([1, -1])(
  'where the clock of the device is wrong by %i day, the service judges what is past',
  async (days) => {
    const DAY = {
      id: 'day',
      type: 'date',
      name: 'Day',
      disable_past_dates: true,
      disable_future_dates: true,
    };
    const form = await home.form({ properties: [DAY, NAME] });
    const page = await browser.page();
    const today = new Date();
    await page.clock.install({ time: new Date(today.getTime() + days * 86_400_000) });
    await page.goto(address(form));
    await page.clock.resume();
    await page.getByLabel('Day').fill('2020-01-01');
    await page.getByLabel('Name').fill('Ada');
    await primary(page).click();
    await page.locator('#summary').getByText('“Day” cannot be before today.').waitFor();
    await page.getByLabel('Day').fill(today.toISOString().slice(0, 10));
    await primary(page).click();
    await page.locator('.thank-you').waitFor();
  },
);

test('a press waits until it is known whether the clock of the device is right', async () => {
  const form = await home.form({
    properties: [{ id: 'day', type: 'date', name: 'Day', disable_past_dates: true }],
  });
  const page = await browser.page();
  const asked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  await page.route('**/worker.js', async (route) => {
    asked.resolve();
    await release.promise;
    await route.continue();
  });
  const today = new Date();
  await page.clock.setSystemTime(new Date(today.getTime() + 86_400_000));
  await page.goto(address(form));
  await page.getByLabel('Day').fill(today.toISOString().slice(0, 10));
  await asked.promise;
  await primary(page).click();
  release.resolve();
  await page.locator('.thank-you').waitFor();
});

test('a form that was changed meanwhile is shown anew, with what was typed', async () => {
  const { form, page } = await opened({ properties: [NAME] });
  await page.getByLabel('Name').fill('Ada');
  const added = { id: 'added', type: 'text', name: 'Added', required: true };
  const { body } = await home.call('GET', `/open/forms/${form.id}`);
  const { status } = await home.call('PUT', `/open/forms/${form.id}`, {
    ...body,
    properties: [...body.properties, added],
  });
  expect(status).toBe(200);
  await primary(page).click();
  await page.locator('#summary').getByRole('link', { name: '“Added” needs an answer.' }).click();
  expect(await focused(page)).toBe('added');
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada');
  await page.getByLabel('Added').fill('More');
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  expect((await home.records(form))[0].data).toMatchObject({ name: 'Ada', added: 'More' });
});

test('each problem leads to where it can be mended', async () => {
  const { page } = await opened({
    properties: [
      { id: 'sign', type: 'signature', name: 'Signature', required: true },
      { id: 'm', type: 'matrix', name: 'M', required: true, rows: ['a', 'b', 'c'], columns: ['1', '2'] },
    ],
  });
  await page.locator('canvas').waitFor();
  await page.getByRole('radio', { name: 'a' }).first().check();
  await primary(page).click();
  const links = page.locator('#summary a');
  await expect.poll(() => links.count()).toBe(3);
  await links.nth(0).click();
  expect(await focused(page)).toBe('sign');
  await links.nth(1).click();
  expect(await focused(page)).toBe('m[:b]');
  await links.nth(2).click();
  expect(await focused(page)).toBe('m[:c]');
});
