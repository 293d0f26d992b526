import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();
const browser = useBrowser();

const PROPERTIES = [
  { id: 'name', type: 'text', name: 'Name' },
  { id: 'pin', type: 'text', name: 'Pin', secret_input: true },
  {
    id: 'topic',
    type: 'select',
    name: 'Topic',
    select: { options: ['Sales', 'Support'].map((name) => ({ name, id: name })) },
  },
  {
    id: 'seen',
    type: 'multi_select',
    name: 'Seen',
    multi_select: { options: ['A', 'B', 'C'].map((name) => ({ name, id: name })) },
  },
  { id: 'stars', type: 'rating', name: 'Stars' },
  { id: 'pb', type: 'nf-page-break', name: 'p' },
  { id: 'more', type: 'text', name: 'More', multi_lines: true },
];

const address = (form: { slug: string }, query = '') => `${home.service.url}/forms/${form.slug}${query}`;
const kept = (context: BrowserContext) =>
  context
    .storageState()
    .then(({ origins }) => JSON.stringify(origins.map(({ localStorage }) => localStorage)));

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Pin').fill('4711');
  await page.getByLabel('Topic').selectOption('Support');
  await page.getByLabel('A', { exact: true }).check();
  await page.getByLabel('C', { exact: true }).check();
  await page.getByLabel('4 of 5').check({ force: true });
  await page.locator('.nav .primary').click();
  await page.getByLabel('More').fill('Line one\nLine two');
}

test('answers are there again after a reload, but no secrets, and gone once they are sent', async () => {
  const form = await home.form({ properties: PROPERTIES });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form));
  await fillIn(page);
  await expect.poll(() => kept(context)).toContain('Line two');
  expect(await kept(context)).not.toContain('4711');

  const later = await context.newPage();
  await later.goto(address(form));
  await later.getByText('Your earlier answers have been restored.').waitFor();
  await expect.poll(() => later.getByLabel('More').inputValue()).toBe('Line one\nLine two');
  await later.locator('[data-back]').click();
  await expect.poll(() => later.getByLabel('Name').inputValue()).toBe('Ada');
  await expect.poll(() => later.locator('.restored').isVisible()).toBe(false);
  await expect.poll(() => later.getByLabel('Pin').inputValue()).toBe('');
  await expect.poll(() => later.getByLabel('Topic').inputValue()).toBe('Support');
  expect(
    await later.locator('[name=seen]:checked').evaluateAll((boxes: any[]) => boxes.map(({ value }) => value)),
  ).toEqual(['A', 'C']);
  await expect.poll(() => later.locator('[name=stars]:checked').getAttribute('value')).toBe('4');

  await later.locator('.nav .primary').click();
  await later.locator('.nav .primary').click();
  await later.locator('.thank-you').waitFor();
  expect(await kept(context)).not.toContain('Ada');
});

test('what was begun earlier took the time since then, and names the files to choose again', async () => {
  const file = { id: 'cv', type: 'files', name: 'CV' };
  const form = await home.form({ properties: [{ id: 'name', type: 'text', name: 'Name' }, file] });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form));
  const begun = new URL(
    await page.evaluate(() => document.querySelector('#form')!.getAttribute('action')!),
    home.service.url,
  );
  await page.getByLabel('Name').fill('Ada');
  await page
    .locator('[type=file]')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
  await expect.poll(() => kept(context)).toContain('cv');
  await expect
    .poll(() => Math.floor(Date.now() / 1000))
    .toBeGreaterThan(Number(begun.searchParams.get('at')));
  await page.goto(address(form));
  await page.locator('.restored').getByText('CV: Choose a file').waitFor();
  const now = new URL(
    await page.evaluate(() => document.querySelector('#form')!.getAttribute('action')!),
    home.service.url,
  );
  expect(now.searchParams.get('at')).toBe(begun.searchParams.get('at'));
});

test('starting over asks first, and leaves what the address fills in', async () => {
  const form = await home.form({ properties: PROPERTIES });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form, '?stars=4'));
  await page.getByLabel('Name').fill('Ada');
  await expect.poll(() => kept(context)).toContain('Ada');
  await page.goto(address(form, '?stars=4'));
  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByText('Delete all your answers here and start over?').waitFor();
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('');
  await expect.poll(() => page.locator('[name=stars]:checked').getAttribute('value')).toBe('4');
  expect(await kept(context)).not.toContain('Ada');
});

test('nothing is kept where the form does not want it', async () => {
  const form = await home.form({ properties: PROPERTIES, auto_save: false });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form));
  await fillIn(page);
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  expect(await kept(context)).not.toContain('Ada');
});

test('a partial submission grows as one goes, and goes on elsewhere by its link', async () => {
  const form = await home.form({ properties: PROPERTIES, enable_partial_submissions: true });
  const page = await browser.page();
  await page.goto(address(form));
  await fillIn(page);
  await page.getByText('Continue later').click();
  const link = page.getByLabel('Open this link on any device to continue.');
  const [partial] = await home
    .call('GET', `/open/forms/${form.id}/submissions?status=partial`)
    .then(({ body }) => body.data);
  expect(JSON.stringify(partial)).toContain('Ada');

  const elsewhere = await browser.page();
  await elsewhere.goto(await link.inputValue());
  await expect.poll(() => elsewhere.getByLabel('Name').inputValue()).toBe('Ada');
  await elsewhere.locator('.nav .primary').click();
  await elsewhere.getByLabel('More').fill('From elsewhere');
  await elsewhere.locator('.nav .primary').click();
  await elsewhere.locator('.thank-you').waitFor();
  const records = await home.records(form);
  expect(records).toHaveLength(1);
  expect(JSON.stringify(records)).toContain('From elsewhere');
});

const partials = (form: { id: number }) =>
  home.call('GET', `/open/forms/${form.id}/submissions?status=partial`).then(({ body }) => body.data);

test('what is being saved when the form is sent is the same submission', async () => {
  const form = await home.form({ properties: PROPERTIES, enable_partial_submissions: true });
  const page = await browser.page();
  const release = Promise.withResolvers<void>();
  await page.route('**/answer', async (route) => {
    await release.promise;
    await route.continue();
  });
  await page.goto(address(form));
  const saving = page.waitForRequest('**/answer');
  await fillIn(page);
  await saving;
  await page.locator('.nav .primary').click();
  await expect.poll(() => page.locator('.nav .primary').textContent()).toBe('Sending…');
  release.resolve();
  await page.locator('.thank-you').waitFor();
  expect(await home.records(form)).toHaveLength(1);
  expect(await partials(form)).toEqual([]);
});

/** The next save is stored, and its answer gets lost. */
async function loseAnswer(page: Page): Promise<void> {
  const once = { times: 1 };
  await page.route('**/answer', (route) => route.fetch().then(() => route.abort()), once);
}

/** A page whose first save was stored, without hearing of it. */
async function savedUnheard() {
  const form = await home.form({ properties: PROPERTIES, enable_partial_submissions: true });
  const page = await browser.page();
  await page.goto(address(form));
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

test('a save whose answer was lost is the same submission as the form that is sent', async () => {
  const { form, page } = await savedUnheard();
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  expect(await home.records(form)).toHaveLength(1);
  expect(await partials(form)).toEqual([]);
});

test('what a page saved while it was left goes on when one comes back', async () => {
  const form = await home.form({ properties: PROPERTIES, enable_partial_submissions: true });
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

test('nothing is saved by a page that is left because its form was sent', async () => {
  const form = await home.form({
    properties: PROPERTIES,
    enable_partial_submissions: true,
    redirect_url: 'https://example.com/thanks',
  });
  const page = await browser.page();
  await page.route('https://example.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' }),
  );
  // The first save fails, so that there would still be something to save.
  let saves = 0;
  await page.route('**/answer', (route) => (saves++ === 0 ? route.abort() : route.continue()));
  await page.goto(address(form));
  await fillIn(page);
  await expect.poll(() => saves).toBe(1);
  await page.locator('.nav .primary').click();
  await page.waitForURL('https://example.com/thanks');
  expect(await home.records(form)).toHaveLength(1);
  expect(await partials(form)).toEqual([]);
});

test('answers longer than a page may send while it is left are saved all the same', async () => {
  const form = await home.form({ properties: PROPERTIES, enable_partial_submissions: true });
  const page = await browser.page();
  await page.goto(address(form));
  await page.getByLabel('Name').fill('long '.repeat(14_000));
  await page.locator('.nav .primary').click();
  await expect.poll(async () => JSON.stringify(await partials(form)).length).toBeGreaterThan(70_000);
});

test('the first visit says where somebody came from', async () => {
  const form = await home.form({ properties: PROPERTIES });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form, '?utm_source=letter&gclid=7'));
  await page.getByLabel('Name').fill('Ada');
  await expect.poll(() => kept(context)).toContain('letter');
  await page.goto(address(form));
  await page.getByText('Your earlier answers have been restored.').waitFor();
  await page.locator('.nav .primary').click();
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  const [record] = await home.records(form);
  expect(JSON.stringify(record)).toContain('letter');
});

test.each([
  ['can be written', true],
  ['cannot be written', false],
])('the link to go on is copied where the clipboard %s', async (_, isAllowed) => {
  const form = await home.form({ properties: PROPERTIES, enable_partial_submissions: true });
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
