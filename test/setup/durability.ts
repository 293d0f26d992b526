import pg from 'pg';

/**
 * Whether the server of the tests waits for the disk. No test switches a machine off, and what the kernel holds survives every
 * process: without waiting a tenth of the whole run is saved. What an installation does is seen in tests that start one.
 */
export async function waitForDisk(server: pg.ClientConfig, isOn: boolean): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  try {
    for (const setting of ['fsync', 'full_page_writes'])
      await client.query(`alter system set ${setting} = ${isOn ? 'on' : 'off'}`);
    await client.query('select pg_reload_conf()');
  } finally {
    await client.end();
  }
}
