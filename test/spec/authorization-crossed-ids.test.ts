import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal, prepareCall, send, useWorld } from './authorization-callers.ts';
import { type Call, callOf, nameOf, parametersOf, ROUTES, type RouteRow } from './authorization-routes.ts';
import { databaseState, stateOf } from './authorization-state.ts';
import {
  anIntegration,
  aPlace,
  aSessionOf,
  aSiblingOf,
  aTokenOf,
  type Place,
} from './authorization-world.ts';

/** The resource that each path parameter must belong to. */
const PARENT: Record<string, 'workspaceId' | 'form' | 'submissionId' | 'integrationId'> = {
  userId: 'workspaceId',
  inviteId: 'workspaceId',
  picture: 'workspaceId',
  submissionId: 'form',
  noteId: 'submissionId',
  jobId: 'form',
  tableId: 'form',
  viewId: 'form',
  scenarioId: 'form',
  version: 'form',
  integrationId: 'form',
  deliveryId: 'integrationId',
};
const GUARDED = ROUTES.filter(({ needs }) => needs !== 'nothing');
const NESTED = GUARDED.filter((row) => parametersOf(row).some((name) => name in PARENT));

const world = useWorld();
let places: Record<'home' | 'second' | 'sibling' | 'elsewhere' | 'foreign', Place>;
beforeAll(async () => {
  const { context, home, foreign, people } = world;
  places = {
    home,
    // Another integration of the same form.
    second: { ...home, ...(await anIntegration(context, home)) },
    // Another form of the same workspace.
    sibling: await aSiblingOf(context, home),
    // Another workspace of the same admin.
    elsewhere: await aPlace(context, new Map([[people.admin, 'admin']])),
    // A workspace the admin does not belong to.
    foreign,
  };
});

describe.each(NESTED)('ids of several places in $method $path', (row) => {
  test.each([
    ['numbers', (place: Place) => place],
    [
      'slugs and UUIDs',
      (place: Place) => ({ ...place, form: place.slug, submissionId: place.submissionUuid }),
    ],
  ])('never reach anything: %s', async (_what, idsOf) => {
    const { admin } = world.people;
    const before = await databaseState(world.context);
    const tried = mixtures(row).map(async (origins) => {
      const expected = expectedOf(row, origins);
      // Ids that belong together must open, or the refusals prove nothing. The matrix tests the routes that change something.
      if (expected === 200 && row.method !== 'GET') return;
      const ids = Object.fromEntries(
        parametersOf(row)
          .filter((name) => name !== 'option')
          .map((name, index) => [name, idsOf(places[origins[index]!])[name as 'form']]),
      );
      const answer = await send(world, callOf(row, world.home, admin, ids), { token: admin.token });
      if (expected !== 200) expectRefusal(answer, origins.join());
      expect([origins.join(), answer.status]).toEqual([origins.join(), expected]);
    });
    await Promise.all(tried);
    expect(tried.length).toBeGreaterThan(1);
    expect(await databaseState(world.context)).toEqual(before);
  });
});

test('a form of others is 403 by its number, its slug and its UUID', async () => {
  const { form, slug, uuid } = places.foreign;
  for (const ref of [form, slug, uuid, uuid.toUpperCase()]) {
    const call = { method: 'GET', path: `/open/forms/${ref}` };
    const answer = await send(world, call, { token: world.people.admin.token });
    expectRefusal(answer, String(ref));
    expect([ref, answer.status]).toEqual([ref, 403]);
  }
});

type Origin = keyof typeof places;

/** Every combination of origins for the parameters. */
function mixtures(row: RouteRow): Origin[][] {
  const origins = Object.keys(places) as Origin[];
  return parametersOf(row).reduce<Origin[][]>(
    (chosen) => chosen.flatMap((begun) => origins.map((origin) => [...begun, origin])),
    [[]],
  );
}

/** 403 for what belongs to others, 404 for what belongs elsewhere, 200 for what belongs together. */
function expectedOf(row: RouteRow, origins: Origin[]): 200 | 403 | 404 {
  const names = parametersOf(row);
  if (origins[0] === 'foreign') return 403;
  const belongs = names.slice(1).every((name, index) => {
    const parent = PARENT[name];
    if (parent === undefined) throw new Error(`${name} of ${nameOf(row)} has no parent here.`);
    return places[origins[index + 1]!][parent] === places[origins[names.indexOf(parent)]!][parent];
  });
  return belongs ? 200 : 404;
}

/** Ids that nothing has: misspelled, too large, of another kind, or never given out. */
const NO_IDS = [
  ...['0', '-1', '01', '%201', '1%20', '+1', '1.0', '1e3', '0x1', '%D9%A1', '%EF%BC%91', '9007199254740992'],
  ...[
    '9223372036854775807',
    '9223372036854775808',
    '%00',
    '1%00',
    '%0A',
    '%27',
    '%2F',
    '%25',
    '%C0%80',
    '%FF',
  ],
  ...['null', '[]', '*', 'constructor', '__proto__', 'nobody-has-this-slug', '1;2', '1%20or%201=1'],
  ...[
    randomUUID(),
    `%7B${randomUUID()}%7D`,
    randomUUID().replaceAll('-', ''),
    'x'.repeat(255),
    'x'.repeat(300),
  ],
];

const ONE_ID = GUARDED.flatMap((row) =>
  parametersOf(row)
    .filter((name) => name !== 'option')
    .map((parameter) => ({ ...row, parameter })),
);

describe.each(ONE_ID)('$parameter of $method $path', (row) => {
  test('that nothing has is 404, and never more than that', async () => {
    const { admin } = world.people;
    const credentials =
      row.needs === 'session' ? { cookie: await aSessionOf(world.context, admin) } : { token: admin.token };
    const before = await databaseState(world.context);
    await Promise.all(
      [...NO_IDS, ...ownButStrange(row.parameter)].map(async (id) => {
        const answer = await send(
          world,
          callOf(row, world.home, admin, { [row.parameter]: id }),
          credentials,
        );
        // Percent-encoding that is no text is refused before a route is looked up.
        const expected = ['%C0%80', '%FF'].includes(id) ? 400 : 404;
        expect([id, answer.status]).toEqual([id, expected]);
        expect(answer.body, id).toEqual({ message: expect.stringMatching(/\S/) });
      }),
    );
    expect(await databaseState(world.context)).toEqual(before);
  });

  test('is not looked for before the caller is known and able', async () => {
    const unable = await aTokenOf(world.context, world.people.admin, []);
    const call = callOf(row, world.home, world.people.admin, { [row.parameter]: 999_999_999 });
    expect((await send(world, call)).status).toBe(401);
    expect((await send(world, call, { token: unable.token })).status).toBe(403);
  });
});

/** Existing ids, written in ways that a database would accept. */
function ownButStrange(parameter: string): string[] {
  const { home } = world;
  const id = String(home[parameter as keyof Place] ?? 1);
  const strange = [`0${id}`, `%20${id}`, `${id}%20`, `${id}.0`, `+${id}`, `${id}%00`];
  if (parameter === 'form')
    strange.push(`%7B${home.uuid}%7D`, home.uuid.replaceAll('-', ''), `${home.slug}-`);
  if (parameter === 'submissionId') strange.push(`%7B${home.submissionUuid}%7D`, home.uuid);
  return strange;
}

describe('the public form routes', () => {
  const asked = ROUTES.filter(({ method, path }) => path.startsWith('/forms/:form') && method !== 'OPTIONS');

  test.each(asked)('know nothing by a wrong name: $method $path', async (row) => {
    const before = await databaseState(world.context);
    for (const form of NO_IDS) {
      const answer = await send(
        world,
        callOf(row, world.home, world.people.admin, { form, previewToken: form, block: 'b' }),
      );
      expect([form, answer.status]).toEqual([form, ['%C0%80', '%FF'].includes(form) ? 400 : 404]);
      if (row.method !== 'HEAD') expect(answer.body.message).toMatch(/\S/);
    }
    expect(await databaseState(world.context)).toEqual(before);
  });
});

describe('ids in a body or query', () => {
  const naming = ROUTES.filter((row) => row.role !== null && parametersOf(row).length === 0);
  /** Routes that have nothing to do where the form does not exist. */
  const isContent = ({ method, path }: { method: string; path: string }) =>
    method === 'DELETE' && path.startsWith('/external/');

  test.each(naming)('of nothing are 422 for $method $path, or nothing to do', async (row) => {
    const { admin } = world.people;
    const before = await databaseState(world.context);
    const call = callOf(row, world.home, admin);
    const key = JSON.stringify(call).includes('workspace_id') ? 'workspace_id' : 'form_id';
    await Promise.all(
      ['', ...NO_IDS].map(async (id) => {
        const answer = await send(world, withNamed(call, key, id), { token: admin.token });
        const isId = id !== '' && !id.includes('%00');
        const expected = isContent(row) && isId ? [200] : [422, key];
        expect([id, answer.status, ...Object.keys(answer.body.errors ?? {})]).toEqual([id, ...expected]);
      }),
    );
    expect(await databaseState(world.context)).toEqual(before);
  });

  test('submissions of another form are as unknown as those that never were', async () => {
    const { admin } = world.people;
    const before = await databaseState(world.context);
    for (const [path, kind] of [
      ['submissions/multi', 'submissionId'],
      ['submissions/export', 'submissionId'],
      ['submissions/trash', 'submissionId'],
      ['submissions/trash/restore', 'trashedId'],
    ] as const) {
      const answers = [places.sibling[kind], places.foreign[kind], 999_999_999].map((id) => {
        const body = { columns: { id: true }, submissionIds: [world.home[kind], id] };
        const call = { method: 'POST', path: `/open/forms/${world.home.form}/${path}`, body };
        return send(world, call, { token: admin.token });
      });
      const [sibling, foreign, unknown] = await Promise.all(answers);
      expect([path, sibling?.status]).toEqual([path, 422]);
      expect([foreign?.text, unknown?.text]).toEqual([sibling?.text, sibling?.text]);
    }
    expect(await databaseState(world.context)).toEqual(before);
  });

  test('the token of somebody else cannot be revoked', async () => {
    const other = await aTokenOf(world.context, world.people.neighbour);
    const cookie = await aSessionOf(world.context, world.people.admin);
    const before = await databaseState(world.context);
    const path = `/settings/tokens/${other.id}`;
    const answer = await send(world, { method: 'DELETE', path }, { cookie });
    expectRefusal(answer, path);
    expect(answer.status).toBe(404);
    expect(await databaseState(world.context)).toEqual(before);
  });
});

describe.each(GUARDED.filter((row) => parametersOf(row).length > 0))('$method $path', (row) => {
  test('goes by its path: other ids in body and query move nothing', async () => {
    const { admin } = world.people;
    const place = await world.newPlace();
    const { foreign } = places;
    const call = await prepareCall(world, row, place, admin);
    const strays = {
      id: foreign.form,
      form: foreign.form,
      form_id: foreign.form,
      formId: foreign.form,
      workspace: foreign.workspaceId,
      workspace_id: foreign.workspaceId,
      workspaceId: foreign.workspaceId,
      uuid: foreign.uuid,
      user_id: admin.id,
      userId: foreign.userId,
      creator_id: foreign.userId,
      submission_id: foreign.submissionId,
      public_id: foreign.submissionUuid,
      job_id: foreign.jobId,
      integrationId: foreign.integrationId,
      delivery_id: foreign.deliveryId,
      token_id: 1,
    };
    const query = new URLSearchParams(Object.entries(strays).map(([key, value]) => [key, String(value)]));
    const path = `${call.path}${call.path.includes('?') ? '&' : '?'}${query}`;
    const body = row.method === 'GET' ? undefined : { ...strays, ...call.body };
    const credentials =
      row.needs === 'session' ? { cookie: await aSessionOf(world.context, admin) } : { token: admin.token };
    const before = await stateOf(world.context, foreign);
    const answer = await send(world, { ...call, path, body }, credentials);
    expect(answer.status, answer.text).toBe(row.session ?? row.answers.admin);
    expect(await stateOf(world.context, foreign)).toEqual(before);
    expect(answer.text).not.toContain(foreign.slug);
  });
});

/** The call with the id that names its resource replaced; an empty text is sent as such. */
function withNamed(call: Call, key: string, id: string): Call {
  if (call.body) return { ...call, body: { ...call.body, [key]: decode(id) } };
  return { ...call, path: call.path.replace(/=.*/, `=${id}`) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
