import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { useOtherSite } from './other-site.ts';

/** Forms that lead to another page after sending, inside the pages of other sites. */
const home = useHome({ env: { ROLES: 'http' } });
const browser = useBrowser();
const site = useOtherSite();
let form: any;

beforeEach(async () => {
  form = await home.form({
    properties: [{ id: 'name', type: 'text', name: 'Name' }],
    redirect_url: `${site.url}/shop?for=<span mention mention-field-id="name" mention-fallback="">x</span>`,
  });
});

const script = () => `<script src="${home.service.url}/embed.js"></script>`;
const div = (attributes = '') => `<div data-formstead="${form.share_url}" ${attributes}></div>${script()}`;

/** Records every message that the page gets. */
async function openSite(html: string): Promise<Page> {
  site.markup = `<script>
    window.said = [];
    addEventListener('message', ({ data }) => said.push(JSON.stringify(data)));
  </script>${html}`;
  const page = await (await browser.context()).newPage();
  await page.goto(site.url);
  return page;
}

async function fillIn(page: Page): Promise<void> {
  const frame = page.frameLocator('iframe').first();
  await frame.getByLabel('Name').fill('Ada');
  await frame.locator('.nav .primary').click();
}

const frameAddresses = (page: Page) => page.frames().map((frame) => frame.url());
const shop = () => `${site.url}/shop?for=Ada`;

test('the page around the frame is led on, in place and in a dialog', async () => {
  for (const attributes of ['', 'data-mode="popup" data-button="Ask us"']) {
    const page = await openSite(div(attributes));
    if (attributes) await page.getByRole('button', { name: 'Ask us' }).click();
    await fillIn(page);
    await page.waitForURL(shop());
  }
  expect(await home.records(form)).toHaveLength(2);
});

test('it is never told the address, which may contain answers', async () => {
  // A page that does what the script does, but hears everything and stays.
  const page = await openSite(`<iframe src="${form.share_url}"></iframe><script>
    addEventListener('message', ({ data, source }) => {
      if (/ready|submit/.test(data.event)) source.postMessage({ type: 'formstead', event: 'lead' }, '*');
      fetch('/heard?' + encodeURIComponent(JSON.stringify(data)));
    });
  </script>`);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(decodeURIComponent(request.url())));
  await fillIn(page);
  await page.waitForURL(shop());
  const heard = asked.filter((address) => address.includes('/heard?'));
  expect(heard.some((address) => address.includes('"submit"'))).toBe(true);
  expect(heard.join()).not.toMatch(/Ada|shop/);
});

test('the frame shows it where the site wants that, has no script, or is in a frame itself', async () => {
  const plain = `<iframe src="${form.share_url}" title="Contact" width="100%" height="600"></iframe>`;
  for (const html of [div('data-stay'), plain]) {
    const page = await openSite(html);
    await fillIn(page);
    await until(() => frameAddresses(page).includes(shop()));
    expect(page.url()).toBe(`${site.url}/`);
  }
  const inner = div();
  const page = await openSite(
    `<iframe id="outer" srcdoc='${inner}' style="width:100%;height:600px"></iframe>`,
  );
  const frame = page.frameLocator('#outer').frameLocator('iframe');
  await frame.getByLabel('Name').fill('Ada');
  await frame.locator('.nav .primary').click();
  await until(() => frameAddresses(page).includes(shop()));
  expect(page.url()).toBe(`${site.url}/`);
});

test('only the page around the frame may ask for it', async () => {
  // A frame beside the form's asks instead.
  const page = await openSite(`<iframe src="${form.share_url}"></iframe><iframe srcdoc="<script>
    setInterval(() => parent.frames[0].postMessage({ type: 'formstead', event: 'lead' }, '*'), 20);
  </script>"></iframe>`);
  await fillIn(page);
  await until(() => frameAddresses(page).includes(shop()));
  expect(page.url()).toBe(`${site.url}/`);
});

test('a frame whose page could not be led on shows the target itself, but not once the page has gone', async () => {
  for (const hasGone of [false, true]) {
    const page = await openSite(div());
    const led: boolean[] = [];
    // Nothing is shown of an empty answer, so the page stays, as it does in the memory of browsers.
    await page.route('**/shop*', (route) => {
      led.push(route.request().frame() === page.mainFrame());
      return route.fulfill({ status: 204 });
    });
    await page.frameLocator('iframe').getByLabel('Name').waitFor();
    await page.clock.install();
    await fillIn(page);
    await until(() => led.length === 1);
    const [, frame] = page.frames();
    if (hasGone) await frame?.evaluate(() => dispatchEvent(new Event('pagehide')));
    await page.clock.fastForward(10_000);
    if (hasGone) await frame?.evaluate(async () => void (await fetch(location.href)));
    else await until(() => led.length === 2);
    expect(led).toEqual(hasGone ? [true] : [true, false]);
  }
});

test('our own thanks stay in the frame', async () => {
  await home.call('PUT', `/open/forms/${form.id}`, { redirect_url: null });
  const page = await openSite(div());
  await fillIn(page);
  await page.frameLocator('iframe').locator('.thank-you').waitFor();
  expect(page.url()).toBe(`${site.url}/`);
});
