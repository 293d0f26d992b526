import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { fillIn, kept, PROPERTIES } from './begun-form.ts';

const home = useHome();
const browser = useBrowser();

const keptOf = (page: Page, { uuid }: { uuid: string }) =>
  page.evaluate((uuid) => localStorage.getItem(`form:${uuid}`) ?? '', uuid);
const address = (form: { slug: string }, query = '') => `${home.service.url}/forms/${form.slug}${query}`;

test('answers are there again after a reload, but no secrets, and gone once they are sent', async () => {
  const form = await home.form({ properties: PROPERTIES });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form));
  await fillIn(page);
  await expect.poll(() => kept(context)).toContain('Line two');
  expect(await kept(context)).not.toContain('4711');

  const later = await context.newPage();
  await later.goto(address(form));
  await later.getByText('Your earlier answers have been restored.').waitFor();
  await expect.poll(() => later.getByLabel('More').inputValue()).toBe('Line one\nLine two');
  await later.locator('[data-back]').click();
  await expect.poll(() => later.getByLabel('Name').inputValue()).toBe('Ada');
  await expect.poll(() => later.locator('.restored').isVisible()).toBe(false);
  await expect.poll(() => later.getByLabel('Pin').inputValue()).toBe('');
  await expect.poll(() => later.getByLabel('Topic').inputValue()).toBe('Support');
  expect(
    await later.locator('[name=seen]:checked').evaluateAll((boxes: any[]) => boxes.map(({ value }) => value)),
  ).toEqual(['A', 'C']);
  await expect.poll(() => later.locator('[name=stars]:checked').getAttribute('value')).toBe('4');

  await later.locator('.nav .primary').click();
  await later.locator('.nav .primary').click();
  await later.locator('.thank-you').waitFor();
  expect(await kept(context)).not.toContain('Ada');
});

test('where the storage of the device is full, a tab still has what was typed last after a reload', async () => {
  const form = await home.form({ properties: PROPERTIES });
  const page = await browser.page();
  await page.goto(address(form));
  await page.getByLabel('Name').fill('Ada');
  await expect.poll(() => keptOf(page, form)).toContain('Ada');
  await page.evaluate(() => {
    for (let size = 2 ** 22; size >= 1; size /= 2)
      try {
        for (let at = 0; ; at++) localStorage.setItem(`${size} ${at}`, 'x'.repeat(size));
      } catch {}
  });
  await page.getByLabel('Name').fill('Ada Lovelace');
  await expect
    .poll(() => page.evaluate(() => Object.values(sessionStorage).join()))
    .toContain('Ada Lovelace');
  await page.reload();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada Lovelace');
  await page.locator('.nav .primary').click();
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('Ada');
});

test('what was begun earlier took the time since then, and names the files to choose again', async () => {
  const file = { id: 'cv', type: 'files', name: 'CV' };
  const form = await home.form({ properties: [{ id: 'name', type: 'text', name: 'Name' }, file] });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form));
  const begun = new URL(
    await page.evaluate(() => document.querySelector('#form')!.getAttribute('action')!),
    home.service.url,
  );
  await page.getByLabel('Name').fill('Ada');
  await page
    .locator('[type=file]')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
  await expect.poll(() => kept(context)).toContain('cv');
  await expect
    .poll(() => Math.floor(Date.now() / 1000))
    .toBeGreaterThan(Number(begun.searchParams.get('at')));
  await page.goto(address(form));
  await page.locator('.restored').getByText('CV: Choose a file').waitFor();
  const now = new URL(
    await page.evaluate(() => document.querySelector('#form')!.getAttribute('action')!),
    home.service.url,
  );
  expect(now.searchParams.get('at')).toBe(begun.searchParams.get('at'));
});

test('what is typed before the kept answers are there stands beside them', async () => {
  const form = await home.form({ properties: PROPERTIES });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form));
  await fillIn(page);
  await expect.poll(() => kept(context)).toContain('Line two');
  const before = JSON.parse(await keptOf(page, form));

  const later = await context.newPage();
  const release = Promise.withResolvers<void>();
  await later.route('**/assets/begun-*', async (route) => {
    await release.promise;
    await route.continue();
  });
  await later.goto(address(form));
  await later.getByLabel('Name').fill('Grace');
  release.resolve();
  await later.getByText('Your earlier answers have been restored.').waitFor();
  await expect.poll(() => later.getByLabel('More').inputValue()).toBe('Line one\nLine two');
  await expect.poll(() => later.getByLabel('More').isVisible()).toBe(true);
  expect(await later.locator('[name=name]').inputValue()).toBe('Grace');
  expect(await later.locator('[name=topic]').inputValue()).toBe('Support');
  await expect.poll(() => kept(context)).toContain('Grace');
  const after = JSON.parse(await keptOf(later, form));
  expect(after).toMatchObject({ at: before.at, name: before.name, step: 1 });
  expect(after.values).toContainEqual(['more', 'Line one\nLine two']);
});

test('a link to go on with another submission leaves alone what is kept', async () => {
  const form = await home.form({ properties: PROPERTIES, enable_partial_submissions: true });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form));
  await page.getByLabel('Name').fill('Ada');
  await expect.poll(() => kept(context)).toContain('Ada');
  const { body } = await home.submit(form, { name: 'Grace', is_partial: true });

  const other = await context.newPage();
  await other.goto(address(form, `?submission_hash=${body.submission_hash}`));
  await other.getByText('Continue later').waitFor();
  await other.getByLabel('Name').fill('Grace Hopper');
  await other.locator('.nav .primary').click();
  await other.locator('.nav .primary').click();
  await other.locator('.thank-you').waitFor();
  expect(JSON.stringify(await home.records(form))).toContain('Hopper');
  expect(await kept(context)).toContain('Ada');
});

test('answers are there again behind a password', async () => {
  const form = await home.form({ properties: PROPERTIES, password: 'open sesame' });
  const context = await browser.context();
  const enter = async () => {
    const page = await context.newPage();
    await page.goto(address(form));
    await page.locator('#password').fill('open sesame');
    await page.keyboard.press('Enter');
    await page.getByLabel('Name').waitFor({ state: 'attached' });
    return page;
  };
  await fillIn(await enter());
  await expect.poll(() => kept(context)).toContain('Line two');
  const later = await enter();
  await later.getByText('Your earlier answers have been restored.').waitFor();
  await expect.poll(() => later.getByLabel('More').inputValue()).toBe('Line one\nLine two');
  await later.locator('.nav .primary').click();
  await later.locator('.thank-you').waitFor();
  expect((await home.records(form))[0].data).toMatchObject({ name: 'Ada' });
});

test('what the browser has sent itself counts more than what is kept', async () => {
  const form = await home.form({ properties: PROPERTIES });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form));
  await page.getByLabel('Name').fill('Ada');
  await expect.poll(() => kept(context)).toContain('Ada');
  // Sent so that no part of the script notices.
  await page.evaluate(() => {
    const form = document.querySelector('form');
    form!.querySelector<HTMLInputElement>('[name=name]')!.value = 'Grace';
    form!.submit();
  });
  await page.getByLabel('More').fill('Line one');
  await expect.poll(() => kept(context)).toContain('Line one');
  expect(await kept(context)).toContain('Grace');
  expect(await page.locator('[name=name]').inputValue()).toBe('Grace');
});

test('what was typed after the browser has sent the form itself counts more than what it sent', async () => {
  const form = await home.form({ properties: PROPERTIES });
  const context = await browser.context();
  const page = await context.newPage();
  const sendByBrowser = async (name: string) => {
    const next = page.waitForEvent('load');
    // Sent so that no part of the script notices.
    await page.evaluate((name) => {
      const form = document.querySelector('form');
      form!.querySelector<HTMLInputElement>('[name=name]')!.value = name;
      form!.submit();
    }, name);
    await next;
  };
  await page.goto(address(form));
  await page.getByLabel('Name').fill('Ada');
  await expect.poll(() => kept(context)).toContain('Ada');
  await sendByBrowser('Grace');
  await page.getByLabel('More').fill('Line one');
  await expect.poll(() => kept(context)).toContain('Line one');
  await page.reload();
  await page.getByText('Your earlier answers have been restored.').waitFor();
  expect(await page.getByLabel('More').inputValue()).toBe('Line one');
  expect(await page.locator('[name=name]').inputValue()).toBe('Grace');
  await page.locator('[data-back]').click();
  await page.getByLabel('Name').fill('Hedy');
  await expect.poll(() => kept(context)).toContain('Hedy');
  await sendByBrowser('Joan');
  await page.getByLabel('More').fill('Line two');
  await expect.poll(() => kept(context)).toContain('Line two');
  expect(await kept(context)).toContain('Joan');
  await page.reload();
  await expect.poll(() => page.getByLabel('More').inputValue()).toBe('Line two');
  expect(await page.locator('[name=name]').inputValue()).toBe('Joan');
});

test('what was not saved on the way fills what is empty in the submission that a link goes on with', async () => {
  const form = await home.form({ properties: PROPERTIES, enable_partial_submissions: true });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form));
  await page.getByLabel('Name').fill('Ada');
  await page.locator('.nav .primary').click();
  await page.getByText('Continue later').click();
  const link = await page.getByLabel('Open this link on any device to continue.').inputValue();
  await page.route('**/answer', (route) => route.abort());
  await page.getByLabel('More').fill('Line one');
  await expect.poll(() => kept(context)).toContain('Line one');
  const hash = new URL(link).searchParams.get('submission_hash');
  const elsewhere = { name: 'Ada Lovelace', submission_hash: hash, is_partial: true };
  expect((await home.submit(form, elsewhere)).status).toBe(200);

  const later = await context.newPage();
  await later.goto(link);
  await later.getByText('Your earlier answers have been restored.').waitFor();
  await expect.poll(() => later.getByLabel('More').inputValue()).toBe('Line one');
  expect(await later.locator('[name=name]').inputValue()).toBe('Ada Lovelace');
});

test('what was changed of a submission that a link goes on with is there after a reload, unless it was changed elsewhere too', async () => {
  const form = await home.form({
    properties: [
      { id: 'name', type: 'text', name: 'Name' },
      { id: 'city', type: 'text', name: 'City' },
      { id: 'days', type: 'multi_select', name: 'Days', options: ['Friday', 'Saturday'] },
    ],
    enable_partial_submissions: true,
  });
  const begun = { name: 'Ada', city: 'Rome', days: ['Friday'], is_partial: true };
  const { submission_hash: hash } = (await home.submit(form, begun)).body;
  const context = await browser.context();
  const page = await context.newPage();
  await page.route('**/answer', (route) => route.abort());
  await page.goto(address(form, `?submission_hash=${hash}`));
  await page.getByLabel('Name').fill('Eve');
  await page.getByLabel('City').fill('Oslo');
  await page.getByLabel('Friday').uncheck();
  await expect.poll(() => kept(context)).toContain('Oslo');
  const elsewhere = { ...begun, city: 'Bonn', submission_hash: hash };
  expect((await home.submit(form, elsewhere)).status).toBe(200);
  await page.reload();
  await page.getByText('Your earlier answers have been restored.').waitFor();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Eve');
  expect(await page.getByLabel('City').inputValue()).toBe('Bonn');
  expect(await page.getByLabel('Friday').isChecked()).toBe(false);
});

test('what was typed over an answer before the script was there is not taken for the answer', async () => {
  const form = await home.form({
    properties: [
      { id: 'name', type: 'text', name: 'Name' },
      { id: 'days', type: 'multi_select', name: 'Days', options: ['Friday', 'Saturday'] },
      { id: 'size', type: 'select', name: 'Size', options: ['S', 'L'] },
    ],
    enable_partial_submissions: true,
  });
  const begun = { name: 'Ada', days: ['Friday'], size: 'S', is_partial: true };
  const { submission_hash: hash } = (await home.submit(form, begun)).body;
  const context = await browser.context();
  const page = await context.newPage();
  await page.route('**/answer', (route) => route.abort());
  const gate = Promise.withResolvers<void>();
  await page.route('**/begun-*', (route) => gate.promise.then(() => route.continue()), { times: 1 });
  await page.goto(address(form, `?submission_hash=${hash}`));
  await page.getByLabel('Name').fill('Eve');
  await page.getByLabel('Friday').uncheck();
  await page.getByLabel('Size').selectOption('L');
  gate.resolve();
  await expect.poll(() => kept(context)).toContain('Eve');
  await page.reload();
  await page.getByText('Your earlier answers have been restored.').waitFor();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Eve');
  expect(await page.getByLabel('Friday').isChecked()).toBe(false);
  expect(await page.getByLabel('Size').inputValue()).toBe('L');
});

test('what was sent is not kept again while the next page is on its way', async () => {
  const form = await home.form({ properties: PROPERTIES, redirect_url: 'https://example.com/thanks' });
  const context = await browser.context();
  const page = await context.newPage();
  const release = Promise.withResolvers<void>();
  await page.route('https://example.com/**', (route) =>
    release.promise.then(() => route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' })),
  );
  await page.addInitScript(() => {
    addEventListener('beforeunload', () =>
      setTimeout(() => {
        document.querySelector('textarea')?.dispatchEvent(new Event('input', { bubbles: true }));
        dispatchEvent(new PopStateEvent('popstate', { state: { step: 0 } }));
        console.info('typed');
      }),
    );
  });
  await page.goto(address(form));
  await fillIn(page);
  await expect.poll(() => kept(context)).toContain('Line two');
  const typed = page.waitForEvent('console', (message) => message.text() === 'typed');
  await page.locator('.nav .primary').evaluate((button: any) => button.click());
  await typed;
  release.resolve();
  await page.waitForURL('https://example.com/thanks');
  expect(await kept(context)).not.toContain('Ada');
});

test('an order and a list that the address gives count more than those that were kept', async () => {
  const form = await home.form({
    properties: [
      { id: 'order', type: 'ranking', name: 'Order', options: ['A', 'B', 'C'] },
      { id: 'days', type: 'multi_select', name: 'Days', options: ['Friday', 'Saturday', 'Sunday'] },
      // An input of this name hides the form's member that the script asks for.
      { id: 'before', type: 'text', name: 'Note' },
    ],
  });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form));
  await page.getByLabel('This order is right').check();
  await page.getByLabel('Sunday').check();
  await page.getByLabel('Note').fill('Kept');
  await expect.poll(() => kept(context)).toContain('Kept');
  await page.goto(address(form, '?order=C&order=B&order=A&days[]=Friday&days[]=Saturday'));
  await page.getByText('Your earlier answers have been restored.').waitFor();
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  const [{ data }] = await home.records(form);
  expect(data).toMatchObject({ order: ['C', 'B', 'A'], days: ['Friday', 'Saturday'], before: 'Kept' });
});

test('what somebody changed of what the address had filled in stays changed, until it fills in something else', async () => {
  const form = await home.form({
    properties: [
      { id: 'name', type: 'text', name: 'Name' },
      { id: 'city', type: 'text', name: 'City' },
      { id: 'days', type: 'multi_select', name: 'Days', options: ['Friday', 'Saturday'] },
      { id: 'break', type: 'nf-page-break', name: 'Break' },
      { id: 'more', type: 'text', name: 'More' },
    ],
  });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form, '?name=Ada&city=Rome&days[]=Friday'));
  await page.getByLabel('Name').fill('Eve');
  await page.getByLabel('City').fill('');
  await page.getByLabel('Friday').uncheck();
  await page.getByLabel('Saturday').check();
  await page.locator('.nav .primary').click();
  await page.getByLabel('More').fill('Nothing');
  await expect.poll(() => kept(context)).toContain('Nothing');
  await page.reload();
  await page.getByText('Your earlier answers have been restored.').waitFor();
  await page.goto(address(form, '?name=Ada&city=Oslo&days[]=Friday'));
  await page.getByText('Your earlier answers have been restored.').waitFor();
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  const [{ data }] = await home.records(form);
  expect(data).toMatchObject({ name: 'Eve', city: 'Oslo', days: ['Saturday'], more: 'Nothing' });
});

test('starting over asks first, and leaves what the address fills in', async () => {
  const form = await home.form({ properties: PROPERTIES });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form, '?stars=4'));
  await page.getByLabel('Name').fill('Ada');
  await expect.poll(() => kept(context)).toContain('Ada');
  await page.goto(address(form, '?stars=4'));
  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByText('Delete all your answers here and start over?').waitFor();
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('');
  await expect.poll(() => page.locator('[name=stars]:checked').getAttribute('value')).toBe('4');
  expect(await kept(context)).not.toContain('Ada');
});

test('each of two tabs has its own answers again after a reload, also when the other has sent its own', async () => {
  const form = await home.form({ properties: [{ id: 'name', type: 'text', name: 'Name' }] });
  const context = await browser.context();
  const [one, other] = [await context.newPage(), await context.newPage()];
  for (const [tab, name] of [
    [one, 'Ada'],
    [other, 'Grace'],
    [one, 'Ada L.'],
    [other, 'Grace H.'],
  ] as const) {
    if (tab.url() === 'about:blank') await tab.goto(address(form));
    await tab.getByLabel('Name').fill(name);
    await expect.poll(() => keptOf(tab, form)).toContain(name);
  }
  await one.reload();
  await expect.poll(() => one.getByLabel('Name').inputValue()).toBe('Ada L.');
  await other.locator('.nav .primary').click();
  await other.locator('.thank-you').waitFor();
  await one.reload();
  await expect.poll(() => one.getByLabel('Name').inputValue()).toBe('Ada L.');
  await one.locator('.nav .primary').click();
  await one.locator('.thank-you').waitFor();
  const names = (await home.records(form)).map(({ data }) => data.name);
  expect(names).toEqual(['Ada L.', 'Grace H.']);
  await one.goto(address(form));
  await one.waitForLoadState('networkidle');
  expect(await one.getByLabel('Name').inputValue()).toBe('');
});

test('a tab has its own answers again after another reload, though others were typed elsewhere in between', async () => {
  const form = await home.form({ properties: [{ id: 'name', type: 'text', name: 'Name' }] });
  const context = await browser.context();
  const [one, other] = [await context.newPage(), await context.newPage()];
  await one.goto(address(form));
  await one.getByLabel('Name').fill('Ada');
  await expect.poll(() => keptOf(one, form)).toContain('Ada');
  await one.reload();
  await one.getByText('Your earlier answers have been restored.').waitFor();
  await other.goto(address(form));
  await other.getByText('Your earlier answers have been restored.').waitFor();
  await other.getByLabel('Name').fill('Grace');
  await expect.poll(() => keptOf(one, form)).toContain('Grace');
  await one.reload();
  await one.getByText('Your earlier answers have been restored.').waitFor();
  expect(await one.getByLabel('Name').inputValue()).toBe('Ada');
});

test('two frames with one form in a page keep what is typed, and then rest', async () => {
  const form = await home.form({ properties: [{ id: 'name', type: 'text', name: 'Name' }] });
  const page = await browser.page();
  const frame = `<iframe src="${address(form)}"></iframe>`;
  await page.route('http://shop.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: frame + frame }),
  );
  await page.goto('http://shop.test/');
  const [one, other] = page.frames().slice(1);
  for (const [index, name] of ['Ada', 'Grace', 'Ada L.'].entries()) {
    const typedIn = index === 1 ? other! : one!;
    await typedIn.getByLabel('Name').fill(name);
    await expect
      .poll(() => typedIn.evaluate((uuid) => localStorage.getItem(`form:${uuid}`), form.uuid))
      .toContain(name);
  }
  const told = await other!.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let count = 0;
        addEventListener('storage', () => count++);
        setTimeout(() => resolve(count), 500);
      }),
  );
  expect(told).toBeLessThan(10);
});

test('nothing is kept where the form does not want it', async () => {
  const form = await home.form({ properties: PROPERTIES, auto_save: false });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form));
  await fillIn(page);
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  expect(await kept(context)).not.toContain('Ada');
});

test('the first visit says where somebody came from', async () => {
  const form = await home.form({ properties: PROPERTIES });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form, '?utm_source=letter&gclid=7'));
  await page.getByLabel('Name').fill('Ada');
  await expect.poll(() => kept(context)).toContain('letter');
  await page.goto(address(form));
  await page.getByText('Your earlier answers have been restored.').waitFor();
  await page.locator('.nav .primary').click();
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  const [record] = await home.records(form);
  expect(JSON.stringify(record)).toContain('letter');
});

test('a day that is filled in with today is that of the day on which one comes back, unless it was changed', async () => {
  const day = { type: 'date', prefill_today: true };
  const form = await home.form({
    properties: [
      { id: 'name', type: 'text', name: 'Name' },
      { ...day, id: 'left', name: 'Left' },
      { ...day, id: 'changed', name: 'Changed' },
      { ...day, id: 'emptied', name: 'Emptied' },
    ],
  });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form));
  const today = await page.getByLabel('Left').inputValue();
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Changed').fill('2020-01-02');
  await page.getByLabel('Emptied').fill('');
  await expect.poll(() => kept(context)).toContain('2020-01-02');
  const daysAgo = new Date(Date.parse(today) - 2 * 86_400_000).toISOString().slice(0, 10);
  await page.evaluate(
    ([now, then]) => {
      for (const key of Object.keys(localStorage))
        localStorage[key] = localStorage[key].replaceAll(now, then);
    },
    [today, daysAgo],
  );
  const later = await context.newPage();
  await later.goto(address(form));
  await later.getByText('Your earlier answers have been restored.').waitFor();
  expect(await later.getByLabel('Name').inputValue()).toBe('Ada');
  expect(await later.getByLabel('Left').inputValue()).toBe(today);
  expect(await later.getByLabel('Changed').inputValue()).toBe('2020-01-02');
  expect(await later.getByLabel('Emptied').inputValue()).toBe('');
});
