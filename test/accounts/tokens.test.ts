import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ABILITIES } from '../../server/access/abilities.ts';
import { isWellFormedToken } from '../../server/access/token-format.ts';
import { aToken, aUser, type TestUser } from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let service: TestService;
let ada: TestUser;
beforeAll(async () => {
  service = await startService();
  ada = await aUser(service);
});
afterAll(() => service.stop());

describe('making a token', () => {
  test('shows it once, with its checksum, and keeps only a hash', async () => {
    const made = await make({ name: ' CI ', abilities: ['forms-read', 'forms-read', 'forms-write'] });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({
      type: 'success',
      name: 'CI',
      abilities: ['forms-read', 'forms-write'],
    });
    expect(isWellFormedToken(made.body.token)).toBe(true);
    expect(made.body.token_start).toBe(made.body.token.slice(0, 9));

    const list = await service.request('GET', '/settings/tokens', { cookie: ada.cookie });
    expect(list.text).not.toContain(made.body.token);
    const { type, message, token, ...listed } = made.body;
    expect(list.body).toContainEqual(listed);
    const { rows } = await service.context.pool.query('select * from access_tokens');
    expect(JSON.stringify(rows)).not.toContain(made.body.token);
  });

  test.each([
    ['365 days unless asked', {}, 365],
    ['as many days as asked', { expires_in_days: 30 }, 30],
    ['at a time', { expires_at: new Date(Date.now() + 2 * DAY_MS).toISOString() }, 2],
    ['never in days', { expires_in_days: null }, null],
    ['never at a time', { expires_at: null }, null],
    ['never in words', { expires_at: 'never' }, null],
  ])('ends %s', async (_when, member, days) => {
    const { body } = await make({ name: 'CI', abilities: ['forms-read'], ...member });
    if (days === null) return expect(body.expires_at).toBeNull();
    expect(Math.abs(Date.parse(body.expires_at) - Date.now() - days * DAY_MS)).toBeLessThan(60_000);
  });

  test.each([
    ['the wildcard', { abilities: ['*'] }, 'abilities.0'],
    ['an unknown ability', { abilities: ['forms-read', 'forms-destroy'] }, 'abilities.1'],
    ['an inherited name', { abilities: ['constructor'] }, 'abilities.0'],
    ['no abilities', { abilities: [] }, 'abilities'],
    ['abilities left out', { abilities: undefined }, 'abilities'],
    ['a blank name', { name: ' ' }, 'name'],
    ['a long name', { name: 'n'.repeat(256) }, 'name'],
    ['the past', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['no time', { expires_at: 'soon' }, 'expires_at'],
    ['a day that does not exist', { expires_at: '2999-13-40' }, 'expires_at'],
    ['a day its month does not have', { expires_at: '2999-02-30' }, 'expires_at'],
    ['no days', { expires_in_days: 0 }, 'expires_in_days'],
    ['two ends', { expires_in_days: 1, expires_at: null }, 'expires_at'],
  ])('refuses %s', async (_what, member, key) => {
    const answer = await make({ name: 'CI', abilities: ['forms-read'], ...member });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([key]);
  });

  test('needs a session: a token makes, lists and revokes none', async () => {
    const body = { name: 'CI', abilities: ['forms-read'] };
    const options = { token: ada.token };
    expect((await service.request('POST', '/settings/tokens', { ...options, body })).status).toBe(403);
    expect((await service.request('GET', '/settings/tokens', options)).status).toBe(403);
    expect((await service.request('DELETE', '/settings/tokens/1', options)).status).toBe(403);
    expect((await service.request('POST', '/settings/tokens', { body })).status).toBe(401);
  });
});

describe('a token', () => {
  test('ends on the next request once revoked', async () => {
    const { body } = await make({ name: 'CI', abilities: ['workspaces-read'] });
    expect((await service.request('GET', '/open/workspaces', { token: body.token })).status).toBe(200);
    const revoked = await service.request('DELETE', `/settings/tokens/${body.id}`, { cookie: ada.cookie });
    expect(revoked.body).toEqual({ type: 'success', message: 'Access token successfully revoked.' });
    const refused = await service.request('GET', '/open/workspaces', { token: body.token });
    expect(refused.status).toBe(401);
    expect(refused.body).toEqual({ message: 'Unauthenticated.' });
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('of somebody else is not found', async () => {
    const eve = await aUser(service, { name: 'Eve' });
    const { body } = await make({ name: 'CI', abilities: ['workspaces-read'] });
    for (const id of [body.id, 999_999, 'x', '9'.repeat(20)]) {
      const answer = await service.request('DELETE', `/settings/tokens/${id}`, { cookie: eve.cookie });
      expect(answer.status).toBe(404);
    }
    expect((await service.request('GET', '/open/workspaces', { token: body.token })).status).toBe(200);
    expect((await service.request('GET', '/settings/tokens', { cookie: eve.cookie })).body).toHaveLength(1);
  });

  test('ends by the clock of the database', async () => {
    const { body } = await make({ name: 'CI', abilities: ['workspaces-read'] });
    await service.context.pool.query(
      `update access_tokens set expires_at = now() - interval '1 second' where id = $1`,
      [body.id],
    );
    expect((await service.request('GET', '/open/workspaces', { token: body.token })).status).toBe(401);
  });

  test('records its last use', async () => {
    const { body } = await make({ name: 'CI', abilities: ['workspaces-read'] });
    expect(body.last_used_at).toBeNull();
    await service.request('GET', '/open/workspaces', { token: body.token });
    const list = await service.request('GET', '/settings/tokens', { cookie: ada.cookie });
    const listed = list.body.find((token: { id: number }) => token.id === body.id);
    expect(Math.abs(Date.parse(listed.last_used_at) - Date.now())).toBeLessThan(60_000);
  });

  test('carries no ability but its own', async () => {
    for (const ability of ABILITIES) {
      const token = await aToken(service, ada, [ability]);
      const { status } = await service.request('GET', '/open/workspaces', { token });
      expect([ability, status]).toEqual([ability, ability === 'workspaces-read' ? 200 : 403]);
    }
  });
});

function make(body: Record<string, unknown>) {
  return service.request('POST', '/settings/tokens', { cookie: ada.cookie, body });
}
