import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { useOtherSite } from './other-site.ts';

/** Where things stand on a page, and which of them catch the eye. */
const home = useHome();
const browser = useBrowser();
const site = useOtherSite();

const QUESTIONS = [
  { id: 'name', type: 'text', name: 'Your name', width: '1/2' },
  { id: 'more', type: 'text', name: 'More' },
];

async function open(slug: string, device: BrowserContextOptions = DESKTOP): Promise<Page> {
  const page = await browser.page(device);
  await page.goto(`${home.service.url}/forms/${slug}`, { waitUntil: 'networkidle' });
  return page;
}

/** Pixels of the window above what stands in `main`, below it, and below the footer. */
function spaces(page: Page): Promise<{ above: number; below: number; end: number }> {
  return page.evaluate(() => {
    const [main, footer] = ['main', 'footer'].map((name) => document.querySelector(name));
    if (!main || !footer) throw new Error('The page is not whole.');
    const shown = document.createRange();
    shown.selectNodeContents(main);
    const { top, bottom } = shown.getBoundingClientRect();
    return {
      above: top,
      below: footer.getBoundingClientRect().top - bottom,
      end: innerHeight - footer.getBoundingClientRect().bottom,
    };
  });
}

async function expectMiddle(page: Page): Promise<void> {
  const { above, below, end } = await spaces(page);
  expect(above).toBeGreaterThan(100);
  expect(Math.abs(above - below)).toBeLessThan(40);
  expect(Math.abs(end)).toBeLessThan(2);
}

describe.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])('on %s, what is little stands in the middle of the window, with the footer at its end', (_, device) => {
  test('a question that stands alone', async () => {
    const { slug } = await home.form({ properties: QUESTIONS, presentation_style: 'focused' });
    const page = await open(slug, device);
    await expectMiddle(page);
  });

  test('thanks, also in place of a form that is not in the middle', async () => {
    const { slug } = await home.form({ properties: QUESTIONS });
    const page = await open(slug, device);
    expect((await spaces(page)).above).toBeLessThan(100);
    await page.locator('.nav .primary').click();
    await page.locator('.thank-you').waitFor();
    await expectMiddle(page);
    await page.reload();
    await expectMiddle(page);
  });

  test('what is said of a form that is closed, or not there', async () => {
    const { slug } = await home.form({ properties: QUESTIONS, closes_at: '2020-01-01T00:00:00Z' });
    await expectMiddle(await open(slug, device));
    await expectMiddle(await open('not-there', device));
  });
});

test('in a frame, which follows what is in it, nothing stands in the middle', async () => {
  const { slug } = await home.form({ properties: QUESTIONS, presentation_style: 'focused' });
  site.markup = `<div data-formstead="${home.service.url}/forms/${slug}"></div><script src="${home.service.url}/embed.js" async></script>`;
  const page = await browser.page();
  await page.goto(site.url);
  const frame = page.frameLocator('iframe');
  const heightOf = () => page.locator('iframe').evaluate((element: HTMLElement) => element.offsetHeight);
  await frame.locator('.enter').waitFor({ state: 'attached' });
  await expect.poll(heightOf).not.toBe(480);
  const first = await heightOf();
  expect(await frame.locator('main').evaluate((main) => getComputedStyle(main).minHeight)).toBe('0px');
  await frame.locator('.nav .primary').click();
  await frame.getByLabel('More').waitFor();
  await frame.locator('.nav .primary').click();
  await frame.locator('.thank-you').waitFor();
  await expect
    .poll(() => frame.locator('main').evaluate((main) => getComputedStyle(main).minHeight))
    .toBe('0px');
  await expect.poll(heightOf).toBeLessThan(first + 100);
});
