import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** Debian's Chromium; the headless shell needs a third of the processor time. */
const PROGRAM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync);
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  // Pages of tests put ours into frames of what the browser takes for another site.
  '--disable-features=LocalNetworkAccessChecks',
  // All processors are busy with other tests: threads that compile and collect garbage beside a page take a tenth more of them.
  '--js-flags=--single-threaded',
];
const MISSING =
  'Chromium not found: install the Debian package chromium-headless-shell to run the tests of pages.';

/** Milliseconds that delay every answer, to find missing waits in tests; no delay unless it is set. */
const LATENCY_MS = Number(process.env.BROWSER_LATENCY ?? 0);

/** Ends a step that hangs; even a busy machine needs far less. */
const STEP_LIMIT_MS = 60_000;

export const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
};
/** A visitor the statistics count: with its own name, headless Chromium would be taken for a program. */
export const COUNTED: BrowserContextOptions = {
  userAgent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

/** A real browser for one test file. */
export interface TestBrowser {
  /** A page of a new visitor; closed after the test. Errors of its scripts fail the test. */
  page(options?: BrowserContextOptions): Promise<Page>;
  /** A new visitor, whose pages share storage, as tabs do. */
  context(options?: BrowserContextOptions): Promise<BrowserContext>;
}

/** Starts Chromium before the tests of the file and stops it after them. */
export function useBrowser(): TestBrowser {
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    if (PROGRAM === undefined) throw new Error(MISSING);
    browser = await chromium.launch({ executablePath: PROGRAM, args: ARGUMENTS });
  });
  afterEach(async ({ task }) => {
    const shown = task.result?.state === 'fail' ? await whatIsShown(contexts) : null;
    await Promise.all(contexts.map((context) => context.close()));
    contexts = [];
    const found = errors.splice(0);
    if (shown !== null) console.error(`When “${task.name}” failed, pages showed:\n${shown}`);
    if (found.length > 0) throw new Error(`Errors in the page:\n${found.join('\n')}`);
  });
  afterAll(() => browser?.close());

  async function context(options: BrowserContextOptions = DESKTOP): Promise<BrowserContext> {
    const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(STEP_LIMIT_MS);
    context.on('weberror', (error) => errors.push(String(error.error().stack)));
    context.on('console', (message) => {
      // The browser reports to the console what the content policy blocked.
      if (
        message.type() === 'error' &&
        /Content Security Policy|Content-Security-Policy/.test(message.text())
      )
        errors.push(message.text());
    });
    if (LATENCY_MS > 0) context.on('page', (page) => answerLate(page).catch(() => {}));
    contexts.push(context);
    return context;
  }

  return { context, page: async (options) => (await context(options)).newPage() };
}

/** Characters of a page's text that help to tell why a test failed. */
const SHOWN_LENGTH = 1500;

/** Address, focus and text of each open page. */
async function whatIsShown(contexts: BrowserContext[]): Promise<string> {
  const pages = contexts.flatMap((context) => context.pages());
  const texts = pages.map(async (page) => {
    const text = await page.evaluate(
      (length) =>
        `focus on ${document.activeElement?.outerHTML.slice(0, 200)}\n${document.body.innerText.slice(0, length)}`,
      SHOWN_LENGTH,
    );
    return `${page.url()}\n${text}`;
  });
  const results = await Promise.allSettled(texts);
  return results
    .map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason)))
    .join('\n---\n');
}

async function answerLate(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const unlimited = { offline: false, downloadThroughput: -1, uploadThroughput: -1 };
  await session.send('Network.emulateNetworkConditions', { ...unlimited, latency: LATENCY_MS });
}
