import { expect, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectRefused, useHome } from '../setup/home.ts';

/** Where respondents may change their answers, knowing the public id of a submission is enough to change it. */
const home = useHome({ env: { ROLES: 'http' } });

const path = (form: { id: number }, rest = '') => `/open/forms/${form.id}/submissions${rest}`;
const viewer = async () => (await home.member('readonly')).token;

async function answered(overrides: Record<string, unknown>) {
  const form = await home.form(overrides);
  const { submission_id: publicId } = (await home.submit(form, { [TEXT_FIELD_ID]: 'Ada' })).body;
  const [{ id }] = await home.records(form);
  return { form, publicId, id };
}

async function exported(form: { id: number }, columns: object, token?: string, format = 'csv') {
  return home.call('POST', path(form, '/export'), { columns, format }, token);
}

test('a member who may only read is told no ids by which answers can be changed', async () => {
  const { form, publicId, id } = await answered({ editable_submissions: true });
  const token = await viewer();
  for (const rest of ['', '?before=999999999', '?total=true', `/${id}`, `/${publicId}`]) {
    const { status, body } = await home.call('GET', path(form, rest), undefined, token);
    expect(status, rest).toBe(200);
    const record = rest.startsWith('/') ? body : body.data[0];
    expect(record).toMatchObject({ id, submission_id: null, data: { id, submission_id: null } });
    expect(JSON.stringify(record)).not.toContain(publicId);
  }
  for (const format of ['csv', 'xlsx', 'zip', 'sqlite', 'parquet']) {
    const refused = await exported(form, { [TEXT_FIELD_ID]: true, submission_id: true }, token, format);
    expectRefused(refused, 403);
    expect(refused.body.message).toBe('These columns are for members who may change answers: submission_id.');
  }
  expect((await exported(form, { [TEXT_FIELD_ID]: true, id: true }, token)).text).toContain('Ada');
});

test('whoever may change answers is, and so is everybody where respondents may not', async () => {
  const editable = await answered({ editable_submissions: true });
  const other = await answered({});
  const member = (await home.member('user')).token;
  const reading = [
    [editable, member],
    [other, await viewer()],
  ] as const;
  for (const [{ form, publicId, id }, token] of reading) {
    const { body } = await home.call('GET', path(form, `/${id}`), undefined, token);
    expect([body.submission_id, body.data.submission_id]).toEqual([publicId, publicId]);
    expect((await exported(form, { submission_id: true }, token)).text).toBe(`submission_id\n${publicId}\n`);
  }
});

test('recipients, whose list a member who may only read does not see, stand in no export for one', async () => {
  const { form } = await answered({});
  const columns = { recipient_name: true, recipient_email: true };
  const refused = await exported(form, columns, await viewer());
  expectRefused(refused, 403);
  expect(refused.body.message).toContain('recipient_name, recipient_email');
  expect((await exported(form, columns, (await home.member('user')).token)).status).toBe(200);
});
