import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { PDF, upload } from '../files/upload.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { expectCheap } from '../setup/processor-time.ts';
import { runAllJobs } from '../setup/run-jobs.ts';

const home = useHome({ env: { ROLES: 'http', OUTBOUND_ALLOW_PRIVATE: 'true' } });
const DAY_MS = 86_400_000;
const SPAM_ASIDE = { settings: { sets_spam_aside: true } };
const LINKS = 'See https://a.example, https://b.example, http://c.example/x and www.d.example';
const LETTER = 'A letter that somebody sends again and again';

type Form = { id: number; slug: string };
const path = (form: Form, rest = '') => `/open/forms/${form.id}/submissions${rest}`;
const aside = async (form: Form, query = '') => {
  const answer = await home.call('GET', path(form, `/set-aside${query}`));
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const release = (form: Form, id: number, token?: string) =>
  home.call('POST', path(form, `/set-aside/${id}/release`), undefined, token);
const query = async (text: string, values: unknown[] = []) =>
  (await home.service.context.pool.query(text, values)).rows;
const work = async (job: string) => {
  await query('select graphile_worker.add_job($1)', [job]);
  await runAllJobs(home.service.context);
};
const aFormWith = (overrides: Record<string, unknown> = {}) =>
  home.form({ properties: [aTextField()], ...SPAM_ASIDE, ...overrides });
const submitText = async (form: Form, text: string, headers = {}) => {
  const sent = await home.submit(form, { [TEXT_FIELD_ID]: text }, headers);
  expect(sent.status, sent.text).toBe(200);
  return sent;
};
const withWebhook = (form: Form) =>
  home.call('POST', `/open/forms/${form.id}/integrations`, {
    integration_id: 'webhook',
    status: 'active',
    data: { webhook_url: 'http://127.0.0.1:9/' },
  });
const deliveries = async (form: Form) =>
  (await query('select body::text from deliveries where form_id = $1 order by id', [form.id])).map(
    ({ body }) => body,
  );
const codes = (one: any) => one.reasons.map(({ code }: any) => code);

/** A form with one submission that was set aside for its links. */
async function withOneAside(overrides: Record<string, unknown> = {}) {
  const form = await aFormWith(overrides);
  const sent = await submitText(form, LINKS);
  const [one] = (await aside(form)).data;
  return { form, one, publicId: sent.body.submission_id as string };
}

/** Opens a form's page without a script. @returns its address to send it to, and the names of its inputs */
async function open(form: Form) {
  const page = await (
    await fetch(`${home.service.url}/forms/${form.slug}`, { headers: { accept: 'text/html' } })
  ).text();
  const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
  return { page, action: action.replaceAll('&amp;', '&') };
}

/** Sends a page as a browser without a script does. @returns where it leads */
async function post(action: string, entries: Record<string, string>) {
  const answer = await fetch(home.service.url + action, {
    method: 'POST',
    body: new URLSearchParams(entries),
    headers: { accept: 'text/html' },
    redirect: 'manual',
  });
  expect(answer.status).toBe(303);
  const next = answer.headers.get('location') ?? '';
  expect(next).toContain('/thank-you?receipt=');
  return fetch(home.service.url + next, { headers: { accept: 'text/html' } });
}

describe('a form that sets spam aside', () => {
  test('keeps suspected answers apart from its submissions, with the reason in words', async () => {
    const form = await aFormWith();
    await withWebhook(form);
    const sent = await submitText(form, LINKS);
    expect(sent.body).toMatchObject({ message: 'Form submission saved.', is_first_submission: true });
    await submitText(form, 'A usual answer with https://one.example');

    expect(await home.records(form)).toMatchObject([
      { data: { [TEXT_FIELD_ID]: expect.stringContaining('usual') } },
    ]);
    expect((await home.call('GET', `/open/forms/${form.id}`)).body.submissions_count).toBe(1);
    expect((await home.call('GET', `/open/forms/${form.id}/statistics`)).body.totals.completed).toBe(1);
    const exported = await home.call('POST', path(form, '/export'), { columns: { [TEXT_FIELD_ID]: true } });
    expect(exported.text).not.toContain('a.example');
    expect(await deliveries(form)).toEqual([expect.stringContaining('usual')]);

    const { data, meta } = await aside(form);
    expect(meta).toEqual({ per_page: 50, total: 1, next_cursor: null });
    const [one] = data;
    expect(one).toMatchObject({
      submission_id: sent.body.submission_id,
      form_id: form.id,
      status: 'set_aside',
      updated_at: one.created_at,
      data: { [TEXT_FIELD_ID]: LINKS },
      reasons: [{ code: 'many_links', message: 'Its texts have more than 3 links.' }],
    });
    expect(Date.parse(one.deleted_at) - Date.parse(one.created_at)).toBe(30 * DAY_MS);
    expect((await home.call('GET', path(form, `/set-aside/${one.id}`))).body).toEqual(one);
    expectRefused(await home.call('GET', path(form, `/${one.id}`)), 404);
  });

  test('only if it is asked to', async () => {
    const form = await home.form();
    const { page } = await open(form);
    expect(page).not.toContain('name="topic"');
    await submitText(form, LINKS);
    expect(await home.records(form)).toHaveLength(1);
    const saved = await home.call('PUT', `/open/forms/${form.id}`, { settings: { sets_spam_aside: 'true' } });
    expect(saved.body.form.settings).toEqual({ sets_spam_aside: true });
    expectInvalid(
      await home.call('PUT', `/open/forms/${form.id}`, { settings: { sets_spam_aside: 3 } }),
      'settings.sets_spam_aside',
    );
  });

  test('suspects whoever fills in what nobody sees, and sends faster than anybody reads', async () => {
    const form = await aFormWith();
    const first = await open(form);
    expect(first.page).toContain('name="topic"');
    const thanks = await post(first.action, { [TEXT_FIELD_ID]: 'Robot', topic: 'Cheap watches' });
    expect(await thanks.text()).toContain('Thank you');
    const [one] = (await aside(form)).data;
    expect(codes(one)).toEqual(['hidden_field', 'too_fast']);
    expect(one.data).not.toHaveProperty('topic');

    const second = await open(form);
    await sleep(3_100);
    await post(second.action, { [TEXT_FIELD_ID]: 'Human', topic: '' });
    expect(await home.records(form)).toMatchObject([{ data: { [TEXT_FIELD_ID]: 'Human' } }]);
  });

  test('does not hold it against anybody that their page is old, was kept by the device, or has no proof of its age', async () => {
    const form = await aFormWith();
    const { action } = await open(form);
    const now = Math.floor(Date.now() / 1000);
    const changed = action.replace(/at=\d+/, `at=${now - 100}`);
    expect(changed).not.toBe(action);
    await post(changed, { [TEXT_FIELD_ID]: 'another time' });
    await post(action.replace(/visit=[\w-]+/, 'visit=AAAAAAAAAAAAAAAAAAAAAA'), {
      [TEXT_FIELD_ID]: 'another visit',
    });
    // As another process, or somebody without the key, would make it.
    const forged = createHmac('sha256', 'guess')
      .update(`${form.id}`)
      .digest()
      .subarray(0, 16)
      .toString('base64url');
    await post(action.replace(/visit=[\w-]+/, `visit=${forged}`), { [TEXT_FIELD_ID]: 'a forged visit' });
    expect((await aside(form)).data).toEqual([]);
    expect(await home.records(form)).toHaveLength(3);
  });

  test('has no trap where a field has its name', async () => {
    const form = await aFormWith({ properties: [aTextField({ id: 'topic' })] });
    const { page, action } = await open(form);
    expect(page.match(/name="topic"/g)).toHaveLength(1);
    await sleep(3_100);
    await post(action, { topic: 'Gardens' });
    expect(await home.records(form)).toMatchObject([{ data: { topic: 'Gardens' } }]);
  });

  test('takes the same text twice from one network, then sets it aside; a request that is repeated is one', async () => {
    const form = await aFormWith();
    for (const key of ['a', 'a', 'a', 'b']) await submitText(form, LETTER, { 'idempotency-key': key });
    expect(await home.records(form)).toHaveLength(2);
    const third = await submitText(form, `  ${LETTER.toUpperCase()}`, { 'idempotency-key': 'c' });
    const again = await submitText(form, `  ${LETTER.toUpperCase()}`, { 'idempotency-key': 'c' });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(third.body);
    const { data } = await aside(form);
    expect(data.map(codes)).toEqual([['repeated']]);
    // Others send the same short words, and the same text to other forms.
    for (const _ of [1, 2, 3, 4]) await submitText(form, 'Thank you');
    const other = await aFormWith();
    await submitText(other, LETTER);
    expect((await aside(other)).data).toEqual([]);
    expect((await aside(form)).data).toHaveLength(1);
  });

  test('counts a text once that is sent again because it could not be stored', async () => {
    const form = await aFormWith();
    await query(`alter table submissions add constraint broken check (form_id <> ${form.id})`);
    try {
      for (const _ of [1, 2]) {
        const refused = await home.submit(form, { [TEXT_FIELD_ID]: LETTER }, { 'idempotency-key': 'k' });
        expect(refused.status).not.toBe(200);
      }
    } finally {
      await query('alter table submissions drop constraint broken');
    }
    await submitText(form, LETTER, { 'idempotency-key': 'k' });
    expect(await home.records(form)).toHaveLength(1);
    expect((await aside(form)).data).toEqual([]);
  });

  test('counts an address once, however it is written', async () => {
    const rich = aField('01', 'rich_text', 'About');
    const form = await aFormWith({ properties: [aTextField(), rich] });
    const sent = await home.submit(form, {
      [TEXT_FIELD_ID]: 'See https://a.example/x, or https://a.example/x. My pages: www.b.example!',
      [rich.id]:
        '<p><a href="https://www.b.example/">www.b.example</a> and <a href="https://c.example">https://c.example</a></p>',
    });
    expect(sent.status, sent.text).toBe(200);
    expect((await aside(form)).data).toEqual([]);
  });

  test('reads an address in time proportional to its length', async () => {
    const form = await aFormWith();
    await expectCheap(1_000, () => submitText(form, `https://a.example${'/'.repeat(50_000)}x`));
  });

  test('reads the texts of repeated questions too, but not what the form filled in itself', async () => {
    const note = aField('02', 'text', 'Note');
    const people = aField('01', 'repeat', 'People', { questions: [note] });
    const letter = aTextField({ prefill: LETTER });
    const form = await aFormWith({ properties: [letter, people] });
    await home.submit(form, { [people.id]: [{ [note.id]: LINKS }] });
    for (const _ of [1, 2, 3]) await submitText(form, LETTER);
    expect((await aside(form)).data.map(codes)).toEqual([['many_links']]);
    expect(await home.records(form)).toHaveLength(3);
  });

  test('is closed, full or wrong for whoever is suspected as for everybody', async () => {
    const full = await aFormWith({ max_submissions_count: 1 });
    await submitText(full, 'first');
    expect((await home.submit(full, { [TEXT_FIELD_ID]: LINKS })).body.error).toBe('form_full');
    const strict = await aFormWith({
      properties: [aTextField(), aField('01', 'email', 'Mail', { required: true })],
    });
    expectInvalid(await home.submit(strict, { [TEXT_FIELD_ID]: LINKS }), aField('01', '', '').id);
    for (const form of [full, strict]) expect((await aside(form)).data).toEqual([]);
  });

  test('stores what is suspected like any submission once a thousand were set aside', async () => {
    const { form } = await withOneAside();
    await query(
      `insert into set_aside_submissions (form_id, public_id, data, reasons)
      select $1, gen_random_uuid(), '{}', '{too_fast}' from generate_series(1, 999)`,
      [form.id],
    );
    await submitText(form, LINKS);
    expect(await home.records(form)).toHaveLength(1);
    const { data, meta } = await aside(form, '?per_page=100');
    expect([data.length, meta.total]).toEqual([100, 1000]);
    const next = await aside(form, `?per_page=100&cursor=${meta.next_cursor}`);
    expect(next.data[0].id).toBeLessThan(data.at(-1).id);
    expectInvalid(await home.call('GET', path(form, '/set-aside?cursor=x')), 'cursor');
  });
});

describe('releasing', () => {
  test('lets it in as if it arrived now, with its id and the time it came', async () => {
    const number = aField('03', 'text', 'Number', { generates_auto_increment_id: true, hidden: true });
    const form = await aFormWith({ properties: [aTextField(), number] });
    await withWebhook(form);
    const { body } = await submitText(form, LINKS);
    await submitText(form, 'second');
    const [one] = (await aside(form)).data;
    expect(one.data).not.toHaveProperty(number.id);
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'closed' });

    const released = await release(form, one.id);
    expect(released.body).toEqual({
      type: 'success',
      message: 'Submission successfully released.',
      data: { id: expect.any(Number) },
    });
    expect(await deliveries(form)).toEqual([
      expect.stringContaining('second'),
      expect.stringContaining('a.example'),
    ]);
    const stored = (await home.call('GET', path(form, `/${released.body.data.id}`))).body;
    expect(stored).toMatchObject({
      id: released.body.data.id,
      submission_id: body.submission_id,
      status: 'completed',
      created_at: one.created_at,
      data: { [TEXT_FIELD_ID]: LINKS, [number.id]: '2' },
    });
    expect((await home.call('GET', `/open/forms/${form.id}`)).body.submissions_count).toBe(2);
    expect((await aside(form)).data).toEqual([]);
    expectRefused(await release(form, one.id), 404);
    const [event] = await query(
      `select verb, details from audit_events where form_id = $1 order by id desc`,
      [form.id],
    );
    expect(event).toEqual({ verb: 'submission.released', details: { submission_id: released.body.data.id } });
  });

  test('once, also when two people press at the same moment', async () => {
    const { form, one } = await withOneAside();
    const answers = await Promise.all([release(form, one.id), release(form, one.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await home.records(form)).toHaveLength(1);
  });

  test('stores the answers as they are at that moment', async () => {
    const { form, one } = await withOneAside();
    const client = await home.service.context.pool.connect();
    try {
      await client.query('begin');
      await client.query('select from form_counters where form_id = $1 for update', [form.id]);
      const releasing = release(form, one.id);
      await expect
        .poll(() =>
          query(
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query ~ 'form_counters'`,
          ),
        )
        .toHaveLength(1);
      // As when an option is renamed, or the time of an answer is over.
      await client.query(
        `update set_aside_submissions set data = jsonb_build_object($2::text, 'Changed meanwhile') where form_id = $1`,
        [form.id, TEXT_FIELD_ID],
      );
      await client.query('commit');
      expect((await releasing).status).toBe(200);
    } finally {
      client.release();
    }
    expect(await home.records(form)).toMatchObject([{ data: { [TEXT_FIELD_ID]: 'Changed meanwhile' } }]);
  });

  test('keeps what was said to questions and rows that are gone', async () => {
    const asked = (...ids: string[]) => [
      aTextField(),
      aField('03', 'repeat', 'People', { questions: ids.map((id) => ({ id, type: 'text', name: id })) }),
      aField('04', 'matrix', 'Matrix', { rows: ids, columns: ['Good', 'Bad'] }),
    ];
    const [, people, matrix] = asked().map(({ id }) => id) as [string, string, string];
    const form = await aFormWith({ properties: asked('who', 'from') });
    const answers = {
      [people]: [{ who: 'Ann' }, { who: 'Bo', from: 'Oslo' }],
      [matrix]: { who: 'Good', from: 'Bad' },
    };
    await home.submit(form, { [TEXT_FIELD_ID]: LINKS, ...answers });
    const [one] = (await aside(form)).data;
    await home.call('PUT', `/open/forms/${form.id}`, { properties: asked('from') });
    expect((await release(form, one.id)).status).toBe(200);
    expect((await home.records(form))[0].data).toMatchObject(answers);
  });

  test('is refused, and loses nothing, while the form is full or the answers do not fit it', async () => {
    const { form, one } = await withOneAside({ max_submissions_count: 1 });
    await submitText(form, 'first');
    const full = await release(form, one.id);
    expectRefused(full, 409);
    expect(full.body.error).toBe('form_full');
    await home.call('PUT', `/open/forms/${form.id}`, {
      max_submissions_count: null,
      properties: [aTextField(), aField('01', 'email', 'Mail', { required: true })],
    });
    expectInvalid(await release(form, one.id), aField('01', '', '').id);
    expect((await aside(form)).data).toEqual([one]);
    await home.call('PUT', `/open/forms/${form.id}`, { properties: [aField('02', 'text', 'Other')] });
    const { data } = (await release(form, one.id)).body;
    // An answer to a field that is gone stays, as in other submissions.
    expect((await home.call('GET', path(form, `/${data.id}`))).body.data[TEXT_FIELD_ID]).toBe(LINKS);
  });

  test('gives an option with a limit the name that it has now', async () => {
    const choice = (name: string) =>
      aField('01', 'select', 'Seat', {
        select: { options: [{ id: 'front', name, max_submissions_count: 1 }] },
      });
    const form = await aFormWith({ properties: [aTextField(), choice('Front')] });
    const { id } = choice('');
    await home.submit(form, { [TEXT_FIELD_ID]: LINKS, [id]: 'Front' });
    await home.call('PUT', `/open/forms/${form.id}`, { properties: [aTextField(), choice('First row')] });
    const [one] = (await aside(form)).data;
    const released = await release(form, one.id);
    expect(released.status, released.text).toBe(200);
    expect(await home.records(form)).toMatchObject([{ data: { [id]: 'First row' } }]);
    expectInvalid(await home.submit(form, { [id]: 'First row' }), id);
  });

  test('compares dates with the day it was sent', async () => {
    const day = aField('01', 'date', 'Day', { disable_past_dates: true });
    const form = await aFormWith({ properties: [aTextField(), day] });
    const today = new Date().toISOString().slice(0, 10);
    await home.submit(form, { [TEXT_FIELD_ID]: LINKS, [day.id]: today });
    await query(
      `update set_aside_submissions set created_at = now() - interval '9 days',
        data = data || jsonb_build_object($2::text, $3::text) where form_id = $1`,
      [form.id, day.id, new Date(Date.now() - 8 * DAY_MS).toISOString().slice(0, 10)],
    );
    const [one] = (await aside(form)).data;
    expect((await release(form, one.id)).status).toBe(200);
  });

  test('is for those who may change the form; all members read', async () => {
    const { form, one } = await withOneAside();
    const reader = await home.member('readonly');
    expect(
      (await home.call('GET', path(form, '/set-aside'), undefined, reader.token)).body.data,
    ).toHaveLength(1);
    expectRefused(await release(form, one.id, reader.token), 403);
    expect((await release(form, one.id, (await home.member('user')).token)).status).toBe(200);
  });
});

describe('what was set aside', () => {
  test('is deleted by hand, one or many, with everything that belongs to it', async () => {
    const { form, one } = await withOneAside();
    await submitText(form, LINKS, { 'idempotency-key': 'k' });
    await submitText(form, `${LINKS} more`);
    expect((await home.call('DELETE', path(form, `/${one.id}`))).status).toBe(200);
    const ids = (await aside(form)).data.map(({ id }: any) => id);
    expect(ids).toHaveLength(2);
    expect((await home.call('POST', path(form, '/multi'), { submissionIds: ids })).status).toBe(200);
    expect((await aside(form)).data).toEqual([]);
    expect(await query('select key from idempotency_keys where form_id = $1', [form.id])).toEqual([]);
  });

  test('is deleted after thirty days, and earlier where the form keeps its submissions for less', async () => {
    const { form, one } = await withOneAside();
    const short = await withOneAside({ submission_retention_value: 1, submission_retention_unit: 'day' });
    const make = (days: number, of: Form) =>
      query(
        `update set_aside_submissions set created_at = now() - make_interval(days => $1) where form_id = $2`,
        [days, of.id],
      );
    await query(
      `insert into export_jobs (job_id, form_id, columns, status, file_name) values ($1, $2, '[]', 'completed', $1)`,
      [`export_${short.publicId}`, short.form.id],
    );
    await make(29, form);
    await make(2, short.form);
    await work('purge_submissions');
    // No export contains it, so none has to go with it.
    expect(await query('select from export_jobs where form_id = $1', [short.form.id])).toHaveLength(1);
    expect((await aside(form)).data).toMatchObject([{ id: one.id }]);
    expect((await aside(short.form)).data).toEqual([]);
    await make(31, form);
    await work('purge_submissions');
    expect((await aside(form)).data).toEqual([]);
  });

  test('goes with its form, and not along with a copy', async () => {
    const { form } = await withOneAside();
    const copy = (await home.call('POST', `/open/forms/${form.id}/duplicate`)).body;
    const copied = copy.new_form ?? copy.form ?? copy;
    expect(copied.settings).toEqual({ sets_spam_aside: true });
    expect((await aside(copied)).data).toEqual([]);
    expect((await home.call('DELETE', `/open/forms/${form.id}`)).status).toBe(204);
    await runAllJobs(home.service.context);
    expect(await query('select id from set_aside_submissions where form_id = $1', [form.id])).toEqual([]);
  });

  test('is found, exported and erased with the person it is about', async () => {
    const mail = aField('01', 'email', 'Mail');
    const form = await aFormWith({ properties: [aTextField(), mail] });
    await home.submit(form, { [TEXT_FIELD_ID]: LINKS, [mail.id]: 'eve@example.com' });
    const people = (action: string) =>
      home.call('POST', `/open/workspaces/${home.workspaceId}/people/${action}`, {
        value: 'eve@example.com',
      });
    expect((await people('find')).body.submissions).toMatchObject([
      { status: 'set_aside', found_in: [mail.id] },
    ]);
    expect((await people('export')).text).toContain('a.example');
    expect((await people('erase')).body.erased).toMatchObject({ submissions: 1 });
    expect((await aside(form)).data).toEqual([]);
  });

  test('loses answers whose time is over, and is released without them', async () => {
    const mail = aField('01', 'email', 'Mail', { required: true, retention_days: 3 });
    const form = await aFormWith({ properties: [aTextField(), mail] });
    await home.submit(form, { [TEXT_FIELD_ID]: LINKS, [mail.id]: 'eve@example.com' });
    await query(
      `update set_aside_submissions set created_at = now() - interval '4 days' where form_id = $1`,
      [form.id],
    );
    await work('purge_submissions');
    const [one] = (await aside(form)).data;
    expect(one.data).toMatchObject({ [TEXT_FIELD_ID]: LINKS, [mail.id]: null });
    const { data } = (await release(form, one.id)).body;
    expect((await home.call('GET', path(form, `/${data.id}`))).body.data[mail.id]).toBeNull();
  });

  test('keeps its files as long as it is there', async () => {
    const cv = aField('04', 'files', 'CV');
    const form = await aFormWith({ properties: [aTextField(), cv] });
    const send = async (name: string) => {
      const { reference } = (await upload(home.service, form, cv.id, PDF, name)).body;
      const sent = await home.submit(form, { [TEXT_FIELD_ID]: LINKS, [cv.id]: [reference] });
      expect(sent.status, sent.text).toBe(200);
      return reference as string;
    };
    const kept = await send('kept.pdf');
    await send('gone.pdf');
    await query(
      `update uploads set touched_at = now() - interval '9 days', created_at = now() - interval '9 days' where form_id = $1`,
      [form.id],
    );
    await work('purge_files');
    const [gone, one] = (await aside(form)).data;
    const [{ file_url }] = one.files[cv.id];
    expect((await fetch(file_url)).status).toBe(200);
    const thief = await home.submit(form, { [TEXT_FIELD_ID]: 'mine', [cv.id]: [kept] });
    expectInvalid(thief, cv.id);

    const { data } = (await release(form, one.id)).body;
    await home.call('DELETE', path(form, `/${gone.id}`));
    await runAllJobs(home.service.context);
    await work('purge_files');
    const stored = (await home.call('GET', path(form, `/${data.id}`))).body;
    expect((await fetch(stored.files[cv.id][0].file_url)).status).toBe(200);
    expect((await fetch(gone.files[cv.id][0].file_url)).status).toBe(404);
    expect(await query('select name from uploads where form_id = $1', [form.id])).toHaveLength(1);
  });

  test('moves with its form to another workspace', async () => {
    const { form, one } = await withOneAside();
    const { body } = await home.call('POST', '/open/workspaces/create', { name: 'Elsewhere' });
    await home.call('POST', `/open/forms/${form.id}/move`, { workspace_id: body.workspace_id });
    expect((await aside(form)).data).toMatchObject([{ id: one.id }]);
    expect((await release(form, one.id)).status).toBe(200);
  });
});
