import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Access } from '../../server/access/guard.ts';
import { buildApp } from '../../server/app.ts';
import {
  type Caller,
  callersOf,
  expectedStatus,
  expectRefusal,
  prepareCall,
  send,
  spoiledCalls,
  useWorld,
} from './authorization-callers.ts';
import { type Call, nameOf, ROUTES, type RouteRow } from './authorization-routes.ts';
import { databaseState } from './authorization-state.ts';
import { aSessionOf } from './authorization-world.ts';

const world = useWorld();

describe('the table', () => {
  let registered: Map<string, Access | undefined>;
  beforeAll(async () => {
    registered = await registeredRoutes();
  });

  test('has every route of the service and no other', () => {
    const heads = ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => `HEAD ${path}`);
    expect([...registered.keys()].sort()).toEqual([...ROUTES.map(nameOf), ...heads].sort());
  });

  test('says what the routes declare', () => {
    for (const row of ROUTES) {
      const declared = { name: nameOf(row), needs: row.needs, role: row.role };
      expect(declared).toEqual({ name: nameOf(row), ...inWordsOfTheTable(registered.get(nameOf(row))) });
    }
  });

  test('HEAD declares the same as GET', () => {
    for (const { path } of ROUTES.filter(({ method }) => method === 'GET'))
      expect([path, registered.get(`HEAD ${path}`)]).toEqual([path, registered.get(`GET ${path}`)]);
  });
});

describe.each(ROUTES)('$method $path', (row) => {
  test('answers everybody as the table says', async () => {
    const callers = await callersOf(world, row);
    const answered: [string, number][] = [];
    for (const caller of callers) {
      const isLetIn = expectedStatus(row, caller) < 400;
      const place = isLetIn && row.method !== 'GET' ? await world.newPlace() : world.home;
      const call = await prepareCall(world, row, place, caller.person);
      answered.push([caller.name, (await send(world, call, caller.credentials)).status]);
    }
    const expected = callers.map((caller) => [caller.name, expectedStatus(row, caller)]);
    expect(Object.fromEntries(answered)).toEqual(Object.fromEntries(expected));
  });

  test('tells the refused nothing, whatever they send, and changes nothing for them', async () => {
    const refused = (await callersOf(world, row)).filter((caller) => expectedStatus(row, caller) >= 400);
    const calls: [Caller, Call][] = [];
    for (const caller of refused)
      calls.push([caller, await prepareCall(world, row, world.home, caller.person)]);
    const before = await databaseState(world.context);
    await Promise.all(
      calls.map(async ([caller, call]) => {
        for (const variant of [call, ...spoiledCalls(call)]) {
          const answer = await send(world, variant, caller.credentials);
          const label = `${caller.name} with ${JSON.stringify(variant)}`;
          expectRefusal(answer, label);
          expect(answer.status, label).toBe(expectedStatus(row, caller));
        }
      }),
    );
    expect(await databaseState(world.context)).toEqual(before);
  });

  test.runIf(row.method === 'GET')('answers HEAD like GET', async () => {
    for (const caller of await callersOf(world, row)) {
      const call = await prepareCall(world, row, world.home, caller.person);
      const { status, text } = await send(world, { ...call, method: 'HEAD' }, caller.credentials);
      expect([caller.name, status, text]).toEqual([caller.name, expectedStatus(row, caller), '']);
    }
  });
});

const FOREIGN_PAGES: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://127.0.0.1' },
  { origin: 'http://127.0.0.1.evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
];
const writes = ROUTES.filter(({ method, needs }) => method !== 'GET' && needs !== 'nothing');

describe('a page of another origin', () => {
  test.each(writes)('cannot use the session of its visitor for $method $path', async (row) => {
    const cookie = await aSessionOf(world.context, world.people.admin);
    const call = await prepareCall(world, row, world.home, world.people.admin);
    const before = await databaseState(world.context);
    for (const headers of FOREIGN_PAGES) {
      const answer = await send(world, call, { cookie }, headers);
      expectRefusal(answer, JSON.stringify(headers));
      expect(answer.status).toBe(403);
    }
    expect(await databaseState(world.context)).toEqual(before);
  });

  test.each(writes)('but our own pages and programs can: $method $path', async (row) => {
    const ownOrigins: Record<string, string>[] = [
      { origin: world.service.url },
      { origin: world.service.url, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      {},
    ];
    for (const headers of ownOrigins) {
      const cookie = await aSessionOf(world.context, world.people.admin);
      const call = await prepareCall(world, row, await world.newPlace(), world.people.admin);
      const { status, text } = await send(world, call, { cookie }, headers);
      expect(status, `${JSON.stringify(headers)}: ${text}`).toBe(row.session ?? row.answers.admin);
    }
  });

  test('an access token is nobody’s cookie: it may be used from anywhere', async () => {
    const { admin } = world.people;
    const call = { method: 'PUT', path: `/open/forms/${world.home.form}`, body: { title: 'Feedback' } };
    const answer = await send(world, call, { token: admin.token }, { origin: 'https://partner.example' });
    expect(answer.status).toBe(200);
  });
});

/** Every route that is registered while the service is built, those of plugins included. */
async function registeredRoutes(): Promise<Map<string, Access | undefined>> {
  const found = new Map<string, Access | undefined>();
  const note = (route: RouteOptions) => {
    for (const method of [route.method].flat()) found.set(`${method} ${route.url}`, route.config?.access);
  };
  const onNewInstance = (message: unknown) => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', note);
  };
  subscribe('fastify.initialization', onNewInstance);
  const app = await buildApp(world.context);
  unsubscribe('fastify.initialization', onNewInstance);
  await app.ready();
  await app.close();
  return found;
}

function inWordsOfTheTable(access: Access | undefined): Pick<RouteRow, 'role'> & { needs: string } {
  const words = { public: 'nothing', session: 'session', caller: 'any-token' };
  if (access === undefined) return { needs: 'undeclared', role: null };
  if (!('ability' in access)) return { needs: words[access.kind], role: null };
  return { needs: access.ability, role: 'role' in access ? access.role : null };
}
