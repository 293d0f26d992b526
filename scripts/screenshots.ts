import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { type Client, connect, createToken } from '../examples/star-wars-survey/client.ts';
import { startOwnService } from '../examples/star-wars-survey/own-service.ts';
import { ARABIC_STAY, COVER, STAY } from './screenshot-forms.ts';

// Makes the pictures in docs/images: pages of a service of its own, as Chromium shows them.

const PROGRAM = '/usr/bin/chromium';
const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'docs/images');
const SURVEY = JSON.parse(readFileSync(join(ROOT, 'examples/star-wars-survey/form.json'), 'utf8'));
/** Bytes. What is larger has no place in a repository. */
const MAX_SIZE = 150_000;
const DESKTOP: BrowserContextOptions = { viewport: { width: 960, height: 720 } };
const PHONE: BrowserContextOptions = {
  viewport: { width: 375, height: 720 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};

if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} not found: install the Debian package chromium.`);
mkdirSync(FOLDER, { recursive: true });
const service = await startOwnService();
const browser = await chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox', '--disable-gpu'] });
try {
  await takeAll(browser, connect(service.url, { authorization: `Bearer ${await createToken(service.url)}` }));
} finally {
  await browser.close();
  await service.stop();
}

async function takeAll(browser: Browser, owner: Client): Promise<void> {
  const { body: workspace } = await owner.send('POST', '/open/workspaces/create', { name: 'Pictures' });
  const publish = async (form: object): Promise<string> => {
    const body = { ...form, workspace_id: workspace.workspace_id };
    const answer = await owner.send('POST', '/open/forms', body);
    return `${service.url}/forms/${answer.body.slug}`;
  };
  const survey = await publish(SURVEY);
  const stay = await publish(STAY);
  const arabic = await publish(ARABIC_STAY);

  await take(browser, 'survey', survey, DESKTOP, answerSurvey);
  await take(browser, 'survey-phone', survey, { ...PHONE, colorScheme: 'dark' }, answerSurvey);
  await take(browser, 'form', stay, DESKTOP, answerStay);
  await take(browser, 'form-dark', stay, { ...DESKTOP, colorScheme: 'dark' }, answerStay);
  await take(browser, 'form-phone', stay, PHONE, answerStay);
  await take(browser, 'form-errors', stay, PHONE, (page) => page.locator('.nav .primary').click());
  await take(browser, 'form-rtl', arabic, DESKTOP, answerStay);
}

async function take(
  browser: Browser,
  name: string,
  address: string,
  options: BrowserContextOptions,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce', ...options });
  await context.route('https://pictures.example/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: COVER }),
  );
  const page = await context.newPage();
  await page.goto(address, { waitUntil: 'networkidle' });
  await act(page);
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path });
  await context.close();
  const { size } = statSync(path);
  process.stdout.write(`${name}.png ${size} bytes\n`);
  if (size > MAX_SIZE) throw new Error(`${name}.png is larger than ${MAX_SIZE} bytes.`);
}

async function answerSurvey(page: Page): Promise<void> {
  await page.getByLabel('Yes').first().check();
  await page.mouse.move(0, 0);
}

async function answerStay(page: Page): Promise<void> {
  await page.locator('[name="name"]').fill('Ada Lovelace');
  await page.locator('[name="mail"]').fill('ada@example.com');
  await page.locator('[name="travel"]').first().check();
  await page.locator('[name="stars"]').nth(3).check({ force: true });
  await page.evaluate(() => {
    (document.activeElement as HTMLElement).blur();
    scrollTo(0, 0);
  });
}
