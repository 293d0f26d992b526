import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';

/** Pages whose texts the browser translates: it replaces every text, and puts elements around it. */
const home = useHome();
const browser = useBrowser();

const OPTIONS = Array.from({ length: 30 }, (_, index) => ({ id: `Town ${index}`, name: `Town ${index}` }));
const PROPERTIES = [
  { id: 'name', type: 'text', name: 'Name', required: true },
  { id: 'town', type: 'select', name: 'Town', select: { options: OPTIONS } },
  { id: 'topic', type: 'select', name: 'Topic', select: { options: ['Sales', 'Support'] } },
  { id: 'next', type: 'nf-page-break', name: 'Next' },
  { id: 'last', type: 'text', name: 'Last' },
];

const translate = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let text = walker.nextNode() as Text | null; text; text = walker.nextNode() as Text | null)
      if (!text.parentElement?.closest('script,style,font') && text.data.trim() !== '') texts.push(text);
    for (const text of texts) {
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = `«${text.data}»`;
      outer.append(inner);
      text.replaceWith(outer);
    }
  });

async function opened(): Promise<{ form: any; page: Page }> {
  const form = await home.form({ properties: PROPERTIES });
  const page = await browser.page();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await page.locator('[role=combobox]').waitFor();
  return { form, page };
}

test('options are chosen by their translated names and sent by their own, also from a long list', async () => {
  const { form, page } = await opened();
  const list = page.locator('[role=combobox]');
  await page.locator('[name=name]').fill('Ada');
  await list.click();
  await translate(page);
  await page.locator('[role=option] font', { hasText: '«Town 7»' }).last().click();
  await expect.poll(() => list.inputValue()).toBe('«Town 7»');
  await page.locator('[name=topic]').selectOption({ label: '«Support»' });
  await page.locator('.nav .primary').click();
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  expect((await home.records(form))[0].data).toMatchObject({ name: 'Ada', town: 'Town 7', topic: 'Support' });
});

test('a choice whose name is translated after it was made stays', async () => {
  const { page } = await opened();
  const list = page.locator('[role=combobox]');
  await list.fill('Town 8');
  await page.keyboard.press('Enter');
  await translate(page);
  await list.focus();
  await page.locator('[name=name]').focus();
  expect(await page.locator('select[name=town]').inputValue()).toBe('Town 8');
});

test('a translated line of the list of problems leads to its field', async () => {
  const { page } = await opened();
  await page.locator('.nav .primary').click();
  await page.locator('#summary a').waitFor();
  await translate(page);
  await page.locator('#summary a font').last().click();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
  expect(new URL(page.url()).hash).toBe('');
});
