import type { Db, Transaction } from '../../db/database.ts';
import { limitStatements } from '../../submissions/lists/queries.ts';
import { TIMED_OUT } from '../../submissions/lists/turns.ts';
import type { EntityRow, EntitySet } from './entity-types.ts';
import type { Condition } from './filter.ts';
import type { Options } from './options.ts';
import { badRequest } from './problems.ts';
import { countEntities, type EntityPlace, findEntities } from './queries.ts';

/** Entities in a page at most. */
export const MAX_PAGE = 2_000;
/** Of the answers in a page, as they are stored. */
const PAGE_BYTES = 4 * 1024 * 1024;
/** Filters without an index, and sets of entries that few submissions have, look at every submission of the form. */
const LONGEST_MS = 60_000;

export interface Page {
  rows: EntityRow[];
  /** null when it was not asked for. */
  count: number | null;
  /** Where the next page begins, and how many entities are still wanted (null: all); null at the end. */
  next: { after: EntityPlace; top: number | null } | null;
}

/** The form and set that are read. */
export interface Source {
  db: Db;
  formId: number;
  set: EntitySet;
}

/** @param size entities in the page at most @throws HttpError 400 when reading takes too long */
export function readPage(source: Source, options: Options, size: number): Promise<Page> {
  const { condition, order, after, skip, top, isCounted } = options;
  const { formId, set } = source;
  const entities = { formId, entriesOf: set.entriesOf, condition };
  const wanted = Math.min(top ?? size, size);
  // One more tells whether there is a next page.
  const limit = top === wanted ? wanted : wanted + 1;
  return inTime(source.db, async (trx, end) => {
    const count = isCounted ? await countEntities(trx, entities) : null;
    if (wanted === 0) return { rows: [], count, next: null };
    if (isCounted) await limitStatements(trx, Math.max(1, end - Date.now()));
    const found = await findEntities(trx, entities, { order, after, skip, limit, bytes: PAGE_BYTES });
    const rows = found.rows.slice(0, wanted);
    const last = rows.at(-1);
    const isLast = last === undefined || found.count === rows.length || rows.length === top;
    if (isLast) return { rows, count, next: null };
    const moment = order.by === 'created_at' ? last.moment : null;
    const place = { id: last.id, position: last.position, moment };
    return { rows, count, next: { after: place, top: top === null ? null : top - rows.length } };
  });
}

/** @returns null when there is none */
export function readEntity({ db, formId, set }: Source, condition: Condition): Promise<EntityRow | null> {
  const order = { by: 'id', isRising: true } as const;
  const page = { order, after: null, skip: 0, limit: 1, bytes: PAGE_BYTES };
  return inTime(db, async (trx) => {
    const { rows } = await findEntities(trx, { formId, entriesOf: set.entriesOf, condition }, page);
    return rows[0] ?? null;
  });
}

export function readCount({ db, formId, set }: Source, condition: Condition | null): Promise<number> {
  return inTime(db, (trx) => countEntities(trx, { formId, entriesOf: set.entriesOf, condition }));
}

/** @param read is given the moment when its time is over, as the database limits each of its statements alone */
function inTime<Result>(db: Db, read: (trx: Transaction, end: number) => Promise<Result>): Promise<Result> {
  const reading = db.transaction().execute(async (trx) => {
    const end = Date.now() + LONGEST_MS;
    await limitStatements(trx, LONGEST_MS);
    return read(trx, end);
  });
  return reading.catch((error: { code?: string }) => {
    throw error.code === TIMED_OUT
      ? badRequest(
          'Looking through so many submissions took too long: compare their number or time in the $filter.',
        )
      : error;
  });
}
