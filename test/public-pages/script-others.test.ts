import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PNG } from '../files/upload.ts';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';

const home = useHome({ env: { HCAPTCHA_SITE_KEY: 'site', HCAPTCHA_SECRET_KEY: 'secret' } });
const browser = useBrowser();

const NAME = { id: 'name', type: 'text', name: 'Name' };
const address = (form: { slug: string }) => `${home.service.url}/forms/${form.slug}`;

test('a code is read with the camera where the browser can', async () => {
  const form = await home.form({
    properties: [{ id: 'code', type: 'barcode', name: 'Code', decoders: ['qr_reader'] }],
  });
  const page = await browser.page();
  await page.addInitScript(() => {
    // A fake camera that shows a canvas, and a fake detector that finds a code in it.
    const canvas = document.createElement('canvas');
    canvas.getContext('2d');
    const media = { getUserMedia: async () => canvas.captureStream(5) };
    Object.defineProperty(navigator, 'mediaDevices', { value: media });
    class Detector {
      formats: string[];
      constructor({ formats }: { formats: string[] }) {
        this.formats = formats;
      }
      async detect() {
        return [{ rawValue: `seen as ${this.formats}` }];
      }
    }
    Object.assign(window, { BarcodeDetector: Detector });
    HTMLVideoElement.prototype.play = async () => {};
  });
  await page.goto(address(form));
  await page.getByRole('button', { name: 'Scan' }).click();
  await page.getByText('Scanned: seen as qr_code').waitFor();
  await expect.poll(() => page.getByLabel('Code', { exact: true }).inputValue()).toBe('seen as qr_code');
  await expect.poll(() => page.locator('video').isVisible()).toBe(false);
});

test('a camera that comes too late is turned off, and what it saw then is no answer', async () => {
  const form = await home.form({
    properties: [
      { id: 'code', type: 'barcode', name: 'Code' },
      { id: 'pb', type: 'nf-page-break', name: 'p' },
      NAME,
    ],
  });
  const page = await browser.page();
  await page.addInitScript(() => {
    const canvas = document.createElement('canvas');
    canvas.getContext('2d');
    const cameras: MediaStream[] = [];
    const permits: (() => void)[] = [];
    const sights: (() => void)[] = [];
    const media = {
      getUserMedia: async () => {
        await new Promise<void>((resolve) => permits.push(resolve));
        const camera = canvas.captureStream(5);
        cameras.push(camera);
        return camera;
      },
    };
    Object.defineProperty(navigator, 'mediaDevices', { value: media });
    class Detector {
      async detect() {
        await new Promise<void>((resolve) => sights.push(resolve));
        return [{ rawValue: 'seen' }];
      }
    }
    const live = () => cameras.filter((camera) => camera.getTracks()[0]?.readyState === 'live').length;
    Object.assign(window, { BarcodeDetector: Detector, permits, sights, live, cameras });
    HTMLVideoElement.prototype.play = async () => {};
  });
  await page.goto(address(form));
  const [scan, next] = [page.getByRole('button', { name: 'Scan' }), page.locator('.nav .primary')];
  const live = () => page.evaluate('[cameras.length, live()]');
  const permit = () => page.evaluate('permits.shift()()');

  // Pressed twice, only one camera stays on.
  await scan.click();
  await scan.click();
  await permit();
  await permit();
  await expect.poll(live).toEqual([2, 1]);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(live).toEqual([2, 0]);
  // The detector finishes a frame from before the stop.
  await page.evaluate('sights.shift()()');
  expect(await page.getByLabel('Code', { exact: true }).inputValue()).toBe('');

  // Permission comes after the step was left.
  await scan.click();
  await next.click();
  await page.getByLabel('Name').waitFor();
  await permit();
  await expect.poll(live).toEqual([3, 0]);
  expect(await page.getByLabel('Code', { exact: true }).inputValue()).toBe('');
});

test('without a detector a code is typed', async () => {
  const form = await home.form({ properties: [{ id: 'code', type: 'barcode', name: 'Code' }] });
  const page = await browser.page();
  await page.addInitScript(() => Object.assign(window, { BarcodeDetector: undefined }));
  const loaded = page.waitForResponse(/barcode-/);
  await page.goto(address(form));
  await loaded;
  await page.getByLabel('Code').fill('4006381333931');
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
});

describe('a location', () => {
  const PLACE = { id: 'place', type: 'location', name: 'Place', required: true };
  const opened = async (permissions: string[]) => {
    const form = await home.form({ properties: [PLACE] });
    const context = await browser.context({
      permissions,
      geolocation: { latitude: -33.8567844, longitude: 151.2152967, accuracy: 7.4 },
    });
    const page = await context.newPage();
    await page.goto(address(form));
    return { form, page, find: page.getByRole('button', { name: 'Use my location' }) };
  };
  const send = async (page: Page) => {
    await page.locator('.nav .primary').click();
    await page.locator('.thank-you').waitFor();
  };

  test('is where the device is', async () => {
    const { form, page, find } = await opened(['geolocation']);
    await find.click();
    await page.getByText('Found, accurate to 8 m.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Place' }).inputValue()).toBe(
      '-33.856784, 151.215297 ±8 m',
    );
    await send(page);
    expect((await home.records(form))[0].data).toMatchObject({ place: '-33.856784, 151.215297 ±8 m' });
  });

  test('gets better while nobody types', async () => {
    const { page, find } = await opened(['geolocation']);
    const at = (latitude: number, accuracy: number) =>
      page.context().setGeolocation({ latitude, longitude: 2, accuracy });
    await at(1, 500);
    await find.click();
    await page.getByText('accurate to 500 m').waitFor();
    await at(1.5, 900);
    await at(1.25, 40);
    await page.getByText('accurate to 40 m').waitFor();
    expect(await page.getByRole('textbox', { name: 'Place' }).inputValue()).toBe('1.25, 2 ±40 m');
    await page.getByRole('textbox', { name: 'Place' }).fill('3, 4');
    await expect.poll(() => find.getAttribute('aria-disabled')).toBe(null);
    expect(await page.getByText('accurate to').count()).toBe(0);
    await at(1.26, 5);
    expect(await page.getByRole('textbox', { name: 'Place' }).inputValue()).toBe('3, 4');
  });

  test('is looked for once more after it was not to be found', async () => {
    const { page, find } = await opened(['geolocation']);
    await page.context().setGeolocation(null);
    await find.click();
    await page.getByText('Your location could not be found. Please type it.').waitFor();
    expect(await find.getAttribute('aria-disabled')).toBe(null);
    await page.context().setGeolocation({ latitude: 1, longitude: 2, accuracy: 5 });
    await find.click();
    await page.getByText('accurate to 5 m').waitFor();
    expect(await page.getByRole('textbox', { name: 'Place' }).inputValue()).toBe('1, 2 ±5 m');
  });

  test('is typed where the device does not tell it', async () => {
    const { form, page, find } = await opened([]);
    await find.click();
    await page.getByText('Your location could not be found. Please type it.').waitFor();
    await page.getByRole('textbox', { name: 'Place' }).fill('Sydney');
    await page.locator('.nav .primary').click();
    await page.locator('#summary').getByRole('link', { name: '“Place” is not a valid location.' }).waitFor();
    await page.getByRole('textbox', { name: 'Place' }).fill('33.86° S, 151.21° E');
    await send(page);
    expect((await home.records(form))[0].data).toMatchObject({ place: '-33.86, 151.21' });
  });
});

test('the end of a form is told in the zone of the visitor', async () => {
  const form = await home.form({ properties: [NAME], closes_at: '2099-12-31T23:30:00Z' });
  const page = await browser.page({ timezoneId: 'Asia/Tokyo' });
  await page.goto(address(form));
  await expect.poll(() => page.locator('time[data-closes]').textContent()).toContain('January 1, 2100');
});

test('the captcha of a provider is loaded under the policy of the page, and its answer sent', async () => {
  const form = await home.form({ properties: [NAME], use_captcha: true, captcha_provider: 'hcaptcha' });
  const page = await browser.page();
  await page.route('https://js.hcaptcha.com/**', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `window.hcaptcha = {
        render(element, { sitekey }) {
          const area = document.createElement('textarea');
          area.name = 'h-captcha-response';
          area.value = 'token of ' + sitekey;
          element.append(area);
        },
        reset() { document.documentElement.dataset.reset = ''; },
      };`,
    }),
  );
  const bodies: string[] = [];
  await page.route(`${home.service.url}/forms/${form.uuid}?*`, (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    bodies.push(route.request().postData() ?? '');
    return route.fulfill({ status: 422, json: { message: 'No.', errors: { captcha: ['No.'] } } });
  });
  await page.goto(address(form));
  await page.locator('[name=h-captcha-response]').waitFor();
  await page.locator('.nav .primary').click();
  await page.locator('#summary').getByText('No.').waitFor();
  expect(new URLSearchParams(bodies[0]).get('h-captcha-response')).toBe('token of site');
  await page.locator('html[data-reset]').waitFor();
});

const PDF = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') });
/** Once the part of the script for files has loaded, files are uploaded as soon as they are chosen. */
const opensFiles = async (page: Page, form: { slug: string }) => {
  await page.goto(address(form));
  await page.locator('ul.uploaded').last().waitFor({ state: 'attached' });
};
const CV = { id: 'cv', type: 'files', name: 'CV', allowed_file_types: 'pdf' };

test('a form is not sent without a file that could not be uploaded', async () => {
  const form = await home.form({ properties: [CV, NAME] });
  const page = await browser.page();
  await opensFiles(page, form);
  const [input, submit] = [page.locator('[type=file]'), page.locator('.nav .primary')];
  await input.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
  await page.locator('[data-failed]').waitFor();
  // The error stays while another field is answered.
  await page.getByLabel('Name').fill('Ada');
  await input.focus();
  await submit.click();
  await page.locator('#summary').getByRole('link', { name: 'This type of file is not allowed.' }).waitFor();

  // The upload fails while the form waits for it.
  const release = Promise.withResolvers<void>();
  await page.route('**/files?*', async (route) => {
    await release.promise;
    await route.abort();
  });
  await input.setInputFiles(PDF('a.pdf'));
  await submit.click();
  await page.getByText('Please wait until all files are uploaded.').waitFor();
  release.resolve();
  await page.locator('#summary li').waitFor();
  expect(await home.records(form)).toHaveLength(0);

  await page.getByRole('button', { name: 'Remove a.pdf' }).click();
  await submit.click();
  await page.locator('.thank-you').waitFor();
});

test('a required file that is still on its way is waited for', async () => {
  const form = await home.form({ properties: [{ ...CV, required: true }] });
  const page = await browser.page();
  await opensFiles(page, form);
  const release = Promise.withResolvers<void>();
  await page.route('**/files?*', async (route) => {
    await release.promise;
    await route.continue();
  });
  await page.locator('[type=file]').setInputFiles(PDF('a.pdf'));
  await page.locator('.uploaded progress').waitFor();
  await page.locator('.nav .primary').click();
  await page.getByText('Please wait until all files are uploaded.').waitFor();
  release.resolve();
  await page.locator('.thank-you').waitFor();
  const [{ data }] = await home.records(form);
  expect(JSON.stringify(data.cv)).toContain('a_');
});

test('a file is replaced when the new one has arrived', async () => {
  const form = await home.form({ properties: [CV, { id: 'sign', type: 'signature', name: 'Signature' }] });
  const page = await browser.page();
  await opensFiles(page, form);
  await expect.poll(() => page.locator('ul.uploaded').count()).toBe(2);
  await page.locator('[type=file]').first().setInputFiles(PDF('a.pdf'));
  const kept = page.locator('.uploaded input[name=cv]');
  await expect.poll(() => kept.count()).toBe(1);
  const pad = (await page.getByRole('img', { name: 'Sign here' }).boundingBox())!;
  await page.mouse.click(pad.x + 20, pad.y + 20);
  const drawing = page.locator('input[type=hidden][name=sign]');
  await expect.poll(() => drawing.first().inputValue()).toMatch(/^data:/);

  await page.route('**/files?*', (route) => route.abort());
  await page.locator('[type=file]').first().setInputFiles(PDF('b.pdf'));
  await page
    .locator('[type=file]')
    .last()
    .setInputFiles({ name: 'c.png', mimeType: 'image/png', buffer: PNG });
  await expect.poll(() => page.locator('[data-failed]').count()).toBe(2);
  await expect.poll(() => kept.count()).toBe(1);
  await expect.poll(() => drawing.first().inputValue()).toMatch(/^data:/);
  await expect.poll(() => page.getByText('Uploading…').count()).toBe(0);

  await page.unroute('**/files?*');
  await page.locator('[type=file]').first().setInputFiles(PDF('b.pdf'));
  await page
    .locator('[type=file]')
    .last()
    .setInputFiles({ name: 'c.png', mimeType: 'image/png', buffer: PNG });
  await expect
    .poll(() => page.locator('.uploaded').allInnerTexts())
    .toEqual([expect.stringMatching(/^b\.pdf/), expect.stringMatching(/^c\.png/)]);
  await expect.poll(() => page.locator('input[name=sign][value^=data]').count()).toBe(0);
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  const [{ data }] = await home.records(form);
  expect(JSON.stringify(data)).toMatch(/b_.*c_/);
});

test.each([
  ['radios', { without_dropdown: true }, 'check'],
  ['a short list', {}, 'selectOption'],
])('of an option and one of one’s own the later counts, in %s', async (_, how, choose) => {
  const form = await home.form({
    properties: [
      {
        id: 'c',
        type: 'select',
        name: 'C',
        allow_creation: true,
        ...how,
        select: { options: [{ name: 'A' }, { name: 'B' }] },
      },
    ],
  });
  const page = await browser.page();
  await page.goto(address(form));
  const own = page.locator('[data-other]');
  const chooseB = async () => {
    if (choose === 'check') return page.getByLabel('B').check();
    const list = page.getByLabel('C', { exact: true });
    await list.focus();
    await list.selectOption('B');
  };
  await own.fill('Mine');
  await chooseB();
  await expect.poll(() => own.inputValue()).toBe('');
  await own.fill('Mine again');
  await expect.poll(() => page.locator('[value=B]:checked').count()).toBe(0);
  await chooseB();
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  expect((await home.records(form))[0].data.c).toBe('B');
});

test('a wrong answer to the question of the captcha is told at it', async () => {
  const form = await home.form({ properties: [NAME], use_captcha: true });
  const page = await browser.page();
  await page.goto(address(form));
  // The proof of work cannot be loaded.
  await page.route('**/captcha', (route) => route.abort());
  await page.getByLabel('Name').fill('Ada');
  await page.locator('#captcha').fill('-1');
  await page.locator('.nav .primary').click();
  const link = page.locator('#summary').getByRole('link');
  await link.click();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('captcha');
  await expect.poll(() => page.locator('#captcha').getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => page.locator('#captcha-error').textContent()).toBe(await link.textContent());
});

test('a drawn signature is not kept, but asked for again', async () => {
  const form = await home.form({
    properties: [
      { id: 'name', type: 'text', name: 'Name' },
      { id: 'sign', type: 'signature', name: 'Signature' },
    ],
  });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(address(form));
  const kept = async () => JSON.stringify(await context.storageState());
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  const pad = (await page.getByRole('img', { name: 'Sign here' }).boundingBox())!;
  await page.mouse.click(pad.x + 20, pad.y + 20);
  await expect.poll(() => kept()).toContain('"sign\\"');
  expect(await kept()).not.toContain('base64');
  await page.goto(address(form));
  await page.locator('.restored').getByText('Signature: Sign here').waitFor();
  await expect.poll(() => page.getByLabel('Your name as signature').inputValue()).toBe('');
});
