import type { Context } from '../../server/context.ts';

/** When a token was last used, and failed guesses: a refused request may leave no other traces. */
const MAY_CHANGE = { column: 'last_used_at', table: 'failed_guesses' };

/** A text per table that changes with any write to it; tables of background jobs are included. */
export async function databaseState({ pool }: Context): Promise<Record<string, string>> {
  // A prepared statement: to plan it takes longer than to run it.
  const statement = { name: 'database-state', text: await writesOf(pool) };
  const { rows } = await pool.query<{ name: string; state: string }>(statement);
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}

/** For each table, a hash of the rows that name this workspace or one of its forms. */
export async function stateOf({ pool }: Context, place: { workspaceId: number; form: number }) {
  const names = (column: string, id: number) => `to_jsonb(t)->>'${column}' = '${id}'`;
  const condition = `${names('workspace_id', place.workspaceId)} or ${names('form_id', place.form)}`;
  const conditionOf: Record<string, string> = {
    workspaces: `id = ${place.workspaceId}`,
    forms: `id = ${place.form}`,
  };
  const queries = (await tablesOf(pool)).map(
    ({ name, table }) =>
      `select '${name}' as name, md5(string_agg(row, e'\\n' order by row)) as hash
      from (select (to_jsonb(t) - '${MAY_CHANGE.column}')::text as row from ${table} t
            where ${conditionOf[name] ?? condition}) rows`,
  );
  const { rows } = await pool.query<{ name: string; hash: string }>(queries.join(' union all '));
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

/**
 * Each written row gets a new `xmin`, so the count and sum of `xmin` show every change without reading the rows. In tables with
 * a column that may change, the other columns are hashed.
 */
async function writesOf(pool: Context['pool']): Promise<string> {
  const queries = (await tablesOf(pool)).map(({ name, table, columns }) => {
    const row = columns.includes(MAY_CHANGE.column)
      ? `hash_record_extended(row(${columns.filter((column) => column !== MAY_CHANGE.column).join()}), 0)`
      : 'xmin::text::bigint';
    return `select '${name}' as name, count(*) || ' ' || coalesce(sum(${row}), 0) as state from ${table}`;
  });
  return queries.join(' union all ');
}

interface Table {
  name: string;
  table: string;
  columns: string[];
}

const tablesByPool = new WeakMap<Context['pool'], Promise<Table[]>>();

/** Looked up once: the catalog is slow to ask, and no test of permissions changes the schema. */
function tablesOf(pool: Context['pool']): Promise<Table[]> {
  const tables = tablesByPool.get(pool) ?? readTables(pool);
  tablesByPool.set(pool, tables);
  return tables;
}

async function readTables(pool: Context['pool']): Promise<Table[]> {
  const { rows } = await pool.query<{ name: string; columns: string[] }>(
    `select relname::text as name, array_agg(quote_ident(attname) order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> $1 group by 1 order by 1`,
    [MAY_CHANGE.table],
  );
  const tables = rows.map((row) => ({ ...row, table: `public.${row.name}` }));
  return [...tables, { name: 'jobs', table: 'graphile_worker._private_jobs', columns: [] }];
}
