import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { applyEdit, startBuilding } from '../../dashboard/form-builder/edits.ts';
import type { Property } from '../../fields/property.ts';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { expectFine, signedInPage } from './screens.ts';

const text = (id: string): Property => ({ id, type: 'text', name: id });
const pageBreak = (id: string): Property => ({ id, type: 'nf-page-break', name: id });
const THREE_PAGES = [text('a'), text('b'), pageBreak('p2'), text('c'), pageBreak('p3'), text('d'), text('e')];

describe('a page is moved with all that is in it', () => {
  const built = (properties: Property[]) =>
    startBuilding({ title: '', description: null, submit_button_text: null, properties });
  const order = (properties: readonly Property[]) => properties.map(({ id }) => id).join(' ');
  const moved = (from: number, to: number, properties = THREE_PAGES) =>
    order(applyEdit(built(properties), { do: 'move-page', from, to }).now.properties);

  test.each([
    ['to the end', 1, 2, 'a b p3 d e p2 c'],
    ['to the front: the break goes to the page that was there', 1, 0, 'c p2 a b p3 d e'],
    ['from the front to the end', 0, 2, 'c p3 d e p2 a b'],
    ['from the end to the front', 2, 0, 'd e p3 a b p2 c'],
    ['nowhere', 1, 1, 'a b p2 c p3 d e'],
    ['beyond the end', 0, 9, 'c p3 d e p2 a b'],
    ['that is not there', 7, 0, 'a b p2 c p3 d e'],
  ])('%s', (_what, from, to, expected) => {
    expect(moved(from, to)).toBe(expected);
  });

  test('an empty one too', () => {
    expect(moved(0, 1, [pageBreak('p2'), text('a')])).toBe('a p2');
    expect(moved(1, 0, [text('a'), pageBreak('p2')])).toBe('p2 a');
  });

  test('its logic goes with it, and is gone where the page begins the form', () => {
    const logic = { conditions: { operatorIdentifier: 'and', children: [] }, actions: ['show-block'] };
    const start = { ...pageBreak('p2'), hidden: true, logic } as Property;
    const properties = [text('a'), start, text('b'), pageBreak('p3'), text('c')];
    const blocksMoved = (from: number, to: number) =>
      applyEdit(built(properties), { do: 'move-page', from, to }).now.properties;
    expect(blocksMoved(1, 2)).toEqual([text('a'), pageBreak('p3'), text('c'), start, text('b')]);
    expect(blocksMoved(1, 0)).toEqual([text('b'), pageBreak('p2'), text('a'), pageBreak('p3'), text('c')]);
    expect(blocksMoved(0, 2)).toEqual([text('b'), pageBreak('p3'), text('c'), pageBreak('p2'), text('a')]);
  });

  test('in one step back', () => {
    const state = applyEdit(built(THREE_PAGES), { do: 'move-page', from: 0, to: 2 });
    expect(applyEdit(state, { do: 'undo' }).now.properties).toBe(THREE_PAGES);
  });
});

const browser = useBrowser();
const home = useHome();
const WIDE: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

async function build(device = WIDE): Promise<Page> {
  const form = await home.form({ properties: THREE_PAGES });
  const page = await signedInPage(browser, home.service.url, home.ada, device);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  await page.getByRole('textbox', { name: 'Title of the form' }).waitFor();
  return page;
}

const names = (page: Page) =>
  page.locator('[data-name-of]').evaluateAll((all) => all.map((one) => (one as HTMLTextAreaElement).value));
const shows = (page: Page, expected: string) => until(async () => (await names(page)).join(' ') === expected);

test('names of any length and direction stay within the builder', async () => {
  const long = 'Anunusuallylongnamewithoutaspace'.repeat(7).slice(0, 200);
  const form = await home.form({
    properties: [
      { ...text('a'), name: long },
      { ...text('b'), name: 'اسم المستخدم الكامل '.repeat(10) },
      { ...text('c'), name: 'One word after the other '.repeat(8) },
    ],
  });
  const page = await signedInPage(browser, home.service.url, home.ada, WIDE);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  await page.locator('[data-name-of]').nth(2).waitFor();
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(excess, `at ${width}`).toBeLessThanOrEqual(0);
  }
});

describe('pages in the builder', () => {
  test('are collapsed and opened, and open by themselves for what is put into them', async () => {
    const page = await build();
    const toggle = page.getByRole('button', { name: /^Page 2/ });
    await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('true');
    await toggle.click();
    await shows(page, 'a b p2 p3 d e');
    await page.getByRole('button', { name: 'Page 2 · 1 block' }).waitFor();
    await page.getByRole('button', { name: /^Page 1/ }).click();
    await shows(page, 'p2 p3 d e');
    await expectFine(page, 'collapsed pages');
    // Remembered in this browser, for this form.
    await page.reload();
    await page.getByRole('button', { name: 'Page 2 · 1 block' }).waitFor();
    await shows(page, 'p2 p3 d e');
    // A block whose settings are open is always visible.
    await page.getByRole('button', { name: 'Settings of d' }).click();
    await page.getByRole('button', { name: /^Page 3/ }).click();
    await shows(page, 'p2 p3');
    await page.getByRole('button', { name: /^Page 3/ }).click();
    await shows(page, 'p2 p3 d e');

    await page.getByRole('button', { name: 'Move p3' }).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowUp');
    await page.getByRole('button', { name: 'Move d' }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await shows(page, 'p2 c d p3 e');
    await page.locator('button:focus[aria-label="Move d"]').waitFor();
    await page.getByRole('button', { name: 'More for page 1' }).click();
    await page.getByRole('menuitem', { name: 'Open all pages' }).click();
    await shows(page, 'a b p2 c d p3 e');
  });

  test('leave the focus where somebody has gone before the next frame is drawn', async () => {
    const page = await build();
    await page.getByRole('button', { name: 'Move p3' }).focus();
    const focused = await page.evaluate(async () => {
      const { activeElement } = document;
      activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowUp', altKey: true, bubbles: true }),
      );
      await Promise.resolve();
      const labels = [document.activeElement?.ariaLabel];
      document.querySelector<HTMLElement>('[aria-label="Move d"]')?.focus();
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      return [...labels, document.activeElement?.ariaLabel];
    });
    expect(focused).toEqual(['Move p3', 'Move d']);
  });

  test('are moved by keys and by the menu, and that is undone', async () => {
    const page = await build();
    await page.getByRole('button', { name: /^Page 2/ }).click();
    await page.getByRole('button', { name: 'Move p2' }).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await shows(page, 'a b p3 d e p2');
    await page.getByText('The page is now 3 of 3.').waitFor();
    await page.locator('button:focus[aria-label="Move p2"]').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await shows(page, 'a b p2 p3 d e');
    // Pages that are not collapsed can be moved too.
    await page.getByRole('button', { name: 'Move p3' }).focus();
    await page.keyboard.press('Alt+Shift+ArrowUp');
    await shows(page, 'a b p3 d e p2');
    await page.getByRole('button', { name: 'More for page 1' }).click();
    await page.getByRole('menuitem', { name: 'Move the page down' }).click();
    await shows(page, 'd e p3 a b p2');
    await page.locator('button:focus[aria-label="Move p3"]').waitFor();
    // A dialog has its own undo steps.
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.press('Control+z');
    await shows(page, 'd e p3 a b p2');
    await page.keyboard.press('Escape');
    await page.locator('button:focus[aria-label="Move p3"]').waitFor();
    await page.keyboard.press('Control+z');
    await shows(page, 'a b p3 d e p2');
  });

  test('are drawn by the mouse, as a whole once they are collapsed', async () => {
    const page = await build();
    await page.getByRole('button', { name: /^Page 3/ }).click();
    await shows(page, 'a b p2 c p3');
    await page.getByRole('button', { name: 'Move p3' }).hover();
    await page.mouse.down();
    const box = (await page.getByRole('button', { name: 'Move b' }).boundingBox())!;
    await page.mouse.move(box.x + 20, box.y + 10, { steps: 12 });
    await page.getByText('p3 is over page 1 of 3.').waitFor({ state: 'attached' });
    await page.mouse.up();
    await shows(page, 'p3 a b p2 c');
    await page.getByRole('button', { name: 'Page 1 · 2 blocks' }).click();
    await shows(page, 'd e p3 a b p2 c');
  });

  test('on a phone', async () => {
    const page = await build(PHONE);
    await page.getByRole('button', { name: /^Page 2/ }).tap();
    await shows(page, 'a b p2 p3 d e');
    await expectFine(page, 'pages on a phone');
  });
});
