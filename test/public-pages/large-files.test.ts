import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { aFront, type Front } from './front.ts';

const home = useHome();
const browser = useBrowser();

const NAME = { id: 'name', type: 'text', name: 'Name' };
const FILM = { id: 'film', type: 'files', name: 'Film' };
const MEGABYTE = 1024 * 1024;
const CONTENT = randomBytes(9 * MEGABYTE);

let front: Front;
let film: string;
beforeAll(async () => {
  film = join(home.service.dataDir, 'film.bin');
  await writeFile(film, CONTENT);
});
beforeEach(async () => {
  front = await aFront(home.service.url);
});

async function opened(
  overrides: Record<string, unknown> = {},
  context?: Awaited<ReturnType<typeof browser.context>>,
) {
  const form = await home.form({ properties: [NAME, FILM], ...overrides });
  const page = await (context ?? (await browser.context())).newPage();
  await page.goto(`${front.url}/forms/${form.slug}`);
  return { form, page };
}

const send = (page: Page) => page.locator('.nav .primary').click();
const isThere = (page: Page) => page.locator('.uploaded input').waitFor({ state: 'attached' });

async function expectFilm(form: { id: number }): Promise<void> {
  const [record] = await home.records(form);
  const [file] = record.files[FILM.id];
  expect(file.file_name).toMatch(/^film_.*\.bin$/);
  const stored = Buffer.from(await (await fetch(file.file_url)).arrayBuffer());
  expect(stored.equals(CONTENT)).toBe(true);
}

test('a large file goes on where its connection broke', async () => {
  const { form, page } = await opened();
  front.breaksAfter = 700_000;
  await page.locator('[type=file]').setInputFiles(film);
  await page.locator('.uploaded progress').waitFor();
  await isThere(page);
  expect(front.breaksAfter).toBeNull();
  // Only the broken part may be sent again, perhaps also by the browser itself.
  expect(front.partBytes).toBeLessThan(CONTENT.length + 2.5 * MEGABYTE);
  await send(page);
  await page.locator('.thank-you').waitFor();
  await expectFilm(form);
});

test('a large file that waits with its form goes on when the network is back, whoever sends it', async () => {
  const context = await browser.context();
  const { form, page } = await opened({ settings: { works_offline: true } }, context);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  const paused = Promise.withResolvers<void>();
  // After four parts, the service refuses files.
  await page.route('**/uploads/*', async (route) => {
    if (front.partBytes >= 4 * MEGABYTE) front.weather = 'fileless';
    await route.continue();
    if (front.weather === 'fileless') paused.resolve();
  });
  await page.locator('[type=file]').setInputFiles(film);
  await paused.promise;
  await page.getByLabel('Name').fill('Ada');
  await send(page);
  await page.getByText('They are kept on this device').waitFor();
  const before = front.partBytes;
  await page.unroute('**/uploads/*');
  front.weather = 'fine';
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.locator('.kept').getByText('1 response that had waited was sent.').waitFor();
  expect(front.partBytes - before).toBeLessThan(CONTENT.length - 3 * MEGABYTE);
  await expectFilm(form);
});

test('a large file waits where a network wants somebody to sign in first', async () => {
  const context = await browser.context();
  const { form, page } = await opened({ settings: { works_offline: true } }, context);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  front.weather = 'sign-in';
  await page.locator('[type=file]').setInputFiles(film);
  await isThere(page);
  await page.getByLabel('Name').fill('Ada');
  await send(page);
  await page.getByText('They are kept on this device').waitFor();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Send now' }).isEnabled()).toBe(true);
  front.weather = 'fine';
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.locator('.kept').getByText('1 response that had waited was sent.').waitFor();
  await expectFilm(form);
});

test('a large file that is taken off the list is given up by the service', async () => {
  const { form, page } = await opened();
  front.weather = 'fine';
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  await page.route('**/uploads/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    reached.resolve();
    await held.promise;
    await route.abort();
  });
  await page.locator('[type=file]').setInputFiles(film);
  await reached.promise;
  const ended = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await page.getByRole('button', { name: 'Remove film.bin' }).click();
  held.resolve();
  expect((await ended).status()).toBe(204);
  const { rows } = await home.service.context.pool.query(
    'select from uploads where form_id = $1 and removed_at is null',
    [form.id],
  );
  expect(rows).toEqual([]);
});

test('what the service says of a large file is told beside it', async () => {
  const { page } = await opened({ properties: [{ ...FILM, allowed_file_types: 'png' }] });
  const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), CONTENT]);
  const path = join(home.service.dataDir, 'film.png');
  await writeFile(path, content);
  await page.locator('[type=file]').setInputFiles(path);
  await page.locator('.uploaded [role=alert]').getByText('only: png').waitFor();
  expect(front.partBytes).toBeLessThan(3 * MEGABYTE);
});

test('a part that is accepted but does not arrive is sent again after a pause, not without end', async () => {
  const { page } = await opened();
  let parts = 0;
  await page.route('**/uploads/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    parts++;
    await route.fulfill({ status: 204, headers: { 'upload-offset': '0' } });
  });
  await page.locator('[type=file]').setInputFiles(film);
  await expect.poll(() => parts).toBeGreaterThan(0);
  await page.waitForTimeout(2000);
  expect(parts).toBeLessThan(5);
});

test('a file that changes on its way is not taken for a lost network', async () => {
  for (const size of [1, 9]) {
    const { page } = await opened();
    const report = join(home.service.dataDir, `report-${size}.bin`);
    await writeFile(report, randomBytes(size * MEGABYTE));
    const path = size === 1 ? '**/files?*' : '**/uploads/*';
    await page.route(
      path,
      async (route) => {
        await writeFile(report, randomBytes(size * MEGABYTE + 1));
        await route.abort();
      },
      { times: 1 },
    );
    await page.locator('[type=file]').setInputFiles(report);
    const failed = page.locator('.uploaded [role=alert]');
    await failed.waitFor();
    expect(await failed.textContent()).toBe(
      'The file was changed after it was chosen. Please choose it again.',
    );
    await send(page);
    // Told at the top and beside the file, not once more below the field, where it only describes the input.
    await page.locator('#summary').waitFor();
    expect(await page.getByText('The file was changed').filter({ visible: true }).count()).toBe(2);
    await page.context().close();
  }
});

test('a preview takes large files, too', async () => {
  const answer = await home.call('POST', '/open/forms/preview', {
    workspace_id: home.workspaceId,
    title: 'Soon',
    properties: [FILM],
  });
  expect(answer.status, answer.text).toBe(201);
  const page = await browser.page();
  await page.goto(answer.body.url.replace(/^https?:\/\/[^/]+/, home.service.url));
  await page.locator('[type=file]').setInputFiles(film);
  await isThere(page);
});
