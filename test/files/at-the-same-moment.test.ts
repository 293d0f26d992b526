import { expect, test } from 'vitest';
import { aField } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { inLine } from '../setup/meanwhile.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { PDF, upload } from './upload.ts';

const home = useHome({ env: { ROLES: 'http' } });
const CV = aField('01', 'files', 'CV', { multiple: true });

test('a file is given up while an edit puts it in the place of another one', async () => {
  const { service } = home;
  await runAllJobs(service.context);
  const form = await home.form({ properties: [CV] });
  const send = async () => (await upload(service, form, CV.id, PDF, 'a.pdf')).body.uuid as string;
  await home.submit(form, { [CV.id]: [await send()] });
  const [{ id }] = await home.records(form);
  const [first, second] = [await send(), await send()].sort();
  // A deadlock would be ended by the database after a second, with 503 for one of the calls.
  const [edited, ended] = await inLine(
    service.context.pool,
    (client) => client.query('select from uploads where id = $1 for update', [first]),
    [
      () => home.call('PUT', `/open/forms/${form.id}/submissions/${id}`, { [CV.id]: [first, second] }),
      () =>
        service.request('DELETE', `/forms/${form.slug}/uploads/${second}`, {
          headers: { 'tus-resumable': '1.0.0' },
        }),
    ],
  );
  expect(ended.status).toBe(204);
  expectInvalid(edited, CV.id);
});
