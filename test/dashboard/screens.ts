import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { colorViolationsOf, violationsOf } from '../setup/axe.ts';
import type { TestBrowser } from '../setup/browser.ts';
import type { TestUser } from '../setup/factories.ts';

/** As dashboard/ui/toasts.tsx says. */
const MESSAGE_SHOWN_MS = 6_000;

/** Signs a person in without using the screen. */
export async function signInAs(context: BrowserContext, url: string, person: TestUser): Promise<void> {
  const [name = '', value = ''] = person.cookie.split('=');
  await context.addCookies([{ name, value, url }]);
}

/** A page of a signed-in person, in a browser of their own. */
export async function signedInPage(
  browser: TestBrowser,
  url: string,
  person: TestUser,
  device?: BrowserContextOptions,
): Promise<Page> {
  const context = await browser.context(device);
  await signInAs(context, url, person);
  return context.newPage();
}

/**
 * Keeps all further messages of this page until they are dismissed: a busy machine may take longer to press "Undo" than they
 * are shown.
 */
export function keepMessages(page: Page): Promise<void> {
  return page.evaluate((shownMs) => {
    const { setTimeout } = window;
    const patient = (work: () => void, ms?: number) => (ms === shownMs ? 0 : setTimeout(work, ms));
    Object.assign(window, { setTimeout: patient });
  }, MESSAGE_SHOWN_MS);
}

/**
 * Holds the requests of this method to an address until `go` is called.
 * @returns their count, as `came`
 */
export async function hold(page: Page, path: RegExp, method = 'POST') {
  const gate = Promise.withResolvers<void>();
  const held = { came: 0, go: (): void => gate.resolve() };
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.continue();
    held.came += 1;
    await gate.promise;
    await route.continue();
  });
  return held;
}

/** Checks the present page with axe-core, in light and in dark, and that it never scrolls sideways on a phone. */
export async function expectFine(page: Page, label: string): Promise<void> {
  // A screen still loading has no heading.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  // What is loaded again is pale meanwhile.
  const loading = page.locator('[aria-busy=true], [role=status][aria-label=Loading]');
  await expect.poll(() => loading.count(), { message: label }).toBe(0);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await settled(page);
  const inDark = await colorViolationsOf(page);
  expect(inDark, `${label}, dark: ${inDark.join('; ')}`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await settled(page);
  // A menu belongs to its button, wherever it is in the document.
  const found = (await violationsOf(page)).filter((one) => !/^region div\[data-radix-popper/.test(one));
  expect(found, `${label}, light: ${found.join('; ')}`).toEqual([]);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(excess, `${label}: sideways on a phone`).toBeLessThanOrEqual(0);
  if (size) await page.setViewportSize(size);
}

/**
 * Waits until all colors have changed and all elements have faded in. An inherited color begins to change one frame later, so
 * only a frame without any animation shows that all are done.
 */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const moving = () =>
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY);
    await frame();
    for (let all = moving(); all.length > 0; all = moving()) {
      await Promise.all(all.map(({ finished }) => finished.catch(() => {})));
      await frame();
    }
  });
}
