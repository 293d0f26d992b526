import type { TestService } from '../setup/service.ts';

/**
 * All places of an installation that contain a text: tables of the database, including the job queue, and files of the store.
 * @returns their names
 */
export async function placesWith({ context }: TestService, text: string): Promise<string[]> {
  const { rows: tables } = await context.pool.query<{ name: string }>(`
    select format('%I.%I', nspname, relname) as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await context.pool.query(
      `select from ${name} t where strpos(lower(t::text), $1) > 0 limit 1`,
      [text.toLowerCase()],
    );
    if (rows.length > 0) found.push(name);
  }
  for (const name of await storedFiles(context)) {
    const content = await context.files.read(name);
    const chunks: Buffer[] = [];
    for await (const chunk of content ?? []) chunks.push(chunk);
    if (Buffer.concat(chunks).toString('latin1').toLowerCase().includes(text.toLowerCase())) found.push(name);
  }
  return found.sort();
}

/** The names of everything in the folder of the file store. */
export async function storedFiles({ config }: TestService['context']): Promise<string[]> {
  const { readdir } = await import('node:fs/promises');
  const { join, relative } = await import('node:path');
  const root = join(config.dataDir, 'files');
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
