import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { type Connection, openPool } from '../../server/db/database.ts';
import {
  createMigrationTable,
  MIGRATION_LOCK,
  MigrationError,
  migrate,
  readMigrations,
} from '../../server/db/migrate.ts';

const names = (await readMigrations()).map((migration) => migration.name);

let admin: pg.Client;
let name: string;
let pools: pg.Pool[];

/** A new connection to an empty database. */
function open(): pg.Pool {
  const connection = { ...inject('postgres'), database: name } as Connection;
  const pool = openPool(connection, () => {}, { max: 4 });
  pools.push(pool);
  return pool;
}

beforeEach(async () => {
  name = `migrate_${randomBytes(6).toString('hex')}`;
  pools = [];
  admin = new pg.Client({ ...(inject('postgres') as pg.ClientConfig), database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${name}`);
});

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});

test('three migrators at once do the work once', async () => {
  const applied = await Promise.all([migrate(open()), migrate(open()), migrate(open())]);
  expect(applied.flat()).toEqual(names);
  expect(await migrate(open())).toEqual([]);
});

test('a migrator that waits for another one, or for a backup, says so, and works afterwards', async () => {
  const other = await open().connect();
  await other.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK]);
  const lines: string[] = [];
  const migrating = migrate(open(), (line) => lines.push(line));
  await expect.poll(() => lines).toEqual([expect.stringContaining('backing up the database; waiting')]);
  await other.query('select pg_advisory_unlock_shared($1)', [MIGRATION_LOCK]);
  other.release();
  expect(await migrating).toEqual(names);
});

test('a database of a newer version is refused and left alone', async () => {
  const pool = open();
  await migrate(pool);
  await pool.query("insert into schema_migrations (name, checksum) values ('9999_future.sql', 'x')");
  await expect(migrate(pool)).rejects.toThrow(MigrationError);
  await expect(migrate(pool)).rejects.toThrow('newer Formstead (it has "9999_future.sql")');
});

test('a database that cannot hold every character is refused', async () => {
  await admin.query(`drop database ${name}`);
  await admin.query(
    `create database ${name} encoding SQL_ASCII lc_collate 'C' lc_ctype 'C' locale_provider libc template template0`,
  );
  await expect(migrate(open())).rejects.toThrow(MigrationError);
  await expect(migrate(open())).rejects.toThrow('encoding SQL_ASCII, which cannot hold every character');
});

test('a search path that leads to no schema is refused', async () => {
  await admin.query(`alter database ${name} set search_path = missing`);
  await expect(migrate(open())).rejects.toThrow(MigrationError);
  await expect(migrate(open())).rejects.toThrow('search_path names no schema that exists');
});

test('a migration that was edited after it was applied is refused', async () => {
  const pool = open();
  await migrate(pool);
  await pool.query("update schema_migrations set checksum = 'other' where name = '0001_initial.sql'");
  await expect(migrate(pool)).rejects.toThrow('differs from its file');
});

test('a migration that fails leaves nothing behind and works once its cause is gone', async () => {
  const pool = open();
  await pool.query('create table deliveries (in_the_way int)');
  await expect(migrate(pool)).rejects.toThrow('already exists');
  const { rows } = await pool.query(
    "select to_regclass('users') as users, (select count(*) from schema_migrations) as applied",
  );
  expect(rows).toEqual([{ users: null, applied: 0 }]);
  await pool.query('drop table deliveries');
  expect(await migrate(pool)).toEqual(names);
});

test('forms whose answers count for something else after 0029 are counted anew, no others', async () => {
  const pool = open();
  const client = await pool.connect();
  await createMigrationTable(client);
  for (const { name, sql, checksum } of await readMigrations()) {
    if (name >= '0029') break;
    await client.query(sql);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
  }
  await client.query("insert into workspaces (name) values ('Any')");
  const scale = (max: number) => ({ id: 'a', type: 'scale', name: 'A', scale_max_value: max });
  const fields = [
    { id: 'a', type: 'repeat', name: 'A', questions: [{ id: 'b', type: 'text', name: 'B' }] },
    scale(20_000),
    scale(10),
    { id: 'a', type: 'number', name: 'A' },
  ];
  for (const field of fields)
    await client.query(
      `with form as (
        insert into forms (workspace_id, slug, title, properties)
        select id, $1, 'Any', $2 from workspaces returning id
      )
      insert into counted_answers (form_id, last_id, count) select id, 7, 7 from form`,
      [randomBytes(6).toString('hex'), JSON.stringify([field])],
    );
  client.release();
  await migrate(pool);
  const { rows } = await pool.query('select last_id from counted_answers order by form_id');
  expect(rows.map(({ last_id }) => Number(last_id))).toEqual([-1, -1, 7, 7]);
});
