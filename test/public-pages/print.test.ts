import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DESKTOP, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { EVERYTHING, FIELDS, servePictures } from './every-field.ts';

const home = useHome();
const browser = useBrowser();

async function onPaper(form: { slug: string }): Promise<Page> {
  const context = await browser.context(DESKTOP);
  await servePictures(context);
  const page = await context.newPage();
  await page.goto(`${home.service.url}/forms/${form.slug}`, { waitUntil: 'networkidle' });
  await page.emulateMedia({ media: 'print' });
  return page;
}

const isSeen = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) => all.filter((one) => one.checkVisibility()).length);

test.each(['classic', 'focused'])(
  'every question of every step is printed, nothing to press, %s',
  async (style) => {
    const hidden = { id: 'unseen', type: 'text', name: 'Unseen', hidden: true };
    const form = await home.form({
      presentation_style: style,
      show_progress_bar: true,
      settings: { navigation_arrows: true },
      properties: [...(style === 'classic' ? EVERYTHING : FIELDS), hidden],
    });
    const page = await onPaper(form);
    for (const { id } of FIELDS) expect(await isSeen(page, `[data-block="${id}"]`), id).toBe(1);
    if (style === 'classic') expect(await isSeen(page, '[data-block="last"]')).toBe(1);
    expect(await isSeen(page, '[data-block="unseen"]')).toBe(0);
    expect(await isSeen(page, 'button, .nav, .progress, [type=search], .key, .enter')).toBe(0);
  },
);

test('what was chosen and typed is seen whole, and an example is no answer', async () => {
  const form = await home.form({ properties: FIELDS });
  const page = await onPaper(form);
  await page.emulateMedia({ media: 'screen' });
  await page.getByLabel('A long text').fill('line\n'.repeat(30));
  await page.locator('[data-block=radios] label').first().click();
  await page.emulateMedia({ media: 'print' });
  expect(await isSeen(page, '.clear')).toBe(0);
  const seen = await page.evaluate(() => {
    const find = (selector: string) => document.querySelector<HTMLElement>(selector)!;
    const lines = find('[data-block=lines] textarea');
    return {
      rest: lines.scrollHeight - lines.clientHeight,
      many: find('.many').scrollHeight - find('.many').clientHeight,
      colors: ['.scale', '.switch'].map((one) =>
        getComputedStyle(find(one)).getPropertyValue('print-color-adjust'),
      ),
      example: getComputedStyle(find('[data-block=text] input'), '::placeholder').color,
    };
  });
  expect(seen).toEqual({ rest: 0, many: 0, colors: ['exact', 'exact'], example: 'rgba(0, 0, 0, 0)' });
});

test('a long text of one line is printed whole, and what was typed is there again afterwards', async () => {
  const form = await home.form({
    properties: [{ id: 'text', type: 'text', name: 'Your name', width: '1/4' }],
  });
  const page = await onPaper(form);
  await page.emulateMedia({ media: 'screen' });
  const long = 'A rather long name of somebody '.repeat(8).trim();
  const input = page.getByLabel('Your name');
  const begun = page.waitForResponse(/begun/);
  await input.fill(long);
  await begun;
  const copy = page.locator('.typed');
  await expect
    .poll(async () => {
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      return copy.count();
    })
    .toBe(1);
  expect(await copy.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await copy.innerText()).toBe(long);
  expect(await copy.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
  expect(await input.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  expect(await copy.count()).toBe(0);
  expect(await input.inputValue()).toBe(long);
});

test('without a script, a long text that came with the page is printed whole, unless it was changed', async () => {
  const form = await home.form({
    properties: [
      { id: 'text', type: 'text', name: 'Your name', width: '1/4' },
      { id: 'pin', type: 'text', name: 'Pin', secret_input: true },
    ],
  });
  const context = await browser.context({ ...DESKTOP, javaScriptEnabled: false });
  const page = await context.newPage();
  const long = 'A rather long name of <b>somebody</b> '.repeat(8).trim();
  const query = new URLSearchParams({ text: long, pin: 'a secret that is long, too' });
  await page.goto(`${home.service.url}/forms/${form.slug}?${query}`);
  const [input, copy] = [page.getByLabel('Your name'), page.locator('.typed')];
  expect([await copy.count(), await copy.isVisible()]).toEqual([1, false]);
  await page.emulateMedia({ media: 'print' });
  expect(await copy.textContent()).toBe(long);
  expect(await copy.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
  expect([await copy.isVisible(), await input.isVisible()]).toEqual([true, false]);
  await page.emulateMedia({ media: 'screen' });
  await input.press('End');
  await input.pressSequentially(' the Third');
  await input.press('Tab');
  await page.emulateMedia({ media: 'print' });
  expect([await copy.isVisible(), await input.isVisible()]).toEqual([false, true]);
});

test('a name hidden on the screen is printed, and its example is not', async () => {
  const unnamed = { type: 'text', hide_field_name: true };
  const form = await home.form({
    properties: [
      { ...unnamed, id: 'a', name: 'Street', placeholder: 'High Street' },
      { id: 'b', type: 'rating', name: 'Stars', hide_field_name: true },
    ],
  });
  const page = await onPaper(form);
  const heights = () =>
    page.locator('.label').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  for (const height of await heights()) expect(height).toBeGreaterThan(10);
  const example = page.getByLabel('Street');
  expect(await example.evaluate((input) => getComputedStyle(input, '::placeholder').color)).toBe(
    'rgba(0, 0, 0, 0)',
  );
  await page.emulateMedia({ media: 'screen' });
  expect(await heights()).toEqual([1, 1]);
});
