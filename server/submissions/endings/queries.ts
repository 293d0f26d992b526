import { sql } from 'kysely';
import { type Ending, type ReachedEnding, reachedEnding } from '../../../fields/logic/endings.ts';
import type { Db } from '../../db/database.ts';

/** An ending as it is called now. */
type NamedEnding = Pick<Ending, 'id' | 'name'>;

/** The endings that a form has now, in order; none when it is gone. */
export async function findEndings(db: Db, formId: number): Promise<NamedEnding[]> {
  const row = await db
    .selectFrom('forms')
    .select(sql<NamedEnding[] | null>`presentation -> 'endings'`.as('endings'))
    .where('id', '=', formId)
    .executeTakeFirst();
  return row?.endings ?? [];
}

/**
 * The endings that a form has, in order, then those that it had and that submissions still name. It jumps from one id to the next in
 * the index, so it reads a row for each ending, however many submissions there are.
 */
export async function findKnownEndings(db: Db, formId: number): Promise<ReachedEnding[]> {
  const next = (after: ReturnType<typeof sql>) => sql`(
    select ending from submissions where form_id = ${formId} and ending is not null ${after} order by ending limit 1)`;
  const [present, { rows }] = await Promise.all([
    findEndings(db, formId),
    sql<{ id: string }>`
      with recursive reached as (
        select ${next(sql``)} as id
        union all
        select ${next(sql`and ending > reached.id`)} from reached where reached.id is not null
      )
      select id from reached where id is not null order by id`.execute(db),
  ]);
  const known = new Set([...present, ...rows].map(({ id }) => id));
  return [...known].map((id) => reachedEnding(present, id));
}
