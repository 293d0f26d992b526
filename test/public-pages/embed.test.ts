import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { ATTRIBUTION_KEYS } from '../../fields/attribution-keys.ts';
import { COUNTED, useBrowser } from '../setup/browser.ts';
import { aField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { useOtherSite } from './other-site.ts';

const home = useHome({ env: { ROLES: 'http' } });
const browser = useBrowser();

const site = useOtherSite();
let form: any;

beforeEach(async () => {
  form = await home.form({
    properties: [
      { id: TEXT_FIELD_ID, type: 'text', name: 'Name' },
      { id: 'break', type: 'nf-page-break', name: 'Page' },
      aField('02', 'email', 'Mail'),
    ],
  });
});

const script = () => `<script src="${home.service.url}/embed.js"></script>`;
const div = (attributes = '') =>
  `<div id="here" data-formstead="${form.share_url}" ${attributes}></div>${script()}`;

/** Opens the other site, which records the events it hears. */
async function openSite(html: string, query = ''): Promise<Page> {
  site.markup = `<script>
    window.heard = [];
    for (const name of ['ready', 'step', 'submit', 'close'])
      document.addEventListener('formstead:' + name, ({ target, detail }) => heard.push([name, target.id, detail]));
  </script>${html}`;
  const context = await browser.context(COUNTED);
  const page = await context.newPage();
  await page.goto(site.url + query);
  return page;
}

const heard = (page: Page): Promise<any[]> => page.evaluate('heard');
const frameOf = (page: Page) => page.frameLocator('iframe.formstead-frame');

describe('the script', () => {
  test('is small, cached for an hour, and anybody’s to load', async () => {
    const plain = await home.service.request('GET', '/embed.js', {
      headers: { 'accept-encoding': 'identity' },
    });
    expect(plain.status).toBe(200);
    expect(Object.fromEntries(plain.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'accept-encoding',
    });
    expect(Buffer.byteLength(plain.text)).toBeLessThan(5_750);
    const packed = await fetch(`${home.service.url}/embed.js`, { headers: { 'accept-encoding': 'br' } });
    expect(packed.headers.get('content-encoding')).toBe('br');
    expect(await packed.text()).toBe(plain.text);
  });

  test('leaves no names on the page, and hands on exactly the sixteen keys', async () => {
    const { text } = await home.service.request('GET', '/embed.js');
    const keys = /\/\^\(utm_.+?\)\$\//.exec(text)![0];
    const pattern = new RegExp(keys.slice(1, -1));
    const others = ['utm_', 'utm_ids', 'clid', 'xclid', 'abraid', 'email', 'utm_source_', 'mslkid'];
    expect([...ATTRIBUTION_KEYS, ...others].filter((key) => pattern.test(key))).toEqual([
      ...ATTRIBUTION_KEYS,
    ]);
    const page = await openSite(script());
    const names = () => page.evaluate(() => Object.getOwnPropertyNames(window).sort());
    const after = await names();
    const isNamed = await page.evaluate('[typeof e, typeof t, typeof n, typeof r, typeof i].join()');
    await page.goto(`${site.url}/?without`);
    site.markup = '<script>window.heard = [];</script>';
    await page.reload();
    expect(after.filter((name) => name !== 'name')).toEqual(
      (await names()).filter((name) => name !== 'name'),
    );
    expect(isNamed).toBe('undefined,undefined,undefined,undefined,undefined');
  });
});

describe('in place', () => {
  test('a form grows with its content, is answered, and tells the page', async () => {
    const page = await openSite(div('data-title="Ask us"'));
    const frame = page.locator('iframe');
    await expect.poll(() => frame.getAttribute('title')).toBe('Ask us');
    await expect.poll(() => frame.getAttribute('loading')).toBe('lazy');
    await until(async () => (await heard(page)).length > 0);
    const height = () => frame.evaluate((element) => element.clientHeight);
    const inner = () =>
      frameOf(page)
        .locator('body')
        .evaluate((body) => Math.ceil(body.getBoundingClientRect().height));
    await until(async () => (await height()) === (await inner()));
    await frameOf(page).getByLabel('Name').fill('Ada');
    await frameOf(page).locator('.primary').click();
    await frameOf(page).getByLabel('Mail').fill('not an address');
    await frameOf(page).getByLabel('Mail').press('Enter');
    await frameOf(page).locator('#summary li').waitFor();
    await until(async () => (await height()) === (await inner()));
    await frameOf(page).getByLabel('Mail').fill('ada@example.com');
    await frameOf(page).locator('.primary').click();
    await until(async () => (await heard(page)).some(([name]) => name === 'submit'));
    const [record] = await home.records(form);
    expect(await heard(page)).toEqual([
      ['ready', 'here', { form: form.slug }],
      ['step', 'here', { form: form.slug, step: 1, steps: 2 }],
      ['submit', 'here', { form: form.slug, submission_id: record.submission_id }],
    ]);
  });

  test('shows a list of options whole, and then has its height again', async () => {
    const names = Array.from({ length: 40 }, (_, number) => ({ id: `${number}`, name: `Country ${number}` }));
    form = await home.form({
      properties: [{ id: 'c', type: 'select', name: 'Country', select: { options: names } }],
    });
    const page = await openSite(div());
    const frame = page.locator('iframe');
    const height = () => frame.evaluate((element) => element.clientHeight);
    const list = frameOf(page).getByRole('listbox');
    const combobox = frameOf(page).getByRole('combobox');
    await combobox.waitFor();
    const inner = () =>
      frameOf(page)
        .locator('body')
        .evaluate((body) => Math.ceil(body.getBoundingClientRect().height));
    await until(async () => (await height()) === (await inner()));
    const before = await height();
    await combobox.click();
    const end = () => list.evaluate((element) => element.getBoundingClientRect().bottom);
    await until(async () => (await height()) >= (await end()));
    expect(await end()).toBeGreaterThan(before);
    await combobox.press('Escape');
    await until(async () => (await height()) === before);
  });

  test('keeps its height and its answers while the page hides it', async () => {
    const page = await openSite(`<script>
      window.heights = [];
      addEventListener('message', ({ data }) => data.event === 'height' && heights.push(data.height));
    </script><div id="tab" hidden>${div()}</div>`);
    const tab = page.locator('#tab');
    const show = (isShown: boolean) =>
      tab.evaluate((element: HTMLElement, shown) => {
        element.hidden = !shown;
      }, isShown);
    await show(true);
    const frame = page.locator('iframe');
    const height = () => frame.evaluate((element) => element.style.height);
    await expect.poll(height).toMatch(/^[1-9]/);
    await frameOf(page).getByLabel('Name').fill('Ada');
    const before = await height();
    await show(false);
    const isLaidOut = () =>
      frameOf(page)
        .locator('body')
        .evaluate((body) => body.clientHeight > 0);
    await until(async () => !(await isLaidOut()));
    await show(true);
    await until(isLaidOut);
    expect(await page.evaluate('heights')).not.toContain(0);
    expect(await height()).toBe(before);
    expect(await frameOf(page).getByLabel('Name').inputValue()).toBe('Ada');
  });

  test('attribution and the values that were asked for come along, others do not', async () => {
    const [, , mail] = form.properties;
    const page = await openSite(
      div(`data-prefill="${TEXT_FIELD_ID}, other"`),
      `?utm_source=letter&gclid=abc&${TEXT_FIELD_ID}=Ada+Lovelace&${mail.id}=secret%40example.com&token=secret`,
    );
    await expect.poll(() => frameOf(page).getByLabel('Name').inputValue()).toBe('Ada Lovelace');
    await expect.poll(() => page.locator('iframe').getAttribute('src')).not.toContain('secret');
    await frameOf(page).locator('.primary').click();
    await frameOf(page).getByLabel('Mail').fill('ada@example.com');
    await frameOf(page).locator('.primary').click();
    await until(async () => (await heard(page)).some(([name]) => name === 'submit'));
    const [record] = await home.records(form);
    expect(record.meta.attribution).toEqual({ utm_source: 'letter', gclid: 'abc' });
  });

  test('the site counts as referrer, and a visitor’s way through the form is counted', async () => {
    site.headers = { 'referrer-policy': 'no-referrer' };
    const page = await openSite(div());
    await frameOf(page).getByLabel('Name').fill('Ada');
    await frameOf(page).locator('.primary').click();
    await frameOf(page).getByLabel('Mail').fill('ada@example.com');
    await frameOf(page).locator('.primary').click();
    await until(async () => (await heard(page)).some(([name]) => name === 'submit'));
    const read = async () => {
      await home.service.context.visits.flush();
      return (await home.call('GET', `/open/forms/${form.id}/statistics`)).body;
    };
    await until(async () => (await read()).fields[1].answered === 1);
    const { totals, referrers, steps, fields } = await read();
    expect(totals).toMatchObject({ views: 1, starts: 1, completed: 1, completion_rate: 1 });
    expect(referrers).toEqual({ direct: 0, hosts: [{ host: 'localhost', views: 1 }], other: 0 });
    expect(steps).toEqual([
      { index: 0, reached: 1, left: 0 },
      { index: 1, reached: 1, left: 0 },
    ]);
    expect(fields.map(({ answered }: any) => answered)).toEqual([1, 1]);
  });

  test('where a visitor leaves is counted', async () => {
    const page = await openSite(div());
    await frameOf(page).getByLabel('Name').fill('Ada');
    await frameOf(page).locator('.primary').click();
    await frameOf(page).getByLabel('Mail').waitFor();
    await until(async () => (await heard(page)).some(([name]) => name === 'step'));
    await until(async () => {
      await home.service.context.visits.flush();
      return (await home.call('GET', `/open/forms/${form.id}/statistics`)).body.totals.starts === 1;
    });
    // Only the event: if the page were really left, Chromium would use its own name again and be taken for a program.
    await frameOf(page)
      .locator('body')
      .evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));
    const left = await until(async () => {
      await home.service.context.visits.flush();
      const { body } = await home.call('GET', `/open/forms/${form.id}/statistics`);
      return body.steps[1].left === 1 && body;
    });
    expect(left.steps).toEqual([
      { index: 0, reached: 1, left: 0 },
      { index: 1, reached: 1, left: 1 },
    ]);
    expect(left.fields.map(({ answered }: any) => answered)).toEqual([1, 0]);
  });

  test('also by a script that names the form, and by an element that comes later', async () => {
    const page = await openSite(
      `<main><script src="${home.service.url}/embed.js" data-form="${form.slug}" data-title="By script"></script></main>`,
    );
    await expect.poll(() => page.locator('main > div > iframe').getAttribute('title')).toBe('By script');
    await frameOf(page).getByLabel('Name').waitFor();
    await page.evaluate((url) => {
      const late = document.createElement('div');
      late.dataset.formstead = url;
      late.id = 'late';
      document.body.append(late);
    }, form.share_url);
    await page.frameLocator('#late iframe').getByLabel('Name').waitFor();
    await expect.poll(() => page.locator('iframe').count()).toBe(2);
  });

  test('nobody but the frame is believed', async () => {
    const page = await openSite(div());
    await until(async () => (await heard(page)).length > 0);
    const height = await page.locator('iframe').evaluate((frame) => frame.style.height);
    await page.evaluate(() => {
      const forged = { type: 'formstead', event: 'submit', submission_id: 'x' };
      window.postMessage(forged, '*');
      const other = document.createElement('iframe');
      other.srcdoc = `<script>parent.postMessage({type:'formstead',event:'height',height:9},'*');
        parent.postMessage({type:'formstead',event:'submit'},'*');parent.postMessage('end','*')</script>`;
      const ended = new Promise((resolve) =>
        addEventListener('message', ({ data }) => {
          if (data === 'end') resolve(null);
        }),
      );
      document.body.append(other);
      return ended;
    });
    expect((await heard(page)).map(([name]) => name)).toEqual(['ready']);
    expect(await page.locator('iframe.formstead-frame').evaluate((frame) => frame.style.height)).toBe(height);
  });

  test('an address that is none, or would run something, makes no frame', async () => {
    const page = await openSite(
      `<div data-formstead="javascript:alert(1)"></div><div data-formstead="data:text/html,x"></div>${script()}`,
    );
    expect(await page.locator('iframe').count()).toBe(0);
  });
});

describe.each(['popup', 'slider'])('a %s', (mode) => {
  test('opens on demand, holds the focus, and closes with Escape, its button and a click beside it', async () => {
    const page = await openSite(div(`data-mode="${mode}" data-button="Write to us" data-title="Contact"`));
    const opener = page.getByRole('button', { name: 'Write to us' });
    await expect.poll(() => page.locator('iframe').getAttribute('src')).toBeNull();
    await opener.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Contact' });
    await dialog.waitFor();
    await frameOf(page).getByLabel('Name').fill('Ada');
    expect(await page.evaluate(() => document.querySelector('dialog')?.matches(':modal'))).toBe(true);
    // From this event on, the form reports its keys.
    await until(async () => (await heard(page)).some(([name]) => name === 'ready'));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
    await opener.click();
    // The typed text is still there.
    await expect.poll(() => frameOf(page).getByLabel('Name').inputValue()).toBe('Ada');
    await page.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await opener.click();
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: 'hidden' });
    await until(async () => (await heard(page)).filter(([name]) => name === 'close').length === 3);
  });

  test.each(['none', 'active'] as const)('fits a phone (forced colors: %s)', async (forcedColors) => {
    const page = await openSite(div(`data-mode="${mode}"`));
    await page.setViewportSize({ width: 320, height: 500 });
    await page.emulateMedia({ forcedColors });
    await page.getByRole('button', { name: 'Form' }).click();
    await frameOf(page).getByLabel('Name').waitFor();
    const edge = await page.locator('dialog').evaluate((dialog) => getComputedStyle(dialog).borderTopWidth);
    expect(edge).toBe(forcedColors === 'active' ? '2px' : '0px');
    const box = (await page.locator('dialog').boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(320);
    expect(box.height).toBeLessThanOrEqual(500);
  });
});

test('a link opens the popup, and leads to the form where there is no script', async () => {
  const link = `<a href="${form.share_url}" data-formstead="${form.share_url}" data-mode="popup">Ask</a>`;
  const page = await openSite(link + script());
  await page.getByRole('link', { name: 'Ask' }).click();
  await frameOf(page).getByLabel('Name').waitFor();
  expect(page.url()).toBe(`${site.url}/`);
  const without = await openSite(link);
  await without.getByRole('link', { name: 'Ask' }).click();
  await without.waitForURL(form.share_url);
});

test('a plain frame works without the script', async () => {
  const page = await openSite(
    `<iframe src="${form.share_url}" title="Contact" width="100%" height="600"></iframe>`,
  );
  await page.frameLocator('iframe').getByLabel('Name').fill('Ada');
});

test('a sandbox may keep the origin from the frame', async () => {
  const form = await home.form();
  const page = await openSite(
    `<iframe sandbox="allow-scripts allow-forms" src="${form.share_url}" title="Contact"></iframe>`,
  );
  const frame = page.frameLocator('iframe');
  await frame.getByLabel('Name').fill('Ada');
  await frame.locator('.nav .primary').click();
  await frame.locator('.thank-you').waitFor();
  expect(await home.records(form)).toHaveLength(1);
});

test('a strict policy of the site needs two words', async () => {
  const { origin } = new URL(form.share_url);
  site.headers = {
    'content-security-policy': `default-src 'none'; script-src ${origin}; frame-src ${origin}; base-uri 'none'; require-trusted-types-for 'script'`,
  };
  site.markup = div('data-mode="popup" data-button="Write to us"');
  const page = await browser.page(COUNTED);
  await page.goto(site.url);
  await page.getByRole('button', { name: 'Write to us' }).click();
  await frameOf(page).getByLabel('Name').fill('Ada');
  expect(await page.locator('dialog').evaluate((dialog) => getComputedStyle(dialog).padding)).toBe('0px');
});
