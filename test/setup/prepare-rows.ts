import pg from 'pg';
import type { TestService } from './service.ts';

/** Runs statements that prepare many rows, on a connection without the service's time limit. */
export async function prepareRows(
  { database }: TestService,
  ...statements: [text: string, values: unknown[]][]
): Promise<void> {
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    for (const [text, values] of statements) await client.query(text, values);
  } finally {
    await client.end();
  }
}
