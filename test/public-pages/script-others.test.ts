import { expect, test } from 'vitest';
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
    // A camera that sees a canvas, and a detector that sees a code in it.
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
  expect(await page.getByLabel('Code', { exact: true }).inputValue()).toBe('seen as qr_code');
  expect(await page.locator('video').isVisible()).toBe(false);
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
  await page.route(`${address(form)}?*`, (route) => {
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
