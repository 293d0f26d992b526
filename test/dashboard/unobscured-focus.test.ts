import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { signedInPage } from './screens.ts';

// WCAG 2.2, 2.4.11: bars at the edges of the window hide nothing that is focused.

const browser = useBrowser();
const home = useHome();
/** Milliseconds in which a busy machine has scrolled a screen and drawn what comes into sight. */
const SCROLLED_MS = 1_000;
const MAX_STOPS = 120;

/** What is focused, if nothing of it can be seen; null if it can, undefined at the end of the page. */
function hiddenFocus(): string | null | undefined {
  const focused = document.activeElement as HTMLElement;
  if (focused === document.body) return undefined;
  const { left, top, width, height } = focused.getBoundingClientRect();
  const labels = [...((focused as HTMLInputElement).labels ?? [])];
  const isSeen = (across: number, down: number) => {
    const there = document.elementFromPoint(left + width * across, top + height * down);
    if (!there) return false;
    return (
      focused.contains(there) || there.contains(focused) || labels.some((label) => label.contains(there))
    );
  };
  const isHidden = ![0.1, 0.3, 0.5, 0.7, 0.9].some((across) =>
    [0.15, 0.5, 0.85].some((down) => isSeen(across, down)),
  );
  if (width === 0 || height === 0 || !isHidden) return null;
  return `${focused.tagName} ${focused.getAttribute('aria-label') ?? (focused.innerText || focused.id)}`;
}

/** Walks through the whole screen with a key. */
async function hiddenStops(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<string[]> {
  const hidden = [];
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    await page.keyboard.press(key);
    const stop = await page.evaluate(hiddenFocus);
    if (stop === undefined) return hidden;
    if (stop === null) continue;
    await page.waitForTimeout(SCROLLED_MS);
    const still = await page.evaluate(hiddenFocus);
    if (still) hidden.push(`${key}: ${still}`);
  }
  return hidden;
}

test.each([
  [1280, 720],
  [360, 640],
])('a window of %s by %s', async (width, height) => {
  const types = ['text', 'email', 'rating', 'date'];
  const form = await home.form({
    properties: Array.from({ length: 12 }, (_, n) => ({
      id: `f${n}`,
      type: types[n % 4],
      name: `Question ${n}`,
    })),
  });
  for (let n = 0; n < 25; n++) await home.submit(form, { f0: `Answer ${n}` });
  const page = await signedInPage(browser, home.service.url, home.ada, { viewport: { width, height } });
  const of = (screen: string) => `/workspaces/${home.workspaceId}/forms/${form.id}${screen}`;
  for (const path of [of('/build'), of('/settings'), of('/responses'), of('/share'), '/account']) {
    await page.goto(home.service.url + path, { waitUntil: 'networkidle' });
    expect([...(await hiddenStops(page, 'Tab')), ...(await hiddenStops(page, 'Shift+Tab'))], path).toEqual(
      [],
    );
  }
});

test('what is focused in a bar scrolls nothing', async () => {
  const form = await home.form({
    properties: Array.from({ length: 20 }, (_, n) => ({ id: `f${n}`, type: 'text', name: `Question ${n}` })),
  });
  const page = await signedInPage(browser, home.service.url, home.ada, {
    viewport: { width: 1440, height: 700 },
  });
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`, {
    waitUntil: 'networkidle',
  });
  await page.getByText('Question 19').first().waitFor();
  // On a busy machine the screen may still grow.
  const scrolled = () =>
    page.evaluate(() => {
      scrollTo(0, 300);
      return scrollY;
    });
  await expect.poll(scrolled).toBe(300);
  for (const name of ['Go to', 'Publish', 'Undo', 'Search fields to add', 'Forms']) {
    await page.getByText(name).or(page.getByLabel(name)).first().focus();
    expect(await page.evaluate(() => scrollY), name).toBe(300);
  }
});
