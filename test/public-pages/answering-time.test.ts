import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { COUNTED, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();
const browser = useBrowser();

const NAME = { id: 'name', type: 'text', name: 'Name' };
const MAIL = { id: 'mail', type: 'email', name: 'E-mail' };
const COLOR = {
  id: 'color',
  type: 'select',
  name: 'Color',
  without_dropdown: true,
  select: { options: ['Red', 'Blue'].map((name) => ({ id: name, name })) },
};
const PAGE_BREAK = { id: 'break', type: 'nf-page-break', name: 'Break' };

/** Opens a page whose clock the test controls. */
async function opened(overrides: Record<string, unknown>, query = ''): Promise<{ form: any; page: Page }> {
  const form = await home.form(overrides);
  const page = await browser.page(COUNTED);
  await page.clock.install();
  await page.goto(`${home.service.url}/forms/${form.slug}${query}`, { waitUntil: 'networkidle' });
  return { form, page };
}

const wait = (page: Page, seconds: number) => page.clock.runFor(seconds * 1_000);
/** Resolves when the code needed after the first answer has been loaded. */
const begun = (page: Page) => page.waitForResponse(/\/send-/);
const send = (page: Page) => page.locator('.nav .primary').click();

/** For each field, how many answered it and the seconds it took. */
async function fieldsOf(form: {
  id: number;
}): Promise<Record<string, [answered: number, time: number | null]>> {
  await home.service.context.visits.flush();
  const { body } = await home.call('GET', `/open/forms/${form.id}/statistics`);
  return Object.fromEntries(
    body.fields.map(({ id, answered, typical_time }: any) => [id, [answered, typical_time]]),
  );
}

/** A slow machine adds some time, and times are rounded. */
function expectSeconds(time: number | null | undefined, least: number): void {
  expect(time).toBeGreaterThan(least - 1);
  expect(time).toBeLessThan(least + 60);
}

test('each question is told with the time until it was answered, reading included, pauses not', async () => {
  const { form, page } = await opened({ properties: [NAME, PAGE_BREAK, MAIL, COLOR] });
  await wait(page, 20);
  await page.getByLabel('Name').fill('Ada');
  await send(page);
  await page.getByLabel('E-mail').waitFor();
  await wait(page, 100);
  await page.getByLabel('E-mail').fill('ada@');
  await wait(page, 100);
  await page.getByLabel('E-mail').fill('ada@example.com');
  // Somebody at the door.
  await wait(page, 20 * 60);
  await page.getByLabel('E-mail').press('Tab');
  await page.getByLabel('Blue').check();
  await send(page);
  await page.locator('.thank-you').waitFor();
  await expect.poll(async () => (await fieldsOf(form)).color?.[1]).not.toBe(null);
  const { name, mail, color } = await fieldsOf(form);
  expectSeconds(name?.[1], 20);
  expectSeconds(mail?.[1], 200);
  expectSeconds(color?.[1], 0);
});

test('a visit that never sends the form tells no times, and one that corrects it neither', async () => {
  const { form, page } = await opened({ properties: [NAME, MAIL], editable_submissions: true });
  await Promise.all([begun(page), page.getByLabel('Name').fill('Ada')]);
  await page.getByLabel('E-mail').fill('ada@example.com');
  // Only the event: if the page were really left, Chromium would use its own name again.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));
  await expect.poll(() => fieldsOf(form)).toEqual({ name: [1, null], mail: [1, null] });
  const sent = await home.submit(form, { name: 'Ada' });
  await page.goto(`${home.service.url}/forms/${form.slug}?submission_id=${sent.body.submission_id}`);
  await page.getByLabel('Name').fill('Grace');
  await send(page);
  await page.locator('.thank-you').waitFor();
  expect(await fieldsOf(form)).toEqual({ name: [1, null], mail: [1, null] });
});

test('questions that a browser fills in at once are told, also by a clock that stands still meanwhile', async () => {
  // With a query, all code is loaded at once.
  const { form, page } = await opened({ properties: [NAME, MAIL] }, '?utm_source=news');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await page.evaluate(() => {
    for (const input of document.querySelectorAll<HTMLInputElement>('[data-block] input')) {
      input.value = 'ada@example.com';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
  });
  await page.locator('.nav .primary').press('Enter');
  await page.locator('.thank-you').waitFor();
  await expect.poll(async () => (await fieldsOf(form)).mail).toEqual([1, 1]);
});

test('a question that is passed over tells no time, also where each is shown alone and has the focus', async () => {
  const properties = [NAME, MAIL, { id: 'note', type: 'text', name: 'Note' }];
  const { form, page } = await opened({ properties, presentation_style: 'focused' });
  await page.getByLabel('Name').fill('Ada');
  await send(page);
  await page.getByLabel('E-mail').waitFor();
  await wait(page, 5);
  await send(page);
  await page.getByLabel('Note').fill('None');
  await send(page);
  await page.locator('.thank-you').waitFor();
  await expect.poll(async () => (await fieldsOf(form)).note?.[1]).not.toBe(null);
  expect((await fieldsOf(form)).mail).toEqual([0, null]);
});

test('a form that is sent again while another site is slow to come tells its times once', async () => {
  const { form, page } = await opened({ properties: [NAME], redirect_url: 'https://slow.example/thanks' });
  // Answers 204, so the browser stays on the page for now.
  await page.route('https://slow.example/thanks', (route) => route.fulfill({ status: 204 }));
  const told: any[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/progress')) told.push(request.postDataJSON());
  });
  const left = () => page.waitForRequest('https://slow.example/thanks');
  await page.getByLabel('Name').fill('Ada');
  await Promise.all([left(), send(page)]);
  await Promise.all([left(), send(page)]);
  expect(await home.records(form)).toHaveLength(1);
  expect(told).toEqual([expect.objectContaining({ started: true, times: { name: expect.any(Number) } })]);
});

test('the time in which the page is not in sight does not count, before the first answer neither; what is seen before it does', async () => {
  const { form, page } = await opened({ properties: [NAME, MAIL] });
  const show = (isSeen: boolean) =>
    page.evaluate((isSeen) => {
      Object.defineProperty(document, 'hidden', { value: !isSeen, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isSeen);
  await show(false);
  await wait(page, 200);
  await show(true);
  await wait(page, 20);
  await Promise.all([begun(page), page.getByLabel('Name').fill('Ada')]);
  await wait(page, 100);
  await show(false);
  await wait(page, 250);
  await show(true);
  // No key and no pointer leaves the field before, as with assistive software: its change event counts.
  await page.getByLabel('E-mail').fill('ada@example.com');
  await send(page);
  await page.locator('.thank-you').waitFor();
  await expect.poll(async () => (await fieldsOf(form)).mail?.[1]).not.toBe(null);
  const { name, mail } = await fieldsOf(form);
  expectSeconds(name?.[1], 20);
  expectSeconds(mail?.[1], 100);
});
