import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';

/** Files that are on their way while the browser itself sends the form. */
const home = useHome();
const browser = useBrowser();

const CV = { id: 'cv', type: 'files', name: 'CV' };
const PDF = { name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') };

const primary = (page: Page) => page.locator('.nav .primary');

/** A page where a file is being uploaded until `release` is resolved: whether it arrives, is its value. */
async function uploading(overrides = {}) {
  const form = await home.form({ properties: [CV], ...overrides });
  const page = await browser.page();
  const release = Promise.withResolvers<boolean>();
  await page.route('**/files?*', async (route) => {
    if (await release.promise) await route.continue();
    else await route.abort();
  });
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await page.locator('ul.uploaded').waitFor({ state: 'attached' });
  // As after an upgrade of the service, which no longer has the parts of its former script.
  await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }));
  await page.locator('[type=file]').setInputFiles(PDF);
  await page.locator('.uploaded progress').waitFor();
  return { form, page, release };
}

test('a form without parts of its script is sent with the file that was on its way', async () => {
  const { form, page, release } = await uploading();
  await primary(page).click();
  await page.getByText('Please wait until all files are uploaded.').waitFor();
  release.resolve(true);
  await page.waitForURL(/thank-you/);
  expect(JSON.stringify((await home.records(form))[0].data)).toContain('a_');
});

test('and not without a file that could not be uploaded, unless that is taken off the list', async () => {
  const { form, page, release } = await uploading();
  await primary(page).click();
  await page.getByText('Please wait until all files are uploaded.').waitFor();
  release.resolve(false);
  await page.locator('.send-state').getByText('The upload failed.').waitFor();
  expect(await home.records(form)).toEqual([]);
  await page.getByRole('button', { name: 'Remove a.pdf' }).click();
  await primary(page).click();
  await page.waitForURL(/thank-you/);
  expect(await home.records(form)).toHaveLength(1);
});

test('another language is shown with the file that was on its way', async () => {
  const { page, release } = await uploading({ translations: { de: { title: 'Bewerbung' } } });
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await page.getByText('Please wait until all files are uploaded.').waitFor();
  release.resolve(true);
  await page.getByRole('heading', { name: 'Bewerbung' }).waitFor();
  await page.locator('.uploaded').getByText('a.pdf', { exact: true }).waitFor();
});
