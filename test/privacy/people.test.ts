import { beforeEach, describe, expect, test } from 'vitest';
import { SYSTEM } from '../../server/audit/actor.ts';
import { erasePerson } from '../../server/privacy/erase-person.ts';
import { isValue, personValue, valueHash } from '../../server/privacy/person-value.ts';
import { createSecretBox } from '../../server/secret-box.ts';
import { download } from '../exports/download.ts';
import { finishedJob } from '../exports/finished-job.ts';
import { PDF, upload } from '../files/upload.ts';
import { aField, aForm, aWorkspace } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { changedMeanwhile } from '../setup/meanwhile.ts';
import { prepareRows } from '../setup/prepare-rows.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { until } from '../setup/until.ts';
import { placesWith } from './everywhere.ts';
import { useRepeatingReceiver } from './repeating-receiver.ts';

const MAIL = 'Grace.Hopper@Example.com';
const MAIL_FIELD = aField('01', 'email', 'Mail');
const NAME_FIELD = aField('02', 'text', 'Name');
const CHOICE_FIELD = aField('03', 'multi_select', 'Names', {
  multi_select: {
    options: [
      { id: 'a', name: MAIL },
      { id: 'b', name: 'b' },
    ],
  },
});
const NUMBER_FIELD = aField('04', 'number', 'Number');
const MATRIX_FIELD = aField('05', 'matrix', 'Matrix', { rows: ['r'], columns: [MAIL, 'c'] });
const REPEAT_FIELD = aField('16', 'repeat', 'Guests', {
  questions: [{ id: 'mail', type: 'email', name: 'Mail of a guest' }],
});
const PROPERTIES = [MAIL_FIELD, NAME_FIELD, CHOICE_FIELD, NUMBER_FIELD, MATRIX_FIELD, REPEAT_FIELD];

const home = useHome({ env: { EXPORT_SYNC_LIMIT: '0' } });
const receiver = useRepeatingReceiver();

let workspaceId: number;
beforeEach(async () => {
  workspaceId = await aWorkspace(home.service, home.ada);
});

const people = () => `/open/workspaces/${workspaceId}/people`;
const find = async (value: string, cursor?: string) => {
  const answer = await home.call('POST', `${people()}/find`, { value, cursor });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const form = (overrides = {}) =>
  aForm(home.service, home.ada, workspaceId, {
    properties: PROPERTIES,
    enable_partial_submissions: true,
    ...overrides,
  });
const send = async (to: { slug: string }, answers: Record<string, unknown>, headers = {}) => {
  const answer = await home.submit(to, answers, headers);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

const review = async (formId: number, id: number, said: object) => {
  const answer = await home.call('POST', `/open/forms/${formId}/submissions/${id}/review`, said);
  expect(answer.status, answer.text).toBe(200);
};

describe('finding', () => {
  test('an e-mail address in any letter case, in every form, complete and partial, in lists and matrices', async () => {
    const [first, second] = [await form(), await form({ title: 'Second' })];
    await send(first, { [MAIL_FIELD.id]: MAIL });
    await send(first, { [MAIL_FIELD.id]: MAIL.toUpperCase(), is_partial: true });
    await send(second, { [NAME_FIELD.id]: ` ${MAIL.toLowerCase()} ` });
    await send(second, { [CHOICE_FIELD.id]: ['b', MAIL] });
    await send(second, { [MATRIX_FIELD.id]: { r: MAIL } });
    await send(second, { [REPEAT_FIELD.id]: [{ mail: 'other@example.com' }, { mail: MAIL }] });
    // Not the whole answer is the value, only a part of it.
    await send(first, { [MAIL_FIELD.id]: `x${MAIL}` });
    await send(first, { [NAME_FIELD.id]: `Write to ${MAIL}` });

    const found = await find(MAIL);
    expect(found).toMatchObject({
      value_kind: 'email',
      cursor: null,
      drafts: 0,
      invites: 0,
      recipients: 0,
      erasures: [],
    });
    expect(found.submissions.map(({ form, status, found_in }: any) => [form.id, status, found_in])).toEqual([
      [first.id, 'completed', [MAIL_FIELD.id]],
      [first.id, 'partial', [MAIL_FIELD.id]],
      [second.id, 'completed', [NAME_FIELD.id]],
      [second.id, 'completed', [CHOICE_FIELD.id]],
      [second.id, 'completed', [MATRIX_FIELD.id]],
      [second.id, 'completed', [REPEAT_FIELD.id]],
    ]);
    expect(found.submissions[0].answers).toEqual([
      { id: MAIL_FIELD.id, name: 'Mail', type: 'email', value: MAIL },
    ]);
  });

  test('any other value exactly, whatever characters it has', async () => {
    const one = await form();
    const values = ['50%_\\off', 'say "hi"\n\ttwice', 'O’Brien 😀', '17', '%', 'null'];
    for (const value of values) await send(one, { [NAME_FIELD.id]: value });
    await send(one, { [NUMBER_FIELD.id]: 17 });
    for (const value of values) {
      const { submissions, value_kind } = await find(value);
      expect(value_kind).toBe('other');
      expect(submissions, value).toHaveLength(value === '17' ? 2 : 1);
    }
    expect((await find('o’brien 😀')).submissions).toEqual([]);
    expect((await find('50')).submissions).toEqual([]);
  });

  test('the words of a rich text, as whoever wrote them reads them', async () => {
    const story = aField('07', 'rich_text', 'Story');
    const one = await form({ properties: [...PROPERTIES, story] });
    await send(one, { [story.id]: '<p>Ada &amp; Grace</p>' });
    await send(one, { [story.id]: '<p>Ada &amp; Grace and others</p>' });
    await send(one, { [story.id]: `<p><a href="mailto:${MAIL}">${MAIL}</a></p>` });
    // In any other text, `&amp;` is no markup.
    await send(one, { [NAME_FIELD.id]: 'Ada &amp; Grace' });
    const [first] = (await find('Ada & Grace')).submissions;
    expect(first).toMatchObject({ found_in: [story.id], answers: [{ value: '<p>Ada &amp; Grace</p>' }] });
    expect((await find('Ada & Grace')).submissions).toHaveLength(1);
    expect((await find(MAIL)).submissions).toMatchObject([{ found_in: [story.id] }]);
    const { body } = await home.call('POST', `${people()}/erase`, { value: MAIL });
    expect(body.erased).toMatchObject({ submissions: 1 });
    expect(await home.records(one)).toHaveLength(3);
    await send(one, { [story.id]: '<p>Ada &amp;<br><strong>Gr</strong>ace</p>' });
    expect((await find('Ada & Grace')).submissions).toHaveLength(2);
    const erased = await home.call('POST', `${people()}/erase`, { value: 'Ada & Grace' });
    expect(erased.body.erased).toMatchObject({ submissions: 2 });
    expect((await find('(Ada) Grace')).submissions).toEqual([]);
  });

  test('values compare as they should', () => {
    const mail = personValue(' Ada@Example.com ');
    expect(mail).toEqual({ text: 'Ada@Example.com', kind: 'email' });
    expect(isValue(mail, ['x', { y: 'ADA@example.com' }])).toBe(true);
    expect(isValue(personValue('true'), true)).toBe(false);
    expect(isValue(personValue('1.5'), 1.5)).toBe(true);
    const box = createSecretBox(Buffer.alloc(32, 1));
    expect(valueHash(box, mail)).toBe(valueHash(box, personValue('ada@example.COM')));
    expect(valueHash(box, mail)).not.toBe(valueHash(createSecretBox(Buffer.alloc(32, 2)), mail));
    expect(valueHash(box, mail)).not.toContain('ada');
  });

  test('other workspaces keep theirs, and only admins may look', async () => {
    await send(await home.form({ properties: PROPERTIES }), { [MAIL_FIELD.id]: MAIL });
    expect((await find(MAIL)).submissions).toEqual([]);
    const member = await home.newMember('user', workspaceId);
    expectRefused(await home.call('POST', `${people()}/find`, { value: 'x' }, member.token), 403);
    expectRefused(await home.call('POST', `${people()}/erase`, { value: 'x' }, member.token), 403);
    expectRefused(
      await home.call('POST', `${people()}/erase`, { value: 'x' }, await home.tokenWith('forms-read')),
      403,
    );
    const ask = (body: object) => home.call('POST', `${people()}/find`, body);
    expectInvalid(await ask({}), 'value');
    expectInvalid(await ask({ value: ' ' }), 'value');
    expectInvalid(await ask({ value: 'a\0b' }), 'value');
    expectInvalid(await ask({ value: 'a', cursor: 'b' }), 'cursor');
    // Proxies and browsers keep addresses, so no address takes the value.
    expectRefused(await home.call('GET', `${people()}?value=x`), 404);
    expectInvalid(await home.call('POST', `${people()}/erase`, { value: 'x'.repeat(1001) }), 'value');
  });

  test('answers stand in the order of the form', async () => {
    const one = await form({ properties: PROPERTIES.toReversed() });
    await send(one, { [MAIL_FIELD.id]: MAIL, [NAME_FIELD.id]: 'Grace', [NUMBER_FIELD.id]: 17 });
    const [{ answers }] = (await find(MAIL)).submissions;
    expect(answers.map(({ name }: any) => name)).toEqual(['Number', 'Name', 'Mail']);
  });

  test('a long list goes on where it stopped', async () => {
    const one = await form();
    await fill(one.id, 250, MAIL);
    const ids: number[] = [];
    for (let page = await find(MAIL); ; page = await find(MAIL, page.cursor)) {
      ids.push(...page.submissions.map(({ id }: any) => id));
      if (page.cursor === null) break;
      expect(ids.length).toBeLessThan(251);
    }
    expect(new Set(ids).size).toBe(250);
    expect(ids).toHaveLength(250);
  });
});

test('exporting writes one JSON document with everything', async () => {
  const one = await form();
  await fill(one.id, 130, MAIL);
  const attribution = { tracking_parameters: { utm_source: 'letter' } };
  // Characters that end a line in some formats, but not in JSON.
  const name = 'Grace\u2028Brewster\u2029Hopper';
  await send(one, { [MAIL_FIELD.id]: MAIL, [NAME_FIELD.id]: name, ...attribution });
  await invite(MAIL);
  const [last] = await home.records(one);
  await sentBy(one, { name: 'Grace', email: MAIL }, 'no address');
  await review(one.id, last.id, { state: 'has_issues', note: 'She moved.' });
  const answer = await home.call('POST', `${people()}/export`, { value: MAIL });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toContain('attachment');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const { submissions, invites, recipients, value, drafts } = answer.body;
  expect([value, drafts, submissions.length]).toEqual([MAIL, [], 131]);
  expect(submissions.at(-1)).toMatchObject({
    form: { id: one.id, title: 'Feedback' },
    answers: [
      { name: 'Mail', value: MAIL },
      { name: 'Name', value: name },
    ],
    created_at: expect.stringMatching(/^\d{4}-/),
    review: {
      state: 'has_issues',
      history: [{ created_at: expect.any(String), state: 'has_issues', note: 'She moved.' }],
    },
  });
  expect(submissions[0].review).toBeNull();
  expect(invites).toMatchObject([{ email: MAIL.toLowerCase(), role: 'readonly' }]);
  expect(recipients).toMatchObject([
    { form_id: one.id, name: 'Grace', email: MAIL, answers: { [NAME_FIELD.id]: 'no address' } },
  ]);
  expect(await events('person.exported')).toHaveLength(1);
  const nobody = await home.call('POST', `${people()}/export`, { value: 'nobody@example.com' });
  expect(nobody.body).toMatchObject({ submissions: [], drafts: [], invites: [], recipients: [] });
});

test('what came by a personal link is found, and exported with its files and what was decided about it', async () => {
  const files = aField('06', 'files', 'Files');
  const one = await form({ properties: [...PROPERTIES, files] });
  const added = await home.call('POST', `/open/forms/${one.id}/recipients`, {
    recipients: [{ name: 'Ida', email: 'ida@example.com' }],
  });
  const { pathname, search } = new URL(added.body.recipients[0].link);
  const uploaded = await upload(home.service, one, files.id, PDF, 'letter.pdf');
  const body = {
    [NAME_FIELD.id]: 'no address',
    [files.id]: [uploaded.body.reference],
    tracking_parameters: { utm_source: 'letter' },
  };
  const sent = await home.service.request('POST', `${pathname}/answer${search}`, { body });
  expect(sent.status, sent.text).toBe(200);
  const [record] = await home.records(one);
  await review(one.id, record.id, { note: 'She called.' });
  const { submissions, recipients } = await find('ida@example.com');
  expect(recipients).toBe(1);
  expect(submissions).toMatchObject([
    { id: record.id, found_in: [], found_by_link: true, files: [{ file_name: uploaded.body.reference }] },
  ]);
  const document = await home.call('POST', `${people()}/export`, { value: 'ida@example.com' });
  const [ida] = document.body.recipients;
  expect(ida).toMatchObject({
    name: 'Ida',
    submission_id: record.id,
    answers: { [NAME_FIELD.id]: 'no address' },
    files: [{ file_name: uploaded.body.reference }],
    attribution: { utm_source: 'letter' },
    review: { state: 'received', history: [{ note: 'She called.' }] },
    earlier: [],
  });
  const file = await fetch(ida.files[0].file_url);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(PDF);
});

describe('erasing', () => {
  test('takes what is being answered by a personal link, and places on lists that are filled in with the value', async () => {
    const canary = 'canary.of.ada@example.org';
    const one = await form();
    const added = await home.call('POST', `/open/forms/${one.id}/recipients`, {
      recipients: [
        { name: 'Ada', email: canary },
        { name: 'Bob', prefill: { [MAIL_FIELD.id]: canary.toUpperCase() } },
        { name: 'Cleo', prefill: { [NAME_FIELD.id]: `Not ${canary}` } },
      ],
    });
    expect((await find(canary)).recipients).toBe(2);
    const [ada, bob] = added.body.recipients.map(({ link }: any) => new URL(link));
    const answerBy = ({ pathname, search }: URL, name: string) =>
      home.service.request('POST', `${pathname}/answer${search}`, { body: { [NAME_FIELD.id]: name } });
    expect((await answerBy(bob, 'his')).status).toBe(200);
    const { pool } = home.service.context;
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query('select from form_counters where form_id = $1 for update', [one.id]);
      const answered = answerBy(ada, 'hers');
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await until(async () => (await pool.query(waiting)).rowCount === 1, { what: 'the answer under way' });
      const erased = home.call('POST', `${people()}/erase`, { value: canary });
      await Promise.race([erased, until(async () => (await pool.query(waiting)).rowCount === 2)]);
      await client.query('rollback');
      expect((await answered).status).toBe(200);
      expect((await erased).body.erased).toMatchObject({ submissions: 1, recipients: 2 });
    } finally {
      client.release(true);
    }
    // An answer sent by somebody else's link belongs to that person.
    expect((await home.records(one)).map(({ data }) => data[NAME_FIELD.id])).toEqual(['his']);
    const { body } = await home.call('GET', `/open/forms/${one.id}/recipients`);
    expect(body.data.map(({ name }: any) => name)).toEqual(['Cleo']);
  });

  test('takes everything that came by a personal link, also what was begun and left, or sent before it was good once more', async () => {
    const canary = 'canary.of.edith@example.org';
    const one = await form();
    const recipients = `/open/forms/${one.id}/recipients`;
    const added = await home.call('POST', recipients, {
      recipients: [{ name: 'Edith', email: canary }, { name: 'Fay' }],
    });
    const [edith, fay] = added.body.recipients;
    const answerBy = async ({ link }: { link: string }, name: string, more: object = {}) => {
      const { pathname, search } = new URL(link);
      const body = { [NAME_FIELD.id]: name, ...more };
      const { status } = await home.service.request('POST', `${pathname}/answer${search}`, { body });
      expect(status).toBe(200);
    };
    await answerBy(edith, 'left', { is_partial: true });
    await answerBy(edith, 'first');
    await answerBy(fay, 'of Fay');
    await home.call('POST', `${recipients}/reopen`, { ids: [edith.id] });
    await answerBy(edith, 'second');
    const document = await home.call('POST', `${people()}/export`, { value: canary });
    const [{ answers, earlier }] = document.body.recipients;
    const names = [answers, ...earlier.map((sent: any) => sent.answers)].map((sent) => sent[NAME_FIELD.id]);
    expect(names).toEqual(['second', 'left', 'first']);
    const { body } = await home.call('POST', `${people()}/erase`, { value: canary });
    expect(body.erased).toMatchObject({ submissions: 3, recipients: 1 });
    expect((await home.records(one)).map(({ data }) => data[NAME_FIELD.id])).toEqual(['of Fay']);
  });

  test('leaves nothing of the person anywhere, a record without the value, and everybody else', async () => {
    const canary = 'canary.of.grace@example.org';
    const one = await form();
    await home.call('POST', `/open/forms/${one.id}/integrations`, {
      integration_id: 'webhook',
      status: 'active',
      data: { webhook_url: receiver.url, webhook_secret: 'a secret of length' },
    });
    await send(one, { [MAIL_FIELD.id]: canary }, { 'idempotency-key': 'first' });
    await send(one, { [MAIL_FIELD.id]: canary.toUpperCase(), is_partial: true });
    await send(one, { [MAIL_FIELD.id]: 'ada@example.com' }, { 'idempotency-key': 'second' });
    const [, half, whole] = await home.records(one);
    await review(one.id, half.id, { state: 'rejected' });
    await review(one.id, whole.id, { state: 'approved', note: `Wrote to ${canary}` });
    await invite(canary);
    await draft(one.id, canary);
    await sentBy(
      one,
      { name: 'Grace', email: canary.toUpperCase(), prefill: { [NAME_FIELD.id]: canary } },
      'no address',
    );
    const link = await exported(one);
    await until(async () => (await places(canary)).includes('public.delivery_attempts'));
    expect(await places(canary)).toEqual([
      expect.stringMatching(/^exports\//),
      'public.audit_events',
      'public.deliveries',
      'public.delivery_attempts',
      'public.form_drafts',
      'public.recipients',
      'public.review_entries',
      'public.submissions',
      'public.workspace_invites',
    ]);

    const answer = await home.call('POST', `${people()}/erase`, { value: canary });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      erased: { submissions: 3, files: 0, deliveries: 2, exports: 1, drafts: 1, invites: 1, recipients: 1 },
      cursor: null,
    });
    expect((await home.service.request('GET', new URL(link).pathname)).status).toBe(404);
    await runAllJobs(home.service.context);
    // The audit log keeps who was invited and by whom; nothing is removed from it.
    expect(await places(canary)).toEqual(['public.audit_events']);

    for (const table of ['submission_reviews', 'review_entries'])
      expect((await query(`select from ${table} where form_id = $1`, [one.id])).rows).toEqual([]);
    const { rows } = await query('select key from idempotency_keys where form_id = $1', [one.id]);
    expect(rows).toEqual([{ key: 'second' }]);
    expect((await home.records(one)).map(({ data }) => data[MAIL_FIELD.id])).toEqual(['ada@example.com']);
    const counters = await query(
      'select completed_count, partial_count from form_counters where form_id = $1',
      [one.id],
    );
    expect(counters.rows).toEqual([{ completed_count: 1, partial_count: 0 }]);

    const [record] = (await query('select * from erasures where workspace_id = $1', [workspaceId])).rows;
    expect(record).toMatchObject({
      id: answer.body.erasure_id,
      user_id: home.ada.id,
      value_kind: 'email',
      counts: answer.body.erased,
    });
    expect((await find(canary.toUpperCase())).erasures).toEqual([
      { id: record.id, erased_at: record.erased_at.toISOString(), counts: record.counts },
    ]);
    expect(await events('person.erased')).toMatchObject([{ details: { erasure_id: record.id } }]);
    const again = await home.call('POST', `${people()}/erase`, { value: canary });
    expect(again.body).toMatchObject({ erasure_id: null, erased: { submissions: 0 }, cursor: null });
  });

  test('what was uploaded for a draft and not sent goes with it, what a submission holds stays', async () => {
    const files = aField('06', 'files', 'Files');
    const one = await form({ properties: [...PROPERTIES, files] });
    const upload = async (content: string) => {
      const body = new FormData();
      body.append('file', new Blob([content], { type: 'text/plain' }), 'note.txt');
      const path = `/forms/${one.slug}/files?field=${files.id}`;
      const answer = await fetch(home.service.url + path, { method: 'POST', body });
      expect(answer.status).toBe(201);
      return ((await answer.json()) as { reference: string }).reference;
    };
    const [loose, held] = [await upload('the letter of Grace'), await upload('the letter of Ada')];
    await send(one, { [MAIL_FIELD.id]: 'ada@example.com', [files.id]: [held] });
    await query(`insert into form_drafts (form_id, id_hash, answers) values ($1, '\\x02', $2)`, [
      one.id,
      JSON.stringify({ [MAIL_FIELD.id]: MAIL, [files.id]: [loose, held] }),
    ]);
    const answer = await home.call('POST', `${people()}/erase`, { value: MAIL });
    expect(answer.body.erased).toMatchObject({ submissions: 0, drafts: 1, files: 1 });
    await runAllJobs(home.service.context);
    await until(async () => (await places('the letter of Grace')).length === 0);
    expect(await places('the letter of Ada')).toEqual([expect.stringMatching(/^uploads\//)]);
  });

  test('an export that is being built is taken back too, one of other submissions is not', async () => {
    const one = await form();
    const [grace, ada] = [
      await send(one, { [MAIL_FIELD.id]: MAIL }),
      await send(one, { [MAIL_FIELD.id]: 'ada@example.com' }),
    ];
    const records = await home.records(one);
    const idOf = ({ submission_id }: any) => records.find((row) => row.submission_id === submission_id).id;
    const job = (status: string, ids: number[] | null) =>
      query(
        `insert into export_jobs (job_id, form_id, status, columns, options, expires_at)
         values (gen_random_uuid(), $1, $2, '[]', $3, now() + interval '1 day') returning id`,
        [one.id, status, JSON.stringify({ bom: false, submission_ids: ids })],
      ).then(({ rows }) => rows[0].id);
    const gone = [await job('processing', null), await job('completed', [idOf(grace), idOf(ada)])];
    const kept = [await job('completed', [idOf(ada)]), await job('failed', null)];
    await home.call('POST', `${people()}/erase`, { value: MAIL });
    const { rows } = await query('select id from export_jobs where id = any($1) order by id', [
      [...gone, ...kept],
    ]);
    expect(rows.map(({ id }) => id)).toEqual(kept);
  });

  test('when time is up it says where to go on, and every call has a record of its own', async () => {
    const forms = [await form(), await form(), await form()];
    for (const { id } of forms) await fill(id, 120, MAIL);
    const context = home.service.context;
    let { id, counts, cursor } = await erasePerson(
      context,
      { workspaceId, value: personValue(MAIL) },
      SYSTEM,
      {
        limitMs: 0,
      },
    );
    expect(counts.submissions).toBe(100);
    expect(cursor).not.toBeNull();
    let total = counts.submissions;
    while (cursor !== null) {
      const answer = await home.call('POST', `${people()}/erase`, { value: MAIL, cursor });
      total += answer.body.erased.submissions;
      ({ cursor } = answer.body);
    }
    expect(total).toBe(360);
    const records = await query(
      `select sum((counts->>'submissions')::int)::int as sum from erasures where workspace_id = $1 and id >= $2`,
      [workspaceId, id],
    );
    expect(records.rows).toEqual([{ sum: 360 }]);
  });

  test('what was corrected a moment before stays', async () => {
    const one = await form();
    await send(one, { [MAIL_FIELD.id]: MAIL });
    const { db, pool } = home.service.context;
    const client = await pool.connect();
    // The edit holds the lock that the erasure needs.
    await client.query('begin');
    await client.query('select from form_counters where form_id = $1 for no key update', [one.id]);
    const erasing = erasePerson(
      { db, secrets: home.service.context.secrets },
      { workspaceId, value: personValue(MAIL) },
      SYSTEM,
    );
    await until(async () => {
      const { rows } = await pool.query(`select from pg_stat_activity where wait_event_type = 'Lock'
        and datname = current_database()`);
      return rows.length > 0;
    });
    await client.query(`update submissions set data = '{}' where form_id = $1`, [one.id]);
    await client.query('commit');
    client.release();
    expect((await erasing).counts.submissions).toBe(0);
    expect(await home.records(one)).toHaveLength(1);
  });

  test.each(['drafts', 'submissions'] as const)(
    'of %s that moved to another workspace a moment before none goes',
    async (what) => {
      const one = await form();
      await (what === 'drafts' ? draft(one.id, MAIL) : send(one, { [MAIL_FIELD.id]: MAIL }));
      const other = await aWorkspace(home.service, home.ada);
      const { body } = await changedMeanwhile(
        home.service.context.pool,
        one.id,
        () => home.call('POST', `${people()}/erase`, { value: MAIL }),
        (client) => client.query('update forms set workspace_id = $2 where id = $1', [one.id, other]),
      );
      expect(body.erased[what]).toBe(0);
      workspaceId = other;
      expect((await home.call('POST', `${people()}/erase`, { value: MAIL })).body.erased[what]).toBe(1);
    },
  );
});

const query = (text: string, values: unknown[] = []) => home.service.context.pool.query(text, values);
const places = (text: string) => placesWith(home.service, text);

async function events(verb: string) {
  return (
    await query('select details from audit_events where verb = $1 and workspace_id = $2', [verb, workspaceId])
  ).rows;
}

async function invite(email: string): Promise<void> {
  const path = `/open/workspaces/${workspaceId}/users/add`;
  const answer = await home.call('POST', path, { email: email.toLowerCase(), role: 'readonly' });
  expect(answer.status, answer.text).toBe(200);
}

/** Adds somebody to the form's list, who then answers by their link. */
async function sentBy(form: { id: number }, recipient: object, name: string): Promise<void> {
  const added = await home.call('POST', `/open/forms/${form.id}/recipients`, { recipients: [recipient] });
  const { pathname, search } = new URL(added.body.recipients[0].link);
  const path = `${pathname}/answer${search}`;
  const answer = await home.service.request('POST', path, { body: { [NAME_FIELD.id]: name } });
  expect(answer.status, answer.text).toBe(200);
}

async function draft(formId: number, mail: string): Promise<void> {
  await query(`insert into form_drafts (form_id, id_hash, answers) values ($1, '\\x01', $2)`, [
    formId,
    JSON.stringify({ [MAIL_FIELD.id]: mail }),
  ]);
}

async function fill(formId: number, howMany: number, mail: string): Promise<void> {
  await prepareRows(home.service, [
    `with added as (
       insert into submissions (form_id, public_id, status, data)
       select $1, gen_random_uuid(), 'completed', $2 from generate_series(1, $3::int))
     update form_counters set completed_count = completed_count + $3::int where form_id = $1`,
    [formId, JSON.stringify({ [MAIL_FIELD.id]: mail }), howMany],
  ]);
}

/** @returns the link to a finished export of everything in a form */
async function exported(form: { id: number }): Promise<string> {
  const started = await download(home, form, 'csv', ['id', MAIL_FIELD.id]);
  return (await finishedJob(home, form, started)).file_url;
}
