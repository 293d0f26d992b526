import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS } from '../../server/http/response/dashboard-files.ts';
import { startService, type TestService } from '../setup/service.ts';
import { prepareCall, send, useWorld } from '../spec/authorization-callers.ts';
import { nameOf, ROUTES, type RouteRow } from '../spec/authorization-routes.ts';

/** The public addresses of a form, and the script for other sites: pages of other sites may read what they answer. */
const CROSS_ORIGIN = /^\/forms\/:form(\/(answer|captcha|files|uploads(\/:upload)?))?$|^\/embed\.js$/;
/** Pages and files bring a policy of their own; the public form may stand in a frame, for that is what it is for. */
const OWN_POLICY = new Set([
  'GET /api',
  'GET /receipts',
  'POST /receipts',
  'GET /worker.js',
  'GET /pictures/:picture',
  ...SCREENS.map((path) => `GET ${path}`),
]);
const isFormPage = ({ path }: RouteRow) => path.startsWith('/forms/');
/** Answers that are the same for everybody may be cached. */
const MAY_BE_KEPT = /^\/(assets\/|pictures\/|openapi\.json$|api$|embed\.js$)/;

const world = useWorld();
let secure: TestService;
beforeAll(async () => {
  const { database, dataDir } = world.service;
  secure = await startService({
    database,
    dataDir,
    env: { ROLES: 'http', BASE_URL: 'https://forms.example.org' },
  });
});
afterAll(() => secure?.stop());

function expectCareful(headers: Headers, row: RouteRow, label: string): void {
  const policy = headers.get('content-security-policy') ?? '';
  expect(headers.get('x-content-type-options'), label).toBe('nosniff');
  expect(headers.get('referrer-policy'), label).toMatch(
    /^(no-referrer|same-origin|strict-origin-when-cross-origin)$/,
  );
  if (!isFormPage(row)) expect(policy, label).toContain("frame-ancestors 'none'");
  expect(policy, label).toMatch(/default-src 'none'|sandbox/);
  expect(policy, label).not.toMatch(/unsafe-eval|script-src[^;]*('unsafe-inline'|\*)/);
  if (!OWN_POLICY.has(nameOf(row)) && !isFormPage(row) && !row.path.includes('/file/'))
    expect(policy, label).toBe("default-src 'none'; frame-ancestors 'none'");
  if (!MAY_BE_KEPT.test(row.path)) expect(headers.get('cache-control'), label).toContain('no-store');
  for (const name of ['server', 'x-powered-by', 'access-control-allow-credentials'])
    expect(headers.has(name), `${label}: ${name}`).toBe(false);
  const origin = headers.get('access-control-allow-origin');
  expect([null, '*'], label).toContain(origin);
  if (!CROSS_ORIGIN.test(row.path)) expect(origin, label).toBeNull();
}

describe.each(ROUTES)('$method $path', (row) => {
  test('is answered with careful headers, to whoever is let in or not, over HTTPS and without', async () => {
    const { admin } = world.people;
    const origin = { origin: 'https://somewhere.example' };
    for (const service of [world.service, secure]) {
      const place = row.method === 'GET' ? world.home : await world.newPlace();
      const call = await prepareCall(world, row, place, admin);
      const missing = { ...call, path: call.path.replace(/[^/]+$/, 'nothing-of-this-name') };
      const answers = [
        await send({ service }, call, {}, origin),
        await send({ service }, missing, { token: admin.token }, origin),
        await send({ service }, call, { token: admin.token }, origin),
        await send({ service }, call, {}, { ...origin, accept: 'text/html' }),
      ];
      for (const { status, headers } of answers) {
        const label = `${nameOf(row)} answered ${status}`;
        expectCareful(headers, row, label);
        const https = headers.get('strict-transport-security');
        if (service === secure) expect(https, label).toMatch(/^max-age=\d{8,}/);
        else expect(https, label).toBeNull();
      }
    }
  });
});

test.each([
  ['GET', '/nowhere', 404],
  ['GET', '/%ff', 400],
  ['GET', `/open/forms/${'a'.repeat(300)}`, 404],
  ['PATCH', '/user', 405],
])('%s %s, which is no route, too', async (method, path, status) => {
  for (const service of [world.service, secure]) {
    const answer = await service.request(method, path);
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  }
});

describe('pages', () => {
  const open = async (path: string, service = secure) => {
    const { headers, text, status } = await service.request('GET', path, {
      headers: { accept: 'text/html' },
    });
    expect(headers.get('content-type'), path).toMatch(/^text\/html/);
    expect(headers.get('cache-control'), path).toBe('no-store');
    expect(headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(headers.get('referrer-policy'), path).toBeTruthy();
    expect(headers.get('strict-transport-security'), path).toMatch(/^max-age=\d{8,}/);
    expect(headers.has('access-control-allow-credentials'), path).toBe(false);
    const policy = headers.get('content-security-policy') ?? '';
    const directives = new Map(
      policy.split(/;\s*/).map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
    );
    expect(directives.get('default-src'), path).toEqual(["'none'"]);
    expect(directives.get('base-uri'), path).toEqual(["'none'"]);
    return { status, text, directives };
  };
  /** Scripts that run; data blocks do not. */
  const scriptsOf = (text: string) =>
    [...text.matchAll(/<script\b[^>]*>/g)]
      .map(([tag]) => tag)
      .filter((tag) => !tag.includes('type="application/json"'));

  test('of forms may stand in any frame; a script runs by the nonce of its answer alone', async () => {
    const { slug, previewToken } = world.home;
    for (const [path, status, frames] of [
      [`/forms/${slug}`, 200, '*'],
      [`/forms/${slug}?visit=x&step=1`, 200, '*'],
      ['/forms/nothing-of-this-name', 404, '*'],
      [`/forms/preview/${previewToken}`, 200, "'self'"],
      [`/forms/preview/${previewToken}/thank-you`, 200, "'self'"],
      [`/forms/preview/${'x'.repeat(43)}`, 404, "'self'"],
    ] as const) {
      const [page, again] = [await open(path), await open(path)];
      expect([path, page.status]).toEqual([path, status]);
      expect([path, page.directives.get('frame-ancestors')]).toEqual([path, [frames]]);
      const [nonce = '', ...others] = page.directives.get('script-src') ?? [];
      expect(nonce, path).toMatch(/^'nonce-[\w+/=]{22,}'$/);
      expect(others, path).toEqual([]);
      expect(again.directives.get('script-src'), path).not.toEqual([nonce]);
      for (const tag of scriptsOf(page.text)) expect(tag, path).toContain(`nonce="${nonce.slice(7, -1)}"`);
    }
  });

  test.each(SCREENS.map((path) => path.replace(/:\w+/g, '1')))(
    'of the dashboard stand in no frame and run files of their own alone: %s',
    async (path) => {
      const { status, text, directives } = await open(path);
      expect([status, directives.get('frame-ancestors')]).toEqual([200, ["'none'"]]);
      expect(directives.get('script-src')).toEqual(["'self'"]);
      for (const tag of scriptsOf(text)) expect(tag).toMatch(/ src="\/assets\//);
    },
  );
});
