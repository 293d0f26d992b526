import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { COUNTED, useBrowser } from '../setup/browser.ts';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { useOtherSite } from './other-site.ts';

const home = useHome({ env: { ROLES: 'http' } });
const browser = useBrowser();
const site = useOtherSite();
const DAY_MS = 86_400_000;

let form: any;
let page: Page;
beforeEach(async () => {
  form = await home.form({ properties: [{ id: TEXT_FIELD_ID, type: 'text', name: 'How is our shop?' }] });
  page = await browser.page(COUNTED);
});

/** Opens the site, which records the events it hears. */
async function open(attributes: string, more = ''): Promise<void> {
  site.markup = `<script>
    window.heard = [];
    for (const name of ['shown', 'submit', 'close'])
      document.addEventListener('formstead:' + name, () => heard.push(name));
  </script>
  <button id="buy" onclick="this.textContent = 'Bought'">Buy</button><input aria-label="Find" onkeydown="event.stopPropagation()">
  <div id="here" data-formstead="${form.share_url}" data-title="Your opinion" ${attributes}></div>
  <script src="${home.service.url}/embed.js"></script>${more}`;
  await page.goto(site.url);
}

const TALL = '<div style="height:4000px"></div>';
const dialog = () => page.getByRole('dialog', { name: 'Your opinion' });
const field = () => page.frameLocator('.formstead-frame').getByLabel('How is our shop?');
const heard = (): Promise<string[]> => page.evaluate('heard');
const hears = (name: string) => until(async () => (await heard()).includes(name));
const scroll = () => page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
const leave = (clientY: number) =>
  page.evaluate(
    (clientY) => document.body.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, clientY })),
    clientY,
  );

/** Waits for a later timer: a cue of zero seconds would have run before it. */
async function expectClosed(): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(await page.locator('.formstead-frame').getAttribute('src')).toBeNull();
  expect(await dialog().count()).toBe(0);
}

/** Makes everything the device remembers older by these days. */
async function letPass(days: number): Promise<void> {
  await page.evaluate((past) => {
    for (const [key, value] of Object.entries(localStorage)) {
      const aged = Object.entries(JSON.parse(value)).map(([name, time]) => [name, Number(time) - past]);
      localStorage.setItem(key, JSON.stringify(Object.fromEntries(aged)));
    }
  }, days * DAY_MS);
}

const remembered = () => page.evaluate(() => ({ ...localStorage }));

describe('in the corner', () => {
  test('it opens after a while, leaves the page alone, and is not back before a week', async () => {
    await open('data-open="0s"', '<script>document.querySelector("input").focus()</script>');
    await field().waitFor();
    await page.getByText('Your opinion').waitFor({ state: 'attached' });
    expect(await page.getByRole('status').textContent()).toBe('Your opinion');
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Find');
    await page.getByRole('button', { name: 'Buy' }).click();
    await page.getByRole('button', { name: 'Bought' }).waitFor();
    const box = (await dialog().boundingBox())!;
    expect([box.x + box.width, box.y + box.height]).toEqual([1280 - 16, 720 - 16]);
    await field().press('Escape');
    await hears('close');
    expect(await heard()).toEqual(['shown', 'close']);
    await page.reload();
    await expectClosed();
    await letPass(6.9);
    await page.reload();
    await expectClosed();
    await letPass(0.2);
    await page.reload();
    await field().waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await dialog().waitFor({ state: 'hidden' });
  });

  test('once it was sent, it stays away', async () => {
    await open('data-open="0s"');
    await field().fill('Fine');
    await field().press('Enter');
    await hears('submit');
    await dialog().waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await letPass(1_000);
    await page.reload();
    await expectClosed();
    expect((await home.records(form)).map(({ data }: any) => data[TEXT_FIELD_ID])).toEqual(['Fine']);
  });

  test('closing the thanks is no refusal', async () => {
    await open('data-open="0s" data-again="never" data-again-sent="30"');
    await field().fill('Fine');
    await field().press('Enter');
    await hears('submit');
    await page.getByRole('button', { name: 'Close' }).click();
    await hears('close');
    await letPass(29.9);
    await page.reload();
    await expectClosed();
    await letPass(0.2);
    await page.reload();
    await field().waitFor();
  });

  test('is not printed over what is', async () => {
    await open('data-open="0s"');
    await field().waitFor();
    await page.emulateMedia({ media: 'print' });
    await dialog().waitFor({ state: 'hidden' });
  });

  test('the site says after how many days it comes again', async () => {
    await open('data-open="0s" data-again="0" data-again-sent="90"');
    await field().press('Escape');
    await hears('close');
    await page.reload();
    await field().fill('Fine');
    await field().press('Enter');
    await hears('submit');
    await letPass(89.9);
    await page.reload();
    await expectClosed();
    await letPass(0.2);
    await page.reload();
    await field().waitFor();
  });

  test('days that are no number are taken for never', async () => {
    await open('data-open="0s" data-again="weekly"');
    await field().press('Escape');
    await hears('close');
    await letPass(1_000);
    await page.reload();
    await expectClosed();
  });

  test('a link opens it too, with the focus, which it gives back', async () => {
    await open('data-open="3600s" data-button="Tell us"');
    const opener = page.getByRole('button', { name: 'Tell us' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await field().waitFor();
    await page.keyboard.type('Fine');
    await until(
      async () => (await field().inputValue()) === '' && page.evaluate('document.activeElement.className'),
    );
    await page.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  test('fits a phone', async () => {
    await page.setViewportSize({ width: 320, height: 400 });
    await open('data-open="0s"');
    await field().waitFor();
    const box = (await dialog().boundingBox())!;
    expect([box.x, box.x + box.width, box.y + box.height]).toEqual([16, 304, 384]);
    expect(box.y).toBeGreaterThanOrEqual(16);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });
});

describe('the cue', () => {
  test('is how far the page was scrolled', async () => {
    await open('data-open="50%"', TALL);
    await page.evaluate(() => scrollTo(0, 0.4 * (document.documentElement.scrollHeight - innerHeight)));
    await expectClosed();
    await page.evaluate(() => scrollTo(0, 0.6 * (document.documentElement.scrollHeight - innerHeight)));
    await field().waitFor();
  });

  test('is a pointer that leaves over the upper edge', async () => {
    await open('data-open="leave"');
    await leave(300);
    await expectClosed();
    await leave(-1);
    await field().waitFor();
  });

  test('is the first of several, and what is none is passed over', async () => {
    await open('data-open="soon 3600s 10% leave"', TALL);
    await scroll();
    await field().waitFor();
  });

  test('waits for who is typing', async () => {
    await open('data-open="10%"', TALL);
    const typed = Date.now();
    await page.getByLabel('Find').pressSequentially('tea');
    await scroll();
    const source = await page.locator('.formstead-frame').getAttribute('src');
    // The form opens three seconds after the last key at the earliest, however slow the machine is.
    if (Date.now() < typed + 2_500) expect(source).toBeNull();
    await field().waitFor();
    expect(Date.now()).toBeGreaterThanOrEqual(typed + 3_000);
  });

  test('waits while another dialog is open', async () => {
    await open('data-open="10%"', `${TALL}<dialog open id="other">Cookies?</dialog>`);
    await scroll();
    await expectClosed();
    await page.evaluate(() => document.querySelector<HTMLDialogElement>('#other')?.close());
    await field().waitFor();
  });

  test('finds somebody typing only when the form is there', async () => {
    let goOn = () => {};
    const isHeld = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(`${form.share_url}*`, async (route) => {
      await isHeld;
      await route.continue();
    });
    await open('data-mode="popup" data-open="10%"', TALL);
    await scroll();
    await page.locator('.formstead-frame[src]').waitFor({ state: 'attached' });
    await page.evaluate(() => {
      document.addEventListener('formstead:ready', () => {
        document.title = 'ready';
      });
    });
    const find = page.getByLabel('Find');
    await find.pressSequentially('tea');
    goOn();
    const press = setInterval(() => void find.press('x'), 500);
    try {
      await until(async () => (await page.title()) === 'ready');
      await page.waitForTimeout(200);
      expect(await dialog().count()).toBe(0);
    } finally {
      clearInterval(press);
    }
    await field().waitFor();
  });

  test('comes from the site', async () => {
    await open('data-mode="corner"');
    const ask = () =>
      page.evaluate(() => document.querySelector('#here')?.dispatchEvent(new Event('formstead:open')));
    await ask();
    await field().waitFor();
    await field().press('Escape');
    await hears('close');
    // Asking opens it every time, like a link; and a form that never opens by itself leaves nothing to remember.
    await ask();
    await field().waitFor();
    expect(await remembered()).toEqual({});
  });
});

test('of two forms one opens when the other is closed', async () => {
  const other = await home.form({
    properties: [{ id: TEXT_FIELD_ID, type: 'text', name: 'How did you find us?' }],
  });
  await open(
    'data-open="0s"',
    `<div data-formstead="${other.share_url}" data-title="Another" data-open="0s"></div>`,
  );
  await page.getByRole('dialog').waitFor();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  expect(await heard()).toEqual(['shown']);
  const first = await page.getByRole('dialog').getAttribute('aria-label');
  await page.getByRole('button', { name: 'Close' }).click();
  await page
    .getByRole('dialog', { name: first === 'Another' ? 'Your opinion' : 'Another', exact: true })
    .waitFor();
});

test('Escape closes the form alone, not also the dialog of the site from which it was opened', async () => {
  await open('data-mode="popup" data-button="Tell us"', '<dialog id="cart"></dialog>');
  await page.evaluate(() => {
    const cart = document.querySelector<HTMLDialogElement>('#cart')!;
    cart.append(document.querySelector('#here')!);
    cart.showModal();
  });
  const opener = page.getByRole('button', { name: 'Tell us' });
  await opener.click();
  await field().waitFor();
  await page.getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Escape');
  await hears('close');
  await page.waitForTimeout(100);
  expect(await page.evaluate(() => document.querySelector<HTMLDialogElement>('#cart')?.open)).toBe(true);
  expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
});

test('a popup takes the focus, and gives it back', async () => {
  await open('data-mode="popup" data-open="0s"', '<script>document.querySelector("#buy").focus()</script>');
  await field().waitFor();
  expect(await page.evaluate(() => document.querySelector('dialog')?.matches(':modal'))).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await field().press('Escape');
  await dialog().waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('buy');
});

test.each([{ visibility: 'closed' }, { password: 'open sesame' }, { max_submissions_count: 1 }])(
  'a form that cannot be filled in bothers nobody: %o',
  async (change) => {
    await home.submit(form, { [TEXT_FIELD_ID]: 'First' });
    expect((await home.call('PUT', `/open/forms/${form.id}`, change)).status).toBe(200);
    await open('data-open="0s"');
    await page.frameLocator('.formstead-frame').locator('main').waitFor({ state: 'attached' });
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
    expect(await dialog().count()).toBe(0);
  },
);

test('a part of the visitors is asked, always the same', async () => {
  await open('data-open="0s" data-visitors="0%"');
  await expectClosed();
  const [draw] = Object.values(await remembered()).map((value) => JSON.parse(value as string).draw);
  expect(draw).toBeGreaterThanOrEqual(0);
  await open(`data-open="0s" data-visitors="${Math.floor(draw)}"`);
  await expectClosed();
  await open(`data-open="0s" data-visitors="${Math.floor(draw) + 1}%"`);
  await field().waitFor();
});

test('where nothing can be kept it opens all the same', async () => {
  await page.addInitScript(() => {
    if (window === top)
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new Error('no storage');
        },
      });
  });
  await open('data-open="0s"');
  await field().press('Escape');
  await hears('close');
  await page.reload();
  await field().waitFor();
});

test('the script alone is enough, also in the head', async () => {
  site.markup = '';
  const script = `<script src="${home.service.url}/embed.js" data-form="${form.slug}" data-title="Your opinion" data-open="0s"></script>`;
  await page.route(`${site.url}/`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><head><title>Shop</title>${script}</head><body><p>Our shop</p>`,
    }),
  );
  await page.goto(site.url);
  await field().waitFor();
  await dialog().waitFor();
});
