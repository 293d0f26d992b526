import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { startService, type TestService } from '../setup/service.ts';

/** Compares what events tell, to somebody who comes back now and then, to either of two processes, with the list itself. */
const home = useHome({ env: { ROLES: 'http' } });
const SEED = 20261127;
const TURNS = 16;
const MOST_AT_ONCE = 4;

let second: TestService;
beforeAll(async () => {
  const { database, dataDir } = home.service;
  second = await startService({ env: { ROLES: 'http' }, database, dataDir });
});
afterAll(() => second?.stop());

/** The same choices in every run (mulberry32). */
function chances(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Told {
  created: number[];
  changed: number[];
  reviewed: number[];
}

test('whoever comes back is told once of each new, changed and reviewed submission, in any process', async () => {
  const chance = chances(SEED);
  const services = () => (chance(2) === 0 ? home.service : second);
  const { token } = home.ada;
  const form = await home.form({ enable_partial_submissions: true, editable_submissions: true });
  const path = `/open/forms/${form.id}/submissions`;
  const call = async (method: string, rest: string, body?: unknown) => {
    const answer = await services().request(method, path + rest, { token, body });
    expect(answer.status, `${method} ${rest} ${answer.text}`).toBe(200);
    return answer.body;
  };
  const send = async (body: object) => {
    const answer = await services().request('POST', `/forms/${form.slug}/answer`, { body });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  let words = 0;
  const answers = () => ({ [TEXT_FIELD_ID]: `word ${words++}` });
  const begun: string[] = [];
  let trashed: number[] = [];
  let rows: any[] = [];

  /** Something that happens to the form; `row` is a submission that nothing else happens to meanwhile. */
  const happen = async (row: any): Promise<unknown> => {
    const ids = { submissionIds: [row?.id] };
    switch (row ? chance(10) : chance(3)) {
      case 0:
        return send(answers());
      case 1: {
        const { submission_hash } = await send({ ...answers(), is_partial: true });
        return begun.push(submission_hash);
      }
      case 2:
        return call('POST', '/import', {
          submissions: [{ created_at: '2026-01-01T00:00:00Z', answers: answers() }, { answers: answers() }],
        });
      case 3:
      case 4:
        return call('PUT', `/${row.id}`, answers());
      case 5:
        return row.status === 'completed' && send({ ...answers(), submission_id: row.submission_id });
      case 6:
        return call('POST', `/${row.id}/review`, { note: `note ${words++}` });
      case 7:
        return call('PUT', '/reviews', { ...ids, state: ['approved', 'rejected'][chance(2)] });
      case 8:
        await call('POST', '/trash', ids);
        return trashed.push(row.id);
      default:
        return call('DELETE', `/${row.id}`);
    }
  };
  const restore = async () => {
    if (trashed.length > 0) await call('POST', '/trash/restore', { submissionIds: trashed.slice(0, 2) });
    trashed = trashed.slice(2);
  };

  let position = '';
  /** What is told since the last time. */
  const comeBack = async (): Promise<Told> => {
    const { text } = await services().request('GET', `${path}/events?wait=0&last_event_id=${position}`, {
      token,
    });
    const told: Told = { created: [], changed: [], reviewed: [] };
    for (const block of text.split('\n\n').filter((block) => block.includes('data: '))) {
      position = encodeURIComponent(/^id: (.*)$/m.exec(block)?.[1] ?? '');
      const {
        created = [],
        changed = [],
        reviewed = [],
      } = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '{}');
      for (const [name, marks] of Object.entries({ created, changed, reviewed }))
        told[name as keyof Told].push(...marks.map(({ id }: { id: number }) => id));
    }
    return told;
  };
  const state = new Map<number, any>();
  await comeBack();
  for (let turn = 0; turn < TURNS; turn++) {
    const free = [...rows].sort((one, other) => one.id - other.id);
    const count = 1 + chance(MOST_AT_ONCE);
    await Promise.all(
      Array.from({ length: count }, () => happen(free.splice(chance(free.length || 1), 1)[0])),
    );
    if (chance(3) === 0) await restore();
    const before = new Set(state.keys());
    rows = (await call('GET', '?order=desc&per_page=100')).data;
    if (chance(3) === 0 && turn < TURNS - 1) continue;
    const now = new Map(rows.map((row) => [row.id, row]));
    const where = (holds: (row: any, known: any) => boolean) =>
      rows.filter((row) => holds(row, state.get(row.id))).map(({ id }) => id);
    const wanted = {
      created: where((_, known) => !known),
      changed: where((row, known) => known && known.updated_at !== row.updated_at),
      reviewed: where((row, known) => JSON.stringify(row.review) !== JSON.stringify(known?.review)),
    };
    const told = await comeBack();
    expect(before.size + told.created.length).toBeGreaterThanOrEqual(now.size);
    for (const name of ['created', 'changed', 'reviewed'] as const)
      expect(told[name].toSorted(), `${name} in turn ${turn}`).toEqual(wanted[name].toSorted());
    state.clear();
    for (const [id, row] of now) state.set(id, row);
  }
  expect(state.size).toBeGreaterThan(TURNS / 4);
});
