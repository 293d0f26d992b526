import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { PDF, upload } from '../files/upload.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { aWebhookReceiver } from '../setup/webhook-receiver.ts';

const home = useHome({ env: { ROLES: 'http', OUTBOUND_ALLOW_PRIVATE: 'true' } });
const DAY_MS = 86_400_000;

type Form = { id: number; slug: string };
const path = (form: Form, rest = '') => `/open/forms/${form.id}/submissions${rest}`;
const trash = (form: Form, ...submissionIds: number[]) =>
  home.call('POST', path(form, '/trash'), { submissionIds });
const restore = (form: Form, ...submissionIds: number[]) =>
  home.call('POST', path(form, '/trash/restore'), { submissionIds });
const inTrash = async (form: Form, query = '') => {
  const answer = await home.call('GET', path(form, `/trash${query}`));
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const texts = (records: any[]) => records.map(({ data }) => data[TEXT_FIELD_ID]);
const query = async (text: string, values: unknown[]) =>
  (await home.service.context.pool.query(text, values)).rows;
const work = async (job: string) => {
  await query(`select graphile_worker.add_job($1)`, [job]);
  await runAllJobs(home.service.context);
};

/** A form with one submission for each of these texts, and their ids in the same order. */
async function aFormWith(answers: string[], overrides: Record<string, unknown> = {}) {
  const form = await home.form({ properties: [aTextField()], ...overrides });
  for (const text of answers) {
    const sent = await home.submit(form, { [TEXT_FIELD_ID]: text });
    expect(sent.status, sent.text).toBe(200);
  }
  const ids: number[] = (await home.records(form)).map(({ id }) => id).reverse();
  return { form, ids };
}

describe('a submission in the trash', () => {
  test('is in no list, count, figure or export, and comes back as it was', async () => {
    const { form, ids } = await aFormWith(['Ada', 'Ben', 'Cleo']);
    const [, ben] = ids as [number, number];
    await home.call('PUT', path(form, `/${ben}`), { [TEXT_FIELD_ID]: 'Benjamin' });
    await home.call('POST', path(form, `/${ben}/review`), { state: 'approved', note: 'Called back' });
    await work('count_submissions');
    await work('count_answers');
    const [, before] = await home.records(form);

    const moved = await trash(form, ben);
    expect([moved.status, moved.body.message]).toEqual([200, 'Records successfully moved to the trash.']);
    expect(texts(await home.records(form))).toEqual(['Cleo', 'Ada']);
    expect((await home.call('GET', path(form, `/${ben}`))).status).toBe(404);
    expect((await home.call('GET', path(form, `/${before.submission_id}`))).status).toBe(404);
    expect((await home.call('GET', path(form, `/${ben}/review`))).status).toBe(404);
    expect((await home.call('GET', path(form, `/${ben}/changes`))).status).toBe(404);
    expect((await home.call('GET', path(form, '/reviews'))).body).toMatchObject({
      received: 2,
      approved: 0,
      noted: 0,
    });
    expect((await home.call('GET', path(form, '?search=benjamin'))).body.data).toEqual([]);
    expect((await home.call('GET', `/open/forms/${form.id}`)).body.submissions_count).toBe(2);
    expect(await submissionsInFigures(form)).toBe(2);
    const columns = { [TEXT_FIELD_ID]: true };
    const file = await home.call('POST', path(form, '/export'), { columns });
    expect(file.text).not.toContain('Benjamin');

    const { data, meta } = await inTrash(form);
    expect(meta.total).toBe(1);
    const [{ trashed_at, trash_ends_at, ...kept }] = data;
    const { review, ...seen } = before;
    expect(kept).toEqual(seen);
    expect(Date.parse(trash_ends_at) - Date.parse(trashed_at)).toBe(30 * DAY_MS);

    const back = await restore(form, ben);
    expect(back.body).toEqual({
      type: 'success',
      message: 'Records successfully restored.',
      data: [{ id: expect.any(Number), former_id: ben }],
    });
    const [{ id }] = back.body.data;
    expect(id).toBeGreaterThan(Math.max(...ids));
    expect(await inTrash(form)).toMatchObject({ data: [], meta: { total: 0 } });
    const after = (await home.call('GET', path(form, `/${id}`))).body;
    expect(after).toEqual({
      ...before,
      id,
      data: { ...before.data, id },
      review: { state: 'approved', notes: 1 },
    });
    expect((await home.call('GET', path(form, `/${id}/review`))).body.history).toMatchObject([
      { note: 'Called back' },
    ]);
    const { changes } = (await home.call('GET', path(form, `/${id}/changes`))).body;
    expect(changes).toMatchObject([{ answers: { [TEXT_FIELD_ID]: { before: 'Ben', after: 'Benjamin' } } }]);
    expect((await home.call('GET', path(form, '?search=benjamin'))).body.data).toHaveLength(1);
    expect(await submissionsInFigures(form)).toBe(3);
    await work('count_submissions');
    await work('count_answers');
    expect(await submissionsInFigures(form)).toBe(3);
  });

  async function submissionsInFigures(form: Form): Promise<number> {
    const { body } = await home.call('GET', `/open/forms/${form.id}/statistics`);
    return body.totals.completed;
  }

  test('many go and come at once, what came last stands first, by pages', async () => {
    const { form, ids } = await aFormWith(['1', '2', '3', '4']);
    await trash(form, ids[2] as number);
    await trash(form, ids[0] as number, ids[1] as number);
    const first = await inTrash(form, '?per_page=2');
    expect(texts(first.data)).toEqual(['2', '1']);
    expect(texts((await inTrash(form, '?per_page=2&page=2')).data)).toEqual(['3']);
    expect(first.meta).toMatchObject({ total: 3, last_page: 2 });
    await restore(form, ids[1] as number, ids[0] as number);
    expect(texts(await home.records(form))).toEqual(['2', '1', '4']);
  });

  test('one is found in the trash by any name it had, and by a number of before once it is back', async () => {
    const { form, ids } = await aFormWith(['Ada', 'Ben']);
    const { form: other } = await aFormWith(['Eve']);
    const [ada, ben] = ids as [number, number];
    const [, { submission_id: name }] = await home.records(form);
    const sought = async (key: string | number) => texts((await inTrash(form, `?submission_id=${key}`)).data);
    const read = (key: string | number, of: Form = form) => home.call('GET', path(of, `/${key}`));
    await trash(form, ada, ben);
    expect([await sought(ada), await sought(name), await sought(ben)]).toEqual([['Ada'], ['Ada'], ['Ben']]);
    expect([await sought(ben + 1000), await sought('nonsense'), await sought(randomUUID())]).toEqual([
      [],
      [],
      [],
    ]);
    // Links in chats, mails and the audit log keep leading to the submission, however often it was restored.
    const ways: number[] = [ada];
    for (const _ of [1, 2]) {
      const { body } = await restore(form, ways.at(-1) as number);
      ways.push(body.data[0].id);
      for (const id of ways) expect((await read(id)).body).toMatchObject({ id: ways.at(-1) });
      expect([(await read(ada, other)).status, await sought(ada)]).toEqual([404, []]);
      if (ways.length === 2) await trash(form, ways[1] as number);
    }
    await trash(form, ways[2] as number);
    for (const id of ways) expect(await sought(id)).toEqual(['Ada']);
    expect((await read(ada)).status).toBe(404);
    await home.call('DELETE', path(form, '/trash'));
    expect([await sought(ada), (await read(ada)).status]).toEqual([[], 404]);
    expect(await query('select 1 from former_submission_ids where form_id = $1', [form.id])).toEqual([]);
  });

  test('can be changed, reviewed, exported and deleted by the number of before, which is what webhooks told', async () => {
    const { form, ids } = await aFormWith(['Ada', 'Ben']);
    const [ada, ben] = ids as [number, number];
    await trash(form, ada);
    await restore(form, ada);
    const changed = await home.call('PUT', path(form, `/${ada}`), { [TEXT_FIELD_ID]: 'Ada L.' });
    expect(changed.status, changed.text).toBe(200);
    const changes = await home.call('GET', path(form, `/${ada}/changes`));
    expect(changes.body.changes).toHaveLength(1);
    expect((await home.call('DELETE', path(form, `/${ada}/changes`))).status).toBe(200);
    const reviewed = await home.call('POST', path(form, `/${ada}/review`), { state: 'approved', note: 'Hm' });
    expect(reviewed.status, reviewed.text).toBe(200);
    const { history } = (await home.call('GET', path(form, `/${ada}/review`))).body;
    const noted = history.find((entry: any) => entry.note === 'Hm');
    expect((await home.call('DELETE', path(form, `/${ada}/review/notes/${noted.id}`))).status).toBe(200);
    const many = { submissionIds: [ben, ada], state: 'rejected' };
    expect((await home.call('PUT', path(form, '/reviews'), many)).body.changed).toBe(2);
    const chosen = { columns: { [TEXT_FIELD_ID]: true }, submissionIds: [ada] };
    const file = await home.call('POST', path(form, '/export'), chosen);
    expect([file.text.includes('Ada L.'), file.text.includes('Ben')]).toEqual([true, false]);
    // Out of the trash by the number of before, too.
    await trash(form, ada, ben);
    expect((await restore(form, ada, ben)).status).toBe(200);
    expect((await home.call('DELETE', path(form, `/${ada}`))).status).toBe(200);
    expect((await home.call('DELETE', path(form, `/${ada}`))).status).toBe(404);
    const rest = await home.call('POST', path(form, '/multi'), { submissionIds: [ben] });
    expect(rest.status, rest.text).toBe(200);
    expectInvalid(await home.call('POST', path(form, '/multi'), { submissionIds: [ada] }), 'submissionIds.0');
    expect(await home.records(form)).toEqual([]);
  });

  test('frees its place under a limit; back again it counts, also beyond', async () => {
    const options = [
      { id: 'a', name: 'Saturday', max_submissions_count: 1 },
      { id: 'b', name: 'Sunday' },
    ];
    const day = aField('7', 'select', 'Day', { select: { options } });
    const form = await home.form({ properties: [day], max_submissions_count: 2 });
    const places = async () => (await home.call('GET', `/open/forms/${form.id}/places`)).body.data[0].taken;
    const choose = (name: string) => home.submit(form, { [day.id]: name });
    await choose('Saturday');
    await choose('Sunday');
    const [, saturday] = await home.records(form);
    expect([(await choose('Sunday')).status, await places()]).toEqual([403, 1]);
    await trash(form, saturday.id);
    expect([await places(), (await choose('Saturday')).status, await places()]).toEqual([0, 200, 1]);
    expect((await restore(form, saturday.id)).status).toBe(200);
    expect(await places()).toBe(2);
    expect((await choose('Sunday')).status).toBe(403);
    expect((await home.call('GET', `/open/forms/${form.id}`)).body.submissions_count).toBe(3);
  });

  test('holds back no answer that must be new; back again it does', async () => {
    const property_meta = { id: TEXT_FIELD_ID, type: 'text' };
    const value = { operator: 'does_not_exist_in_submissions', property_meta, value: true };
    const conditions = { operatorIdentifier: 'and', children: [{ identifier: TEXT_FIELD_ID, value }] };
    const validation = { error_conditions: { conditions }, error_message: 'Taken.' };
    const { form, ids } = await aFormWith(['Ada'], { properties: [{ ...aTextField(), validation }] });
    const again = () => home.submit(form, { [TEXT_FIELD_ID]: 'Ada' });
    expectInvalid(await again(), TEXT_FIELD_ID);
    await trash(form, ids[0] as number);
    await restore(form, ids[0] as number);
    expectInvalid(await again(), TEXT_FIELD_ID);
    const [{ id }] = await home.records(form);
    await trash(form, id);
    expect((await again()).status).toBe(200);
  });

  test('keeps its files for as long as it is there, and no longer', async () => {
    const cv = aField('01', 'files', 'CV');
    const form = await home.form({ properties: [cv] });
    const { body } = await upload(home.service, form, cv.id, PDF, 'cv.pdf');
    await home.submit(form, { [cv.id]: [body.reference] });
    const [{ id, files }] = await home.records(form);
    const link = files[cv.id][0].file_url.replace(/^https?:\/\/[^/]+/, '');
    await trash(form, id);
    await query(`update uploads set touched_at = now() - interval '3 days' where form_id = $1`, [form.id]);
    await work('purge_files');
    expect((await home.service.request('GET', link)).status).toBe(200);
    const [back] = (await restore(form, id)).body.data;
    expect((await home.service.request('GET', link)).status).toBe(200);
    await trash(form, back.id);
    await home.call('DELETE', path(form, '/trash'));
    await runAllJobs(home.service.context);
    expect((await home.service.request('GET', link)).status).toBe(404);
  });

  test('is the one the same Idempotency-Key has stored', async () => {
    const form = await home.form({ properties: [aTextField()] });
    const send = () => home.submit(form, { [TEXT_FIELD_ID]: 'Ada' }, { 'idempotency-key': 'once' });
    await send();
    const [{ id }] = await home.records(form);
    await trash(form, id);
    expect((await send()).status).toBe(200);
    expect(await home.records(form)).toEqual([]);
  });

  test('of an import that is run again is stored anew', async () => {
    const form = await home.form({ properties: [aTextField()] });
    const submissions = [{ source_id: 'row 1', answers: { [TEXT_FIELD_ID]: 'Ada' } }];
    const run = async () => (await home.call('POST', path(form, '/import'), { submissions })).body;
    const { data } = await run();
    const [{ id }] = await home.records(form);
    expect(JSON.stringify(data ?? [])).toBeTypeOf('string');
    await trash(form, id);
    await run();
    expect(texts(await home.records(form))).toEqual(['Ada']);
    await restore(form, id);
    await run();
    expect(texts(await home.records(form))).toEqual(['Ada', 'Ada']);
  });

  test('is still told to webhooks that wait; deleted for good it is not', async () => {
    const receiver = await aWebhookReceiver();
    const { form, ids } = await aFormWith([]);
    expect(ids).toEqual([]);
    receiver.script([503], 200);
    const made = await home.call('POST', `/open/forms/${form.id}/integrations`, {
      integration_id: 'webhook',
      status: 'active',
      data: { webhook_url: receiver.url },
    });
    expect(made.status, made.text).toBeLessThan(300);
    await home.submit(form, { [TEXT_FIELD_ID]: 'Ada' });
    const [{ id }] = await home.records(form);
    await trash(form, id);
    const count = () =>
      query('select submission_id as id, state from deliveries where form_id = $1 order by id', [form.id]);
    expect(await count()).toEqual([{ id, state: 'pending' }]);
    const [back] = (await restore(form, id)).body.data;
    expect(await count()).toEqual([{ id: back.id, state: 'pending' }]);
    await trash(form, back.id);
    await home.call('DELETE', path(form, `/${back.id}`));
    expect(await count()).toEqual([]);
  });
});

describe('what is not possible is told, and nothing is changed', () => {
  test('ids of no submission, or of nothing in the trash', async () => {
    const { form, ids } = await aFormWith(['Ada', 'Ben']);
    const [ada, ben] = ids as [number, number];
    expectInvalid(await trash(form, ada, 999_999_999), 'submissionIds.1');
    expect(await inTrash(form)).toMatchObject({ data: [] });
    await trash(form, ada);
    expectInvalid(await trash(form, ben, ada), 'submissionIds.1');
    const problems = expectInvalid(await restore(form, ada, ben), 'submissionIds.1');
    expect(problems['submissionIds.1']).toEqual(['This submission is not in the trash.']);
    expect(texts((await inTrash(form)).data)).toEqual(['Ada']);
    for (const submissionIds of [[], 'all', [0], undefined])
      for (const rest of ['/trash', '/trash/restore'])
        expect((await home.call('POST', path(form, rest), { submissionIds })).status).toBe(422);
  });

  test('a partial one whose sender went on stays until the newer one goes', async () => {
    const form = await home.form({ properties: [aTextField()], enable_partial_submissions: true });
    const submission_id = randomUUID();
    const begin = (text: string, isPartial: boolean) =>
      home.submit(form, { [TEXT_FIELD_ID]: text, is_partial: isPartial, submission_id });
    await begin('Ad', true);
    const [partial] = (await home.call('GET', path(form, '?status=all'))).body.data;
    await query(`update submissions set public_id = $2 where form_id = $1`, [form.id, submission_id]);
    await trash(form, partial.id);
    await query(
      `insert into submissions (form_id, public_id, status, data) values ($1, $2, 'completed', '{}')`,
      [form.id, submission_id],
    );
    const problems = expectInvalid(await restore(form, partial.id), 'submissionIds.0');
    expect(problems['submissionIds.0']?.[0]).toContain('was sent anew');
    expect((await inTrash(form)).meta.total).toBe(1);
  });

  test('of two of one public id the files of the one that is left stay', async () => {
    const cv = aField('01', 'files', 'CV');
    const form = await home.form({ properties: [cv] });
    const { body } = await upload(home.service, form, cv.id, PDF, 'cv.pdf');
    await home.submit(form, { [cv.id]: [body.reference] });
    const [record] = await home.records(form);
    const link = record.files[cv.id][0].file_url.replace(/^https?:\/\/[^/]+/, '');
    await trash(form, record.id);
    const [other] = await query(
      `insert into submissions (form_id, public_id, status, data) values ($1, $2, 'completed', '{}') returning id`,
      [form.id, record.submission_id],
    );
    await query('update form_counters set completed_count = 1 where form_id = $1', [form.id]);
    expect((await home.call('DELETE', path(form, `/${other.id}`))).status).toBe(200);
    await runAllJobs(home.service.context);
    expect((await home.service.request('GET', link)).status).toBe(200);
    expect((await home.call('DELETE', path(form, `/${record.id}`))).status).toBe(200);
    await runAllJobs(home.service.context);
    expect((await home.service.request('GET', link)).status).toBe(404);
  });

  test('who only looks on sees the trash and changes nothing there', async () => {
    const { form, ids } = await aFormWith(['Ada']);
    const { token } = await home.member('readonly');
    await trash(form, ids[0] as number);
    expect((await home.call('GET', path(form, '/trash'), undefined, token)).status).toBe(200);
    for (const [method, rest] of [
      ['POST', '/trash'],
      ['POST', '/trash/restore'],
      ['DELETE', '/trash'],
    ] as const)
      expectRefused(await home.call(method, path(form, rest), { submissionIds: ids }, token), 403);
  });
});

describe('it goes for good', () => {
  const rowsOf = async (form: Form) => {
    const tables = ['trashed_submissions', 'submission_changes', 'review_entries', 'submission_reviews'];
    const counts = tables.map((table) =>
      query(`select count(*)::int from ${table} where form_id = $1`, [form.id]),
    );
    return (await Promise.all(counts)).map(([row]) => row.count);
  };
  const age = (form: Form, days: number) =>
    query(
      'update trashed_submissions set trashed_at = now() - make_interval(days => $2) where form_id = $1',
      [form.id, days],
    );
  async function aSpokenOf() {
    const { form, ids } = await aFormWith(['Ada', 'Ben']);
    const [ada] = ids as [number];
    await home.call('PUT', path(form, `/${ada}`), { [TEXT_FIELD_ID]: 'Ada L.' });
    await home.call('POST', path(form, `/${ada}/review`), { note: 'Twice' });
    await trash(form, ada);
    return { form, ada };
  }

  test('after thirty days, and not a day before', async () => {
    const { form } = await aSpokenOf();
    await age(form, 29);
    await work('empty_trash');
    expect(await rowsOf(form)).toEqual([1, 1, 1, 0]);
    await age(form, 30);
    await work('empty_trash');
    expect(await rowsOf(form)).toEqual([0, 0, 0, 0]);
    expect(texts(await home.records(form))).toEqual(['Ben']);
  });

  test.each([
    ['one', (form: Form, id: number) => home.call('DELETE', path(form, `/${id}`))],
    ['several', (form: Form, id: number) => home.call('POST', path(form, '/multi'), { submissionIds: [id] })],
    ['the whole trash', (form: Form) => home.call('DELETE', path(form, '/trash'))],
    ['the form', (form: Form) => home.call('DELETE', `/open/forms/${form.id}`)],
  ])('when a member deletes %s', async (_what, remove) => {
    const { form, ada } = await aSpokenOf();
    expect((await remove(form, ada)).status).toBeLessThan(300);
    await runAllJobs(home.service.context);
    expect(await rowsOf(form)).toEqual([0, 0, 0, 0]);
  });

  test('but not what came into the trash since it was begun to be emptied', async () => {
    const { form, ids } = await aFormWith(['Ada', 'Ben']);
    await trash(form, ids[0] as number);
    const { body } = await home.call('DELETE', path(form, '/trash'));
    expect(body).toEqual({
      type: 'success',
      message: 'The trash is empty.',
      is_empty: true,
      until: expect.any(String),
    });
    await trash(form, ids[1] as number);
    const again = await home.call('DELETE', path(form, `/trash?until=${encodeURIComponent(body.until)}`));
    expect(again.body).toMatchObject({ is_empty: true, until: body.until });
    expect(texts((await inTrash(form)).data)).toEqual(['Ben']);
    expectInvalid(await home.call('DELETE', path(form, '/trash?until=soon')), 'until');
  });

  test('when the form keeps nothing that old', async () => {
    const { form } = await aSpokenOf();
    await home.call('PUT', `/open/forms/${form.id}`, {
      submission_retention_value: 7,
      submission_retention_unit: 'day',
    });
    await query(`update trashed_submissions set updated_at = now() - interval '8 days' where form_id = $1`, [
      form.id,
    ]);
    await work('purge_submissions');
    expect(await rowsOf(form)).toEqual([0, 0, 0, 0]);
  });

  test('when the person asks for it, who is found there too', async () => {
    const mail = aField('02', 'email', 'Mail');
    const form = await home.form({ properties: [mail] });
    await home.submit(form, { [mail.id]: 'grace@example.com' });
    const [{ id }] = await home.records(form);
    await trash(form, id);
    const people = (act: string) =>
      home.call('POST', `/open/workspaces/${home.workspaceId}/people/${act}`, { value: 'grace@example.com' });
    const found = (await people('find')).body.submissions;
    expect(found).toMatchObject([{ id, trashed_at: expect.any(String) }]);
    expect((await people('export')).text).toContain('grace@example.com');
    expect((await people('erase')).body).toMatchObject({ erased: { submissions: 1 } });
    expect((await inTrash(form)).meta.total).toBe(0);
  });
});

test('whoever moves them there, takes them out and deletes them at once waits for the others; none is lost or doubled', async () => {
  const { form, ids } = await aFormWith(['1', '2', '3', '4', '5', '6']);
  const calls = Array.from({ length: 48 }, async (_, i) => {
    const all: any[] = i % 2 ? (await inTrash(form)).data : await home.records(form);
    const some = all.slice(i % 3).map(({ id }) => id);
    if (some.length === 0) return 200;
    return (await (i % 2 ? restore : trash)(form, ...some)).status;
  });
  const statuses = new Set(await Promise.all(calls));
  // A call gets 422 if another one has just moved one of its submissions.
  expect([...statuses].filter((status) => ![200, 422].includes(status))).toEqual([]);
  const left = [...texts(await home.records(form)), ...texts((await inTrash(form)).data)];
  expect(left.sort()).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(ids).toHaveLength(6);
  const [counts] = await query(
    `select completed_count::int as counted, (select count(*)::int from submissions where form_id = $1) as stored
      from form_counters where form_id = $1`,
    [form.id],
  );
  expect(counts.counted).toBe(counts.stored);
});

test('the audit log says who', async () => {
  const { form, ids } = await aFormWith(['Ada']);
  await trash(form, ids[0] as number);
  await restore(form, ids[0] as number);
  const { body } = await home.call('GET', `/open/workspaces/${home.workspaceId}/audit-log?limit=2`);
  expect(body.map(({ verb, form }: any) => [verb, form?.id])).toEqual([
    ['submission.taken_out_of_trash', form.id],
    ['submission.trashed', form.id],
  ]);
});
