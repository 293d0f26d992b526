import pg from 'pg';
import { expect, inject, test } from 'vitest';

test('each project runs on the PostgreSQL it is named after', async ({ task }) => {
  const client = new pg.Client(inject('postgres') as pg.ClientConfig);
  await client.connect();
  try {
    const { rows } = await client.query('show server_version_num');
    const major = Math.floor(Number(rows[0].server_version_num) / 10_000);
    expect(major).toBe(task.file.projectName === 'postgres-15' ? 15 : 18);
  } finally {
    await client.end();
  }
});
