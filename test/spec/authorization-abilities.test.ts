import { describe, expect, test } from 'vitest';
import { ABILITIES } from '../../server/access/abilities.ts';
import { expectRefusal, prepareCall, send, useWorld } from './authorization-callers.ts';
import { nameOf, ROUTES, type RouteRow } from './authorization-routes.ts';
import { aSessionOf, aTokenOf, type Place } from './authorization-world.ts';

/** Public routes need no ability; the matrix checks that. */
const GUARDED = ROUTES.filter(({ needs }) => needs !== 'nothing');
const ANY_TOKEN = GUARDED.filter(({ needs }) => needs === 'any-token');
const world = useWorld();

describe('an ability alone', () => {
  test.each(ABILITIES)('%s opens the routes that declare it and no other', async (ability) => {
    const declared = GUARDED.filter(({ needs }) => needs === ability);
    expect(declared.length).toBeGreaterThan(0);
    const { token } = await aTokenOf(world.context, world.people.admin, [ability]);
    // A request that is let in changes its place, so it gets a new one.
    const placeFor = (row: RouteRow) => (declared.includes(row) ? world.newPlace() : world.home);
    expect(await opened(token, placeFor)).toEqual([...declared, ...ANY_TOKEN].map(nameOf).sort());
  });
});

describe('an admin’s token', () => {
  test.each([
    ['no abilities', []],
    ['the wildcard', ['*']],
    ['unknown abilities', ['admin', 'forms', 'forms-*', 'forms-delete']],
    ['abilities in other letters', ABILITIES.map((ability) => ability.toUpperCase())],
    ['abilities with spaces around', ABILITIES.map((ability) => ` ${ability} `)],
    ['abilities in one text', [ABILITIES.join(','), ABILITIES.join(' ')]],
    ['names every object has', ['__proto__', 'constructor', 'toString']],
  ])('with %s opens only what any token opens', async (_what, abilities) => {
    const { token } = await aTokenOf(world.context, world.people.admin, abilities);
    expect(await opened(token, () => world.home)).toEqual(ANY_TOKEN.map(nameOf).sort());
  });

  test('does not gain abilities from those of another token or from a session sent along', async () => {
    const { admin } = world.people;
    const { token } = await aTokenOf(world.context, admin, ['forms-read']);
    const call = { method: 'PUT', path: `/open/forms/${world.home.form}`, body: { title: 'Mine' } };
    expect((await send(world, call, { token: admin.token })).status).toBe(200);
    const cookie = await aSessionOf(world.context, admin);
    expect((await send(world, call, { cookie })).status).toBe(200);
    expectRefusal(await send(world, call, { token, cookie }), 'token and session');
    expectRefusal(await send(world, call, { token: 'garbage', cookie }), 'garbage and session');
  });

  test('counts in the Authorization header only', async () => {
    const { token } = world.people.admin;
    const path = '/open/workspaces';
    const bearer = (headers: Record<string, string>) => send(world, { method: 'GET', path }, {}, headers);
    expect((await bearer({ authorization: `bearer  ${token}` })).status).toBe(200);
    for (const authorization of [
      token,
      `Basic ${token}`,
      `Token ${token}`,
      `Bearer ${token} x`,
      `Bearer ${token},`,
    ])
      expect([authorization, (await bearer({ authorization })).status]).toEqual([authorization, 401]);
    expect((await bearer({ 'x-api-key': token, cookie: `token=${token}` })).status).toBe(401);
    for (const name of ['access_token', 'api_token', 'token']) {
      const answer = await send(world, { method: 'GET', path: `${path}?${name}=${token}` });
      expect([name, answer.status]).toEqual([name, 401]);
    }
  });

  test('changed by one character is refused', async () => {
    const { token } = world.people.admin;
    for (const index of [0, 4, 20, 46, 47, token.length - 1]) {
      const other = token[index] === 'x' ? 'y' : 'x';
      const changed = token.slice(0, index) + other + token.slice(index + 1);
      const answer = await send(world, { method: 'GET', path: '/user' }, { token: changed });
      expectRefusal(answer, `character ${index}`);
    }
  });
});

/** The names of the routes that let the admin's token in; all others must refuse it. */
async function opened(token: string, placeFor: (row: RouteRow) => Place | Promise<Place>): Promise<string[]> {
  const names = await Promise.all(
    GUARDED.map(async (row) => {
      const { admin } = world.people;
      const call = await prepareCall(world, row, await placeFor(row), admin);
      const answer = await send(world, call, { token });
      if (answer.status < 400) return nameOf(row);
      expectRefusal(answer, nameOf(row));
      expect([nameOf(row), answer.status]).toEqual([nameOf(row), 403]);
      return [];
    }),
  );
  return names.flat().sort();
}
