import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anEmptyPlace, backUp, type Place, putBack } from '../backup/places.ts';
import { storeMany } from '../exports/stored-submissions.ts';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

const ROWS = 100_000;
/** An operator may set this for the server, the database or the role; here it is so short that nothing long finishes in time. */
const LIMIT = `do $$ begin
  execute format('alter database %I set statement_timeout = ''80ms''', current_database());
end $$`;

const home = useHome({ env: { ROLES: 'http', EXPORT_SYNC_LIMIT: '1000000' } });
let folder: string;
let place: Place;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'formstead-limits-'));
  place = await anEmptyPlace();
});
afterAll(async () => {
  await place?.remove();
  await rm(folder, { recursive: true, force: true });
});

test('a time limit that PostgreSQL has for all statements ends no export, backup or restore', async () => {
  const form = await home.form();
  await storeMany(home.service, form.id, TEXT_FIELD_ID, ROWS);
  await home.service.context.pool.query(LIMIT);
  await place.query(LIMIT);

  const columns = { [TEXT_FIELD_ID]: true };
  const csv = await home.call('POST', `/open/forms/${form.id}/submissions/export`, { columns });
  expect(csv.status, csv.text).toBe(200);
  expect(csv.text.trim().split('\n')).toHaveLength(ROWS + 1);

  const { path } = await backUp(home.service, join(folder, 'backup.tar.gz'));
  const restored = await putBack(place, path);
  expect(restored.manifest.tables).toContainEqual(
    expect.objectContaining({ name: 'submissions', rows: ROWS }),
  );
});
