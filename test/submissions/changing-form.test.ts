import { expect, test } from 'vitest';
import { lookAtForm } from '../../server/submissions/look-at-form.ts';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();
const CLIENTS = 30;

/** Does the work while another process saves the form all the time. */
async function whileSaved<Result>(form: { id: number }, work: () => Promise<Result>): Promise<Result> {
  const { pool } = home.service.context;
  let isDone = false;
  const save = async () => {
    while (!isDone) await pool.query('update forms set revision = revision + 1 where id = $1', [form.id]);
  };
  const saving = [save(), save()];
  try {
    return await work();
  } finally {
    isDone = true;
    await Promise.all(saving);
  }
}

const answered = (client: number) => ({ [TEXT_FIELD_ID]: `Client ${client}` });

test.each([
  ['answers', {}],
  ['partial answers', { is_partial: true }],
])('%s are taken in while the form is saved all the time', async (_, more) => {
  const form = await home.form({ enable_partial_submissions: true });
  const answers = await whileSaved(form, () =>
    Promise.all(
      Array.from({ length: CLIENTS }, (_, client) => home.submit(form, { ...answered(client), ...more })),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(CLIENTS).fill(200));
});

test('a refusal is told too, and so is that the form is gone', async () => {
  const form = await home.form();
  const refused = await whileSaved(form, () => home.submit(form, { [TEXT_FIELD_ID]: ['no text'] }));
  expect(refused.status, refused.text).toBe(422);
  const [deleted, ...answers] = await whileSaved(form, () =>
    Promise.all([
      home.call('DELETE', `/open/forms/${form.id}`),
      ...Array.from({ length: CLIENTS }, (_, client) => home.submit(form, answered(client))),
    ]),
  );
  expect(deleted?.status, deleted?.text).toBe(204);
  for (const { status } of answers) expect([200, 404]).toContain(status);
});

test('submissions are imported and edited while the form is saved all the time', async () => {
  const form = await home.form();
  const submissions = [{ answers: answered(1) }];
  const path = `/open/forms/${form.id}/submissions`;
  const imported = await whileSaved(form, () => home.call('POST', `${path}/import`, { submissions }));
  expect(imported.status, imported.text).toBe(200);
  const [record] = await home.records(form);
  const edited = await whileSaved(form, () => home.call('PUT', `${path}/${record.id}`, answered(2)));
  expect(edited.status, edited.text).toBe(200);
});

test('what was stored is acknowledged although the connection that held the form broke', async () => {
  const form = await home.form();
  const { db, pool } = home.service.context;
  const look = async () => {
    const { rowCount } = await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction'`,
    );
    // Nobody holds the form during the first looks.
    if (rowCount === 0) return null;
    expect(rowCount).toBe(1);
    return home.submit(form, answered(1));
  };
  const answer = await lookAtForm(db, () => form.id, look);
  expect(answer.status, answer.text).toBe(200);
});
