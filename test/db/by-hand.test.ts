import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

const DOCS = readFileSync(join(import.meta.dirname, '../../docs/database.md'), 'utf8');
const [, STATEMENTS = ''] = /```sql\n(begin;\n[^`]*delete from submissions[^`]*)```/.exec(DOCS) ?? [];
/** Tables with data of a submission, and the column that names it. Recipients keep the id of theirs, so they are left out. */
const REFERENCES = `
  select table_name as table, column_name as column from information_schema.columns
  where column_name in ('submission_id', 'submission_public_id', 'public_id') and table_schema = 'public'
    and table_name not in ('recipients', 'submissions', 'trashed_submissions', 'set_aside_submissions', 'kept_submissions')
`;
/** What only a mail or a payment elsewhere would bring. */
const PROOFS = [
  `insert into confirmed_addresses (form_id, public_id, address) values ($1, $2, 'ada@example.com')`,
  `insert into payments (form_id, public_id, provider, reference, amount_minor, currency, mode, paid_at)
   values ($1, $2, 'stripe', 'pi_1', 100, 'EUR', 'test', now())`,
];

const home = useHome({ env: { ROLES: 'http' } });

test('what docs/database.md shows deletes a submission with all that was made of it', async () => {
  const { pool } = home.service.context;
  const form = await home.form({ properties: [aTextField()] });
  const url = `/open/forms/${form.id}`;
  const data = { webhook_url: 'http://127.0.0.1:9/hook' };
  await home.call('POST', `${url}/integrations`, { integration_id: 'webhook', data });
  await home.submit(form, { [TEXT_FIELD_ID]: 'sent' }, { 'idempotency-key': 'one' });
  await home.call('POST', `${url}/submissions/import`, {
    submissions: [{ answers: { [TEXT_FIELD_ID]: 'imported' }, source_id: 'two' }],
  });
  const [first] = await home.records(form);
  await home.call('POST', `${url}/submissions/trash`, { submissionIds: [first.id] });
  await home.call('POST', `${url}/submissions/trash/restore`, { submissionIds: [first.id] });
  const submissions = await home.records(form);
  for (const { id, submission_id: publicId } of submissions) {
    await home.call('PUT', `${url}/submissions/${id}`, { [TEXT_FIELD_ID]: 'corrected' });
    await home.call('POST', `${url}/submissions/${id}/review`, { state: 'approved', note: 'Fine.' });
    for (const proof of PROOFS) await pool.query(proof, [form.id, publicId]);
  }
  const left = async () => {
    const { rows } = await pool.query(REFERENCES);
    const found = await Promise.all(
      rows.map(({ table, column }) =>
        pool.query(`select ${column} from ${table} where form_id = $1 and ${column} is not null`, [form.id]),
      ),
    );
    return rows.filter((_, index) => found[index]?.rowCount !== 0).map(({ table }) => table);
  };
  expect((await left()).sort()).toEqual([
    'confirmed_addresses',
    'deliveries',
    'former_submission_ids',
    'idempotency_keys',
    'imported_submissions',
    'payments',
    'review_entries',
    'submission_changes',
    'submission_reviews',
  ]);

  for (const { id } of submissions)
    await pool.query(
      STATEMENTS.replaceAll('form_id = 2', `form_id = ${form.id}`).replace('id = 17', `id = ${id}`),
    );
  expect(await home.records(form)).toEqual([]);
  expect(await left()).toEqual([]);
  expect((await home.call('GET', url)).body.submissions_count).toBe(0);
});
