import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { kept, PROPERTIES } from './begun-form.ts';
import { aVisitor, shownStep } from './visitor.ts';

const home = useHome();
const browser = useBrowser();

const NOTICE = 'Whoever has this link can read what you enter.';

const savingForm = (overrides = {}) =>
  home.form({ properties: PROPERTIES, enable_partial_submissions: true, ...overrides });

/** What somebody has begun, and sends others the link of. */
async function begunBySomebody(form: any) {
  const { body } = await home.submit(form, { name: 'Mallory', is_partial: true });
  return `/forms/${form.slug}?submission_hash=${body.submission_hash}`;
}

test('a page that goes on with stored answers says so on every step, and leads to one that begins anew', async () => {
  const form = await savingForm();
  const { open, send } = aVisitor(home.service);
  const link = await begunBySomebody(form);
  const page = await open(`${link}&stars=3&lang=en`);
  expect(page.text).toContain(NOTICE);
  expect(page.html).toContain('value="Mallory"');
  expect((await open(`${link}&visit=aaaaaaaaaaaaaaaaaaaaaa&at=1`)).text).toContain(NOTICE);
  const second = await send(page, { name: 'Ada' });
  expect(second.path).toContain('step=1');
  expect(second.text).toContain(NOTICE);
  // A copy of that address, whose draft somebody else has made.
  expect((await open(second.path)).text).toContain(NOTICE);

  const [, anew = ''] = /<a href="([^"]+)" data-anew>Start over</.exec(page.html) ?? [];
  const empty = await open(anew.replaceAll('&amp;', '&'));
  expect(empty.html).not.toContain('Mallory');
  expect(empty.html).toMatch(/value="3"[^>]* checked/);
  expect(empty.text).not.toContain(NOTICE);
});

test('a link to go on leads to the page that was reached, also behind a password', async () => {
  const { open, send } = aVisitor(home.service);
  for (const password of [null, 'open sesame']) {
    const form = await savingForm({ password });
    const answers = { name: 'Ada', more: 'Soon', is_partial: true };
    const { body } = await home.submit(form, answers, { 'form-password': password ?? '' });
    const opened = await open(`/forms/${form.slug}?submission_hash=${body.submission_hash}`);
    const page = password ? await send(opened, { password }) : opened;
    expect(shownStep(page)).toBe('1');
    expect(page.html).toContain('Soon');
    const first = await send(page, {}, { button: 'quiet' });
    expect(shownStep(first)).toBe('0');
    expect(shownStep(await open(first.path))).toBe('0');
  }
});

test('recipients who come back by their own link are told nothing of others', async () => {
  const form = await savingForm();
  const { body } = await home.call('POST', `/open/forms/${form.id}/recipients`, {
    recipients: [{ name: 'Ada' }],
  });
  const { pathname, search } = new URL(body.recipients[0].link);
  const begun = await home.submit(form, { name: 'Grace', is_partial: true });
  const answer = await home.call('POST', `${pathname}/answer${search}`, { name: 'Ada', is_partial: true });
  const { open } = aVisitor(home.service);
  const own = await open(pathname + search);
  expect(own.html).toContain('value="Ada"');
  expect(own.text).not.toContain(NOTICE);
  const later = await open(`${pathname + search}&submission_hash=${answer.body.submission_hash}`);
  expect(later.html).toContain('value="Ada"');
  expect(later.text).not.toContain(NOTICE);
  const foreign = await open(`${pathname + search}&submission_hash=${begun.body.submission_hash}`);
  expect(foreign.text).toContain(NOTICE);
});

test('whoever only opened a link of somebody else does not go on with it later', async () => {
  const form = await savingForm();
  const context = await browser.context();
  const page = await context.newPage();
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/answer'));
  await page.goto(home.service.url + (await begunBySomebody(form)));
  await page.getByText(NOTICE).waitFor();
  await saved;
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await page.getByLabel('Name').fill('Ada');
  await expect.poll(() => kept(context)).toContain('Ada');
  await page.locator('.nav .primary').click();
  await page.getByText('Continue later').waitFor();
  const { body } = await home.call('GET', `/open/forms/${form.id}/submissions?status=partial`);
  expect(body.data.map(({ data }: any) => data.name).sort()).toEqual(['Ada', 'Mallory']);
});

test('starting over leaves what was entered by the link of somebody else to that link', async () => {
  const form = await savingForm();
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(home.service.url + (await begunBySomebody(form)));
  await page.getByLabel('Name').fill('Ada');
  await expect.poll(() => kept(context)).toContain('Ada');
  await page.getByRole('link', { name: 'Start over' }).click();
  await page.waitForURL((url) => url.search === '');
  await page.getByLabel('Pin').fill('4711');
  expect(await page.getByLabel('Name').inputValue()).toBe('');
  await expect.poll(() => kept(context)).toContain('loaded');
  expect(await kept(context)).not.toContain('Ada');
});
