import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Access, abilitiesOf } from '../../server/access/guard.ts';
import { buildApp } from '../../server/app.ts';
import {
  type Caller,
  callersOf,
  expectedStatus,
  expectRefusal,
  inSession,
  prepareCall,
  prepareState,
  send,
  spoiledCalls,
  useWorld,
} from './authorization-callers.ts';
import { type Call, nameOf, ROUTES, type RouteRow } from './authorization-routes.ts';
import { databaseState } from './authorization-state.ts';
import { aPerson, aPlace, aSessionOf, type Person, type Place } from './authorization-world.ts';

const READING = ROUTES.filter(({ method }) => method === 'GET');
const world = useWorld();

describe('the table', () => {
  let registered: Map<string, Access | undefined>;
  beforeAll(async () => {
    registered = await registeredRoutes();
  });

  test('has every route of the service and no other', () => {
    const heads = READING.map(({ path }) => `HEAD ${path}`);
    expect([...registered.keys()].sort()).toEqual([...ROUTES.map(nameOf), ...heads].sort());
  });

  test('says what the routes declare', () => {
    for (const row of ROUTES) {
      const declared = { name: nameOf(row), needs: row.needs, role: row.role };
      expect(declared).toEqual({ name: nameOf(row), ...inWordsOfTheTable(registered.get(nameOf(row))) });
    }
  });

  test('HEAD declares the same as GET', () => {
    for (const { path } of READING)
      expect([path, registered.get(`HEAD ${path}`)]).toEqual([path, registered.get(`GET ${path}`)]);
  });
});

describe.each(ROUTES)('$method $path', (row) => {
  test('answers everybody as the table says', async () => {
    const callers = await callersOf(world, row);
    const answered = await Promise.all(
      callers.map(async (caller) => {
        const isLetIn = expectedStatus(row, caller) < 400;
        const isChange = row.method !== 'GET' && isLetIn;
        if (isLetIn) await prepareState(world, row, caller.person);
        const place = isChange ? await world.newPlace() : world.home;
        const call = await prepareCall(world, row, place, caller.person);
        return [caller.name, (await send(world, call, caller.credentials)).status];
      }),
    );
    const expected = callers.map((caller) => [caller.name, expectedStatus(row, caller)]);
    expect(Object.fromEntries(answered)).toEqual(Object.fromEntries(expected));
  });

  test('tells the refused nothing, whatever they send, and changes nothing for them', async () => {
    const refused = await callersOf(world, row, (caller) => expectedStatus(row, caller) >= 400);
    const calls: [Caller, Call][] = [];
    for (const caller of refused)
      calls.push([caller, await prepareCall(world, row, world.home, caller.person)]);
    const before = await databaseState(world.context);
    await Promise.all(
      calls.map(async ([caller, call]) => {
        // Without a valid token the body is not even read.
        const isRead = caller.column !== 'nobody' && !caller.isSession;
        for (const variant of isRead ? [call, ...spoiledCalls(call)] : [call]) {
          const answer = await send(world, variant, caller.credentials);
          const label = `${caller.name} with ${JSON.stringify(variant)}`;
          expectRefusal(answer, label);
          expect(answer.status, label).toBe(expectedStatus(row, caller));
        }
      }),
    );
    expect(await databaseState(world.context)).toEqual(before);
  });
});

/** Enough callers to see that the same guard protects HEAD. */
const ON_HEAD = ['no token', 'token without the ability', 'outsider', 'admin', 'session of admin'];

test.each(READING)('HEAD $path answers like GET', async (row) => {
  for (const caller of await callersOf(world, row, ({ name }) => ON_HEAD.includes(name))) {
    const call = await prepareCall(world, row, world.home, caller.person);
    const { status, text } = await send(world, { ...call, method: 'HEAD' }, caller.credentials);
    expect([caller.name, status, text]).toEqual([caller.name, expectedStatus(row, caller), '']);
  }
});

describe('a list of one’s own', () => {
  const forms = ['/open/forms'];
  const workspaces = ['/open/workspaces', '/external/partner/workspaces', '/external/zapier/workspaces'];

  test.each([...forms, ...workspaces])('GET %s shows nobody what belongs to others', async (path) => {
    const { context, home, people } = world;
    const owner = await aPerson(context);
    const own = await aPlace(context, new Map([[owner, 'admin']]));
    const idOf = (place: Place) => (forms.includes(path) ? place.form : place.workspaceId);
    const listed = async ({ token }: Person) => {
      const { body } = await send(world, { method: 'GET', path }, { token });
      return body.map(({ id }: { id: number }) => id);
    };
    expect(await listed(await aPerson(context))).toEqual([]);
    expect(await listed(owner)).toEqual([idOf(own)]);
    for (const member of [people.readonly, people.user, people.admin]) {
      const ids = await listed(member);
      expect(ids).toContain(idOf(home));
      expect(ids).not.toContain(idOf(own));
    }
  });

  test('GET /settings/tokens shows the tokens of the caller alone', async () => {
    const person = await aPerson(world.context);
    const cookie = await aSessionOf(world.context, person);
    const { body } = await send(world, { method: 'GET', path: '/settings/tokens' }, { cookie });
    expect(body.map(({ token_start }: { token_start: string }) => token_start)).toEqual([
      person.token.slice(0, 9),
    ]);
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
const WRITING = ROUTES.filter(
  ({ method, needs }) => !['GET', 'OPTIONS'].includes(method) && needs !== 'nothing',
);

describe('a page of another origin', () => {
  test.each(WRITING)('cannot use the session of its visitor for $method $path', async (row) => {
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

  test.each(WRITING)('but our own page can: $method $path', async (row) => {
    const caller = await inSession(world.context, row, world.people.admin);
    const cookie = await aSessionOf(world.context, caller);
    await prepareState(world, row, world.people.admin);
    const call = await prepareCall(world, row, await world.newPlace(), world.people.admin);
    const { status, text } = await send(world, call, { cookie }, { origin: world.service.url });
    expect(status, text).toBe(row.session ?? row.answers.admin);
  });

  test.each([{ 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, {}])(
    'and so can who names no origin: %o',
    async (headers) => {
      const cookie = await aSessionOf(world.context, world.people.admin);
      const call = { method: 'PUT', path: '/user', body: { name: 'Ada' } };
      expect((await send(world, call, { cookie }, headers)).status).toBe(200);
    },
  );

  test('may read: what it asks for is not shown to it', async () => {
    const cookie = await aSessionOf(world.context, world.people.admin);
    const call = { method: 'GET', path: '/user' };
    const answer = await send(world, call, { cookie }, { origin: 'https://evil.example' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('an access token is nobody’s cookie: it may be used from anywhere', async () => {
    const { admin } = world.people;
    const call = { method: 'PUT', path: `/open/forms/${world.home.form}`, body: { title: 'Feedback' } };
    const answer = await send(world, call, { token: admin.token }, { origin: 'https://partner.example' });
    expect(answer.status).toBe(200);
  });
});

/** Every route registered while the service is built, including those of plugins. */
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
  const words = { public: 'nothing', session: 'session', caller: 'any-token', token: 'any-token' };
  if (access === undefined) return { needs: 'undeclared', role: null };
  if (!('ability' in access)) return { needs: words[access.kind], role: null };
  return { needs: abilitiesOf(access).join('+'), role: 'role' in access ? access.role : null };
}
