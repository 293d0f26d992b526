import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteAccount } from '../../server/accounts/delete-account.ts';
import { resetSecondFactor } from '../../server/accounts/second-factor.ts';
import { CLI } from '../../server/audit/actor.ts';
import { startService, type TestService } from '../setup/service.ts';
import { type Caller, expectRefusal, send, useWorld } from './authorization-callers.ts';
import {
  aCode,
  aPerson,
  aPlace,
  aSecondFactorOf,
  aSessionOf,
  aTokenOf,
  PASSWORD,
  type Person,
  type Place,
} from './authorization-world.ts';

type Credentials = Caller['credentials'];
type Role = 'admin' | 'user' | 'readonly';

/** Every change is made in one process and checked in both. */
const world = useWorld();
let second: TestService;
beforeAll(async () => {
  const { database, dataDir } = world.service;
  second = await startService({ database, dataDir, env: { ROLES: 'http' } });
});
afterAll(() => second?.stop());

/** Asks both processes, and checks the form of a refusal. @returns the status both gave */
async function status(
  method: string,
  path: string,
  credentials: Credentials = {},
  body?: unknown,
): Promise<number> {
  const [here, there] = await Promise.all(
    [world.service, second].map((service) => send({ service }, { method, path, body }, credentials)),
  );
  expect(there?.status, `the other process: ${there?.text}`).toBe(here?.status);
  if (here && there && [401, 403, 404].includes(here.status) && !path.startsWith('/forms/'))
    for (const answer of [here, there]) expectRefusal(answer, `${method} ${path}`);
  return here?.status ?? 0;
}

/** Makes the change in one process, which must allow it. */
async function change(method: string, path: string, credentials: Credentials, body?: unknown): Promise<void> {
  const answer = await send(world, { method, path, body }, credentials);
  expect(answer.status, answer.text).toBeLessThan(300);
}

const read = (place: Place, credentials: Credentials) =>
  status('GET', `/open/forms/${place.form}`, credentials);
const write = (place: Place, credentials: Credentials) =>
  status('PUT', `/open/forms/${place.form}`, credentials, { title: 'Feedback' });
const administer = (place: Place, credentials: Credentials) =>
  status('PUT', `/open/workspaces/${place.workspaceId}`, credentials, { name: 'Research' });
const powers = async (place: Place, credentials: Credentials) => [
  await read(place, credentials),
  await write(place, credentials),
  await administer(place, credentials),
];

const READONLY = [200, 403, 403];
const USER = [200, 200, 403];
const ADMIN = [200, 200, 200];
const NOBODY = [403, 403, 403];
const UNKNOWN = [401, 401, 401];

/** An admin, and a member with a token and a session, in a workspace of their own. */
async function aPair(role: Role) {
  const { context } = world;
  const [admin, member] = await Promise.all([aPerson(context), aPerson(context, 'Grace')]);
  const place = await aPlace(
    context,
    new Map<Person, Role>([
      [admin, 'admin'],
      [member, role],
    ]),
  );
  const cookie = await aSessionOf(context, member);
  return { admin, member, place, cookie, token: member.token };
}

describe('a token', () => {
  test('that is revoked is refused from the next request on', async () => {
    const { member, place, cookie, token } = await aPair('admin');
    const other = await aTokenOf(world.context, member);
    expect(await powers(place, { token: other.token })).toEqual(ADMIN);
    await change('DELETE', `/settings/tokens/${other.id}`, { cookie });
    expect(await powers(place, { token: other.token })).toEqual(UNKNOWN);
    expect(await powers(place, { token })).toEqual(ADMIN);
  });

  test('ends at its time by the clock of the database', async () => {
    const { member, place } = await aPair('admin');
    const { id, token } = await aTokenOf(world.context, member);
    const expire = (when: string) =>
      world.context.pool.query(`update access_tokens set expires_at = ${when} where id = $1`, [id]);
    await expire(`now() + interval '1 minute'`);
    expect(await powers(place, { token })).toEqual(ADMIN);
    await expire('now()');
    expect(await powers(place, { token })).toEqual(UNKNOWN);
  });

  test('nobody used for a year works no more, and says so in the list', async () => {
    const { member, place, cookie } = await aPair('admin');
    const { id, token } = await aTokenOf(world.context, member);
    const set = (values: string) =>
      world.context.pool.query(`update access_tokens set ${values} where id = $1`, [id]);
    const listed = async () => {
      const { body } = await send(
        { service: second },
        { method: 'GET', path: '/settings/tokens' },
        { cookie },
      );
      return body.find((one: { id: number }) => one.id === id).status;
    };
    await set(`last_used_at = now() - interval '364 days 23 hours'`);
    expect(await listed()).toBe('active');
    expect(await powers(place, { token })).toEqual(ADMIN);
    await set(`last_used_at = now() - interval '365 days'`);
    expect(await powers(place, { token })).toEqual(UNKNOWN);
    expect(await listed()).toBe('unused');
    await set(`last_used_at = null, created_at = now() - interval '365 days'`);
    expect(await powers(place, { token })).toEqual(UNKNOWN);
    expect(await listed()).toBe('unused');
    await set('created_at = now(), expires_at = now()');
    expect(await listed()).toBe('expired');
  });

  test('that loses an ability loses it at once', async () => {
    const { member, place } = await aPair('admin');
    const { id, token } = await aTokenOf(world.context, member);
    expect(await powers(place, { token })).toEqual(ADMIN);
    await world.context.pool.query(`update access_tokens set abilities = '{forms-read}' where id = $1`, [id]);
    expect(await powers(place, { token })).toEqual(READONLY);
  });
});

describe('a session', () => {
  test('that is signed out is over, others of the same person are not', async () => {
    const { member, place, cookie } = await aPair('admin');
    const other = await aSessionOf(world.context, member);
    expect(await powers(place, { cookie })).toEqual(ADMIN);
    await change('POST', '/logout', { cookie });
    expect(await powers(place, { cookie })).toEqual(UNKNOWN);
    expect(await powers(place, { cookie: other })).toEqual(ADMIN);
  });

  test('ends at its time', async () => {
    const { member, place, cookie } = await aPair('admin');
    expect(await powers(place, { cookie })).toEqual(ADMIN);
    await world.context.pool.query('update sessions set expires_at = now() where user_id = $1', [member.id]);
    expect(await powers(place, { cookie })).toEqual(UNKNOWN);
  });

  test('that is ended from another one is over, one by one or all at once', async () => {
    const { member, place, cookie } = await aPair('admin');
    const own = await aSessionOf(world.context, member);
    const sessions = async () =>
      (await send({ service: second }, { method: 'GET', path: '/settings/sessions' }, { cookie: own })).body;
    expect(await powers(place, { cookie })).toEqual(ADMIN);
    const lost = (await sessions()).find((session: { is_current: boolean }) => !session.is_current);
    await change('DELETE', `/settings/sessions/${lost.id}`, { cookie: own });
    expect(await powers(place, { cookie })).toEqual(UNKNOWN);
    const more = [await aSessionOf(world.context, member), await aSessionOf(world.context, member)];
    await change('DELETE', '/settings/sessions', { cookie: own });
    for (const other of more) expect(await powers(place, { cookie: other })).toEqual(UNKNOWN);
    expect(await powers(place, { cookie: own })).toEqual(ADMIN);
    expect(await sessions()).toHaveLength(1);
  });

  test('ends when another one changes the password; tokens are revoked one by one', async () => {
    const { member, place, cookie, token } = await aPair('admin');
    const changing = await aSessionOf(world.context, member);
    expect(await powers(place, { cookie })).toEqual(ADMIN);
    const body = { current_password: PASSWORD, password: 'another battery staple' };
    await change('PUT', '/user/password', { cookie: changing }, body);
    expect(await powers(place, { cookie })).toEqual(UNKNOWN);
    expect(await powers(place, { cookie: changing })).toEqual(ADMIN);
    expect(await powers(place, { token })).toEqual(ADMIN);
    expect(await status('POST', '/login', {}, { email: member.email, password: PASSWORD })).toBe(422);
  });
});

describe('a second factor', () => {
  test('that is switched on is asked for, and that the operator resets is not, at once', async () => {
    const { member, place, cookie } = await aPair('admin');
    const other = await aSessionOf(world.context, member);
    const body = { email: member.email, password: PASSWORD };
    expect(await status('POST', '/login', {}, body)).toBe(200);
    await aSecondFactorOf(world.context, member, 'enrolled');
    await change('POST', '/settings/second-factor/confirm', { cookie }, { code: aCode() });
    expect(await status('POST', '/login', {}, body)).toBe(202);
    expect(await powers(place, { cookie: other })).toEqual(UNKNOWN);
    await resetSecondFactor(world.context.db, member.email, CLI);
    expect(await status('POST', '/login', {}, body)).toBe(200);
  });
});

describe('a member', () => {
  const roleOf = ({ place, member }: { place: Place; member: Person }) =>
    `/open/workspaces/${place.workspaceId}/users/${member.id}`;

  test('who gets another role can do what it allows, at once', async () => {
    const pair = await aPair('admin');
    const { admin, place, cookie, token } = pair;
    const set = (role: Role) =>
      change('PUT', `${roleOf(pair)}/update-role`, { token: admin.token }, { role });
    for (const credentials of [{ token }, { cookie }]) {
      expect(await powers(place, credentials)).toEqual(ADMIN);
      await set('user');
      expect(await powers(place, credentials)).toEqual(USER);
      await set('readonly');
      expect(await powers(place, credentials)).toEqual(READONLY);
      await set('admin');
    }
  });

  test('who is removed is a stranger, and who is added again has the new role only', async () => {
    const pair = await aPair('admin');
    const { admin, member, place, cookie, token } = pair;
    expect(await powers(place, { token })).toEqual(ADMIN);
    await change('DELETE', `${roleOf(pair)}/remove`, { token: admin.token });
    for (const credentials of [{ token }, { cookie }])
      expect(await powers(place, credentials)).toEqual(NOBODY);
    const body = { email: member.email, role: 'readonly' };
    await change('POST', `/open/workspaces/${place.workspaceId}/users/add`, { token: admin.token }, body);
    for (const credentials of [{ token }, { cookie }])
      expect(await powers(place, credentials)).toEqual(READONLY);
  });

  test('who leaves is a stranger', async () => {
    const { place, token } = await aPair('user');
    expect(await powers(place, { token })).toEqual(USER);
    await change('POST', `/open/workspaces/${place.workspaceId}/leave`, { token });
    expect(await powers(place, { token })).toEqual(NOBODY);
  });

  test('no longer sees the workspace in any list', async () => {
    const pair = await aPair('user');
    const { admin, place, token } = pair;
    const lists = async () => {
      const paths = ['/open/workspaces', '/open/forms', '/external/partner/workspaces'];
      const answers = paths.map((path) => send({ service: second }, { method: 'GET', path }, { token }));
      return (await Promise.all(answers)).map(({ body }) => body.map(({ id }: { id: number }) => id));
    };
    expect(await lists()).toEqual([[place.workspaceId], [place.form], [place.workspaceId]]);
    await change('DELETE', `${roleOf(pair)}/remove`, { token: admin.token });
    expect(await lists()).toEqual([[], [], []]);
  });

  test('whose account is deleted is nobody, in a browser too', async () => {
    const { member, place, cookie, token } = await aPair('user');
    expect(await powers(place, { token })).toEqual(USER);
    await deleteAccount(world.context.db, member.email, { withWorkspaces: false }, CLI);
    for (const credentials of [{ token }, { cookie }])
      expect(await powers(place, credentials)).toEqual(UNKNOWN);
    const body = { email: member.email, password: PASSWORD };
    expect((await send({ service: second }, { method: 'POST', path: '/login', body })).status).toBe(422);
  });
});

describe('an invite', () => {
  test('that is cancelled opens nothing', async () => {
    const { admin, place } = await aPair('user');
    const stranger = { cookie: await aSessionOf(world.context, await aPerson(world.context)) };
    const path = `/open/workspaces/${place.workspaceId}/invites/${place.inviteId}/cancel`;
    await change('DELETE', path, { token: admin.token });
    const answer = await send(
      { service: second },
      { method: 'POST', path: '/invites/accept', body: { invite_token: place.inviteToken } },
      stranger,
    );
    expect(answer.status).toBe(400);
    expect(await powers(place, stranger)).toEqual(NOBODY);
  });

  test('gives its role once', async () => {
    const { place } = await aPair('user');
    const people = await Promise.all([aPerson(world.context), aPerson(world.context)]);
    const cookies = await Promise.all(people.map((person) => aSessionOf(world.context, person)));
    const body = { invite_token: place.inviteToken };
    const answers = await Promise.all(
      cookies.map((cookie, index) =>
        send(
          { service: index === 0 ? world.service : second },
          { method: 'POST', path: '/invites/accept', body },
          { cookie },
        ),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400]);
    const winner = answers.findIndex((answer) => answer.status === 200);
    expect(await powers(place, { cookie: cookies[winner]! })).toEqual(USER);
    expect(await powers(place, { cookie: cookies[1 - winner]! })).toEqual(NOBODY);
  });
});

describe('what is deleted', () => {
  /** The statuses that the public and the owner get for a form; asked twice, so that every cache is warm. */
  async function sight(place: Place, token: string): Promise<number[]> {
    const form = `/open/forms/${place.form}`;
    const integration = `${form}/integrations/${place.integrationId}`;
    const inside = [
      form,
      `${form}/submissions/${place.submissionId}`,
      `${form}/submissions/export/status/${place.jobId}`,
    ];
    const statuses = [];
    for (const path of [...inside, integration, `${integration}/deliveries/${place.deliveryId}`])
      statuses.push(await status('GET', path, { token }));
    statuses.push(await status('GET', `/forms/${place.slug}`), await status('GET', `/forms/${place.uuid}`));
    statuses.push(await status('POST', `/forms/${place.slug}/answer`, {}, {}));
    return statuses;
  }

  const all = (code: number) => Array(8).fill(code);

  test('a form: gone from inside and outside, even where it was answered a moment ago', async () => {
    const { admin, place } = await aPair('user');
    expect(await sight(place, admin.token)).toEqual(all(200));
    await change('DELETE', `/open/forms/${place.form}`, { token: admin.token });
    expect(await sight(place, admin.token)).toEqual(all(404));
    expect(await status('GET', `/exports/${place.exportToken}`)).toBe(404);
    expect(await status('GET', `/open/workspaces/${place.workspaceId}/users`, { token: admin.token })).toBe(
      200,
    );
  });

  test('a workspace: gone with everything in it', async () => {
    const { admin, member, place } = await aPair('user');
    expect(await sight(place, admin.token)).toEqual(all(200));
    await change('DELETE', `/open/workspaces/${place.workspaceId}`, { token: admin.token });
    for (const { token } of [admin, member]) {
      expect(await sight(place, token)).toEqual(all(404));
      expect(await status('GET', `/open/workspaces/${place.workspaceId}/users`, { token })).toBe(404);
      expect(await status('GET', `/open/workspaces/${place.workspaceId}/forms`, { token })).toBe(404);
    }
    expect(await status('GET', `/exports/${place.exportToken}`)).toBe(404);
  });

  test('an integration: neither it nor its deliveries can be reached', async () => {
    const { admin, place } = await aPair('user');
    const path = `/open/forms/${place.form}/integrations/${place.integrationId}`;
    const paths = [path, `${path}/events`, `${path}/deliveries`, `${path}/deliveries/${place.deliveryId}`];
    for (const one of paths) expect(await status('GET', one, { token: admin.token })).toBe(200);
    await change('DELETE', path, { token: admin.token });
    for (const one of paths) expect(await status('GET', one, { token: admin.token })).toBe(404);
    const replay = `${path}/deliveries/${place.deliveryId}/replay`;
    expect(await status('POST', replay, { token: admin.token })).toBe(404);
  });
});

describe('a form', () => {
  test('that is closed, hidden or protected is so at once, even where it was answered a moment ago', async () => {
    const { admin, place } = await aPair('user');
    const answer = () => status('POST', `/forms/${place.slug}/answer`, {}, {});
    const set = (body: object) => change('PUT', `/open/forms/${place.form}`, { token: admin.token }, body);
    expect(await answer()).toBe(200);
    await set({ visibility: 'draft' });
    expect(await answer()).toBe(404);
    expect(await status('GET', `/forms/${place.slug}`)).toBe(404);
    await set({ visibility: 'closed' });
    expect(await answer()).toBe(403);
    await set({ visibility: 'public', password: 'sesame' });
    expect(await answer()).toBe(403);
    await set({ password: null });
    expect(await answer()).toBe(200);
  });

  test('with a new link is not found under the old one', async () => {
    const { admin, place } = await aPair('user');
    expect(await status('POST', `/forms/${place.slug}/answer`, {}, {})).toBe(200);
    await change('PUT', `/open/forms/${place.form}/regenerate-link/uuid`, { token: admin.token });
    expect(await status('GET', `/forms/${place.slug}`)).toBe(404);
    expect(await status('POST', `/forms/${place.slug}/answer`, {}, {})).toBe(404);
  });
});
