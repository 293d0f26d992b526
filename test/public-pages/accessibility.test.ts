import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { colorViolationsOf, violationsOf } from '../setup/axe.ts';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { allRequired, EVERYTHING, FIELDS, PICTURE, servePictures } from './every-field.ts';

/** axe-core checks every kind of page. keyboard.test.ts and reflow.test.ts check what it cannot see. */
const home = useHome({ env: { CUSTOM_CODE: 'on' } });
const browser = useBrowser();

const THEMES = ['default', 'simple', 'notion', 'minimal', 'transparent'];
const IN_FULL_DRESS = {
  description: 'What it is about.',
  logo_picture: PICTURE,
  cover_picture: PICTURE,
  show_progress_bar: true,
  closes_at: '2099-12-31T12:00:00Z',
};

/** A page of a visitor. Without scripts the page's own are blocked; axe-core, a script itself, still runs. */
async function visit(path: string, { scripts = true, device = DESKTOP } = {}): Promise<Page> {
  const context = await browser.context(device);
  await servePictures(context);
  if (!scripts) await context.route('**/assets/**', (route) => route.abort());
  const page = await context.newPage();
  await page.goto(home.service.url + path, { waitUntil: 'networkidle' });
  return page;
}

/** Checks the page in light and in dark. */
async function expectNoViolations(page: Page, where: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect(await violationsOf(page), `${where}, light`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  expect(await colorViolationsOf(page), `${where}, dark`).toEqual([]);
}

/** Sends the untouched form, so that every required field shows an error. */
async function showErrors(page: Page): Promise<void> {
  await page.locator('.nav .primary').click();
  await page.locator('#summary:not([hidden])').waitFor();
}

describe.each(THEMES)('the theme %s', (theme) => {
  test.each([true, false])('with every field, with errors, scripts %s', async (scripts) => {
    const { slug } = await home.form({
      theme,
      color: theme === 'simple' ? '#ffe14d' : '#3b82f6',
      ...IN_FULL_DRESS,
      properties: allRequired(EVERYTHING),
    });
    const page = await visit(`/forms/${slug}`, { scripts });
    // An untouched form shows less than one with errors, so one theme is enough for it.
    if (theme === 'default') await expectNoViolations(page, 'untouched');
    await showErrors(page);
    await expectNoViolations(page, 'with errors');
  });
});

test.each([true, false])('one question at a time, scripts %s', async (scripts) => {
  const { slug } = await home.form({
    presentation_style: 'focused',
    show_progress_bar: true,
    settings: { navigation_arrows: true },
    properties: allRequired(FIELDS),
  });
  const page = await visit(`/forms/${slug}`, { scripts, device: PHONE });
  await showErrors(page);
  await expectNoViolations(page, 'a step');
  await page.evaluate(() => {
    for (const step of document.querySelectorAll<HTMLElement>('.step')) step.hidden = false;
  });
  await expectNoViolations(page, 'all steps');
});

test.each([
  ['ar', {}],
  ['en', { layout_rtl: true, uppercase_labels: true, size: 'sm', border_radius: 'full' }],
])('from right to left, in %s', async (language, more) => {
  const { slug } = await home.form({
    language,
    ...more,
    ...IN_FULL_DRESS,
    properties: allRequired(EVERYTHING),
  });
  const page = await visit(`/forms/${slug}`, { device: PHONE });
  await expect.poll(() => page.getAttribute('html', 'dir')).toBe('rtl');
  await showErrors(page);
  await expectNoViolations(page, language);
});

describe('pages around a form', () => {
  const SHORT = { properties: [{ id: 'name', type: 'text', name: 'Name' }], ...IN_FULL_DRESS };

  test('a password, also a wrong one', async () => {
    const { slug } = await home.form({ ...SHORT, password: 'open sesame' });
    const page = await visit(`/forms/${slug}`);
    await expectNoViolations(page, 'asked');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button').click();
    await page.locator('#password-error:not(:empty)').waitFor();
    await expectNoViolations(page, 'wrong');
  });

  test('a captcha, with its question and without', async () => {
    const { slug } = await home.form({ ...SHORT, use_captcha: true });
    await expectNoViolations(await visit(`/forms/${slug}`), 'solved by the script');
    const page = await visit(`/forms/${slug}`, { scripts: false });
    await expectNoViolations(page, 'asked');
    await page.locator('.nav .primary').click();
    await page.locator('#summary:not([hidden])').waitFor();
    await expectNoViolations(page, 'not answered');
  });

  test('closed, full, and not found', async () => {
    const closed = await home.form({
      ...SHORT,
      visibility: 'closed',
      closed_text: '<h2>Over</h2><p>Gone.</p>',
    });
    const full = await home.form({ ...SHORT, max_submissions_count: 1 });
    await home.submit(full, { name: 'Ada' });
    for (const path of [closed.slug, full.slug, 'no-such-form'])
      await expectNoViolations(await visit(`/forms/${path}`), path);
  });

  test('thanks, and an edit', async () => {
    const { slug } = await home.form({
      ...SHORT,
      submitted_text: '<p>Thank you, <span mention mention-field-id="name">Name</span></p>',
      editable_submissions: true,
      re_fillable: true,
      confetti_on_submission: true,
    });
    const page = await visit(`/forms/${slug}`);
    await page.getByLabel('Name').fill('Ada');
    await page.locator('.nav .primary').click();
    await page.locator('.thank-you').waitFor();
    await expectNoViolations(page, 'in place of the form');
    await page.reload();
    await expectNoViolations(page, 'alone');
    await page.getByRole('link', { name: 'Edit submission' }).click();
    await page.getByLabel('Name').waitFor();
    await expectNoViolations(page, 'edited');
  });

  test('the choice of its language', async () => {
    const translations = { de: { title: 'Umfrage' }, ar: { title: 'استبيان' }, fr: { title: 'Sondage' } };
    const { slug } = await home.form({ title: 'Survey', translations });
    await expectNoViolations(await visit(`/forms/${slug}`, { device: PHONE }), 'English');
    await expectNoViolations(await visit(`/forms/${slug}?lang=ar`), 'Arabic');
  });

  test('code of the owner', async () => {
    const { slug } = await home.form({
      ...SHORT,
      custom_code: '<p>Hello</p>',
      properties: [
        ...SHORT.properties,
        { id: 'code', type: 'nf-code', name: 'A widget', content: '<p>Hi</p>' },
      ],
    });
    await expectNoViolations(await visit(`/forms/${slug}`), 'code');
  });
});
