import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';

/** Bytes as they travel, compressed. */
const MAX_PAGE_AND_SCRIPT = 15_000;
const MAX_SCRIPT = 9_500;

const home = useHome();
const browser = useBrowser();

/** Ids as clients make them; similar ids would compress better. */
const ids = Array.from({ length: 11 }, () => randomUUID());
const aField = (digits: string, type: string, name: string, options: Record<string, unknown> = {}) => ({
  id: ids[Number(digits)],
  type,
  name,
  ...options,
});
const COLORS = ['Red', 'Green', 'Blue', 'Yellow'].map((name) => ({ name, id: name }));
const TEN_FIELDS = [
  aField('01', 'text', 'Your name', { required: true, placeholder: 'Ada Lovelace' }),
  aField('02', 'email', 'E-mail', { required: true, help: 'We never share it.' }),
  aField('03', 'select', 'Color', { select: { options: COLORS } }),
  aField('04', 'text', 'Which shade?', {
    hidden: true,
    required: true,
    logic: {
      conditions: {
        operatorIdentifier: 'and',
        children: [
          {
            identifier: aField('03', '', '').id,
            value: {
              operator: 'equals',
              property_meta: { id: aField('03', '', '').id, type: 'select' },
              value: 'Red',
            },
          },
        ],
      },
      actions: ['show-block'],
    },
  }),
  aField('05', 'date', 'Day of your visit', { disable_future_dates: true }),
  aField('06', 'number', 'How many people?'),
  aField('07', 'multi_select', 'What did you see?', {
    multi_select: { options: ['Garden', 'Tower', 'Museum'].map((name) => ({ name, id: name })) },
  }),
  aField('08', 'rating', 'How was it?'),
  aField('09', 'text', 'Tell us more', { multi_lines: true }),
  aField('10', 'checkbox', 'I agree to the terms', { required: true }),
];

/** An answer as a browser requests it: its bytes on the way, and its text. */
function fetchCompressed(address: string, accept: string): Promise<{ bytes: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { accept, 'accept-encoding': 'gzip, deflate, br' };
    const call = request(address, { headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const unpack = answer.headers['content-encoding'] === 'br' ? brotliDecompressSync : gunzipSync;
        resolve({ bytes: bytes.length, text: unpack(bytes).toString() });
      });
    });
    call.on('error', reject).end();
  });
}

test('a form of ten fields is light, with everything it needs', async () => {
  const form = await home.form({ properties: TEN_FIELDS });
  const page = await fetchCompressed(`${home.service.url}/forms/${form.slug}`, 'text/html');
  const [, path] = /<script type="module"[^>]* src="([^"]+)"/.exec(page.text) ?? [];
  const script = await fetchCompressed(`${home.service.url}${path}`, '*/*');
  expect(script.text, 'imports nothing at once').not.toMatch(/^import[{"']/);
  const sizes = { page: page.bytes, script: script.bytes, whole: page.bytes + script.bytes };

  expect(sizes.script).toBeLessThanOrEqual(MAX_SCRIPT);
  expect(sizes.whole).toBeLessThanOrEqual(MAX_PAGE_AND_SCRIPT);
});

test('nothing else is loaded, and no other host is asked', async () => {
  const form = await home.form({ properties: TEN_FIELDS });
  const page = await browser.page();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await page.waitForLoadState('networkidle');
  const own = asked.filter((address) => !address.startsWith('data:'));
  expect(own.map((address) => new URL(address).origin)).toEqual([home.service.url, home.service.url]);
});
