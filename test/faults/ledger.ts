import { parse } from 'csv-parse/sync';
import pg from 'pg';
import { expect } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { until } from '../setup/until.ts';
import { type Load, submit } from './load.ts';
import type { Recorder } from './recorder.ts';
import type { World } from './world.ts';

export interface Figures {
  acknowledged: number;
  stored: number;
  delivered: number;
  lost: number;
  /** Deliveries that arrived more than once, which "at least once" allows. */
  repeated: number;
}

interface Books {
  world: World;
  load: Load;
  url: () => string;
  /** The receiver of all submissions, and its integration. */
  receiver?: { recorder: Recorder; integrationId: number };
  /** Directly to the database, so that the service is not asked about itself. */
  connection: pg.ClientConfig;
  /** Ends the leases of dead workers at once, instead of after 60 s. */
  isHurried?: boolean;
}

/** The number of keys sent once more at the end. */
const REPLAYED_KEYS = 20;

/**
 * Compares what clients were told, what the database holds, what the receiver got, and what the export contains.
 * @throws AssertionError when anything acknowledged is missing anywhere, or anything is there twice
 */
export async function balance(books: Books): Promise<Figures> {
  const { world, load, receiver, connection } = books;
  expect(load.oddities.slice(0, 5)).toEqual([]);
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    if (receiver && books.isHurried)
      await client.query('update deliveries set leased_until = null where leased_until is not null');
    if (receiver) await outboxIsEmpty(client, world.form.id);
    const stored = await storedAnswers(client, world.form.id);
    await checkCounters(client, world.form.id, stored.size);
    const exported = await exportedAnswers(world);
    const delivered = receiver ? deliveredIds(receiver.recorder) : new Map<number, string>();

    const lostToStore = [...load.acknowledged.values()].filter(
      ({ submissionId, text }) => stored.get(submissionId)?.text !== text,
    );
    const lostToExport = [...stored].filter(([id, { text }]) => exported.get(id) !== text);
    const lostToReceiver = receiver
      ? [...stored.values()].filter(({ id, text }) => delivered.get(id) !== text)
      : [];
    const lost = lostToStore.length + lostToExport.length + lostToReceiver.length;
    expect({ lostToStore, lostToExport, lostToReceiver }).toEqual({
      lostToStore: [],
      lostToExport: [],
      lostToReceiver: [],
    });
    expect(exported.size).toBe(stored.size);
    nothingElse(load, [...stored.values()], delivered);
    if (receiver) expect(receiver.recorder.faults).toEqual([]);
    await checkReplays(books);
    return {
      acknowledged: load.acknowledged.size,
      stored: stored.size,
      delivered: delivered.size,
      lost,
      repeated: receiver ? [...receiver.recorder.byId.values()].filter(({ times }) => times > 1).length : 0,
    };
  } finally {
    await client.end();
  }
}

/** Checks that nothing is stored twice or without having been sent, and nothing delivered without being stored. */
function nothingElse(
  load: Load,
  stored: { id: number; text: string }[],
  delivered: Map<number, string>,
): void {
  const sent = new Set(load.sent.values());
  const texts = stored.map(({ text }) => text);
  expect(texts.filter((text) => !sent.has(text))).toEqual([]);
  expect(new Set(texts).size).toBe(texts.length);
  const ids = new Set(stored.map(({ id }) => id));
  expect([...delivered.keys()].filter((id) => !ids.has(id))).toEqual([]);
}

/** Leases of dead workers last 60 s. */
const OUTBOX_LIMIT_MS = 90_000;

async function outboxIsEmpty(client: pg.Client, formId: number): Promise<void> {
  const waiting = async () => {
    const { rows } = await client.query(
      `select count(*)::int as count from deliveries where form_id = $1 and state = 'pending'`,
      [formId],
    );
    return rows[0].count === 0;
  };
  await until(waiting, { withinMs: OUTBOX_LIMIT_MS, what: 'an empty outbox' });
  const { rows } = await client.query(
    `select count(*)::int as count from deliveries where form_id = $1 and state <> 'delivered'`,
    [formId],
  );
  expect(rows[0].count).toBe(0);
}

async function storedAnswers(client: pg.Client, formId: number) {
  const { rows } = await client.query('select id, public_id, data from submissions where form_id = $1', [
    formId,
  ]);
  return new Map<string, { id: number; text: string }>(
    rows.map((row) => [row.public_id, { id: Number(row.id), text: row.data[TEXT_FIELD_ID] }]),
  );
}

async function checkCounters(client: pg.Client, formId: number, stored: number): Promise<void> {
  const { rows } = await client.query(
    'select completed_count, partial_count from form_counters where form_id = $1',
    [formId],
  );
  expect([Number(rows[0].completed_count), Number(rows[0].partial_count)]).toEqual([stored, 0]);
}

async function exportedAnswers(world: World): Promise<Map<string, string>> {
  const answer = await world.call('POST', `/open/forms/${world.form.id}/submissions/export`, {
    columns: { submission_id: true, [TEXT_FIELD_ID]: true },
  });
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  const rows: string[][] = parse(answer.text, { from_line: 2, record_delimiter: '\n' });
  return new Map(rows.map(([id = '', text = '']) => [id, text]));
}

function deliveredIds(recorder: Recorder): Map<number, string> {
  const all = [...recorder.byId.values()];
  const ids = new Map(all.map(({ submissionId, text }) => [submissionId, text]));
  // Each submission has one webhook-id.
  expect(ids.size).toBe(all.length);
  return ids;
}

/** Checks that a repeated key, from before or after the fault, gets the same answer. */
async function checkReplays({ load, world, url }: Books): Promise<void> {
  const all = [...load.acknowledged];
  const step = Math.max(1, Math.floor(all.length / REPLAYED_KEYS));
  for (let at = 0; at < all.length; at += step) {
    const [key, { submissionId, text }] = all[at] ?? ['', { submissionId: '', text: '' }];
    const told = await submit(url(), world.form.slug, text, key);
    expect([told.status, told.replayed, told.body?.submission_id]).toEqual([200, true, submissionId]);
  }
}
