import { describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';

const home = useHome();

const NOTE = aField('02', 'text', 'Note');
const path = (form: { id: number }, id: number | string) => `/open/forms/${form.id}/submissions/${id}`;
const put = (form: { id: number }, id: number | string, body: object, token?: string) =>
  home.call('PUT', path(form, id), body, token);
async function changesOf(form: { id: number }, id: number | string) {
  const answer = await home.call('GET', `${path(form, id)}/changes`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.changes;
}
async function aSubmitted(answers: object = { [TEXT_FIELD_ID]: 'first' }) {
  const form = await home.form({
    properties: [aTextField(), NOTE],
    editable_submissions: true,
    enable_partial_submissions: true,
  });
  const sent = await home.submit(form, answers);
  expect(sent.status, sent.text).toBe(200);
  const [record] = await home.records(form);
  return { form, id: record.id as number, uuid: record.submission_id as string, sent: sent.body };
}

describe('what answers said before', () => {
  test('is kept with who changed them: whoever sent them, and members; the latest change first', async () => {
    const { form, id, uuid } = await aSubmitted();
    expect(await changesOf(form, id)).toEqual([]);
    await home.submit(form, { [TEXT_FIELD_ID]: 'second', [NOTE.id]: 'more', submission_id: uuid });
    const grace = await home.newMember('user');
    const saved = await put(form, id, { [TEXT_FIELD_ID]: 'third', [NOTE.id]: 'more' }, grace.token);
    expect(saved.status, saved.text).toBe(200);
    expect(await changesOf(form, uuid)).toEqual([
      {
        id: expect.any(Number),
        changed_at: saved.body.data.updated_at,
        by: 'member',
        author: { id: grace.id, name: expect.any(String) },
        answers: { [TEXT_FIELD_ID]: { before: 'second', after: 'third' } },
      },
      {
        id: expect.any(Number),
        changed_at: expect.any(String),
        by: 'respondent',
        author: null,
        answers: {
          [TEXT_FIELD_ID]: { before: 'first', after: 'second' },
          [NOTE.id]: { before: null, after: 'more' },
        },
      },
    ]);
  });

  test('is forgotten at once where the form says so; what was kept before stays', async () => {
    const { form, id, uuid } = await aSubmitted();
    await put(form, id, { [TEXT_FIELD_ID]: 'second' });
    const saved = await home.call('PUT', `/open/forms/${form.id}`, { settings: { forget_changes: 'true' } });
    expect(saved.body.form.settings).toEqual({ forget_changes: true });
    await put(form, id, { [TEXT_FIELD_ID]: 'third' });
    const edited = await home.submit(form, { [TEXT_FIELD_ID]: 'fourth', submission_id: uuid });
    expect(edited.status, edited.text).toBe(200);
    const kept = await changesOf(form, id);
    expect(kept.map(({ answers }: any) => answers[TEXT_FIELD_ID].before)).toEqual(['first']);
    const refused = await home.call('PUT', `/open/forms/${form.id}`, { settings: { forget_changes: 3 } });
    expectInvalid(refused, 'settings.forget_changes');
  });

  test('is nothing where nothing was changed, and where a partial submission goes on', async () => {
    const { form, id, uuid, sent } = await aSubmitted({ [TEXT_FIELD_ID]: 'first', is_partial: true });
    const { submission_hash } = sent;
    await home.submit(form, { [TEXT_FIELD_ID]: 'second', submission_hash, is_partial: true });
    await home.submit(form, { [TEXT_FIELD_ID]: 'third', submission_hash });
    await home.submit(form, { [TEXT_FIELD_ID]: 'third', submission_id: uuid });
    await put(form, id, { [TEXT_FIELD_ID]: 'third' });
    expect((await home.records(form)).map(({ status }) => status)).toEqual(['completed']);
    expect(await changesOf(form, id)).toEqual([]);
  });

  test('is what the respondent had left when a member completes it', async () => {
    const { form, id } = await aSubmitted({ [TEXT_FIELD_ID]: 'half', is_partial: true });
    await put(form, id, { [TEXT_FIELD_ID]: 'whole' });
    expect(await changesOf(form, id)).toMatchObject([
      { by: 'member', author: { id: home.ada.id }, answers: { [TEXT_FIELD_ID]: { before: 'half' } } },
    ]);
  });

  test('is kept of an answer that is emptied, also by name after its field was taken out of the form', async () => {
    const { form, id } = await aSubmitted({ [TEXT_FIELD_ID]: 'first', [NOTE.id]: 'once' });
    await home.call('PUT', `/open/forms/${form.id}`, { properties: [aTextField()] });
    await put(form, id, { [TEXT_FIELD_ID]: null, [NOTE.id]: null });
    expect(await changesOf(form, id)).toMatchObject([
      {
        answers: {
          [TEXT_FIELD_ID]: { before: 'first', after: null },
          [NOTE.id]: { before: 'once', after: null },
        },
      },
    ]);
  });

  test('is told by an author who is gone as that of a member', async () => {
    const { form, id } = await aSubmitted();
    const grace = await home.newMember('user');
    await put(form, id, { [TEXT_FIELD_ID]: 'second' }, grace.token);
    await home.service.context.pool.query('delete from users where id = $1', [grace.id]);
    expect(await changesOf(form, id)).toMatchObject([{ by: 'member', author: null }]);
  });

  test('is forgotten when a member says so, and leaves the submission as it is', async () => {
    const { form, id, uuid } = await aSubmitted();
    await put(form, id, { [TEXT_FIELD_ID]: 'second' });
    const [before] = await home.records(form);
    const answer = await home.call('DELETE', `${path(form, uuid)}/changes`);
    expect(answer.body).toEqual({ type: 'success', message: 'Earlier answers successfully deleted.' });
    expect(await changesOf(form, id)).toEqual([]);
    expect(await home.records(form)).toEqual([before]);
    await home.call('DELETE', `${path(form, uuid)}/changes`);
    const { rows } = await home.service.context.pool.query(
      `select target_id, target_name from audit_events where form_id = $1 and verb = 'submission.changes_deleted'`,
      [form.id],
    );
    expect(rows).toEqual([{ target_id: id, target_name: null }]);
  });

  test('goes with the submission', async () => {
    const { form, id } = await aSubmitted();
    await put(form, id, { [TEXT_FIELD_ID]: 'second' });
    await home.call('DELETE', path(form, id));
    expect(await rowsOf(form)).toBe(0);
    for (const method of ['GET', 'DELETE'] as const)
      expectRefused(await home.call(method, `${path(form, id)}/changes`), 404);
  });

  test('is kept a hundred times, and less often where it is large; the latest two always', async () => {
    const { form, id } = await aSubmitted();
    const save = (text: string) => put(form, id, { [TEXT_FIELD_ID]: text });
    await home.service.context.pool.query(
      `insert into submission_changes (form_id, submission_id, is_by_member, answers, changed_at)
       select $1, $2, false, jsonb_build_object('former', number), now() from generate_series(1, 200) number`,
      [form.id, id],
    );
    await save('second');
    const kept = await changesOf(form, id);
    expect(kept.length).toBe(100);
    expect(kept[0].answers).toEqual({ [TEXT_FIELD_ID]: { before: 'first', after: 'second' } });
    expect(kept[1].answers).toEqual({ former: { before: 200, after: null } });

    // The limit counts text before the database compresses it: these words are 0.9 MB, which is below it.
    await home.service.context.pool.query(
      `update submission_changes set answers = jsonb_build_object('former',
         (select string_agg((array['lovely', 'garden', 'paintings', 'we', 'staff'])[ceil(random() * 5)], ' ')
          from generate_series(1, 1300))) where form_id = $1`,
      [form.id],
    );
    await save('in between');
    expect((await changesOf(form, id)).length).toBe(100);

    // Random text, which hardly compresses, above the limit.
    await home.service.context.pool.query(
      `update submission_changes set answers = jsonb_build_object('former',
         (select string_agg(md5(random()::text), '') from generate_series(1, 5000))) where form_id = $1`,
      [form.id],
    );
    await save('third');
    const sizes = (await changesOf(form, id)).length;
    expect(sizes).toBeGreaterThan(5);
    expect(sizes).toBeLessThan(15);
  });
});

test('a submission of another form is none of this one', async () => {
  const one = await aSubmitted();
  const other = await aSubmitted();
  await put(other.form, other.id, { [TEXT_FIELD_ID]: 'second' });
  for (const id of [other.id, other.uuid])
    for (const method of ['GET', 'DELETE'] as const)
      expectRefused(await home.call(method, `${path(one.form, id)}/changes`), 404);
  expect(await rowsOf(other.form)).toBe(1);
});

async function rowsOf(form: { id: number }): Promise<number> {
  const { rowCount } = await home.service.context.pool.query(
    'select from submission_changes where form_id = $1',
    [form.id],
  );
  return rowCount ?? 0;
}
