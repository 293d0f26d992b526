import { beforeAll, expect, test } from 'vitest';
import { emptyTrash } from '../../server/forms/trash/trash-form.ts';
import { PDF, upload } from '../files/upload.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { inLine } from '../setup/meanwhile.ts';
import { runAllJobs } from '../setup/run-jobs.ts';

/** A deadlock would be ended by the database after a second, with 503 for one of the calls. */
const home = useHome({ env: { ROLES: 'http' } });
const FILE = aField('01', 'files', 'File');
// The queue learns the names of all jobs from its first worker; until then, who adds a job waits for others.
beforeAll(() => runAllJobs(home.service.context));
const NEVER = new AbortController().signal;

const pathOf = (form: { id: number }, rest = '') => `/open/forms/${form.id}${rest}`;

test('a submission with a file and its form are deleted at once', async () => {
  const form = await home.form({ properties: [FILE] });
  const { body } = await upload(home.service, form, FILE.id, PDF, 'a.pdf');
  await home.submit(form, { [FILE.id]: [body.uuid] });
  const [{ id }] = await home.records(form);
  const answers = await inLine(
    home.service.context.pool,
    (client) => client.query('select from uploads where form_id = $1 for update', [form.id]),
    [() => home.call('DELETE', pathOf(form, `/submissions/${id}`)), () => home.call('DELETE', pathOf(form))],
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 204]);
});

test('a form is deleted by a member and by the trash at once', async () => {
  const { context } = home.service;
  const form = await home.form();
  await home.call('POST', pathOf(form, '/trash'));
  await context.pool.query(`update trashed_forms set trashed_at = now() - interval '31 days'`);
  const [, answer] = await inLine(
    context.pool,
    (client) => client.query('select from forms where id = $1 for update', [form.id]),
    [() => emptyTrash(context, NEVER), () => home.call('DELETE', pathOf(form))],
  );
  expect(answer.status).toBe(204);
  expect((await home.call('GET', pathOf(form))).status).toBe(404);
});

test('a form that is taken out of the trash when its time is over stays', async () => {
  const { context } = home.service;
  const form = await home.form();
  await home.call('POST', pathOf(form, '/trash'));
  await context.pool.query(`update trashed_forms set trashed_at = now() - interval '31 days'`);
  const [answer] = await inLine(
    context.pool,
    (client) => client.query('select from forms where id = $1 for update', [form.id]),
    [() => home.call('DELETE', pathOf(form, '/trash')), () => emptyTrash(context, NEVER)],
  );
  expect(answer.status).toBe(200);
  expect((await home.call('GET', pathOf(form))).body.visibility).toBe('public');
});
