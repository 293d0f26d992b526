import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Transaction } from '../../server/db/database.ts';
import { countSubmissions } from '../../server/statistics/count-submissions.ts';
import { countNextSubmissions, findStatistics } from '../../server/statistics/queries.ts';
import { deleteSubmissions } from '../../server/submissions/queries.ts';
import {
  addToCounters,
  insertSubmission,
  lockFormGate,
  overwriteSubmission,
} from '../../server/submissions/store-queries.ts';
import { useHome } from '../setup/home.ts';

const home = useHome({ env: { ROLES: 'http' } });
const EVER = { from: '2000-01-01', to: '2100-01-01' };
const ENDINGS = ['young', 'shop'];
const LIMITED = ['utm_source', 'utm_medium', 'utm_campaign'];

/** The right values of the counters, by a plain count over all submissions. */
async function countedByHand(formId: number): Promise<Record<string, number>> {
  const rows = await home.service.context.db
    .selectFrom('submissions')
    .selectAll()
    .where('form_id', '=', formId)
    .execute();
  const counts: Record<string, number> = {};
  const add = (key: string, count = 1) => {
    counts[key] = (counts[key] ?? 0) + count;
  };
  for (const { status, completion_time: time, attribution, created_at, ending } of rows) {
    const day = (created_at as unknown as Date).toISOString().slice(0, 10);
    add(`${status} day ${day}`);
    add(`${status} `);
    if (status !== 'completed') continue;
    if (ending !== null) add(`ending ${ending}`);
    if (time !== null) {
      if (Math.round(time) > 0) add('time ', Math.round(time));
      add(`duration ${time < 1000 ? Math.round(time) : Number(time.toPrecision(3))}`);
    }
    for (const [key, value] of Object.entries((attribution ?? {}) as Record<string, string>))
      if (LIMITED.includes(key)) add(`${key} ${value}`);
  }
  return counts;
}

async function counted(formId: number): Promise<Record<string, number>> {
  const rows = await findStatistics(home.service.context.db, formId, EVER);
  return Object.fromEntries(
    rows.map(({ kind, day, place, count }) => [
      day === null ? `${kind} ${place}` : `${kind} day ${day}`,
      count,
    ]),
  );
}

/** The same in every run, so that a failure can be examined. */
function chances(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

test.each([1, 2, 3])(
  'whatever happens to submissions, the counters say what they are (seed %i)',
  async (seed) => {
    const { db } = home.service.context;
    const { id: formId } = await home.form();
    const chance = chances(seed);
    const ids: { id: number; publicId: string; status: 'completed' | 'partial' }[] = [];
    const time = () => [null, 0, 12, 12.4, 999, 1234.4, 86_400][chance(7)] as number | null;
    const ending = (status: string) => (status === 'completed' ? (ENDINGS[chance(3)] ?? null) : null);
    const attribution = () =>
      chance(3) === 0 ? null : { utm_source: `s${chance(5)}`, utm_medium: 'm', gclid: 'x' };
    const add = async (trx: Transaction) => {
      const status = chance(2) === 0 ? 'completed' : 'partial';
      const publicId = randomUUID();
      const stored = {
        publicId,
        status,
        answers: {},
        completionTime: time(),
        ending: ending(status),
      } as const;
      const id = await insertSubmission(trx, formId, stored, { attribution: attribution() });
      await sql`update submissions set created_at = now() - ${chance(4)} * interval '1 day' where form_id = ${formId} and id = ${id}`.execute(
        trx,
      );
      await addToCounters(trx, formId, status === 'completed' ? 1 : 0, status === 'partial' ? 1 : 0);
      ids.push({ id, publicId, status });
    };
    const overwrite = async (trx: Transaction, at: number) => {
      const one = ids[at];
      if (!one) return;
      const status = one.status === 'partial' && chance(2) === 0 ? 'partial' : 'completed';
      const changed = { status, answers: {}, completionTime: time(), ending: ending(status) } as const;
      const stored = { publicId: one.publicId, ...changed };
      await overwriteSubmission(trx, formId, stored, { from: one.status, fieldIds: [] });
      if (one.status !== status) await addToCounters(trx, formId, 1, -1);
      one.status = status;
    };
    const remove = async (trx: Transaction, at: number) => {
      if (!ids[at]) return;
      const gone = ids.splice(at, 1 + chance(3)).map(({ id }) => id);
      await deleteSubmissions(trx, formId, gone);
    };
    const changes = [add, add, overwrite, remove, async () => {}];
    for (let turn = 0; turn < 250; turn++) {
      await db.transaction().execute(async (trx) => {
        await lockFormGate(trx, formId);
        const at = chance(ids.length + 1);
        await changes[chance(changes.length)]?.(trx, at);
      });
      if (chance(10) === 0) while (await countNextSubmissions(db, formId));
      if (chance(10) === 0) expect(await counted(formId)).toEqual(await countedByHand(formId));
    }
    await countSubmissions(db);
    expect(await counted(formId)).toEqual(await countedByHand(formId));
    await db.transaction().execute(async (trx) => {
      await lockFormGate(trx, formId);
      await deleteSubmissions(
        trx,
        formId,
        ids.map(({ id }) => id),
      );
    });
    const left = await db.selectFrom('form_days').select('kind').where('form_id', '=', formId).execute();
    expect(new Set(left.map(({ kind }) => kind))).toEqual(new Set(['seen']));
  },
);
