import type { Page } from 'playwright-core';

/** Notes from now on the keys pressed with Ctrl that the page leaves to the browser, which may have a use of its own for them. */
export async function keysOfBrowser(page: Page): Promise<() => Promise<string[]>> {
  const noted = await page.evaluateHandle(() => {
    const left: string[] = [];
    window.addEventListener('keydown', ({ key, ctrlKey, defaultPrevented }) => {
      if (ctrlKey && key !== 'Control' && !defaultPrevented) left.push(key);
    });
    return left;
  });
  return () => noted.jsonValue();
}
