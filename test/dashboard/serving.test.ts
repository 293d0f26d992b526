import fs, { readdirSync, readFileSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { expectRefused, useHome } from '../setup/home.ts';

/** Compressed bytes of script that a browser loads before the first screen appears. */
const FIRST_LOAD_BYTES = 150_000;
const FOLDER = new URL('../../dist/dashboard/', import.meta.url);

const home = useHome();
const asBrowser = { accept: 'text/html,application/xhtml+xml' };

function open(path: string) {
  return home.service.request('GET', path, { headers: asBrowser });
}

test.each([
  '/',
  '/sign-in',
  '/register',
  '/workspaces',
  '/workspaces/1/forms',
  '/account',
  '/account/tokens',
])('a browser gets the application at %s, a program does not', async (path) => {
  const { status, text, headers } = await open(path);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).toContain('<div id="app">');
  const asProgram = await home.service.request('GET', path, { headers: { accept: 'application/json' } });
  if (path === '/') expect([asProgram.status, asProgram.headers.get('location')]).toEqual([302, '/api']);
  else expect([asProgram.status, asProgram.body]).toEqual([404, { message: 'This address does not exist.' }]);
});

test.each([
  ['/login', '/sign-in', 405],
  ['/login?next=//example.com', '/sign-in', 405],
  ['/signin', '/sign-in', 404],
  ['/signup', '/register', 404],
  ['/sign-up', '/register', 404],
  ['/dashboard', '/', 404],
  ['/admin', '/', 404],
])('a browser that opens %s is led to %s, a program is not', async (path, screen, status) => {
  const { status: led, headers } = await open(path);
  expect([led, headers.get('location'), headers.get('vary')]).toEqual([302, screen, 'accept']);
  expectRefused(await home.service.request('GET', path), status);
  expect((await home.service.request('PUT', path, { headers: asBrowser, body: {} })).status).toBe(status);
});

test.each(['/nowhere', '/open/nowhere', '/settings/nowhere', '/sign-in/nowhere'])(
  '%s is a screen to nobody',
  async (path) => {
    const { status, headers } = await open(path);
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  },
);

test('nothing runs in the page but its own files; the nonce is for styles, and another each time', async () => {
  const [first, second] = [await open('/'), await open('/')];
  const policy = first.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(policy).toMatch(/style-src 'self' 'nonce-[\w+/=]{24}'/);
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toBe(second.headers.get('content-security-policy'));
  const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
  expect(first.text).toContain(`nonce="${nonce}"`);
  expect(first.text).not.toMatch(/__NONCE__|<script(?![^>]*src=)|\sstyle=|\son\w+=/);
});

test('files are kept for ever, and come compressed', async () => {
  const { text } = await open('/');
  const paths = [...text.matchAll(/(?:src|href)="(\/assets\/dashboard\/[^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  expect(paths.length).toBeGreaterThan(1);
  for (const path of paths) {
    const get = (encoding: string) =>
      fetch(home.service.url + path, { headers: { 'accept-encoding': encoding } });
    const plain = await get('identity');
    expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.get('vary')).toBe('accept-encoding');
    const content = await plain.text();
    for (const encoding of ['gzip', 'br']) {
      const packed = await get(encoding);
      expect(packed.headers.get('content-encoding')).toBe(encoding);
      // fetch decompresses by itself.
      expect(await packed.text()).toBe(content);
    }
  }
});

test('what was built when the service started is there until it stops, whatever a later build leaves of it', async () => {
  const names = readdirSync(FOLDER).filter((name) => /\.(js|css|svg)$/.test(name));
  expect(names.length).toBeGreaterThan(50);
  const read = fs.readFileSync;
  onTestFinished(() => {
    fs.readFileSync = read;
    syncBuiltinESMExports();
  });
  fs.readFileSync = ((...parameters: Parameters<typeof read>) => {
    if (String(parameters[0]).includes('dist/dashboard'))
      throw Object.assign(new Error(), { code: 'ENOENT' });
    return read(...parameters);
  }) as typeof read;
  syncBuiltinESMExports();
  for (const name of names)
    expect([name, (await home.service.request('GET', `/assets/dashboard/${name}`)).status]).toEqual([
      name,
      200,
    ]);
});

test('no file outside of the folder, and none of the map of the build', async () => {
  for (const file of ['manifest.json', 'index.html', 'sources.sha256', '..%2fpackage.json', 'nothing.js'])
    expect([file, (await home.service.request('GET', `/assets/dashboard/${file}`)).status]).toEqual([
      file,
      404,
    ]);
});

test('the first load stays small', async () => {
  const { text } = await open('/');
  const scripts = [...text.matchAll(/"\/assets\/dashboard\/([^"]+\.js)"/g)].map(([, file = '']) => file);
  expect(scripts.length).toBeGreaterThan(0);
  const sizes = scripts.map((file) => statSync(new URL(`${file}.br`, FOLDER)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_LOAD_BYTES);
});

test('every compressed file is what it stands for', () => {
  const texts = readdirSync(FOLDER).filter((name) => /\.(js|css|svg)$/.test(name));
  expect(texts.length).toBeGreaterThan(5);
  for (const name of texts) {
    const plain = readFileSync(new URL(name, FOLDER));
    expect(brotliDecompressSync(readFileSync(new URL(`${name}.br`, FOLDER))).equals(plain), name).toBe(true);
    expect(gunzipSync(readFileSync(new URL(`${name}.gz`, FOLDER))).equals(plain), name).toBe(true);
  }
});
