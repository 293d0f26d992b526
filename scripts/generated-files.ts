import { generate, PostgresDialect } from 'kysely-codegen';
import { buildApp } from '../server/app.ts';
import type { Context } from '../server/context.ts';
import { apiDocument } from '../server/http/openapi.ts';

export interface GeneratedFile {
  /** From the root of the repository. */
  path: string;
  content: string;
}

/** What the repository keeps of the things that are never written by hand; the context's database is freshly migrated. */
export async function generatedFiles(context: Context): Promise<GeneratedFile[]> {
  return [
    { path: 'docs/openapi.json', content: await describeApi(context) },
    { path: 'server/db/schema.ts', content: await describeTables(context.db) },
  ];
}

async function describeApi(context: Context): Promise<string> {
  const app = await buildApp(context);
  await app.ready();
  const document = apiDocument(app, '/');
  await app.close();
  return `${JSON.stringify(document, null, 2)}\n`;
}

async function describeTables(db: Context['db']): Promise<string> {
  const types = await generate({
    db,
    dialect: new PostgresDialect({ defaultSchemas: ['public'], numericParser: 'number' }),
    defaultSchemas: ['public'],
    includePattern: 'public.*',
    outFile: null,
    typeOnlyImports: true,
  });
  // int8 is parsed to a number everywhere, see `database.ts`.
  return types.replace(/export type Int8 = .*/, 'export type Int8 = ColumnType<number, number, number>;');
}
