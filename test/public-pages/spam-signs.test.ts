import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violationsOf } from '../setup/axe.ts';
import { useBrowser } from '../setup/browser.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();
const browser = useBrowser();

const TRAP = '[name=topic]';
/** Longer than the time in which nobody can have read a form. */
const READING_MS = 3_100;

async function opened(overrides: Record<string, unknown> = {}) {
  const properties = [aTextField(), aField('01', 'email', 'Mail')];
  const form = await home.form({ properties, settings: { sets_spam_aside: true }, ...overrides });
  const page = await browser.page();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  return { form, page };
}

const submit = async (page: Page) => {
  await page.locator('.nav .primary').click();
  await page.getByText('Thank you!').waitFor();
};
const aside = async (form: { id: number }) => {
  const { body } = await home.call('GET', `/open/forms/${form.id}/submissions/set-aside`);
  return body.data.map(({ reasons }: any) => reasons.map(({ code }: any) => code));
};

test('nobody who uses the page by keyboard, by eye or by ear meets the trap', async () => {
  const { form, page } = await opened();
  const trap = page.locator(TRAP);
  expect(await page.getByRole('textbox').count()).toBe(2);
  expect(await page.locator('body').ariaSnapshot()).not.toMatch(/empty|topic/);
  const box = await trap.locator('xpath=ancestor::div').first().boundingBox();
  expect(Math.max(box?.width ?? 0, box?.height ?? 0)).toBeLessThanOrEqual(1);
  expect(await violationsOf(page)).toEqual([]);

  const met: string[] = [];
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press('Tab');
    met.push(await page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name ?? ''));
    if (met.at(-1)?.startsWith(TEXT_FIELD_ID)) await page.keyboard.type('Ada');
  }
  expect(met).not.toContain('topic');
  expect(met.filter((name) => name.startsWith(TEXT_FIELD_ID)).length).toBeGreaterThan(0);
  await page.waitForTimeout(READING_MS);
  await submit(page);
  expect(await aside(form)).toEqual([]);
  expect(await home.records(form)).toMatchObject([
    { data: { [TEXT_FIELD_ID]: expect.stringContaining('Ada') } },
  ]);
});

test('a program that fills in whatever a page has is set aside, and thanked', async () => {
  const { form, page } = await opened();
  await page.evaluate(() => {
    for (const input of document.querySelectorAll<HTMLInputElement>('form input:not([type=hidden])')) {
      input.value = input.type === 'email' ? 'robot@example.com' : 'Cheap watches';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
  });
  await submit(page);
  expect((await aside(form))[0]).toContain('hidden_field');
  expect(await home.records(form)).toEqual([]);
});

test('steps, one question at a time and prefilled values are as without it', async () => {
  const { form, page } = await opened({ presentation_style: 'focused' });
  await page.getByRole('textbox').first().fill('Ada');
  await page.waitForTimeout(READING_MS);
  await page.locator('.nav .primary').click();
  await page.getByRole('textbox', { name: 'Mail' }).fill('ada@example.com');
  await submit(page);
  expect(await aside(form)).toEqual([]);
  expect(await home.records(form)).toHaveLength(1);
});
