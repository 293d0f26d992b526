import { sql } from 'kysely';
import type { Answers } from '../../fields/property.ts';
import type { Db, Transaction } from '../db/database.ts';
import type { Expected } from './schemas.ts';

/** What a scenario says, as it is stored. */
export interface ScenarioContent {
  name: string;
  answers: Answers;
  expected: Expected;
  blocks_publishing: boolean;
}

/** A scenario as it is stored, with the name of its creator. */
export interface ScenarioRow extends ScenarioContent {
  id: number;
  created_at: Date;
  updated_at: Date;
  created_by: string | null;
}

/** The unique index that refuses a second scenario of the same name. */
export const NAME_INDEX = 'form_scenarios_name_idx';

/** Oldest first. */
export async function listScenarios(db: Db, formId: number): Promise<ScenarioRow[]> {
  const rows = await selectScenarios(db, formId).orderBy('form_scenarios.id').execute();
  return rows.map(typed);
}

/** Characters of the answers and expectations of all scenarios of a form, as JSON. */
export async function lengthOfScenarios(db: Db, formId: number): Promise<number> {
  const { length } = await db
    .selectFrom('form_scenarios')
    .where('form_id', '=', formId)
    .select(sql<number>`coalesce(sum(length(answers::text) + length(expected::text)), 0)`.as('length'))
    .executeTakeFirstOrThrow();
  return Number(length);
}

/** Whether a form has scenarios that it has to pass to be published. */
export async function hasBlockingScenarios(db: Db, formId: number): Promise<boolean> {
  const row = await db
    .selectFrom('form_scenarios')
    .where('form_id', '=', formId)
    .where('blocks_publishing', '=', true)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Those that a form has to pass to be published, oldest first. */
export async function listBlockingScenarios(db: Db, formId: number): Promise<ScenarioRow[]> {
  const rows = await selectScenarios(db, formId)
    .where('blocks_publishing', '=', true)
    .orderBy('form_scenarios.id')
    .execute();
  return rows.map(typed);
}

export async function findScenario(db: Db, formId: number, id: number): Promise<ScenarioRow | null> {
  const row = await selectScenarios(db, formId).where('form_scenarios.id', '=', id).executeTakeFirst();
  return row ? typed(row) : null;
}

export async function countScenarios(db: Db, formId: number): Promise<number> {
  const { count } = await db
    .selectFrom('form_scenarios')
    .where('form_id', '=', formId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertScenario(
  trx: Transaction,
  formId: number,
  content: ScenarioContent,
  userId: number | null,
): Promise<number> {
  const { id } = await trx
    .insertInto('form_scenarios')
    .values({ form_id: formId, ...columnsOf(content), created_by: userId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateScenario(trx: Transaction, id: number, content: ScenarioContent): Promise<void> {
  await trx
    .updateTable('form_scenarios')
    .set({ ...columnsOf(content), updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

/** @returns its name, or null when there is no such scenario of the form */
export async function deleteScenario(trx: Transaction, formId: number, id: number): Promise<string | null> {
  const row = await trx
    .deleteFrom('form_scenarios')
    .where('form_id', '=', formId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name ?? null;
}

/** Gives one form the scenarios of another, in the same order. */
export async function copyScenarios(
  trx: Transaction,
  fromId: number,
  toId: number,
  userId: number,
): Promise<void> {
  await sql`
    insert into form_scenarios (form_id, name, answers, expected, blocks_publishing, created_by)
    select ${toId}, name, answers, expected, blocks_publishing, ${userId} from form_scenarios
    where form_id = ${fromId} order by id`.execute(trx);
}

function columnsOf({ name, answers, expected, blocks_publishing }: ScenarioContent) {
  return { name, answers: JSON.stringify(answers), expected: JSON.stringify(expected), blocks_publishing };
}

function selectScenarios(db: Db, formId: number) {
  return db
    .selectFrom('form_scenarios')
    .leftJoin('users', 'users.id', 'form_scenarios.created_by')
    .where('form_id', '=', formId)
    .select(['form_scenarios.id', 'form_scenarios.name', 'answers', 'expected', 'blocks_publishing'])
    .select(['form_scenarios.created_at', 'form_scenarios.updated_at', 'users.name as created_by']);
}

function typed<Row extends { answers: unknown; expected: unknown }>(row: Row) {
  return { ...row, answers: row.answers as Answers, expected: row.expected as Expected };
}
