import { describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { aWebhookReceiver } from '../setup/webhook-receiver.ts';

const home = useHome();
const LONG_AGO = '2024-05-01T13:45:12.000Z';

const number = aField('02', 'number', 'Guests', { required: true });
const colours = aField('03', 'multi_select', 'Colours', { multi_select: { options: ['red', 'blue'] } });
const papers = aField('04', 'files', 'Papers');
const signed = aField('05', 'signature', 'Signed');
const aSurvey = (overrides: Record<string, unknown> = {}) =>
  home.form({ properties: [aTextField({ required: true }), number, colours, papers, signed], ...overrides });

const importInto = (form: { id: number }, submissions: unknown, how: object = {}, token?: string | null) =>
  home.call('POST', `/open/forms/${form.id}/submissions/import`, { submissions, ...how }, token);
const named = (name: string, more: object = {}) => ({ answers: { [TEXT_FIELD_ID]: name }, ...more });
const read = async (form: { id: number }) => (await home.call('GET', `/open/forms/${form.id}`)).body;

async function sourceIds(form: { id: number }): Promise<string[]> {
  const { rows } = await home.service.context.pool.query(
    'select source_id from imported_submissions where form_id = $1 order by source_id',
    [form.id],
  );
  return rows.map((row) => row.source_id);
}

describe('what is stored', () => {
  test('is complete, with the time, the duration and the answers of its own', async () => {
    const form = await aSurvey();
    const answers = { [TEXT_FIELD_ID]: 'Ada', [number.id]: '3', [colours.id]: ['red'], nonsense: 1 };
    const answer = await importInto(form, [
      { answers, created_at: LONG_AGO, completion_time: 42.5, source_id: 'r1' },
      named('Bob'),
    ]);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ type: 'success', stored: 2, already_there: 0, refused: [] });
    const [bob, ada] = await home.records(form);
    expect(answer.body.submissions).toEqual([
      { index: 0, id: ada.id, is_new: true },
      { index: 1, id: bob.id, is_new: true },
    ]);
    expect(ada).toMatchObject({ status: 'completed', completion_time: 42.5 });
    expect([ada.created_at, ada.updated_at]).toEqual([LONG_AGO, LONG_AGO]);
    expect(ada.data).toMatchObject({ [TEXT_FIELD_ID]: 'Ada', [number.id]: 3, [colours.id]: ['red'] });
    expect(ada.data).not.toHaveProperty('nonsense');
    expect(Date.now() - Date.parse(bob.created_at)).toBeLessThan(60_000);
  });

  test('is counted, found, listed, exported and put among the days it is of', async () => {
    const form = await aSurvey();
    await home.submit(form, { [TEXT_FIELD_ID]: 'Eve', [number.id]: 1 });
    await importInto(form, [
      named('Ada', { created_at: LONG_AGO }),
      named('Bob', { created_at: '2024-05-02T23:30:00-02:00' }),
    ]);
    expect(await read(form)).toMatchObject({ submissions_count: 3 });
    const path = `/open/forms/${form.id}/`;
    const days = await home.call('GET', `${path}statistics?from=2024-05-01&to=2024-05-03`);
    const counted = days.body.days.filter((day: any) => day.completed > 0);
    expect(counted.map((day: any) => [day.date, day.completed])).toEqual([
      ['2024-05-01', 1],
      ['2024-05-03', 1],
    ]);
    const names = async (query: string) =>
      (await home.call('GET', `${path}submissions?${query}`)).body.data.map(
        (row: any) => row.data[TEXT_FIELD_ID],
      );
    expect(await names('order=asc')).toEqual(['Ada', 'Bob', 'Eve']);
    expect(await names('from=2024-05-01&to=2024-05-02')).toEqual(['Ada']);
    expect(await names('search=bo')).toEqual(['Bob']);
    const csv = await home.call('POST', `${path}submissions/export`, {
      columns: { [TEXT_FIELD_ID]: true, created_at: true },
    });
    expect(csv.text).toContain(`Ada,${LONG_AGO}\n`);
  });

  test('comes into forms that are drafts, closed or full, and counts towards their limit', async () => {
    for (const overrides of [{ visibility: 'draft' }, { visibility: 'closed' }]) {
      const form = await aSurvey(overrides);
      expect((await importInto(form, [named('Ada')])).body.stored).toBe(1);
    }
    const small = await aSurvey({ max_submissions_count: 2 });
    expect(
      (
        await importInto(
          small,
          ['Ada', 'Bob', 'Cleo'].map((name) => named(name)),
        )
      ).body.stored,
    ).toBe(3);
    expectRefused(await home.submit(small, { [TEXT_FIELD_ID]: 'Eve', [number.id]: 1 }), 403);
  });

  test('needs nothing that is required, that logic shows, or that the author asks for', async () => {
    const when = {
      operatorIdentifier: 'and',
      children: [
        {
          identifier: TEXT_FIELD_ID,
          value: {
            operator: 'equals',
            property_meta: { id: TEXT_FIELD_ID, type: 'text' },
            value: 'Ada',
          },
        },
      ],
    };
    const hidden = aField('06', 'text', 'Hidden', {
      hidden: true,
      prefill: 'filled in',
      logic: { conditions: when, actions: ['show-block', 'require-answer'] },
    });
    const strict = aField('07', 'text', 'Strict', {
      validation: { error_conditions: { conditions: when, actions: [] }, error_message: 'Never.' },
    });
    const past = aField('08', 'date', 'Day', { disable_past_dates: true });
    const form = await aSurvey({ properties: [aTextField(), hidden, strict, past] });
    const answer = await importInto(form, [
      { answers: { [hidden.id]: 'kept', [strict.id]: 'x', [past.id]: '2024-05-02' }, created_at: LONG_AGO },
      { answers: {} },
    ]);
    expect(answer.body.stored, answer.text).toBe(2);
    const [empty, kept] = await home.records(form);
    expect(kept.data).toMatchObject({ [hidden.id]: 'kept', [strict.id]: 'x', [past.id]: '2024-05-02' });
    expect(empty.data).not.toHaveProperty(hidden.id);
    // A field without past dates compares with the day of the submission, not with today.
    const late = { answers: { [past.id]: '2024-04-01' }, created_at: LONG_AGO };
    expectInvalid(await importInto(form, [late]), `submissions.0.${past.id}`);
  });

  test('keeps its numbers, and new ones go on from the highest', async () => {
    const numbered = aField('09', 'text', 'No.', { generates_auto_increment_id: true });
    const form = await aSurvey({ properties: [aTextField(), numbered] });
    await importInto(
      form,
      ['7', '41', 'x', ''].map((no) => ({ answers: { [numbered.id]: no } })),
    );
    await home.submit(form, { [TEXT_FIELD_ID]: 'Eve' });
    const numbers = (await home.records(form)).map(({ data }) => data[numbered.id]);
    expect(numbers).toEqual(['42', undefined, 'x', '41', '7']);
  });

  test('takes the places of options, beyond the last one too', async () => {
    const tables = aField('10', 'select', 'Table', {
      select: { options: [{ name: 'Window', max_submissions_count: 2 }, { name: 'Door' }] },
    });
    const form = await aSurvey({ properties: [tables] });
    const at = (table: string) => ({ answers: { [tables.id]: table } });
    const answer = await importInto(form, [at('Window'), at('Window'), at('Window'), at('Door')]);
    expect(answer.body.stored).toBe(4);
    expectInvalid(await home.submit(form, { [tables.id]: 'Window' }), tables.id);
    const ids = answer.body.submissions.slice(0, 2).map(({ id }: any) => id);
    await home.call('POST', `/open/forms/${form.id}/submissions/multi`, { submissionIds: ids });
    expect((await home.submit(form, { [tables.id]: 'Window' })).status).toBe(200);
  });

  test('is told to nobody, and to the audit log by its number', async () => {
    const form = await aSurvey();
    const receiver = await aWebhookReceiver();
    await home.call('POST', `/open/forms/${form.id}/integrations`, {
      integration_id: 'webhook',
      status: 'active',
      data: { webhook_url: receiver.url },
    });
    await importInto(form, [named('Ada'), named('Bob')]);
    await home.submit(form, { [TEXT_FIELD_ID]: 'Eve', [number.id]: 1 });
    const requests = await receiver.received(1);
    expect(requests.map(({ body }) => String(body).includes('Eve'))).toEqual([true]);
    const log = await home.call('GET', `/open/workspaces/${home.workspaceId}/audit-log`);
    const entries = log.body.filter((event: any) => event.form?.id === form.id);
    expect(entries[0]).toMatchObject({ verb: 'submission.imported', details: { count: 2 } });
  });
});

describe('what does not fit', () => {
  const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();
  const bad = () => [
    named('Ada'),
    { answers: { [number.id]: 'three', [colours.id]: ['green'] } },
    { answers: { [papers.id]: ['cv.pdf'], [signed.id]: 'Ada' } },
    named('Bob', { created_at: tomorrow(), completion_time: 'long' }),
    named('Cleo', { created_at: '5/1/2024' }),
    named('Dora', { source_id: 'x'.repeat(256) }),
    named('Emma', { source_id: 'same' }),
    named('Fred', { source_id: 'same' }),
  ];
  const keys = [
    [1, [number.id, colours.id]],
    [2, [papers.id, signed.id]],
    [3, ['created_at', 'completion_time']],
    [4, ['created_at']],
    [5, ['source_id']],
    [7, ['source_id']],
  ] as const;

  test('keeps all out, and every problem of every one is told', async () => {
    const form = await aSurvey();
    const all = keys.flatMap(([index, names]) => names.map((name) => `submissions.${index}.${name}`));
    expectInvalid(await importInto(form, bad()), ...all);
    expect(await home.records(form)).toEqual([]);
  });

  test('tells the problems of a field that is called as a member of the submission beside those of the member', async () => {
    const form = await aSurvey({ properties: [{ ...number, id: 'source_id' }] });
    const sent = { answers: { source_id: 'three' }, source_id: 'x'.repeat(256) };
    const answer = await importInto(form, [sent], { skip_invalid: true });
    expect(answer.body.refused[0].errors.source_id).toHaveLength(2);
  });

  test('is left out where that is wanted, and told of with its place', async () => {
    const form = await aSurvey();
    const answer = await importInto(form, bad(), { skip_invalid: true });
    expect(answer.body.stored, answer.text).toBe(2);
    const told = answer.body.refused.map(({ index, errors }: any) => [index, Object.keys(errors)]);
    expect(told).toEqual(keys);
    expect(answer.body.refused[0].errors[number.id]).toEqual(['The Guests must be a number.']);
    expect((await home.records(form)).map(({ data }) => data[TEXT_FIELD_ID])).toEqual(['Emma', 'Ada']);
  });

  test('keeps its source id from no other', async () => {
    const form = await aSurvey();
    const [bad, good] = [named('Ada', { source_id: '7' }), named('Bob', { source_id: '7' })];
    Object.assign(bad.answers, { [number.id]: 'three' });
    const answer = await importInto(form, [bad, good], { skip_invalid: true });
    expect(answer.body).toMatchObject({ stored: 1, refused: [{ index: 0 }] });
    expect(answer.body.refused).toHaveLength(1);
  });

  test('a check tells the same and stores nothing', async () => {
    const form = await aSurvey();
    const answer = await importInto(form, bad(), { check_only: true });
    expect(answer.body).toMatchObject({ stored: 2, already_there: 0, submissions: [] });
    expect(answer.body.refused).toHaveLength(keys.length);
    expect(await home.records(form)).toEqual([]);
    expect(await sourceIds(form)).toEqual([]);
  });

  test('what the form would delete at once is refused', async () => {
    const form = await aSurvey({ submission_retention_value: 30, submission_retention_unit: 'day' });
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const fresh = await importInto(form, [named('Ada', { created_at: daysAgo(29) })]);
    expect(fresh.body.stored).toBe(1);
    const old = await importInto(form, [named('Bob', { created_at: daysAgo(31) })]);
    expectInvalid(old, 'submissions.0.created_at');
    expect(old.body.message).toContain('older than the form keeps');
  });

  test.each([
    ['none', []],
    ['too many', Array.from({ length: 501 }, () => named('Ada'))],
    ['no list', { 0: named('Ada') }],
    ['no answers', [{ created_at: LONG_AGO }]],
    ['answers that are no object', [{ answers: ['Ada'] }]],
    ['a number for an id', [named('Ada', { source_id: 7 })]],
    ['a text that cannot be stored', [named('A\0da')]],
  ])('a call with %s is 422 as a whole', async (_what, submissions) => {
    const form = await aSurvey();
    const answer = await importInto(form, submissions, { skip_invalid: true });
    expect(answer.status, answer.text).toBe(422);
    expect(await home.records(form)).toEqual([]);
  });
});

describe('a call that is repeated', () => {
  const three = () => ['a', 'b', 'c'].map((id) => named(id, { source_id: id, created_at: LONG_AGO }));

  test('stores nothing twice, and says what is there', async () => {
    const form = await aSurvey();
    const first = (await importInto(form, three().slice(0, 2))).body;
    const second = (await importInto(form, three())).body;
    expect(second).toMatchObject({ stored: 1, already_there: 2 });
    expect(second.submissions.map(({ is_new }: any) => is_new)).toEqual([false, false, true]);
    expect(second.submissions[0].id).toBe(first.submissions[0].id);
    expect((await importInto(form, three(), { check_only: true })).body).toMatchObject({
      stored: 0,
      already_there: 3,
    });
    expect(await read(form)).toMatchObject({ submissions_count: 3 });
    const other = await aSurvey();
    expect((await importInto(other, three())).body.stored).toBe(3);
  });

  test('also by several at the same moment', async () => {
    const form = await aSurvey();
    const answers = await Promise.all([1, 2, 3, 4].map(() => importInto(form, three())));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.reduce((sum, { body }) => sum + body.stored, 0)).toBe(3);
    expect(await home.records(form)).toHaveLength(3);
  });

  test('those without an id that are like one that is there are named, and left out where that is wanted', async () => {
    const form = await aSurvey();
    const file = [
      named('Ada', { created_at: LONG_AGO }),
      named('Ada', { created_at: LONG_AGO }),
      named('Bob', { created_at: LONG_AGO }),
      // Without a moment many may say the same.
      named('Eve'),
    ];
    const first = (await importInto(form, file)).body;
    expect(first).toMatchObject({ stored: 4, alike: [] });
    const alike = [0, 1, 2].map((index) => ({ index, id: first.submissions[index].id }));
    const checked = await importInto(form, file, { check_only: true });
    expect(checked.body).toMatchObject({ stored: 4, already_there: 0, alike });
    const more = [
      ...file,
      named('Ada', { created_at: LONG_AGO }),
      named('Bob', { created_at: LONG_AGO, source_id: 'b' }),
    ];
    const skipped = (await importInto(form, more, { skip_alike: true })).body;
    expect(skipped).toMatchObject({ stored: 3, already_there: 3, alike });
    expect(skipped.submissions.map(({ is_new }: any) => is_new)).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
    // Nothing is left out unasked.
    expect((await importInto(form, file)).body).toMatchObject({ stored: 4, already_there: 0 });
    expect(await read(form)).toMatchObject({ submissions_count: 11 });
  });

  test('an answer of the form itself is like the one that is read from it', async () => {
    const form = await home.form();
    await home.submit(form, named('Ada').answers);
    const [{ id, data, created_at }] = await home.records(form);
    const { pool } = home.service.context;
    await pool.query(
      "update submissions set created_at = date_trunc('milliseconds', created_at) + interval '456 microseconds' where id = $1",
      [id],
    );
    const again = await importInto(form, [{ answers: data, created_at }], { check_only: true });
    expect(again.body).toMatchObject({ alike: [{ index: 0, id }] });
  });

  test('what was deleted may come again; the ids go with it, and with the form', async () => {
    const form = await aSurvey();
    const { submissions } = (await importInto(form, three())).body;
    const path = `/open/forms/${form.id}/submissions`;
    await home.call('POST', `${path}/multi`, { submissionIds: [submissions[0].id, submissions[1].id] });
    expect(await sourceIds(form)).toEqual(['c']);
    expect(await read(form)).toMatchObject({ submissions_count: 1 });
    expect((await importInto(form, three())).body).toMatchObject({ stored: 2, already_there: 1 });
    await home.call('DELETE', `/open/forms/${form.id}`);
    await until(async () => (await sourceIds(form)).length === 0);
  });

  test('an export of the form itself is there already', async () => {
    const form = await aSurvey();
    await home.submit(form, { [TEXT_FIELD_ID]: 'Eve', [number.id]: 1 });
    const [eve] = await home.records(form);
    for (const source_id of [eve.submission_id, eve.submission_id.toUpperCase()]) {
      const again = await importInto(form, [named('Eve', { source_id })]);
      expect(again.body).toMatchObject({ stored: 0, already_there: 1 });
    }
  });

  test('a UUID is one in every spelling, and an id of 255 characters none too long', async () => {
    const form = await aSurvey();
    const id = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
    const twice = [named('Ada', { source_id: id.toUpperCase() }), named('Bob', { source_id: id })];
    expectInvalid(await importInto(form, twice), 'submissions.1.source_id');
    const long = '🙂'.repeat(255);
    const fine = [named('Ada', { source_id: id.toUpperCase() }), named('Bob', { source_id: long })];
    expect((await importInto(form, fine)).body).toMatchObject({ stored: 2 });
    expect((await importInto(form, [named('Ada', { source_id: id })])).body).toMatchObject({
      already_there: 1,
    });
    expect(await sourceIds(form)).toEqual([id, long]);
  });
});

test('who may change answers may import them, nobody else', async () => {
  const form = await aSurvey();
  const submissions = [named('Ada')];
  expectRefused(await importInto(form, submissions, {}, null), 401);
  expectRefused(await importInto(form, submissions, {}, await home.tokenWith('forms-read')), 403);
  expectRefused(await importInto(form, submissions, {}, (await home.member('readonly')).token), 403);
  expectRefused(await importInto(form, submissions, {}, (await home.stranger()).token), 403);
  expect((await importInto(form, submissions, {}, (await home.member('user')).token)).status).toBe(200);
});
