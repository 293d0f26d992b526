import { generate, PostgresDialect } from 'kysely-codegen';
import { buildApp } from '../server/app.ts';
import type { Context } from '../server/context.ts';
import { apiDocument } from '../server/http/openapi/openapi.ts';
import type { ApiDocument } from '../server/http/openapi/openapi-operations.ts';
import { apiTypes } from './api-types.ts';

export interface GeneratedFile {
  /** Path from the root of the repository. */
  path: string;
  content: string;
}

/** All generated files of the repository; the context's database must be freshly migrated. */
export async function generatedFiles(context: Context): Promise<GeneratedFile[]> {
  const api = await describeApi(context);
  return [
    { path: 'docs/openapi.json', content: `${JSON.stringify(api, null, 2)}\n` },
    { path: 'dashboard/api/schema.ts', content: apiTypes(api) },
    { path: 'server/db/schema.ts', content: await describeTables(context.db) },
  ];
}

async function describeApi(context: Context): Promise<ApiDocument> {
  const app = await buildApp(context);
  await app.ready();
  const document = apiDocument(app, '/');
  await app.close();
  return document;
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
  // The service parses int8 to a number, see `database.ts`.
  return types.replace(/export type Int8 = .*/, 'export type Int8 = ColumnType<number, number, number>;');
}
