import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { aField, aForm, aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { placesWith } from './everywhere.ts';
import { useRepeatingReceiver } from './repeating-receiver.ts';

const MAIL_FIELD = aField('01', 'email', 'Mail');
const NAME_FIELD = aField('02', 'text', 'Name');

const home = useHome({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', EXPORT_SYNC_LIMIT: '0' } });

const receiver = useRepeatingReceiver();

let workspaceId: number;
/** A new one for each test, which then searches the whole database for it. */
let mail: string;
beforeEach(async () => {
  mail = `Grace.${randomUUID()}@example.com`;
  workspaceId = await aWorkspace(home.service, home.ada);
});

async function people(act: 'find' | 'export' | 'erase', value: string, cursor?: string) {
  const path = `/open/workspaces/${workspaceId}/people/${act}`;
  const answer = await home.call('POST', path, { value, ...(cursor && { cursor }) });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** A submission that had `before`, until a member corrected it to `after`. @param webhooks the data of each */
async function aCorrected(before: object, after: object, webhooks: object[] = []) {
  const form = await aForm(home.service, home.ada, workspaceId, { properties: [MAIL_FIELD, NAME_FIELD] });
  for (const data of webhooks)
    await home.call('POST', `/open/forms/${form.id}/integrations`, {
      integration_id: 'webhook',
      status: 'active',
      data,
    });
  await home.submit(form, before);
  const [{ id }] = await home.records(form);
  const saved = await home.call('PUT', `/open/forms/${form.id}/submissions/${id}`, after);
  expect(saved.status, saved.text).toBe(200);
  return { form, id };
}

describe('what an answer said before it was changed', () => {
  test('is found, and told apart from what it says now', async () => {
    const { form, id } = await aCorrected(
      { [MAIL_FIELD.id]: mail, [NAME_FIELD.id]: 'Grace' },
      { [MAIL_FIELD.id]: 'ada@example.com', [NAME_FIELD.id]: 'Grace' },
    );
    expect(await people('find', mail.toLowerCase())).toMatchObject({
      cursor: null,
      submissions: [
        {
          id,
          form: { id: form.id },
          found_in: [],
          found_earlier_in: [MAIL_FIELD.id],
          answers: [
            { name: 'Mail', value: 'ada@example.com' },
            { name: 'Name', value: 'Grace' },
          ],
          earlier_answers: [{ answers: [{ id: MAIL_FIELD.id, name: 'Mail', type: 'email', value: mail }] }],
        },
      ],
    });
    expect((await people('find', 'ada@example.com')).submissions).toMatchObject([
      { id, found_in: [MAIL_FIELD.id], found_earlier_in: [] },
    ]);
    // The present answers may be somebody else's.
    expect((await people('export', mail)).submissions).toMatchObject([
      { id, answers: [], files: [], earlier_answers: [{ answers: [{ value: mail }] }] },
    ]);
  });

  test('is exported with what came by a personal link', async () => {
    const form = await aForm(home.service, home.ada, workspaceId, { properties: [MAIL_FIELD, NAME_FIELD] });
    const added = await home.call('POST', `/open/forms/${form.id}/recipients`, {
      recipients: [{ name: 'Ida', email: 'ida@example.com' }],
    });
    const { pathname, search } = new URL(added.body.recipients[0].link);
    const body = { [NAME_FIELD.id]: 'before' };
    await home.service.request('POST', `${pathname}/answer${search}`, { body });
    const [{ id }] = await home.records(form);
    await home.call('PUT', `/open/forms/${form.id}/submissions/${id}`, { [NAME_FIELD.id]: 'after' });
    const [ida] = (await people('export', 'ida@example.com')).recipients;
    expect(ida).toMatchObject({
      answers: { [NAME_FIELD.id]: 'after' },
      earlier_answers: [{ answers: [{ name: 'Name', value: 'before' }] }],
    });
  });

  test('is erased where it says something else now, with bodies, excerpts and exports; the submission stays', async () => {
    const { form, id } = await aCorrected({ [MAIL_FIELD.id]: mail }, { [MAIL_FIELD.id]: 'ada@example.com' }, [
      { webhook_url: receiver.url },
    ]);
    const exporting = `/open/forms/${form.id}/submissions/export`;
    const { job_id } = (await home.call('POST', exporting, { columns: { [MAIL_FIELD.id]: true } })).body;
    await until(async () => (await home.call('GET', `${exporting}/status/${job_id}`)).body.file_url);
    const places = async () => (await placesWith(home.service, mail)).filter((place) => /public/.test(place));
    await until(async () => (await places()).includes('public.delivery_attempts'));
    expect(await places()).toEqual([
      'public.deliveries',
      'public.delivery_attempts',
      'public.submission_changes',
    ]);
    const { erased, erasure_id } = await people('erase', mail);
    expect(erasure_id).toBeTypeOf('number');
    expect(erased).toMatchObject({ submissions: 0, changes: 1, deliveries: 1, exports: 1 });
    expect(await places()).toEqual([]);
    expect(await home.records(form)).toMatchObject([{ id, data: { [MAIL_FIELD.id]: 'ada@example.com' } }]);
    expect((await people('find', mail)).submissions).toEqual([]);
  });

  test('is erased from what chats were told, which write it in their own way; what was told since stays', async () => {
    const { form } = await aCorrected(
      { [MAIL_FIELD.id]: mail, [NAME_FIELD.id]: 'Grace' },
      { [MAIL_FIELD.id]: 'ada@example.com', [NAME_FIELD.id]: `Ada, who had written ${mail}` },
      [
        { webhook_url: receiver.url, format: 'discord', sends_edits: true },
        { webhook_url: `${receiver.url}?chat_id=1`, format: 'telegram', sends_edits: true },
        { webhook_url: receiver.url, sends_edits: true },
      ],
    );
    const log = async () => {
      const { rows } = await home.service.context.pool.query(
        'select body from deliveries where form_id = $1 order by id',
        [form.id],
      );
      return rows.map(({ body }) => body);
    };
    const told = await log();
    expect(told).toHaveLength(6);
    expect((await people('erase', mail)).erased).toMatchObject({ submissions: 0, changes: 1, deliveries: 3 });
    expect(await log()).toEqual(told.slice(3));
  });

  test('goes with the submission where it says it still', async () => {
    const { form } = await aCorrected(
      { [MAIL_FIELD.id]: mail, [NAME_FIELD.id]: 'Grace' },
      { [MAIL_FIELD.id]: mail, [NAME_FIELD.id]: 'Brewster' },
    );
    expect((await people('erase', mail)).erased).toMatchObject({ submissions: 1, changes: 0 });
    expect(await home.records(form)).toEqual([]);
    expect(await placesWith(home.service, mail)).toEqual([]);
  });

  test('is looked through in steps, however much of it there is', async () => {
    const { form, id } = await aCorrected({ [NAME_FIELD.id]: 'first' }, { [NAME_FIELD.id]: mail });
    const { pool } = home.service.context;
    await pool.query(
      `insert into submissions (form_id, public_id, status, data)
       select $1, gen_random_uuid(), 'completed', '{}' from generate_series(1, 40)`,
      [form.id],
    );
    // Random, hardly compressible text: 5 MB, of which a step reads one.
    await pool.query(
      `insert into submission_changes (form_id, submission_id, is_by_member, answers, changed_at)
       select form_id, id, true, jsonb_build_object($2::text,
         (select string_agg(md5(random()::text || one), '') from generate_series(1, 4000) one)), now()
       from submissions where form_id = $1`,
      [form.id, TEXT_FIELD_ID],
    );
    await pool.query(
      `insert into submission_changes (form_id, submission_id, is_by_member, answers, changed_at)
       select form_id, max(id), true, jsonb_build_object($2::text, $3::text), now()
       from submissions where form_id = $1 group by form_id`,
      [form.id, NAME_FIELD.id, mail],
    );
    const { submissions, cursor } = await people('find', mail);
    expect(cursor).toBeNull();
    expect(submissions.map(({ found_in, found_earlier_in }: any) => [found_in, found_earlier_in])).toEqual([
      [[NAME_FIELD.id], []],
      [[], [NAME_FIELD.id]],
    ]);
    expect(submissions[0].id).toBe(id);
  });
});
