import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { createSubmissionEvents, type FormEvent } from '../../server/submissions/events/hub.ts';
import { MAX_STREAMS } from '../../server/submissions/events/routes.ts';
import { STREAM_TIMES } from '../../server/submissions/events/stream.ts';
import { aMember, aToken, aUser, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectRefused, useHome } from '../setup/home.ts';
import { startService } from '../setup/service.ts';
import { until } from '../setup/until.ts';

const home = useHome({ env: { ROLES: 'http' } });
const times = { ...STREAM_TIMES };
const most = { ...MAX_STREAMS };
const open = new Set<{ close(): void }>();
afterEach(() => {
  Object.assign(STREAM_TIMES, times);
  Object.assign(MAX_STREAMS, most);
  vi.restoreAllMocks();
  for (const stream of open) stream.close();
  open.clear();
});

interface Received {
  id: string;
  name: string;
  data: any;
}

/** Reads a stream as an EventSource does. */
async function follow(
  form: { id: number },
  { headers = {}, url = home.service.url, query = '', token = home.ada.token as string | null } = {},
) {
  const controller = new AbortController();
  const response = await fetch(`${url}/open/forms/${form.id}/submissions/events${query}`, {
    headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
    signal: controller.signal,
  });
  const stream = {
    response,
    events: [] as Received[],
    text: '',
    isOver: false,
    close: () => controller.abort(),
    named: (name: string) => stream.events.filter((event) => event.name === name),
  };
  open.add(stream);
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      stream.text += decoder.decode(chunk as Uint8Array, { stream: true });
      stream.events = stream.text.split('\n\n').slice(0, -1).flatMap(parse);
    }
  })()
    .catch(() => {})
    .finally(() => {
      stream.isOver = true;
    });
  return stream;
}

function parse(block: string): Received[] {
  const lines = new Map(
    block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
  );
  const data = lines.get('data');
  return data === undefined
    ? []
    : [{ id: lines.get('id') ?? '', name: lines.get('event') ?? '', data: JSON.parse(data) }];
}

const answer = (name: string) => ({ [TEXT_FIELD_ID]: name });

test('tells of new and changed submissions, without their answers, and of deleted ones by the counters', async () => {
  const form = await home.form({ enable_partial_submissions: true });
  await home.submit(form, answer('before'));
  const stream = await follow(form);
  expect(stream.response.status).toBe(200);
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
  expect(stream.response.headers.get('cache-control')).toContain('no-store');
  await until(() => stream.events.length === 1);
  expect(stream.events[0]).toMatchObject({
    name: 'counters',
    data: { counters: { completed: 1, partial: 0 } },
  });

  const sent = (await home.submit(form, answer('secret words'))).body.submission_id;
  await until(() => stream.named('submission').length === 1);
  expect(stream.named('submission')[0]!.data).toEqual({
    created: [{ id: expect.any(Number), submission_id: sent, status: 'completed' }],
    changed: [],
    counters: { completed: 2, partial: 0 },
  });
  const [record] = await home.records(form);
  await home.call('PUT', `/open/forms/${form.id}/submissions/${record.id}`, answer('other words'));
  await until(() => stream.named('submission').length === 2);
  expect(stream.named('submission')[1]!.data).toMatchObject({
    created: [],
    changed: [{ id: record.id, submission_id: sent, status: 'completed' }],
  });
  const { submission_hash } = (await home.submit(form, { ...answer('half'), is_partial: true })).body;
  await until(() => stream.events.at(-1)?.data.counters.partial === 1);
  expect(stream.events.at(-1)!.data.created).toMatchObject([{ status: 'partial' }]);
  await home.submit(form, { ...answer('whole'), submission_hash });
  await until(() => stream.events.at(-1)?.data.counters.partial === 0);
  expect(stream.events.at(-1)!.data).toMatchObject({ created: [], changed: [{ status: 'completed' }] });
  await home.call('DELETE', `/open/forms/${form.id}/submissions/${record.id}`);
  await until(() => stream.events.at(-1)?.data.counters.completed === 2);
  expect(stream.events.at(-1)!.name).toBe('counters');
  expect(stream.text).not.toMatch(/words|half|whole/);
});

test('tells of reviews, without what notes say, and goes on after the last one that was told', async () => {
  const form = await home.form();
  for (const name of ['1', '2']) await home.submit(form, answer(name));
  const [second, first] = await home.records(form);
  const review = (id: number, said: object) =>
    home.call('POST', `/open/forms/${form.id}/submissions/${id}/review`, said);
  await review(second.id, { state: 'rejected' });
  const stream = await follow(form);
  await until(() => stream.events.length === 1);
  await review(first.id, { state: 'approved', note: 'secret words' });
  await until(() => stream.events.length === 2);
  expect(stream.events[1]).toMatchObject({
    name: 'submission',
    data: { created: [], changed: [], reviewed: [{ id: first.id, state: 'approved', notes: 1 }] },
  });
  const since = async (id: string) => {
    const next = await follow(form, { headers: { 'last-event-id': id }, query: '?wait=0' });
    await until(() => next.isOver);
    return next.named('submission').flatMap(({ data }) => data.reviewed);
  };
  expect(await since(stream.events[1]!.id)).toEqual([]);
  expect(await since(stream.events[0]!.id)).toEqual([{ id: first.id, state: 'approved', notes: 1 }]);
  await review(second.id, { note: 'more words' });
  await until(() => stream.events.length === 3);
  const noted = { id: second.id, state: 'rejected', notes: 1 };
  expect(stream.events[2]!.data.reviewed).toEqual([noted]);
  // As an EventSource of a page can say it; what the browser itself adds later is newer.
  const { id } = stream.events[1]!;
  const inAddress = await follow(form, { query: `?wait=0&last_event_id=${encodeURIComponent(id)}` });
  await until(() => inAddress.isOver);
  expect(inAddress.named('submission').map(({ data }) => data.reviewed)).toEqual([[noted]]);
  // An id as it was before there were reviews.
  const former = stream.events[0]!.id.split('/').slice(0, 2).join('/');
  expect(await since(former)).toEqual([{ id: first.id, state: 'approved', notes: 1 }, noted]);
  const { body } = await home.call('GET', `/open/forms/${form.id}/submissions/${second.id}/review`);
  const path = `/open/forms/${form.id}/submissions/${second.id}/review/notes/${body.history[1].id}`;
  expect((await home.call('DELETE', path)).status).toBe(200);
  await until(() => stream.events.length === 4);
  expect(stream.events[3]!.data.reviewed).toEqual([{ ...noted, notes: 0 }]);
  expect(stream.text).not.toContain('words');
});

test('goes on where a stream ended, also one of another process', async () => {
  const form = await home.form();
  await home.submit(form, answer('1'));
  const before = await follow(form, { query: '?wait=0' });
  await until(() => before.isOver);
  const { id } = before.events.at(-1)!;
  const missed: string[] = [];
  for (const name of ['2', '3']) missed.push((await home.submit(form, answer(name))).body.submission_id);
  const { database, dataDir } = home.service;
  const second = await startService({ env: { ROLES: 'http' }, database, dataDir });
  try {
    for (const url of [home.service.url, second.url]) {
      const after = await follow(form, { headers: { 'last-event-id': id }, query: '?wait=0', url });
      await until(() => after.isOver);
      expect(after.named('submission')[0]!.data.created.map((mark: any) => mark.submission_id)).toEqual(
        missed,
      );
      // Who loses the connection after the first event, and resumes from it, has missed nothing either.
      const [first] = after.events;
      expect(first).toMatchObject({ id, name: 'counters', data: { counters: { completed: 3 } } });
    }
  } finally {
    await second.stop();
  }
  for (const foreign of [
    'x',
    '1',
    '1/2026-99-99T00:00:00.000000Z',
    '1/2026-02-30T01:07:40.744825Z',
    '-1/',
    '1//-1',
    '9'.repeat(30),
  ]) {
    const fresh = await follow(form, { headers: { 'last-event-id': foreign }, query: '?wait=0' });
    await until(() => fresh.isOver);
    expect(fresh.events.map(({ name }) => name)).toEqual(['counters']);
  }
});

test('after too much it says to read the list anew', async () => {
  const form = await home.form();
  const before = await follow(form, { query: '?wait=0' });
  await until(() => before.isOver);
  await home.service.context.pool.query(
    `insert into submissions (form_id, public_id, status, data)
     select $1, gen_random_uuid(), 'completed', '{}' from generate_series(1, 500)`,
    [form.id],
  );
  const headers = { 'last-event-id': before.events.at(-1)!.id };
  const after = await follow(form, { headers, query: '?wait=0' });
  await until(() => after.isOver);
  expect(after.events.map(({ name }) => name)).toEqual(['counters', 'reset']);
});

test('looks at the database once a second for all who listen, and not when nobody does', async () => {
  const form = await home.form();
  const asked = vi.spyOn(home.service.context.pool, 'connect');
  const looksIn = async (seconds: number) => {
    const before = asked.mock.calls.length;
    await pause(seconds * 1_000);
    return asked.mock.calls.length - before;
  };
  const streams = await Promise.all(Array.from({ length: 20 }, () => follow(form)));
  await until(() => streams.every(({ events }) => events.length === 1));
  const looks = await looksIn(2.5);
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThan(5);
  for (const stream of streams) stream.close();
  await until(() => streams.every(({ isOver }) => isOver));
  // Looks that began before the last stream closed may still run.
  await pause(100);
  expect(await looksIn(1.5)).toBe(0);
});

test('sends a sign of life', async () => {
  STREAM_TIMES.heartbeatMs = 20;
  const stream = await follow(await home.form());
  await until(() => stream.text.includes('\n\n:\n\n:\n\n'));
});

test.each<[string, (member: any, token: { id: number }) => Promise<unknown>]>([
  [
    'the token',
    (member, { id }) => home.service.request('DELETE', `/settings/tokens/${id}`, { cookie: member.cookie }),
  ],
  [
    'the role',
    (member) => home.call('DELETE', `/open/workspaces/${home.workspaceId}/users/${member.id}/remove`),
  ],
])('ends with %s', async (_what, end) => {
  STREAM_TIMES.recheckMs = 50;
  const form = await home.form();
  const member = await home.newMember('readonly');
  const token = await aToken(home.service, member, ['forms-read']);
  const { body } = await home.service.request('GET', '/settings/tokens', { cookie: member.cookie });
  const stream = await follow(form, { token });
  await until(() => stream.events.length === 1);
  await end(member, body.at(-1));
  await until(() => stream.isOver);
  expect([401, 403]).toContain((await follow(form, { token })).response.status);
});

test('ends with the session, and with the form', async () => {
  STREAM_TIMES.recheckMs = 50;
  const form = await home.form();
  const member = await aUser(home.service);
  await aMember(home.service, home.ada, home.workspaceId, member, 'readonly');
  const bySession = await follow(form, { token: null, headers: { cookie: member.cookie } });
  const byToken = await follow(form);
  await until(() => bySession.events.length + byToken.events.length === 2);
  await home.service.request('POST', '/logout', { cookie: member.cookie });
  await until(() => bySession.isOver);
  expect(byToken.isOver).toBe(false);
  await home.call('DELETE', `/open/forms/${form.id}`);
  await until(() => byToken.isOver);
});

test('tells the ids by which answers can be changed to those who may change them, as long as they may', async () => {
  STREAM_TIMES.recheckMs = 50;
  const form = await home.form({ editable_submissions: true });
  const member = await home.newMember('user');
  const viewer = await follow(form, { token: (await home.member('readonly')).token });
  const demoted = await follow(form, { token: member.token });
  await until(() => viewer.events.length + demoted.events.length === 2);
  const { submission_id: first } = (await home.submit(form, answer('Ada'))).body;
  await until(() => viewer.named('submission').length + demoted.named('submission').length === 2);
  expect(demoted.text).toContain(first);
  const role = `/open/workspaces/${home.workspaceId}/users/${member.id}/update-role`;
  expect((await home.call('PUT', role, { role: 'readonly' })).status).toBe(200);
  const latest = await until(async () => {
    const { submission_id: id } = (await home.submit(form, answer('Ben'))).body;
    const count = (await home.records(form)).length;
    await until(() => demoted.events.at(-1)?.data.counters.completed === count);
    return !demoted.text.includes(id) && id;
  });
  await until(
    () => viewer.events.at(-1)?.data.counters.completed === demoted.events.at(-1)?.data.counters.completed,
  );
  for (const id of [first, latest]) expect(viewer.text).not.toContain(id);
  expect(viewer.named('submission')[0]!.data.created).toEqual([
    { id: expect.any(Number), submission_id: null, status: 'completed' },
  ]);
});

test('one person has twenty streams at most', async () => {
  const form = await home.form();
  const member = await home.newMember('readonly');
  const streams = await Promise.all(Array.from({ length: 20 }, () => follow(form, { token: member.token })));
  const refused = await home.call(
    'GET',
    `/open/forms/${form.id}/submissions/events`,
    undefined,
    member.token,
  );
  expectRefused(refused, 429);
  expect((await follow(form)).response.status).toBe(200);
  streams[0]!.close();
  await until(async () => (await follow(form, { token: member.token })).response.status === 200);
});

test('beyond the streams of all people another one is refused plainly, until one ends', async () => {
  const form = await home.form();
  MAX_STREAMS.all = 2;
  const streams = [await follow(form), await follow(form)];
  const refused = await follow(form);
  expect(refused.response.status).toBe(503);
  expect(refused.response.headers.get('retry-after')).toBe('30');
  await until(() => refused.isOver);
  expect(refused.text).toContain('Too many streams of all people are open already.');
  streams[0]!.close();
  await until(async () => (await follow(form)).response.status === 200);
});

test('lasts as long as was asked for', async () => {
  const stream = await follow(await home.form(), { query: '?wait=1' });
  await until(() => stream.isOver);
  expect(stream.response.status).toBe(200);
});

let other: Awaited<ReturnType<typeof startService>> | undefined;
afterAll(() => other?.stop());

test('ends in good order when the service stops', async () => {
  const { database, dataDir } = home.service;
  other = await startService({ env: { ROLES: 'http' }, database, dataDir });
  const stream = await follow(await home.form(), { url: other.url });
  await until(() => stream.events.length === 1);
  await other.stop();
  other = undefined;
  await until(() => stream.isOver);
});

test('whoever begins to listen is told, also when somebody has left before whose first look fails then', async () => {
  const form = await home.form();
  const { db, log, pool } = home.service.context;
  const events = createSubmissionEvents(db, log);
  const told: FormEvent[] = [];
  const listener = () => ({ tell: (event: FormEvent) => void told.push(event), end() {} });
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('lock table form_counters in access exclusive mode');
    const left = listener();
    const failing = expect(events.listen(form.id, left, null)).rejects.toThrow();
    const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    const pid = await until(async () => (await pool.query(waiting)).rows[0]?.pid, { what: 'the first look' });
    events.leave(form.id, left);
    const stays = listener();
    const begun = events.listen(form.id, stays, null);
    await pool.query('select pg_cancel_backend($1)', [pid]);
    await failing;
    await client.query('rollback');
    await begun;
    await home.submit(form, answer('new'));
    await until(() => told.some(({ name }) => name === 'submission'));
    events.leave(form.id, stays);
  } finally {
    client.release(true);
  }
});
