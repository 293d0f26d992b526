import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { aVisitor } from './visitor.ts';

/** An address that somebody copies out of a visit: others who open it are others. */
const home = useHome();
const browser = useBrowser();
const visitor = () => aVisitor(home.service);

const COMING = {
  id: 'coming',
  type: 'select',
  name: 'Coming?',
  without_dropdown: true,
  options: ['Yes', 'No'],
};
const NAME = { id: 'name', type: 'text', name: 'Name' };
const IN_GERMAN = { language: 'en', translations: { de: { title: 'Feier' } } };

const address = (form: { slug: string }, query = '') => `${home.service.url}/forms/${form.slug}${query}`;
const primary = (page: Page) => page.locator('.nav .primary');
const inGerman = (page: Page) => page.getByRole('button', { name: 'Deutsch' }).click();
const idIn = (html: string) => /action="[^"]*visit=([\w-]{22})/.exec(html)?.[1];
/** The address as one that was copied an hour ago. */
const anHourAgo = (path: string) =>
  path.replace(/([?&]at=)(\d+)/, (_, key, at) => `${key}${Number(at) - 3_600}`);

/** The same answer from three people who open this address. */
async function answerAs(three: string): Promise<void> {
  for (const _ of [1, 2, 3]) {
    const page = await browser.page();
    await page.goto(three);
    await page.getByLabel('Yes').check();
    await primary(page).click();
    await page.locator('.thank-you').waitFor();
  }
}

test.each([true, false])(
  'behind a password it leads to a visit of their own, by a script: %s',
  async (hasScript) => {
    const form = await home.form({ properties: [COMING], password: 'sesame' });
    const page = await browser.page({ javaScriptEnabled: hasScript });
    await page.goto(address(form));
    await page.locator('#password').fill('sesame');
    await page.keyboard.press('Enter');
    await page.getByLabel('Yes').waitFor();
    if (hasScript) await expect.poll(() => page.url()).not.toContain('visit=');
    await answerAs(anHourAgo(page.url()));
    const records = await home.records(form);
    expect(records).toHaveLength(3);
    for (const { completion_time: seconds } of records) expect(seconds).toBeLessThan(600);
    // Nor does a reload ask for the password again.
    await page.reload();
    await page.getByLabel('Yes').waitFor();
  },
);

test.each([true, false])('in another language too, with a script: %s', async (hasScript) => {
  const form = await home.form({ properties: [COMING, NAME], ...IN_GERMAN });
  const page = await browser.page({ javaScriptEnabled: hasScript });
  await page.goto(address(form));
  await inGerman(page);
  await page.getByRole('heading', { name: 'Feier' }).waitFor();
  if (hasScript) await expect.poll(() => page.url()).not.toContain('visit=');
  await answerAs(anHourAgo(page.url()));
  const records = await home.records(form);
  expect(records).toHaveLength(3);
  for (const { completion_time: seconds } of records) expect(seconds).toBeLessThan(600);
  const { rowCount } = await home.service.context.pool.query('select from form_drafts where form_id = $1', [
    form.id,
  ]);
  expect(rowCount).toBe(0);
});

test('what was typed before another language was chosen is not in the address, and there after a reload', async () => {
  const form = await home.form({ properties: [NAME, COMING], ...IN_GERMAN });
  const page = await browser.page();
  await page.goto(address(form, '?coming=No'));
  await page.getByLabel('Name').fill('Ann Secret');
  await inGerman(page);
  await page.getByRole('heading', { name: 'Feier' }).waitFor();
  await expect.poll(() => page.url()).not.toContain('visit=');
  expect(await page.getByLabel('Name').inputValue()).toBe('Ann Secret');
  const other = await browser.page();
  await other.goto(page.url());
  await other.waitForLoadState('networkidle');
  expect(await other.getByLabel('Name').inputValue()).toBe('');
  expect(await other.getByLabel('No', { exact: true }).isChecked()).toBe(true);
  await page.reload();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ann Secret');
});

test.each([
  ['the device keeps nothing', [NAME], { auto_save: false }],
  ['not all that was typed', [NAME, { ...NAME, id: 'pin', name: 'Pin', secret_input: true }], {}],
])('where %s, a reload still brings back what was typed', async (_, properties, overrides) => {
  const form = await home.form({ properties, ...IN_GERMAN, ...overrides });
  const page = await browser.page();
  await page.goto(address(form));
  const last = page.getByLabel(properties.at(-1)!.name);
  await last.fill('4711');
  await inGerman(page);
  await page.getByRole('heading', { name: 'Feier' }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.reload();
  await expect.poll(() => last.inputValue()).toBe('4711');
});

test.each([true, false])(
  'a sending that was lost on the way is the same one after a reload; autosave %s',
  async (auto_save) => {
    const form = await home.form({ properties: [COMING], ...IN_GERMAN, auto_save });
    const page = await browser.page();
    await page.goto(address(form));
    await page.getByLabel('Yes').check();
    await inGerman(page);
    await page.getByRole('heading', { name: 'Feier' }).waitFor();
    await expect.poll(() => page.url().includes('visit=')).toBe(!auto_save);
    // A copy of the address that somebody else has opened.
    const other = await browser.page();
    await other.goto(anHourAgo(page.url()));
    const sending = `${home.service.url}/forms/${form.uuid}?*`;
    await page.route(sending, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      // Its draft stays, as where the service stops at once.
      const { rows } = await home.service.context.pool.query('select * from form_drafts where form_id = $1', [
        form.id,
      ]);
      await route.fetch();
      for (const { form_id, id_hash, answers } of rows)
        await home.service.context.pool.query(
          'insert into form_drafts (form_id, id_hash, answers) values ($1, $2, $3) on conflict do nothing',
          [form_id, id_hash, answers],
        );
      return route.abort();
    });
    await primary(page).click();
    await page
      .locator('.send-state')
      .getByText(/gesendet|sent/)
      .waitFor();
    await page.unroute(sending);
    expect(await home.records(form)).toHaveLength(1);
    await page.reload();
    await expect.poll(() => page.getByLabel('Yes').isChecked()).toBe(true);
    await page.waitForLoadState('networkidle');
    await primary(page).click();
    await page.locator('.thank-you').waitFor();
    expect(await home.records(form)).toHaveLength(1);

    if (!(await other.getByLabel('Yes').isChecked())) await other.getByLabel('Yes').check();
    await primary(other).click();
    await other.locator('.thank-you').waitFor();
    const records = await home.records(form);
    expect(records).toHaveLength(2);
    for (const { completion_time: seconds } of records) expect(seconds).toBeLessThan(600);
  },
);

describe('without a script', () => {
  const STEPS = [NAME, { id: 'next', type: 'nf-page-break', name: 'Next' }, COMING];

  test('a draft is shown to whoever has its address, but the same answers of each are a submission', async () => {
    const form = await home.form({ properties: STEPS });
    const first = await visitor().open(`/forms/${form.slug}`);
    const second = await visitor().send(first, { name: 'Ada' });
    const others = [await visitor().open(second.path), await visitor().open(second.path)];
    const answers = { coming: 'Yes' };
    for (const page of [second, second, ...others]) {
      const thanks = await visitor().send(page, answers);
      expect(thanks.path).toContain('/thank-you');
    }
    // Pressed twice, the first page is one.
    expect(await home.records(form)).toHaveLength(3);
  });

  test('an address whose visit is over begins another one', async () => {
    const form = await home.form({ properties: STEPS });
    const first = await visitor().open(`/forms/${form.slug}`);
    const second = await visitor().send(first, { name: 'Ada' });
    expect(idIn(second.html)).toBe(idIn(first.html));
    await visitor().send(second, { coming: 'Yes' });
    const later = await visitor().open(anHourAgo(second.path));
    expect(later.html).not.toContain('value="Ada"');
    expect(idIn(later.html)).not.toBe(idIn(first.html));
    const again = await visitor().send(later, { name: 'Ada' });
    await visitor().send(again, { coming: 'Yes' });
    const records = await home.records(form);
    expect(records).toHaveLength(2);
    for (const { completion_time: seconds } of records) expect(seconds).toBeLessThan(600);
  });
});
