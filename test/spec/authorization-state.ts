import type { Context } from '../../server/context.ts';

/** When somebody was last here, and who guessed wrong: the only traces a refused request may leave. */
const MAY_CHANGE = { column: 'last_used_at', table: 'failed_guesses' };

/** A hash of the rows of every table, background jobs included. */
export function databaseState(context: Context): Promise<Record<string, string>> {
  return hashes(context, 'true');
}

/** The same of what names this workspace or one of its forms. */
export function stateOf(context: Context, place: { workspaceId: number; form: number }) {
  const names = (column: string, id: number) => `to_jsonb(t)->>'${column}' = '${id}'`;
  return hashes(context, `${names('workspace_id', place.workspaceId)} or ${names('form_id', place.form)}`, {
    workspaces: `id = ${place.workspaceId}`,
    forms: `id = ${place.form}`,
  });
}

async function hashes(
  { pool }: Context,
  condition: string,
  conditionOf: Record<string, string> = {},
): Promise<Record<string, string>> {
  const tables = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> $1 order by 1`,
    [MAY_CHANGE.table],
  );
  const named = [
    ...tables.rows.map(({ name }) => [name, `public.${name}`]),
    ['jobs', 'graphile_worker.jobs'],
  ];
  const queries = named.map(
    ([name = '', table]) => `
      select '${name}' as name, md5(string_agg(row, e'\\n' order by row)) as hash
      from (select (to_jsonb(t) - '${MAY_CHANGE.column}')::text as row from ${table} t
            where ${conditionOf[name] ?? condition}) rows`,
  );
  const { rows } = await pool.query<{ name: string; hash: string }>(queries.join(' union all '));
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}
