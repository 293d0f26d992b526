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
