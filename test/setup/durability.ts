import pg from 'pg';

/**
 * Whether the server of the tests waits for the disk. Not waiting saves a tenth of the whole run and is safe: no test switches
 * a machine off, and what the kernel holds survives every process. Tests that start an installation see what it really does.
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
