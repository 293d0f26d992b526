import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { RouteOptions } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { INPUT_TYPES } from '../../fields/type-names.ts';
import { aField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { expectDecent, type HostileRequest, pulse, registeredRoutes, sendHostile } from './hostile-client.ts';
import {
  BODIES,
  BROKEN_SEGMENTS,
  CONTENT_TYPES,
  HEADER_VALUES,
  SEGMENTS,
  TEXTS,
  VALUES,
} from './hostile-corpus.ts';

/** Any request to any route gets a decent answer and leaves stored data as it was. One test sends thousands of requests. */
const LONG_MS = 600_000;
const home = useHome({ env: { REGISTRATION: 'open' } });
let routes: RouteOptions[];
const undescribed = new Map<string, string>();
let described: Record<string, Record<string, { responses: object }>>;
let bystander: any;
/** Requests may change it. */
let target: any;
/** Requests may only submit to it. */
let asking: any;
let known: Record<string, string>;
let before: { answers: unknown; form: unknown; pulse: number };

beforeAll(async () => {
  routes = (await registeredRoutes(home.service.context)).filter(({ url }) => url !== '/');
  described = (await home.service.request('GET', '/openapi.json')).body.paths;
  bystander = await home.form();
  await home.submit(bystander, { [TEXT_FIELD_ID]: 'Ünïcode 😀\r\n"quoted"' });
  target = await home.form({ properties: everyField(), enable_partial_submissions: true });
  asking = await home.form({ properties: everyField(), enable_partial_submissions: true });
  const submitted = await home.submit(target, { [TEXT_FIELD_ID]: 'x' });
  const hook = {
    integration_id: 'webhook',
    status: 'inactive',
    data: { webhook_url: 'http://127.0.0.1:9/' },
  };
  const created = await home.call('POST', `/open/forms/${target.id}/integrations`, hook);
  known = {
    workspaceId: String(home.workspaceId),
    form: target.slug,
    submissionId: submitted.body.submission_id,
    integrationId: String(created.body.form_integration.id),
    userId: String(home.ada.id),
    inviteId: '1',
    tokenId: '999999',
    deliveryId: '1',
    jobId: 'export_1',
    option: 'slug',
    token: 'none',
  };
  const path = `/forms/${bystander.slug}`;
  await pulse(home.service, path);
  before = { ...(await state()), pulse: await pulse(home.service, path) };
});

async function state() {
  return {
    answers: await home.records(bystander),
    form: (await home.call('GET', `/open/forms/${bystander.id}`)).body.properties,
  };
}

/** Each route gets another part of the corpus; together they get all of it many times. */
describe('every route', () => {
  test('takes hostile path parameters', async () => {
    for (const [index, route] of routes.entries())
      for (const [at, name] of parametersOf(route).entries())
        for (const segment of part([...SEGMENTS, ...BROKEN_SEGMENTS], index + at, 3))
          await check(
            route,
            { path: pathOf(route, { [name]: segment }), body: bodyFor(route, {}) },
            { mayMissRoute: true },
          );
  });

  test('takes hostile query strings', { timeout: LONG_MS }, async () => {
    for (const [index, route] of routes.entries()) {
      const names = memberNames(route.schema, 'querystring');
      const path = harmlessPath(route);
      const texts = TEXTS.filter((text) => text.length < 10_000);
      const queries = [...names, 'unknown'].flatMap((name, at) => [
        ...part(texts, index + at, names.length > 0 ? 4 : 24).map((text) => `${name}=${encodeQuery(text)}`),
        ...[`${name}=1&${name}=2`, `${name}[]=1`, `${name}[a]=1`, `${name}=%ff`, `${name}=%`, name],
      ]);
      queries.push('__proto__=1', 'constructor[prototype][x]=1', '&&&=&=', '?', '%00', '%ff');
      // Routes without parameters treat a query alike, so each gets a third of them.
      for (const query of names.length > 0 ? queries : part(queries, index, 3))
        await check(route, { path: `${path}?${query}`, body: bodyFor(route, {}) });
    }
  });

  test('takes hostile headers', { timeout: LONG_MS }, async () => {
    for (const [index, route] of routes.entries())
      for (const [at, name] of HEADER_NAMES.entries())
        for (const value of part(HEADER_VALUES, index + at, 24))
          await check(route, {
            path: harmlessPath(route),
            headers: { [name]: value },
            body: bodyFor(route, {}),
          });
  });

  test('takes hostile content types', async () => {
    for (const [index, route] of bodyRoutes().entries())
      for (const [at, body] of ['{}', '', 'a=b', '--x\r\n\r\n\r\n--x--'].entries())
        for (const type of part(CONTENT_TYPES, index + at, 4))
          await check(route, { path: harmlessPath(route), headers: { 'content-type': type }, body });
  });

  test('takes hostile bodies', async () => {
    for (const [index, route] of bodyRoutes().entries())
      for (const body of part(BODIES, index, route.url.endsWith('/answer') ? 1 : 4))
        await check(route, { path: harmlessPath(route), body });
  });

  test('takes hostile members of bodies', { timeout: LONG_MS }, async () => {
    for (const [index, route] of bodyRoutes().entries()) {
      const names = memberNames(route.schema, 'body');
      for (const [at, name] of names.entries())
        for (const value of part(VALUES, index + at, isSlow(route) ? 24 : names.length > 20 ? 12 : 5))
          await check(route, { path: harmlessPath(route), body: bodyFor(route, { [name]: value }) });
    }
  });
});

test('openapi.json tells of every status that was seen', () => {
  expect(Object.fromEntries(undescribed)).toEqual({});
});

describe('the answer endpoint', () => {
  test('takes any value for any field', async () => {
    const path = `/forms/${asking.slug}/answer`;
    for (const { id } of everyField())
      for (const value of VALUES) {
        const answer = await send({ method: 'POST', path, body: `{${JSON.stringify(id)}:${value}}` });
        expectDecent(answer, `${id}: ${value.slice(0, 80)}`);
      }
  });

  test('takes any value for its own members', async () => {
    const path = `/forms/${asking.slug}/answer`;
    const members = ['completion_time', 'is_partial', 'submission_hash', 'submission_id', 'captcha'];
    for (const member of [...members, 'tracking_parameters'])
      for (const value of [...VALUES, ...VALUES.map((inner) => `{"utm_source":${inner}}`)]) {
        const answer = await send({ method: 'POST', path, body: `{"${member}":${value}}` });
        expectDecent(answer, `${member}: ${value.slice(0, 80)}`);
      }
  });

  test('refuses compressed and oversized bodies', async () => {
    const path = `/forms/${asking.slug}/answer`;
    const body = gzipSync(Buffer.alloc(50_000_000, ' '));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expectDecent(await send({ method: 'POST', path, headers, body }), 'gzip');
    const tooLarge = `{"a":"${'x'.repeat(1024 * 1024 - 7)}"}`;
    expect(Buffer.byteLength(tooLarge)).toBe(1024 * 1024 + 1);
    expect((await send({ method: 'POST', path, body: tooLarge })).status).toBe(413);
    const chunked = await send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      body: tooLarge,
    });
    expect(chunked.status).toBe(413);
    const largest = `{"a":"${'x'.repeat(1024 * 1024 - 8)}"}`;
    expect((await send({ method: 'POST', path, body: largest })).status).toBe(200);
  });

  test('never stores bytes other than those sent: what is no UTF-8 is refused', async () => {
    const [form, path] = [bystander, `/forms/${bystander.slug}/answer`];
    const stored = await home.records(form);
    for (const bytes of [
      [0xf0, 0x9f, 0x98],
      [0xff],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xe2, 0x82],
      [0xf4, 0x90, 0x80, 0x80],
    ]) {
      const body = Buffer.concat([
        Buffer.from(`{"${TEXT_FIELD_ID}":"a`),
        Buffer.from(bytes),
        Buffer.from('"}'),
      ]);
      const lengths = [{}, { 'transfer-encoding': 'chunked' }];
      for (const framing of lengths) {
        const answer = await send({
          method: 'POST',
          path,
          headers: { 'content-type': 'application/json', ...framing },
          body,
        });
        expect(answer.status, `${bytes}`).toBe(400);
        expectDecent(answer, `${bytes}`);
      }
    }
    expect(await home.records(form)).toEqual(stored);
  });

  test('never stores a number other than the one sent', async () => {
    const number = everyField().find(({ type }) => type === 'number')?.id;
    const oddity = everyField().find(({ type }) => type === 'oddity')?.id;
    const path = `/forms/${asking.slug}/answer`;
    const post = (json: string) =>
      send({ method: 'POST', path, body: `{"${oddity}":[${json}],"${number}":${json}}` });
    for (const lost of [
      '0.12345678901234567890',
      '1e-400',
      '-1e-400',
      '9007199254740993',
      '1e400',
      '123456789.123456789',
    ]) {
      const answer = await post(lost);
      expect(answer.status, lost).toBe(422);
      expect(Object.keys(JSON.parse(answer.text).errors).sort(), lost).toEqual([number, oddity].sort());
    }
    for (const kept of [
      '0.1',
      '0.10000000000000001',
      '2.2250738585072014e-308',
      '5e-324',
      '0.30000000000000004',
      '1.50000000000000000000',
      '0e-999',
      '9007199254740991',
      '100000000000000.5',
    ])
      expect((await post(kept)).status, kept).toBe(200);
    const text = await send({ method: 'POST', path, body: `\ufeff{"${oddity}":"0.12345678901234567890"}` });
    expect(text.status).toBe(200);
  });

  for (const seed of [20_261_120, 7, undefined])
    test(`takes generated nonsense (${seed === undefined ? 'new every time' : `seed ${seed}`})`, async () => {
      const path = `/forms/${asking.slug}/answer`;
      const ids = everyField().map(({ id }) => id);
      const keys = fc.oneof(
        fc.constantFrom(...ids, 'completion_time', 'tracking_parameters', 'is_partial'),
        fc.string({ unit: 'binary' }),
      );
      const leaf = fc.oneof(
        fc.constantFrom(...VALUES.filter((value) => value.length < 5_000)).map((text) => ({ text })),
        fc.jsonValue({ maxDepth: 4 }),
      );
      const bodies = fc.dictionary(keys, leaf, { maxKeys: 12 });
      await fc.assert(
        fc.asyncProperty(bodies, async (members) => {
          const body = `{${Object.entries(members)
            .map(([key, value]) => `${JSON.stringify(key)}:${jsonOf(value)}`)
            .join()}}`;
          expectDecent(await send({ method: 'POST', path, body }), body);
        }),
        { numRuns: seed === undefined ? 50 : 150, ...(seed !== undefined && { seed }) },
      );
    });
});

describe('the form editor', () => {
  test('takes generated fields, and what it accepts can be answered', async () => {
    const options = [
      'required',
      'hidden',
      'options',
      'select',
      'multi_select',
      'rows',
      'columns',
      'questions',
      'decoders',
      'amount',
      'currency',
      'logic',
      'validation',
      'input_mask',
      'max_char_limit',
      'rating_max_value',
      'scale_step_value',
      'prefill',
      'image',
      'help',
    ];
    const types = [
      ...new Set(everyField().map(({ type }) => type)),
      'nf-text',
      'nf-code',
      '__proto__',
      'constructor',
    ];
    const value = fc.oneof(
      fc.constantFrom(...VALUES.filter((text) => text.length < 3_000)),
      fc.jsonValue({ maxDepth: 3 }).map((json) => JSON.stringify(json)),
    );
    const field = fc.record({
      type: fc.constantFrom(...types),
      options: fc.dictionary(fc.constantFrom(...options), value, { maxKeys: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        field,
        fc.constantFrom('constructor', 'toString', 'x', 'hasOwnProperty'),
        value,
        async ({ type, options }, id, answer) => {
          const members = Object.entries(options)
            .map(([key, json]) => `,"${key}":${json}`)
            .join('');
          const body = `{"properties":[{"id":"${id}","name":"N","type":"${type}"${members}}]}`;
          const saved = await send({
            method: 'PUT',
            path: `/open/forms/${target.id}`,
            body,
            headers: owner(),
          });
          expectDecent(saved, body);
          const answered = await send({
            method: 'POST',
            path: `/forms/${target.slug}/answer`,
            body: `{"${id}":${answer}}`,
          });
          expectDecent(answered, `${body} answered with ${answer}`);
        },
      ),
      { numRuns: 250, seed: 42 },
    );
  });
});

test('a leap second is a wrong value, not one that the database has to refuse', async () => {
  const path = `/open/forms/${asking.id}/integrations`;
  const data = { webhook_url: 'http://127.0.0.1:9/' };
  const made = await home.call('POST', path, { integration_id: 'webhook', status: 'inactive', data });
  const replay = `${path}/${made.body.form_integration.id}/deliveries/replay`;
  const answer = await home.call('POST', replay, { since: '2016-12-31T23:59:60Z' });
  expect(answer.status).toBe(422);
  expect(answer.body.errors).toEqual({ since: ['The since is not a valid date.'] });
});

test('afterwards everything else is as it was, and as quick', async () => {
  const now = await state();
  expect(now).toEqual({ answers: before.answers, form: before.form });
  const path = `/forms/${bystander.slug}`;
  expect(await pulse(home.service, path)).toBeLessThan(before.pulse * 4 + 100);
  expect((await home.submit(bystander, { [TEXT_FIELD_ID]: 'still here' })).status).toBe(200);
});

function everyField() {
  const text = { id: TEXT_FIELD_ID, type: 'text', name: 'Text', hidden: false, required: false };
  // Some questions are needed to repeat them.
  const types = [...INPUT_TYPES.filter((type) => type !== 'text' && type !== 'repeat'), 'oddity'];
  const plain = types.map((type, index) => aField(String(10 + index), type, `Field ${type}`));
  return [
    text,
    ...plain,
    aField('90', 'matrix', 'Matrix', { rows: ['r1', 'constructor'], columns: ['c1', 'c2'] }),
    aField('91', 'date', 'Range', { date_range: true }),
    aField('92', 'select', 'Choice', { options: ['a', '__proto__'] }),
    aField('93', 'text', 'Masked', { input_mask: '(999) 9?9?a?' }),
    aField('94', 'ranking', 'Order', { options: ['a', '__proto__'] }),
    aField('95', 'repeat', 'Entries', {
      questions: [
        { id: 'constructor', type: 'text', name: 'Text' },
        { id: 'many', type: 'multi_select', name: 'Many', options: ['a', '__proto__'] },
      ],
    }),
  ];
}

function owner() {
  return { authorization: `Bearer ${home.ada.token}`, 'content-type': 'application/json' };
}

function send({ method, path, headers, body }: HostileRequest) {
  return sendHostile(home.service, {
    method,
    path,
    body,
    headers: headers ?? { 'content-type': 'application/json' },
  });
}

/** Headers of uploads in parts; other routes ignore them. */
const TUS = { 'tus-resumable': '1.0.0', 'upload-length': '4', 'upload-offset': '0' };

/** Sends one request, as the owner unless the headers name another caller. */
async function check(
  route: RouteOptions,
  { path, headers, body }: Omit<HostileRequest, 'method'>,
  { mayMissRoute = false } = {},
): Promise<void> {
  const method = String(route.method);
  const access = route.config?.access?.kind;
  const credentials =
    access === 'session' && !route.url.endsWith('/logout')
      ? { cookie: home.ada.cookie }
      : { authorization: `Bearer ${home.ada.token}` };
  const hasBody = method !== 'GET' && body !== undefined;
  const answer = await sendHostile(home.service, {
    method,
    path: ending(route, path),
    headers: { ...TUS, ...credentials, ...(hasBody && { 'content-type': 'application/json' }), ...headers },
    body: hasBody ? body : undefined,
  });
  const shown = `${method} ${path.slice(0, 200)} ${JSON.stringify(headers ?? {}).slice(0, 200)} ${String(body).slice(0, 200)}`;
  expectDecent(answer, shown);
  const isPlain = (body ?? '{}') === '{}' && !headers?.['content-type'];
  if (!mayMissRoute && (isPlain || takesBody(route))) note(route, answer.status, shown);
}

/** For other routes the description does not say what happens to an unexpected body. */
function takesBody({ schema }: RouteOptions): boolean {
  return schema?.body !== undefined;
}

/** Notes statuses that openapi.json does not list for a route. Heads that are too large reach no route. */
function note({ url, method }: RouteOptions, status: number, shown: string): void {
  const path = url.replace(/:(\w+)(\([^)]*\))?/g, '{$1}');
  const operation = described[path]?.[String(method).toLowerCase()];
  if (operation && status !== 431 && !(status in operation.responses))
    undescribed.set(`${method} ${path} ${status}`, shown);
}

/** The stream of events lasts as long as its reader listens; these tests ask it to end at once. */
function ending({ url }: RouteOptions, path: string): string {
  if (!url.endsWith('/submissions/events')) return path;
  return `${path}${path.includes('?') ? '&' : '?'}wait=0`;
}

function bodyRoutes(): RouteOptions[] {
  return routes.filter(({ method }) => method === 'POST' || method === 'PUT' || method === 'DELETE');
}

/** Hashing a password takes a while by design. */
function isSlow({ url }: RouteOptions): boolean {
  return ['/register', '/login', '/user/password'].includes(url);
}

/** The path with existing ids, unless the route would remove what these tests need. */
function harmlessPath(route: RouteOptions): string {
  const takesAway =
    route.method === 'DELETE' || route.url.endsWith('/leave') || route.url.includes('regenerate');
  return pathOf(
    route,
    takesAway ? Object.fromEntries(parametersOf(route).map((name) => [name, '999999'])) : {},
  );
}

function pathOf({ url }: RouteOptions, values: Record<string, string>): string {
  return url.replace(/:(\w+)/g, (_, name: string) => values[name] ?? known[name] ?? '1');
}

function parametersOf({ url }: RouteOptions): string[] {
  return [...url.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
}

function memberNames(schema: unknown, part: 'body' | 'querystring'): string[] {
  const found = (schema as Record<string, { properties?: object }> | undefined)?.[part]?.properties;
  return Object.keys(found ?? {});
}

/** A body that would be valid without these members, which are given as JSON text. */
function bodyFor(route: RouteOptions, members: Record<string, string>): string | undefined {
  if (route.method === 'GET') return undefined;
  const base: Record<string, string> = SOUND[`${route.method} ${route.url}`] ?? {};
  const ids = { form_id: String(target.id), workspace_id: String(home.workspaceId) };
  const own = Object.fromEntries(
    Object.entries(ids).filter(([key]) => memberNames(route.schema, 'body').includes(key)),
  );
  return `{${Object.entries({ ...own, ...base, ...members })
    .map(([key, value]) => `${JSON.stringify(key)}:${value}`)
    .join()}}`;
}

const HEADER_NAMES = [
  'authorization',
  'cookie',
  'form-password',
  'idempotency-key',
  'accept-encoding',
  'accept',
  'x-forwarded-for',
  'x-forwarded-host',
  'origin',
  'if-none-match',
  'range',
  'expect',
  'x-http-method-override',
];

const SOUND: Record<string, Record<string, string>> = {
  'POST /open/forms': { title: '"T"' },
  'POST /open/workspaces/create': { name: '"W"' },
  'PUT /open/workspaces/:workspaceId': { name: '"W"' },
  'POST /open/forms/:form/integrations': {
    integration_id: '"webhook"',
    data: '{"webhook_url":"http://127.0.0.1:9/"}',
    status: '"inactive"',
  },
  'PUT /open/forms/:form/integrations/:integrationId': {
    integration_id: '"webhook"',
    data: '{}',
    status: '"inactive"',
  },
  'POST /open/forms/:form/submissions/export': { columns: '{"id":true}' },
  'POST /settings/tokens': { name: '"T"', abilities: '["forms-read"]' },
  'POST /open/workspaces/:workspaceId/users/add': { email: '"a@example.com"', role: '"readonly"' },
  'PUT /open/workspaces/:workspaceId/users/:userId/update-role': { role: '"admin"' },
};

/** Every `nth` of the items, from a start that depends on `offset`. */
function part<T>(items: T[], offset: number, nth: number): T[] {
  return items.filter((_, index) => (index + offset) % nth === 0);
}

function encodeQuery(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function jsonOf(value: unknown): string {
  const isText = value !== null && typeof value === 'object' && Object.keys(value).join() === 'text';
  return isText ? (value as { text: string }).text : JSON.stringify(value);
}
