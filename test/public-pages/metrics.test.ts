import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { allRequired, EVERYTHING, PICTURE, servePictures } from './every-field.ts';

/** What Chromium itself counts for a page: requests, layout shifts, and what the first paint needs. No times. */
const home = useHome();
const browser = useBrowser();

/** This long after an action, a visitor no longer expects the page to move because of it. */
const ANSWERED_MS = 3_000;

const names = (count: number) => Array.from({ length: count }, (_, index) => `Choice ${index + 1}`);
const TEN_FIELDS = [
  { id: 'name', type: 'text', name: 'Name', required: true },
  { id: 'mail', type: 'email', name: 'E-mail', required: true },
  { id: 'topic', type: 'select', name: 'Topic', options: names(5) },
  { id: 'agree', type: 'checkbox', name: 'I agree', required: true },
  { id: 'day', type: 'date', name: 'Day' },
  { id: 'people', type: 'number', name: 'People' },
  { id: 'likes', type: 'multi_select', name: 'Likes', options: names(4) },
  { id: 'stars', type: 'rating', name: 'Stars', rating_max_value: 5 },
  { id: 'words', type: 'text', name: 'Words', multi_lines: true },
  {
    id: 'more',
    type: 'text',
    name: 'More',
    hidden: true,
    logic: {
      conditions: {
        operatorIdentifier: 'and',
        children: [
          {
            identifier: 'topic',
            value: { operator: 'equals', property_meta: { id: 'topic', type: 'select' }, value: 'Choice 2' },
          },
        ],
      },
      actions: ['show-block'],
    },
  },
];

/**
 * Left out, since they must move: the browser's player changes once the song is loaded, a picture block has no known size, and
 * a text in the middle moves while the rest of it arrives.
 */
const STEADY = EVERYTHING.filter(({ id }) => !['audio', 'image', 'date'].includes(id));
const MEMBERS = { cover_picture: PICTURE, logo_picture: PICTURE, show_progress_bar: true };

/** So high that all of the page is visible and every shift counts. */
const whole = (device: BrowserContextOptions) => ({
  ...device,
  viewport: { width: device.viewport?.width ?? 0, height: 10_000 },
});

/** Serves a page as over a bad line: a few elements, a pause, a few more. @returns its address */
async function dripped(page: string): Promise<string> {
  const pieces = page.match(/.{60,}?(?=<)|.+$/gs) ?? [];
  expect(pieces.join('')).toBe(page);
  const server = createServer(async (_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    for (const piece of pieces) {
      response.write(piece);
      await sleep(20);
    }
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

interface Measured {
  page: Page;
  /** Requested addresses, in order. */
  asked: string[];
  /** Elements that moved although nobody had just typed or pressed anything. */
  shifts(): Promise<string[]>;
}

/** A page as seen on a phone four times slower than this machine, over a slow connection. */
async function measured(
  path: string,
  device: BrowserContextOptions = PHONE,
  blocked?: string,
): Promise<Measured> {
  const context = await browser.context(device);
  await servePictures(context);
  if (blocked) await context.route(blocked, (route) => route.abort());
  await context.addInitScript((ANSWERED_MS) => {
    const shifted: string[] = [];
    // Chromium allows a page half a second to react; a busy machine may need more.
    let pressedAt = -Infinity;
    for (const type of ['input', 'click', 'focusout'])
      addEventListener(type, () => (pressedAt = performance.now()), true);
    Object.assign(window, { shifted });
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, startTime, value, sources } of list.getEntries() as any[])
        if (!hadRecentInput && startTime - pressedAt > ANSWERED_MS)
          for (const { node } of sources)
            shifted.push(
              `${value} ${node?.closest?.('[data-block]')?.dataset.block} ${node?.outerHTML?.slice(0, 80)}`,
            );
    }).observe({ type: 'layout-shift', buffered: true });
  }, ANSWERED_MS);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await session.send('Network.enable');
  const slow = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 };
  await session.send('Network.emulateNetworkConditions', slow);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(new URL(path, home.service.url).href, { waitUntil: 'networkidle', timeout: 240_000 });
  return {
    page,
    asked,
    shifts: () =>
      page.evaluate(async () => {
        // Shifts are reported with the next frame.
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return (window as any).shifted as string[];
      }),
  };
}

const pathOf = (url: string) => new URL(url).pathname;

describe.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])('on %s', (_, device) => {
  test('a form asks for its page and one script, and nothing else until it is sent', async () => {
    const { slug } = await home.form({ properties: TEN_FIELDS, auto_save: false });
    const { page, asked, shifts } = await measured(`/forms/${slug}`, device);
    expect(asked.map(pathOf)).toEqual([
      `/forms/${slug}`,
      expect.stringMatching(/^\/assets\/form-[\w-]+\.js$/),
    ]);
    expect(new Set(asked.map((url) => new URL(url).origin))).toEqual(new Set([home.service.url]));
    expect(await shifts()).toEqual([]);
    expect(await page.evaluate(() => document.cookie)).toBe('');
  });

  test('nothing shifts while it is filled in, checked and mended', async () => {
    const { slug } = await home.form({ properties: TEN_FIELDS });
    const { page, shifts } = await measured(`/forms/${slug}`, device);
    await page.locator('.nav .primary').click();
    await page.locator('#summary:not([hidden])').waitFor();
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('E-mail').fill('not an address');
    await page.getByLabel('Topic').selectOption('Choice 2');
    await page.getByLabel('More').fill('More');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('I agree').check();
    expect(await shifts()).toEqual([]);
  });

  test('nor while the parts of the script take their places', async () => {
    const { slug } = await home.form({ properties: allRequired(STEADY), ...MEMBERS });
    const { page, shifts } = await measured(`/forms/${slug}`, whole(device));
    await page.locator('.toolbar').waitFor();
    await page.locator('canvas').waitFor();
    expect(await shifts()).toEqual([]);
  });

  test('nor while the page arrives piece by piece', async () => {
    const { slug } = await home.form({ properties: allRequired(STEADY), ...MEMBERS });
    const answer = await fetch(`${home.service.url}/forms/${slug}`, { headers: { Accept: 'text/html' } });
    const { page, shifts } = await measured(await dripped(await answer.text()), whole(device));
    await expect.poll(() => page.locator('[data-block]').count()).toBeGreaterThan(30);
    expect(await shifts()).toEqual([]);
  });

  test('nor where one question stands in the middle, with keys and arrows', async () => {
    const { slug } = await home.form({
      properties: TEN_FIELDS,
      presentation_style: 'focused',
      settings: { navigation_arrows: true },
    });
    const path = `/forms/${slug}`;
    const { page, shifts } = await measured(path, device);
    await page.locator('.arrows').waitFor();
    expect(await shifts()).toEqual([]);
    const answer = await fetch(home.service.url + path, { headers: { Accept: 'text/html' } });
    const slow = await measured(await dripped(await answer.text()), device);
    await expect.poll(() => slow.page.locator('footer').count()).toBe(1);
    expect(await slow.shifts()).toEqual([]);
  });
});

test('the first paint needs nothing but the page', async () => {
  const { slug } = await home.form({ properties: TEN_FIELDS });
  const { page, asked, shifts } = await measured(`/forms/${slug}`, PHONE, '**/assets/**');
  expect(asked).toHaveLength(2);
  const paints = () => page.evaluate(() => performance.getEntriesByType('paint').map(({ name }) => name));
  await until(async () => (await paints()).includes('first-contentful-paint'));
  await expect.poll(() => page.locator('[data-block]:visible').count()).toBe(9);
  expect(
    await page.locator('.primary').evaluate((button) => getComputedStyle(button).backgroundColor),
  ).toMatch(/^rgb\(/);
  expect(await page.evaluate(() => document.styleSheets.length)).toBe(1);
  expect(await shifts()).toEqual([]);
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('I agree').check();
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
});

test('the page stays quick to lay out: few elements, no long chain of them', async () => {
  const { slug } = await home.form({ properties: TEN_FIELDS });
  const { page } = await measured(`/forms/${slug}`);
  const { count, depth } = await page.evaluate(() => {
    const all = [...document.querySelectorAll('*')];
    const depthOf = (element: Element | null): number => (element ? 1 + depthOf(element.parentElement) : 0);
    return { count: all.length, depth: Math.max(...all.map(depthOf)) };
  });
  expect(count).toBeLessThan(150);
  expect(depth).toBeLessThan(14);
});
