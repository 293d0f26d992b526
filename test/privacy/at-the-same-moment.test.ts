import { expect, test } from 'vitest';
import { PDF, upload } from '../files/upload.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { inLine } from '../setup/meanwhile.ts';
import { runAllJobs } from '../setup/run-jobs.ts';

const home = useHome({ env: { ROLES: 'http' } });
const MAIL = aField('01', 'email', 'Mail');
const CV = aField('02', 'files', 'CV', { multiple: true });
const PERSON = 'grace@example.org';

async function aDraft(form: any, number: number, answers: object): Promise<void> {
  await home.service.context.pool.query(
    'insert into form_drafts (form_id, id_hash, answers) values ($1, $2, $3)',
    [form.id, Buffer.from([number]), JSON.stringify({ [MAIL.id]: PERSON, ...answers })],
  );
}

test('drafts of a person are erased while an edit takes a file that one of them holds', async () => {
  const { service } = home;
  await runAllJobs(service.context);
  const form = await home.form({ properties: [MAIL, CV] });
  const send = async () => (await upload(service, form, CV.id, PDF, 'a.pdf')).body.uuid as string;
  const [first, second, held] = [await send(), await send(), await send()];
  await home.submit(form, { [CV.id]: [held] });
  const [{ id }] = await home.records(form);
  await aDraft(form, 1, { [CV.id]: [first] });
  await aDraft(form, 2, { [CV.id]: [second] });
  // A deadlock would be ended by the database after a second, with 503 for one of the calls.
  const [edited, erased] = await inLine(
    service.context.pool,
    (client) => client.query('select from uploads where id = $1 for update', [held]),
    [
      () => home.call('PUT', `/open/forms/${form.id}/submissions/${id}`, { [CV.id]: [second] }),
      () => home.call('POST', `/open/workspaces/${home.workspaceId}/people/erase`, { value: PERSON }),
    ],
  );
  expect([edited.status, erased.status]).toEqual([200, 200]);
  expect(erased.body.erased).toMatchObject({ drafts: 2, files: 1 });
});
