import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { forgetTraces } from '../../server/recipients/forget-queries.ts';
import { RECIPIENT_STATUSES } from '../../server/recipients/queries.ts';
import { aVisitor } from '../public-pages/visitor.ts';
import { aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { inLine } from '../setup/meanwhile.ts';
import { until } from '../setup/until.ts';

const home = useHome();
const aSurvey = (overrides: Record<string, unknown> = {}) =>
  home.form({ properties: [aTextField()], ...overrides });
const pathOf = (form: { id: number }) => `/open/forms/${form.id}/`;

async function add(form: { id: number }, ...recipients: object[]): Promise<any> {
  const answer = await home.call('POST', `${pathOf(form)}recipients`, { recipients });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
async function list(form: { id: number }, query = ''): Promise<any[]> {
  const answer = await home.call('GET', `${pathOf(form)}recipients?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}
async function settle(form: { id: number }, settings: object): Promise<any> {
  const answer = await home.call('PUT', `${pathOf(form)}personal-links`, settings);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
const NOBODY = Object.fromEntries(RECIPIENT_STATUSES.map((status) => [status, 0]));
const codeOf = (link: string) => new URL(link).searchParams.get('personal') ?? '';
/** Answers by the API, as a program with the link would. */
const answer = (form: { slug: string }, link: string | null, body: object, headers = {}) =>
  home.service.request(
    'POST',
    `/forms/${form.slug}/answer${link === null ? '' : `?personal=${codeOf(link)}`}`,
    { body, headers },
  );
const named = (name: string, more: object = {}) => ({ [TEXT_FIELD_ID]: name, ...more });

const keysOf = async (form: { id: number }) =>
  (
    await home.service.context.pool.query<{ key: string; body_hash: Buffer }>(
      'select key, body_hash from idempotency_keys where form_id = $1',
      [form.id],
    )
  ).rows;
/** How many of these keys somebody with the database could match to a recipient by guessing the answers. */
async function betrayedBy(keys: { key: string; body_hash: Buffer }[], recipients: any[]): Promise<number> {
  const bodies = ['x', 'y'].map((text) => JSON.stringify(named(text)));
  return keys.filter(({ key, body_hash }) =>
    recipients.some(({ link }) =>
      [key.slice(5, 27), ...bodies].some((known) =>
        createHash('sha256')
          .update(`${known} ${codeOf(link)}`)
          .digest()
          .equals(body_hash),
      ),
    ),
  ).length;
}

describe('the list', () => {
  test('gives everybody a link of their own, and an address one only', async () => {
    const form = await aSurvey();
    const first = await add(form, { name: ' Ada ', email: 'Ada@Example.org' }, { name: 'Bob' }, {});
    expect(first).toMatchObject({ added: 3, already_there: 0 });
    const links = first.recipients.map(({ link }: any) => link);
    expect(new Set(links).size).toBe(3);
    for (const link of links)
      expect(link).toMatch(new RegExp(`/forms/${form.slug}\\?personal=[0-9a-f]{24}$`));
    const again = await add(form, { email: 'ada@example.ORG', name: 'Ada Lovelace' });
    expect(again).toMatchObject({ added: 0, already_there: 1 });
    expect(again.recipients[0]).toMatchObject({ index: 0, link: links[0], is_new: false });
    const rows = await list(form);
    expect(rows.map(({ name, email, status }) => [name, email, status])).toEqual([
      ['Ada Lovelace', 'Ada@Example.org', 'new'],
      ['Bob', null, 'new'],
      [null, null, 'new'],
    ]);
    expect(rows[0]).toMatchObject({ mails_sent: 0, mailed_at: null, submission_id: null, link: links[0] });
  });

  test('takes addresses of any script, also where letters have marks', async () => {
    const form = await aSurvey();
    await add(form, { email: 'jürgen@example.org' }, { email: 'ada@उदाहरण.भारत' });
    expect((await list(form)).map(({ email }) => email)).toEqual(['jürgen@example.org', 'ada@उदाहरण.भारत']);
  });

  test('of an address that a call has twice the last one counts, and both places say so', async () => {
    const form = await aSurvey();
    const { added, already_there, recipients } = await add(
      form,
      { email: 'a@example.org', name: 'First' },
      { email: 'A@example.org', name: 'Last', prefill: { [TEXT_FIELD_ID]: 'Ada' } },
      { email: 'a@example.org' },
    );
    expect([added, already_there, recipients.length]).toEqual([1, 0, 3]);
    expect(new Set(recipients.map(({ id }: any) => id)).size).toBe(1);
    expect(await list(form)).toMatchObject([{ name: 'Last', prefill: { [TEXT_FIELD_ID]: 'Ada' } }]);
  });

  test('is read by pages, by state, by a part of a name or an address', async () => {
    const form = await aSurvey();
    await add(form, ...['ann', 'bob', 'cleo'].map((name) => ({ name, email: `${name}@example.org` })));
    const page = await home.call('GET', `${pathOf(form)}recipients?limit=2`);
    expect(page.body.data.map(({ name }: any) => name)).toEqual(['ann', 'bob']);
    const rest = await list(form, `limit=2&after=${page.body.meta.next_after}`);
    expect(rest.map(({ name }) => name)).toEqual(['cleo']);
    expect((await list(form, 'search=CLEO%40')).map(({ name }) => name)).toEqual(['cleo']);
    expect(await list(form, 'search=%25')).toEqual([]);
    expect(await list(form, 'status=answered')).toEqual([]);
    expect(await list(form, 'status=new')).toHaveLength(3);
    expectInvalid(await home.call('GET', `${pathOf(form)}recipients?status=odd`), 'status');
  });

  test('holds up nobody who answers while people are put on it', async () => {
    const form = await aSurvey();
    const { recipients } = await add(form, { name: 'Ada' });
    const { pool } = home.service.context;
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query('select from personal_links where form_id = $1 for update', [form.id]);
      const added = add(form, { name: 'Bob' });
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%personal_links%for no key update%'`;
      await until(async () => (await pool.query(waits)).rowCount, { what: 'the change under way' });
      expect((await answer(form, recipients[0].link, named('Ada'))).status).toBe(200);
      await client.query('rollback');
      expect(await added).toMatchObject({ added: 1 });
    } finally {
      client.release(true);
    }
  });

  test('refuses what is no address or cannot be stored, all at once, and adds nothing then', async () => {
    const form = await aSurvey();
    const refused = await home.call('POST', `${pathOf(form)}recipients`, {
      recipients: [
        { email: 'good@example.org' },
        { email: 'no address' },
        { prefill: { [TEXT_FIELD_ID]: 'x'.repeat(20_001) } },
      ],
    });
    expectInvalid(refused, 'recipients.1.email', 'recipients.2.prefill');
    for (const recipients of [[], [{ name: 'a\u0000' }], Array(1_001).fill({})])
      expectInvalid(await home.call('POST', `${pathOf(form)}recipients`, { recipients }), 'recipients');
    expect(await list(form)).toEqual([]);
  });

  test('belongs to its form: ids of another one do nothing', async () => {
    const [form, other] = [await aSurvey(), await aSurvey()];
    const { recipients } = await add(other, { name: 'Ada' });
    const ids = [recipients[0].id];
    for (const act of ['delete', 'reopen']) {
      const done = await home.call('POST', `${pathOf(form)}recipients/${act}`, { ids });
      expect(done.body).toMatchObject({ [`${act === 'delete' ? 'delete' : 'reopene'}d`]: 0 });
    }
    await settle(form, { required: true });
    expectRefused(await answer(form, recipients[0].link, named('Ada')), 403);
    expect(await list(other)).toHaveLength(1);
  });
});

describe('a link', () => {
  test('counts once, and its recipient is known with the answer', async () => {
    const form = await aSurvey();
    const { recipients } = await add(form, { name: 'Ada' }, { name: 'Bob' });
    const sent = await answer(form, recipients[0].link, named('Ada'));
    expect(sent.status, sent.text).toBe(200);
    const again = await answer(form, recipients[0].link, named('Eve'));
    expect(again.status).toBe(403);
    expect(again.body.error).toBe('already_answered');
    const [record, ...others] = await home.records(form);
    expect(others).toEqual([]);
    const [ada, bob] = await list(form);
    expect(ada).toMatchObject({ status: 'answered', submission_id: record.id });
    expect(bob).toMatchObject({ status: 'new', submission_id: null });
    expect(await list(form, `submission_id=${record.id}`)).toEqual([ada]);
  });

  test('counts once also when it is used by many at the same time', async () => {
    const form = await aSurvey();
    const { recipients } = await add(form, { name: 'Ada' });
    const sent = await Promise.all(
      Array.from({ length: 12 }, (_, i) => answer(form, recipients[0].link, named(`n${i}`))),
    );
    const statuses = sent.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array(11).fill(403)]);
    expect(await home.records(form)).toHaveLength(1);
  });

  test('with an Idempotency-Key a repetition gets the first answer', async () => {
    const form = await aSurvey();
    const { recipients } = await add(form, { name: 'Ada' });
    const send = () => answer(form, recipients[0].link, named('Ada'), { 'idempotency-key': 'k' });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.submission_id).toBe(first.body.submission_id);
  });

  test('is not taken for that of somebody else who sends the same under the same Idempotency-Key', async () => {
    const form = await aSurvey();
    const { recipients } = await add(form, { name: 'Ada' }, { name: 'Bob' });
    const [ada, bob] = recipients.map(({ link }: any) => link);
    const send = (link: string, key: string) => answer(form, link, named('Yes'), { 'idempotency-key': key });
    expect((await send(ada, 'yes')).status).toBe(200);
    expectInvalid(await send(bob, 'yes'), 'Idempotency-Key');
    expect((await send(bob, 'yes-too')).status).toBe(200);
    expect((await list(form)).map(({ status }) => status)).toEqual(['answered', 'answered']);
  });

  test('is needed where the form says so: by the API, for partial answers and for checks', async () => {
    const form = await aSurvey({ enable_partial_submissions: true });
    await settle(form, { required: true });
    const { recipients } = await add(form, { name: 'Ada' });
    for (const refused of [
      await answer(form, null, named('Eve')),
      await answer(form, 'http://x/?personal=aaaaaaaaaaaaaaaaaaaaaaaa', named('Eve')),
      await answer(form, "http://x/?personal=' or 1=1", named('Eve')),
      await answer(form, null, named('Eve', { is_partial: true })),
      await answer(form, null, named('Eve'), { precognition: 'true' }),
    ]) {
      expectRefused(refused, 403);
      expect(refused.body.error).toBe('personal_link_needed');
    }
    expect((await answer(form, recipients[0].link, named('Ada'))).status).toBe(200);
    await settle(form, { required: false });
    expect((await answer(form, null, named('Eve'))).status).toBe(200);
  });

  test('goes with a partial answer, which it may complete once', async () => {
    const form = await aSurvey({ enable_partial_submissions: true });
    await settle(form, { required: true });
    const { recipients } = await add(form, { name: 'Ada' });
    const { link } = recipients[0];
    const begun = await answer(form, link, named('Ad', { is_partial: true }));
    expect((await list(form))[0]).toMatchObject({ status: 'started', submission_id: null });
    const { submission_hash } = begun.body;
    const done = await answer(form, link, named('Ada', { submission_hash }));
    expect(done.status, done.text).toBe(200);
    expect((await list(form))[0]).toMatchObject({ status: 'answered' });
    expect((await answer(form, link, named('Ada', { is_partial: true }))).status).toBe(403);
    expect(await home.records(form)).toHaveLength(1);
  });

  test.each(['somebody without it', 'an owner'])(
    'is spent when the partial answer it began is completed by %s',
    async (who) => {
      const form = await aSurvey({ enable_partial_submissions: true });
      const { recipients } = await add(form, { name: 'Ada', email: 'ada@example.org' }, { name: 'Bob' });
      const [{ link }] = recipients;
      const { submission_hash } = (await answer(form, link, named('A', { is_partial: true }))).body;
      await answer(form, recipients[1].link, named('B', { is_partial: true }));
      const [, { id }] = await home.records(form);
      const completed =
        who === 'an owner'
          ? await home.call('PUT', `${pathOf(form)}submissions/${id}`, named('Ada'))
          : await answer(form, null, named('Ada', { submission_hash }));
      expect(completed.status, completed.text).toBe(200);
      const [ada, bob] = await list(form);
      expect(ada).toMatchObject({ status: 'answered', submission_id: id, answered_at: expect.any(String) });
      expect(bob).toMatchObject({ status: 'started', answered_at: null });
      expect((await answer(form, link, named('twice'))).body.error).toBe('already_answered');
      expect((await home.records(form)).filter(({ status }) => status === 'completed')).toHaveLength(1);
    },
  );

  test('an edit needs none: the id of the submission is its proof', async () => {
    const form = await aSurvey({ editable_submissions: true });
    await settle(form, { required: true });
    const { recipients } = await add(form, { name: 'Ada' });
    const { submission_id } = (await answer(form, recipients[0].link, named('Ada'))).body;
    const edited = await answer(form, null, named('Ada L.', { submission_id }));
    expect(edited.status, edited.text).toBe(200);
    expect((await home.records(form))[0].data[TEXT_FIELD_ID]).toBe('Ada L.');
  });

  test('is needed to go on with a partial answer that is sent as if it were an edit', async () => {
    const form = await aSurvey({ enable_partial_submissions: true, editable_submissions: true });
    await settle(form, { required: true });
    const { recipients } = await add(form, { name: 'Ada' });
    const { link } = recipients[0];
    const hashes: string[] = [];
    for (const name of ['A', 'B'])
      hashes.push((await answer(form, link, named(name, { is_partial: true }))).body.submission_hash);
    const submission_id = crypto.randomUUID();
    for (const more of [{}, { is_partial: true }]) {
      const [submission_hash] = hashes;
      const forged = await answer(form, null, named('Eve', { submission_id, submission_hash, ...more }));
      expectRefused(forged, 403);
      expect(forged.body.error).toBe('personal_link_needed');
    }
    const sent = [];
    for (const submission_hash of hashes)
      sent.push(await answer(form, link, named('Ada', { submission_id, submission_hash })));
    expect(sent.map(({ status }) => status)).toEqual([200, 403]);
    expect((await home.records(form)).filter(({ status }) => status === 'completed')).toHaveLength(1);
  });

  test('is good once more when its recipient is let in again, and never after it was deleted', async () => {
    const form = await aSurvey();
    await settle(form, { required: true });
    const { recipients } = await add(form, { name: 'Ada' });
    const { link, id } = recipients[0];
    await answer(form, link, named('Ada'));
    const reopened = await home.call('POST', `${pathOf(form)}recipients/reopen`, { ids: [id] });
    expect(reopened.body.reopened).toBe(1);
    expect((await answer(form, link, named('Ada again'))).status).toBe(200);
    const records = await home.records(form);
    expect(records).toHaveLength(2);
    // The sender is known for both.
    for (const record of records)
      expect((await list(form, `submission_id=${record.id}`)).map((one: any) => one.id)).toEqual([id]);
    const columns = { recipient_name: true };
    const exported = await home.call('POST', `${pathOf(form)}submissions/export`, { columns });
    expect(exported.text.trim().split(/\r?\n/)).toEqual(['recipient_name', 'Ada', 'Ada']);
    const gone = await home.call('POST', `${pathOf(form)}recipients/delete`, { ids: [id] });
    expect(gone.body.deleted).toBe(1);
    expectRefused(await answer(form, link, named('Ada')), 403);
    expect(await home.records(form)).toHaveLength(2);
  });

  test('of a submission that was deleted stays used', async () => {
    const form = await aSurvey();
    const { recipients } = await add(form, { name: 'Ada' });
    await answer(form, recipients[0].link, named('Ada'));
    const [{ id }] = await home.records(form);
    await home.call('DELETE', `${pathOf(form)}submissions/${id}`);
    expect((await list(form))[0]).toMatchObject({ status: 'answered', submission_id: null });
    expect((await answer(form, recipients[0].link, named('Ada'))).status).toBe(403);
  });
});

describe('an anonymous form', () => {
  test('keeps that somebody has answered, and on which day, and nothing that leads to the answer', async () => {
    const form = await aSurvey({ enable_partial_submissions: true });
    await settle(form, { anonymous: true, required: true });
    const { recipients } = await add(form, { name: 'Ada', prefill: { [TEXT_FIELD_ID]: 'Ada' } });
    const { link } = recipients[0];
    await answer(form, link, named('x', { is_partial: true }));
    expect((await list(form))[0]).toMatchObject({ status: 'new' });
    expect((await answer(form, link, named('secret'))).status).toBe(200);
    const [ada] = await list(form);
    expect(ada).toMatchObject({ status: 'answered', submission_id: null, opened_at: null });
    expect(ada.answered_at).toMatch(/T00:00:00\.000Z$/);
    const { rows } = await home.service.context.pool.query(
      'select submission_public_id from recipients where form_id = $1',
      [form.id],
    );
    expect(rows).toEqual([{ submission_public_id: null }]);
    expect((await answer(form, link, named('twice'))).status).toBe(403);
  });

  test('keeps no Idempotency-Key that tells by whose link an answer came, by a program or a page', async () => {
    const form = await aSurvey();
    const { recipients } = await add(form, ...['Ada', 'Bob', 'Cleo', 'Dan'].map((name) => ({ name })));
    const [ada, bob, cleo, dan] = recipients.map(({ link }: any) => link);
    const withKey = (link: string, key: string) => answer(form, link, named('x'), { 'idempotency-key': key });
    await withKey(ada, 'before');
    const before = await keysOf(form);
    expect(await betrayedBy(before, recipients)).toBe(1);
    await settle(form, { anonymous: true });
    expect(await keysOf(form)).toEqual([]);
    expect((await withKey(bob, 'after')).status).toBe(200);
    const { open, send } = aVisitor(home.service);
    const page = await open(new URL(cleo).pathname + new URL(cleo).search);
    for (const _twice of [1, 2])
      expect((await send(page, { [TEXT_FIELD_ID]: 'y' })).path).toContain('/thank-you');
    const after = await keysOf(form);
    expect(after).toHaveLength(2);
    expect(await betrayedBy(after, recipients)).toBe(0);
    expect(await home.records(form)).toHaveLength(3);
    // Repeated by the person who answered, it gets the first answer; from another person it is a different request.
    const again = await withKey(bob, 'after');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expectInvalid(await withKey(dan, 'after'), 'Idempotency-Key');
    expect((await list(form)).map(({ status }) => status)).toEqual([
      'answered',
      'answered',
      'answered',
      'new',
    ]);
    expect((await withKey(dan, 'of-Dan')).status).toBe(200);
  });

  test('forgets no more keys when something else of it is changed', async () => {
    const form = await aSurvey();
    await settle(form, { anonymous: true });
    const send = () => answer(form, null, named('Ada'), { 'idempotency-key': 'mine' });
    const first = await send();
    await settle(form, { required: true });
    await settle(form, { required: false, anonymous: true });
    const again = await send();
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(again.body.submission_id).toBe(first.body.submission_id);
    expect(await home.records(form)).toHaveLength(1);
  });

  test('a repeated answer gets its first answer, and an edit does; nobody goes on with what another began', async () => {
    const form = await aSurvey({ enable_partial_submissions: true, editable_submissions: true });
    await settle(form, { anonymous: true, required: true });
    const { recipients } = await add(form, { name: 'Ada' }, { name: 'Bob' });
    const [{ link }, bob] = recipients;
    const twice = async (by: string | null, body: object, key: string) => {
      const send = () => answer(form, by, body, { 'idempotency-key': key });
      const [first, second] = [await send(), await send()];
      expect([first.status, second.status], second.text).toEqual([200, 200]);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      return second.body;
    };
    // Both begin with the same answers and the same key.
    const begin = (by: string) =>
      answer(form, by, named('A', { is_partial: true }), { 'idempotency-key': 'begun' });
    const [{ body: own }, { body: others }] = [await begin(link), await begin(bob.link)];
    const { submission_hash } = own;
    expect(others.submission_hash).not.toBe(submission_hash);
    const { submission_id } = await twice(link, named('Ada', { submission_hash }), 'sent');
    await twice(null, named('Ada L.', { submission_id }), 'edited');
    // A person without the link cannot repeat the request.
    const stranger = await answer(form, null, named('Ada', { submission_hash }), {
      'idempotency-key': 'sent',
    });
    expectInvalid(stranger, 'Idempotency-Key');
  });

  test('is written anew by the clock, so that no transaction tells which answer is whose', async () => {
    const form = await aSurvey({ enable_partial_submissions: true });
    await settle(form, { anonymous: true });
    const { recipients } = await add(form, { name: 'Ada' }, { name: 'Bob' }, { name: 'Cleo' });
    for (const { link } of recipients.slice(0, 2)) await answer(form, link, named('x'));
    // For a partial answer nothing is known that the scheduled rewrite could remove.
    expect((await answer(form, recipients[2].link, named('y', { is_partial: true }))).status).toBe(200);
    const { context } = home.service;
    const before = await list(form);
    const betrayed = async () =>
      (
        await context.pool.query(
          'select from recipients r join submissions s on r.form_id = s.form_id and r.xmin = s.xmin where r.form_id = $1',
          [form.id],
        )
      ).rowCount;
    expect(await betrayed()).toBe(2);
    await context.pool.query(`select graphile_worker.add_job('forget_traces')`);
    await until(async () => (await betrayed()) === 0, { what: 'rows that were written anew' });
    expect(await list(form)).toEqual(before);
    expect((await answer(form, recipients[0].link, named('y'))).status).toBe(403);
  });

  test('keeps nothing of who opens the form when it becomes anonymous', async () => {
    const { pool } = home.service.context;
    const form = await aSurvey();
    await settle(form, { required: true });
    const { recipients } = await add(form, { name: 'Ada' });
    const [opened] = await inLine(
      pool,
      (client) => client.query('select from recipients where form_id = $1 for update', [form.id]),
      [
        () => fetch(recipients[0].link, { headers: { accept: 'text/html' } }),
        () => settle(form, { anonymous: true }),
      ],
    );
    expect(opened.status).toBe(200);
    const [recipient] = await list(form);
    expect(recipient.opened_at).toBeNull();
  });

  test('is a matter of settings alone: a form is opened while its recipients are changed', async () => {
    const { pool } = home.service.context;
    const form = await aSurvey();
    const { recipients } = await add(form, { name: 'Ada' }, { name: 'Bob', email: 'bob@example.org' });
    let isShown = false;
    await inLine(
      pool,
      (client) => client.query('select from recipients where id = $1 for update', [recipients[1].id]),
      [
        () => add(form, { name: 'Robert', email: 'bob@example.org' }),
        async () => {
          isShown = (await fetch(recipients[0].link, { headers: { accept: 'text/html' } })).ok;
        },
      ],
      async () => expect(isShown).toBe(true),
    );
    expect(await list(form)).toMatchObject([{ status: 'opened' }, { name: 'Robert' }]);
  });

  test('keeps who answered on a form that has just stopped being anonymous', async () => {
    const { context } = home.service;
    const forms = [];
    for (const name of ['Ada', 'Bob']) {
      const form = await aSurvey();
      await settle(form, { anonymous: true });
      const { recipients } = await add(form, { name });
      forms.push({ form, link: recipients[0].link });
    }
    const [first, second] = forms;
    await answer(first!.form, first!.link, named('x'));
    await inLine(
      context.pool,
      (client) => client.query('select from recipients where form_id = $1 for update', [first!.form.id]),
      [() => forgetTraces(context.db)],
      async () => {
        await settle(second!.form, { anonymous: false });
        await answer(second!.form, second!.link, named('y'));
      },
    );
    const [recipient] = await list(second!.form);
    expect(recipient.submission_id).toBeTypeOf('number');
  });

  test('forgets a long list step by step, in one transaction and in no order', async () => {
    const form = await aSurvey();
    await settle(form, { required: true });
    const { pool } = home.service.context;
    const count = 5_500;
    await pool.query(
      `insert into recipients (form_id, code, answered_at, submission_public_id)
       select $1, 'code-' || n, now(), gen_random_uuid() from generate_series(1, $2::int) n`,
      [form.id, count],
    );
    await pool.query(`create table steps (size bigint);
      create function note_step() returns trigger language plpgsql as
        $$ begin insert into steps select count(*) from come having count(*) > 0; return null; end $$;
      create trigger note_step after update on recipients referencing new table as come
        for each statement execute function note_step()`);
    await settle(form, { anonymous: true });
    const { rows: steps } = await pool.query('select size from steps');
    await pool.query('drop function note_step cascade; drop table steps');
    expect(steps.map(({ size }) => size)).toEqual([5_000, 500]);
    const { rows } = await pool.query(
      `select count(distinct xmin::text) as transactions, count(submission_public_id) as known, array_agg(id order by ctid) as ids
       from recipients where form_id = $1`,
      [form.id],
    );
    const [{ transactions, known, ids }] = rows;
    expect([transactions, known, ids.length]).toEqual([1, 0, count]);
    const inOrder = ids.filter((id: number, at: number) => id > (ids[at - 1] ?? 0));
    expect(inOrder.length).toBeLessThan(count * 0.6);
  });

  test('forgets what was known before, for good', async () => {
    const form = await aSurvey();
    const { recipients } = await add(form, { name: 'Ada' }, { name: 'Bob' });
    await answer(form, recipients[0].link, named('Ada'));
    await answer(form, recipients[1].link, named('Bob'));
    await home.call('POST', `${pathOf(form)}recipients/reopen`, { ids: [recipients[1].id] });
    await settle(form, { anonymous: true });
    const { rows } = await home.service.context.pool.query(
      'select submission_public_id, earlier_submissions from recipients where form_id = $1',
      [form.id],
    );
    const nothing = { submission_public_id: null, earlier_submissions: [] };
    expect(rows).toEqual([nothing, nothing]);
    expect((await list(form))[0]).toMatchObject({ status: 'answered', submission_id: null });
    await settle(form, { anonymous: false });
    const [ada] = await list(form);
    expect(ada).toMatchObject({ status: 'answered', submission_id: null });
    expect(ada.answered_at).toMatch(/T00:00:00\.000Z$/);
  });
});

test('settings say how many are in which state, and are told to nobody who may not see links', async () => {
  const form = await aSurvey();
  expect((await home.call('GET', `${pathOf(form)}personal-links`)).body).toEqual({
    required: false,
    anonymous: false,
    invitation: null,
    reminder: null,
    mail_is_set_up: false,
    counts: { ...NOBODY },
    mails: { invitation: 0, reminder: 0 },
  });
  const { recipients } = await add(
    form,
    { name: 'Ada', email: 'ada@example.org' },
    { name: 'Bob' },
    { name: 'Eve', email: 'eve@example.org' },
  );
  await answer(form, recipients[0].link, named('Ada'));
  const settings = await settle(form, { required: true });
  expect(settings).toMatchObject({
    required: true,
    anonymous: false,
    counts: { ...NOBODY, answered: 1, new: 2 },
    // Bob has no address, and Ada has answered.
    mails: { invitation: 1, reminder: 0 },
  });
  const { token } = await home.member('readonly');
  expectRefused(await home.call('GET', `${pathOf(form)}recipients`, undefined, token), 403);
});

test('without a mail server no mails are put in line', async () => {
  const form = await aSurvey();
  await add(form, { email: 'ada@example.org' });
  const mails = { kind: 'invitation', subject: 'Hello', text: 'Please answer.' };
  const { kind } = expectInvalid(await home.call('POST', `${pathOf(form)}recipients/mails`, mails), 'kind');
  expect(kind).toEqual(['Neither this workspace nor this service has a mail server.']);
  expect(await list(form)).toMatchObject([{ status: 'new' }]);
});

test('exports tell whose link it was where they are asked, guarded as what people wrote, and never of an anonymous form', async () => {
  const form = await aSurvey();
  const { recipients } = await add(form, { name: '=1+1', email: 'ada@example.org' }, { name: 'Bob' });
  for (const { link } of recipients) await answer(form, link, named('x'));
  await answer(form, null, named('y'));
  const columns = { recipient_name: true, recipient_email: true, [TEXT_FIELD_ID]: true };
  const lines = async () =>
    (await home.call('POST', `${pathOf(form)}submissions/export`, { columns })).text.trim().split('\n');
  expect(await lines()).toEqual([
    'recipient_name,recipient_email,Name',
    ',,y',
    'Bob,,x',
    "'=1+1,ada@example.org,x",
  ]);
  await settle(form, { anonymous: true });
  expect((await lines()).slice(1)).toEqual([',,y', ',,x', ',,x']);
});

test('a copy of a form has no recipients, and a deleted form leaves none', async () => {
  const form = await aSurvey();
  await add(form, { name: 'Ada' });
  const copy = await home.call('POST', `/open/forms/${form.id}/duplicate`);
  expect(await list(copy.body.new_form)).toEqual([]);
  await home.call('DELETE', `/open/forms/${form.id}`);
  const { rows } = await home.service.context.pool.query('select from recipients where form_id = $1', [
    form.id,
  ]);
  expect(rows).toEqual([]);
});
