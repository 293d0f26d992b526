import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Client } from '../../examples/star-wars-survey/client.ts';
import type { Camera } from './camera.ts';
import { ARABIC_STAY, STAY } from './guest-forms.ts';

const ROOT = join(import.meta.dirname, '../..');
const SURVEY = JSON.parse(readFileSync(join(ROOT, 'examples/star-wars-survey/form.json'), 'utf8'));
const DESKTOP: BrowserContextOptions = { viewport: { width: 960, height: 720 } };
const PHONE: BrowserContextOptions = {
  viewport: { width: 375, height: 720 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};

/** Takes the pages of forms for docs/images. */
export async function takeGuestPages(camera: Camera, owner: Client): Promise<void> {
  const { body: workspace } = await owner.send('POST', '/open/workspaces/create', { name: 'Pictures' });
  const publish = async (form: object): Promise<string> => {
    const body = { ...form, workspace_id: workspace.workspace_id };
    const answer = await owner.send('POST', '/open/forms', body);
    return `/forms/${answer.body.slug}`;
  };
  const survey = await publish(SURVEY);
  const stay = await publish(STAY);
  const arabic = await publish(ARABIC_STAY);
  const take = (
    name: string,
    path: string,
    options: BrowserContextOptions,
    act: (page: Page) => Promise<void>,
  ) => camera.take(join(ROOT, 'docs/images'), { name, path, options, act });

  await take('survey', survey, DESKTOP, answerSurvey);
  await take('survey-phone', survey, { ...PHONE, colorScheme: 'dark' }, answerSurvey);
  await take('form', stay, DESKTOP, answerStay);
  await take('form-dark', stay, { ...DESKTOP, colorScheme: 'dark' }, answerStay);
  await take('form-phone', stay, PHONE, answerStay);
  await take('form-errors', stay, PHONE, (page) => page.locator('.nav .primary').click());
  await take('form-rtl', arabic, DESKTOP, answerStay);
}

async function answerSurvey(page: Page): Promise<void> {
  await page.getByLabel('Yes').first().check();
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
