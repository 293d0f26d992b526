import { expect, test } from 'vitest';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

const home = useHome({ env: { EXPORT_SYNC_LIMIT: '0' } });
const MAIL_FIELD = aField('01', 'email', 'Mail');

test('an export of chosen submissions goes with the person, also when one of them has been in the trash since', async () => {
  const form = await home.form({ properties: [MAIL_FIELD] });
  for (const name of ['ada', 'grace', 'ida'])
    expect((await home.submit(form, { [MAIL_FIELD.id]: `${name}@example.com` })).status).toBe(200);
  const [ida, grace, ada] = (await home.records(form)).map(({ id }) => id as number);
  const submissions = `/open/forms/${form.id}/submissions`;
  const anExport = async (submissionIds: (number | undefined)[]) => {
    const order = { columns: { [MAIL_FIELD.id]: true }, submissionIds };
    const { job_id } = (await home.call('POST', `${submissions}/export`, order)).body;
    const state = () => home.call('GET', `${submissions}/export/status/${job_id}`);
    await until(async () => (await state()).body.file_url);
    return async () => (await state()).status;
  };
  const withHer = await anExport([ida, grace]);
  const withoutHer = await anExport([ida, ada]);

  let id = grace;
  for (const _ of ['once', 'and once more']) {
    await home.call('POST', `${submissions}/trash`, { submissionIds: [id] });
    const back = await home.call('POST', `${submissions}/trash/restore`, { submissionIds: [id] });
    [{ id }] = back.body.data;
  }
  const erasing = `/open/workspaces/${home.workspaceId}/people/erase`;
  const { body } = await home.call('POST', erasing, { value: 'grace@example.com' });
  expect(body).toMatchObject({ erased: { submissions: 1, exports: 1 } });
  expect([await withHer(), await withoutHer()]).toEqual([404, 200]);
});
