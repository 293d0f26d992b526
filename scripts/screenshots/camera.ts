import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { COVER } from './guest-forms.ts';
import { PUBLIC_ADDRESS } from './installation.ts';

/** The first is what the tests install. */
const PROGRAM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync);
/** Bytes; a larger picture does not belong in a repository. */
const MAX_SIZE = 150_000;
const MAX_WAIT_MS = 15_000;

export interface Picture {
  /** Path of the file without its extension. */
  name: string;
  /** Path on the service. */
  path: string;
  options: BrowserContextOptions;
  /** Session cookie of the viewer, `name=value`. */
  cookie?: string;
  /** Actions before the picture, which is taken once nothing moves. */
  act(page: Page): Promise<void>;
}

export interface Camera {
  take(folder: string, picture: Picture): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param service the address that the public address leads to
 * @param wanted words in the names of pictures to take; empty for all
 */
export async function openCamera(service: URL, wanted: string[]): Promise<Camera> {
  if (PROGRAM === undefined) throw new Error('Install the Debian package chromium-headless-shell first.');
  const rules = `MAP ${new URL(PUBLIC_ADDRESS).host} ${service.host}`;
  const args = ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=${rules}`];
  const browser = await chromium.launch({ executablePath: PROGRAM, args });
  return {
    async take(folder, picture) {
      if (wanted.length > 0 && !wanted.some((word) => picture.name.includes(word))) return;
      mkdirSync(folder, { recursive: true });
      const path = join(folder, `${picture.name}.png`);
      await photograph(browser, path, picture);
      const { size } = statSync(path);
      process.stdout.write(`${picture.name}.png ${size} bytes\n`);
      if (size > MAX_SIZE) throw new Error(`${picture.name}.png is larger than ${MAX_SIZE} bytes.`);
    },
    close: () => browser.close(),
  };
}

async function photograph(browser: Browser, file: string, picture: Picture): Promise<void> {
  const { path, options, cookie, act } = picture;
  const usual = { locale: 'en', timezoneId: 'UTC', reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...usual, ...options });
  context.setDefaultTimeout(MAX_WAIT_MS);
  await context.route('https://pictures.example/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: COVER }),
  );
  if (cookie !== undefined) {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: PUBLIC_ADDRESS }]);
  }
  const page = await context.newPage();
  await page.goto(PUBLIC_ADDRESS + path);
  await act(page);
  await settle(page);
  await page.screenshot({ path: file, animations: 'disabled' });
  await context.close();
}

/** Waits until fonts and pictures are loaded and no request is running. */
async function settle(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForFunction(() => {
    const pictures = [...document.images].every(({ complete }) => complete);
    return pictures && document.querySelector('.animate-pulse, .animate-spin') === null;
  });
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
}
