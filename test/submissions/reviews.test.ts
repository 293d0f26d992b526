import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { aForm, aToken, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';

const home = useHome();

const path = (form: { id: number }, id: number | string, rest = '') =>
  `/open/forms/${form.id}/submissions/${id}/review${rest}`;
const review = (form: { id: number }, id: number | string, said: object, token?: string | null) =>
  home.call('POST', path(form, id), said, token);
const read = async (form: { id: number }, id: number | string) => {
  const answer = await home.call('GET', path(form, id));
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const many = (form: { id: number }, submissionIds: number[], state: string) =>
  home.call('PUT', `/open/forms/${form.id}/submissions/reviews`, { submissionIds, state });
const counts = async (form: { id: number }) =>
  (await home.call('GET', `/open/forms/${form.id}/submissions/reviews`)).body;
const list = async (form: { id: number }, query: string) => {
  const answer = await home.call('GET', `/open/forms/${form.id}/submissions${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

/** A form with this many submissions, and their ids, oldest first. */
async function aFormWith(count: number) {
  const form = await home.form({ enable_partial_submissions: true });
  for (let number = 1; number <= count; number++) await home.submit(form, { [TEXT_FIELD_ID]: `${number}` });
  const ids: number[] = (await home.records(form)).map(({ id }) => id).reverse();
  return { form, ids };
}

/** The numbers of rows that hold reviews of a form. */
async function rowsOf(form: { id: number }): Promise<{ reviews: number; entries: number }> {
  const { rows } = await home.service.context.pool.query(
    `select (select count(*)::int from submission_reviews where form_id = $1) as reviews,
      (select count(*)::int from review_entries where form_id = $1) as entries`,
    [form.id],
  );
  return rows[0];
}

describe('one submission', () => {
  test('is received until a member says something; all of it is one history with authors and times', async () => {
    const { form, ids } = await aFormWith(1);
    const [id] = ids as [number];
    expect(await read(form, id)).toEqual({ state: 'received', notes: 0, history: [] });
    expect(await rowsOf(form)).toEqual({ reviews: 0, entries: 0 });

    const grace = await home.newMember('user');
    const noted = await review(form, id, { note: '  Please check\nthe address.  ' }, grace.token);
    expect(noted.body).toEqual({
      type: 'success',
      message: 'Review successfully saved.',
      review: { state: 'received', notes: 1 },
    });
    await review(form, id, { state: 'has_issues', note: 'No such street.' });
    const [record] = await home.records(form);
    const { body } = await review(form, record.submission_id, { state: 'approved' });
    expect(body.review).toEqual({ state: 'approved', notes: 2 });

    const { history, ...now } = await read(form, record.submission_id);
    expect(now).toEqual({ state: 'approved', notes: 2 });
    const by = ({ id, name }: { id: number; name: string }) => ({ id, name });
    const ada = by((await home.call('GET', '/user')).body);
    const common = { id: expect.any(Number), created_at: expect.any(String) };
    expect(history).toEqual([
      { ...common, author: { id: grace.id, name: 'Grace' }, state: null, note: 'Please check\nthe address.' },
      { ...common, author: ada, state: 'has_issues', note: 'No such street.' },
      { ...common, author: ada, state: 'approved', note: null },
    ]);
    for (const { created_at } of history)
      expect(Math.abs(Date.now() - Date.parse(created_at))).toBeLessThan(60_000);
  });

  test('stays as it is: neither its answers nor its last change say anything of it', async () => {
    const { form, ids } = await aFormWith(1);
    const [before] = await home.records(form);
    await review(form, ids[0]!, { state: 'rejected', note: 'Too late.' });
    expect(await home.records(form)).toEqual([before]);
  });

  test('can be set back; a state it has already is not said again', async () => {
    const { form, ids } = await aFormWith(1);
    const [id] = ids as [number];
    await review(form, id, { state: 'received' });
    await review(form, id, { state: 'approved' });
    await review(form, id, { state: 'approved' });
    await review(form, id, { state: 'approved', note: 'Really.' });
    await review(form, id, { state: 'received', note: null });
    const { state, history } = await read(form, id);
    expect(state).toBe('received');
    expect(history.map(({ state, note }: any) => [state, note])).toEqual([
      ['approved', null],
      [null, 'Really.'],
      ['received', null],
    ]);
  });

  test('shows its state where it is read or replaced and in lists by cursor, not in the list by pages', async () => {
    const { form, ids } = await aFormWith(2);
    const [id, untouched] = ids as [number, number];
    await review(form, id, { state: 'approved', note: 'Fine.' });
    const shown = { state: 'approved', notes: 1 };
    const one = await home.call('GET', `/open/forms/${form.id}/submissions/${id}`);
    expect(one.body.review).toEqual(shown);
    const replaced = await home.call('PUT', `/open/forms/${form.id}/submissions/${id}`, one.body);
    expect(replaced.body.data.review).toEqual(shown);
    expect(
      (await home.call('GET', `/open/forms/${form.id}/submissions/${untouched}`)).body,
    ).not.toHaveProperty('review');
    const { data } = await list(form, '?order=asc');
    expect(data.map((record: any) => record.review)).toEqual([shown, undefined]);
    for (const record of await home.records(form)) expect(record).not.toHaveProperty('review');
  });

  test.each<[string, object, string]>([
    ['nothing', {}, 'state'],
    ['a blank note', { note: ' \n ' }, 'state'],
    ['another state', { state: 'done' }, 'state'],
    ['null', { state: null }, 'state'],
    ['a note that is no text', { note: 5 }, 'note'],
    ['a note too long', { note: 'é'.repeat(5_001) }, 'note'],
  ])('cannot be told %s', async (_what, said, key) => {
    const { form, ids } = await aFormWith(1);
    expectInvalid(await review(form, ids[0]!, said), key);
    expect(await rowsOf(form)).toEqual({ reviews: 0, entries: 0 });
  });

  test('takes a note of 5,000 characters, and 300 entries', async () => {
    const { form, ids } = await aFormWith(2);
    const [id, other] = ids as [number, number];
    expect((await review(form, id, { note: '😀'.repeat(5_000) })).status).toBe(200);
    await home.service.context.pool.query(
      `insert into review_entries (form_id, submission_id, note)
       select $1, $2, 'note ' || n from generate_series(2, 300) as n`,
      [form.id, id],
    );
    expectInvalid(await review(form, id, { note: 'one more' }), 'note');
    expectInvalid(await review(form, id, { state: 'approved' }), 'state');
    expectInvalid(await many(form, [other, id], 'approved'), 'submissionIds.1');
    expect(await counts(form)).toMatchObject({ approved: 0 });
  });
});

test('several can be set back from one state, without those that have another one meanwhile', async () => {
  const { form, ids } = await aFormWith(3);
  await many(form, ids, 'approved');
  await review(form, ids[1]!, { state: 'rejected' });
  const path = `/open/forms/${form.id}/submissions/reviews`;
  const body = { submissionIds: ids, state: 'received', only_from: 'approved' };
  expect((await home.call('PUT', path, body)).body.changed).toBe(2);
  expect(await counts(form)).toMatchObject({ received: 2, rejected: 1, approved: 0 });
  expectInvalid(await home.call('PUT', path, { ...body, only_from: 'done' }), 'only_from');
});

describe('who may', () => {
  test('viewers read; others see nothing, and a token needs the ability', async () => {
    const { form, ids } = await aFormWith(1);
    const [id] = ids as [number];
    const { token } = await home.member('readonly');
    expect((await home.call('GET', path(form, id), undefined, token)).status).toBe(200);
    expectRefused(await review(form, id, { state: 'approved' }, token), 403);
    const stranger = await home.stranger();
    expectRefused(await home.call('GET', path(form, id), undefined, stranger.token), 403);
    const reader = await aToken(home.service, home.ada, ['forms-read']);
    expectRefused(await review(form, id, { state: 'approved' }, reader), 403);
    expect(await rowsOf(form)).toEqual({ reviews: 0, entries: 0 });
  });

  test('a submission of another form is not found, whoever asks', async () => {
    const { form, ids } = await aFormWith(1);
    const other = await aForm(home.service, home.ada, home.workspaceId);
    expectRefused(await review(other, ids[0]!, { state: 'approved' }), 404);
    expectRefused(await home.call('GET', path(other, ids[0]!)), 404);
    expectInvalid(await many(other, ids, 'approved'), 'submissionIds.0');
    expect(await rowsOf(form)).toEqual({ reviews: 0, entries: 0 });
  });

  test('a note is deleted by its author or an admin; what was decided with it stays', async () => {
    const { form, ids } = await aFormWith(2);
    const [id, second] = ids as [number, number];
    const [grace, hedy] = [await home.newMember('user'), await home.newMember('user')];
    await review(form, id, { state: 'rejected', note: 'No.' }, grace.token);
    await review(form, id, { note: 'Because.' }, grace.token);
    const [decided, noted] = (await read(form, id)).history;
    const remove = (submission: number, note: number, token: string) =>
      home.call('DELETE', path(form, submission, `/notes/${note}`), undefined, token);
    expectRefused(await remove(id, decided.id, hedy.token), 403);
    expectRefused(await remove(second, decided.id, home.ada.token), 404);
    expect((await remove(id, decided.id, grace.token)).status).toBe(200);
    expectRefused(await remove(id, decided.id, grace.token), 404);
    expect((await remove(id, noted.id, home.ada.token)).status).toBe(200);
    const { notes, history } = await read(form, id);
    expect(notes).toBe(0);
    expect(history).toMatchObject([{ id: decided.id, state: 'rejected', note: null }]);
  });

  test('of an account that is gone the notes stay, without a name', async () => {
    const { form, ids } = await aFormWith(1);
    const grace = await home.newMember('user');
    await review(form, ids[0]!, { note: 'Bye.' }, grace.token);
    await home.service.context.pool.query('delete from users where id = $1', [grace.id]);
    expect((await read(form, ids[0]!)).history).toMatchObject([{ author: null, note: 'Bye.' }]);
  });
});

describe('several submissions', () => {
  test('are decided together, all or none, and counted by state', async () => {
    const { form, ids } = await aFormWith(4);
    await home.submit(form, { [TEXT_FIELD_ID]: 'half', is_partial: true });
    await review(form, ids[0]!, { state: 'approved' });
    await review(form, ids[3]!, { note: 'Wait.' });
    const answer = await many(form, ids.slice(0, 3), 'approved');
    expect(answer.body).toMatchObject({ type: 'success', changed: 2 });
    expect((await read(form, ids[0]!)).history).toHaveLength(1);
    expect((await read(form, ids[1]!)).history).toMatchObject([{ state: 'approved', note: null }]);
    expect(await counts(form)).toEqual({ received: 2, has_issues: 0, approved: 3, rejected: 0, noted: 1 });
    expectInvalid(await many(form, [ids[3]!, 999_999_999], 'rejected'), 'submissionIds.1');
    expectInvalid(await many(form, [], 'rejected'), 'submissionIds');
    expectInvalid(await many(form, ids, 'nonsense'), 'state');
    const tooMany = Array.from({ length: 1_001 }, (_, index) => index + 1);
    expectInvalid(await many(form, tooMany, 'rejected'), 'submissionIds');
    expect(await counts(form)).toMatchObject({ rejected: 0 });
    expect((await many(form, ids, 'received')).body.changed).toBe(3);
    expect(await counts(form)).toMatchObject({ received: 5, approved: 0 });
  });

  test('are filtered by state, page by page, together with other filters', async () => {
    const { form, ids } = await aFormWith(6);
    await many(form, [ids[0]!, ids[1]!, ids[3]!, ids[4]!], 'approved');
    await review(form, ids[5]!, { note: 'Only noted.' });
    const names = ({ data }: any) => data.map((record: any) => record.data[TEXT_FIELD_ID]);
    const first = await list(form, '?review=approved&per_page=3&total=true');
    expect(names(first)).toEqual(['5', '4', '2']);
    expect(first.meta).toMatchObject({ total: 4, total_is_capped: false, prev_cursor: null });
    const second = await home.call('GET', first.links.next.replace(home.service.url, ''));
    expect(names(second.body)).toEqual(['1']);
    expect(second.body.meta.next_cursor).toBeNull();
    expect(names(await list(form, '?review=received'))).toEqual(['6', '3']);
    expect(names(await list(form, '?review=rejected'))).toEqual([]);
    expect(names(await list(form, `?review=approved&filter[${TEXT_FIELD_ID}]=4`))).toEqual(['4']);
    expect(names(await list(form, '?review=approved&search=5'))).toEqual(['5']);
    for (const sort of ['updated_at', TEXT_FIELD_ID])
      expect(names(await list(form, `?review=approved&sort=${sort}&order=asc`))).toEqual([
        '1',
        '2',
        '4',
        '5',
      ]);
    expectInvalid(await home.call('GET', `/open/forms/${form.id}/submissions?review=fine`), 'review');
  });

  test('are counted with what the page tells where it holds all: with a million decided that takes seconds', async () => {
    const { form, ids } = await aFormWith(3);
    await many(form, ids.slice(0, 2), 'approved');
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    const totals = async (query: string) => {
      asked.mockClear();
      const { meta } = await list(form, `?total=true&${query}`);
      const counts = asked.mock.calls.filter(([text]) =>
        JSON.stringify(text).includes('count(*) as count from ('),
      );
      return [meta.total, counts.length];
    };
    expect(await totals('review=received')).toEqual([1, 0]);
    expect(await totals('review=approved&per_page=2')).toEqual([2, 0]);
    expect(await totals('review=approved&per_page=1')).toEqual([2, 1]);
    asked.mockRestore();
  });

  test('are exported with their state where that is asked for', async () => {
    const { form, ids } = await aFormWith(3);
    await review(form, ids[0]!, { state: 'has_issues', note: 'Nobody exports this.' });
    await review(form, ids[1]!, { note: 'Nor this.' });
    const columns = { [TEXT_FIELD_ID]: true, review_state: true };
    const csv = await home.call('POST', `/open/forms/${form.id}/submissions/export`, { columns });
    const lines = csv.text.trim().split('\n');
    expect(lines[0]).toMatch(/,review_state$/);
    expect(lines.slice(1)).toEqual(['3,received', '2,received', '1,has_issues']);
    const alone = { columns: { review_state: true }, format: 'xlsx' };
    expect((await home.call('POST', `/open/forms/${form.id}/submissions/export`, alone)).status).toBe(200);
  });
});

describe('what goes with a submission', () => {
  test('one that is deleted leaves nothing, nor do several, nor a form', async () => {
    const { form, ids } = await aFormWith(4);
    await many(form, ids, 'approved');
    await review(form, ids[3]!, { note: 'Stays a while.' });
    await home.call('DELETE', `/open/forms/${form.id}/submissions/${ids[0]}`);
    expect(await rowsOf(form)).toEqual({ reviews: 3, entries: 4 });
    await home.call('POST', `/open/forms/${form.id}/submissions/multi`, { submissionIds: ids.slice(1, 3) });
    expect(await rowsOf(form)).toEqual({ reviews: 1, entries: 2 });
    expect(await counts(form)).toMatchObject({ received: 0, approved: 1 });
    expect((await home.call('DELETE', `/open/forms/${form.id}`)).status).toBe(204);
    expect(await rowsOf(form)).toEqual({ reviews: 0, entries: 0 });
  });

  test('a form that moves takes them along', async () => {
    const { form, ids } = await aFormWith(1);
    await review(form, ids[0]!, { state: 'approved', note: 'Come along.' });
    const { workspace_id } = (await home.call('POST', '/open/workspaces/create', { name: 'Elsewhere' })).body;
    await home.call('POST', `/open/forms/${form.id}/move`, { workspace_id });
    expect(await read(form, ids[0]!)).toMatchObject({ state: 'approved', notes: 1 });
  });
});

test('the audit log says who decided what, and never what a note says', async () => {
  const { form, ids } = await aFormWith(2);
  const [id, second] = ids as [number, number];
  await review(form, id, { state: 'has_issues', note: 'nobody reads this there' });
  await many(form, [id, second], 'approved');
  const [entry] = (await read(form, id)).history;
  await home.call('DELETE', path(form, id, `/notes/${entry.id}`));
  const log = await home.call(
    'GET',
    `/open/workspaces/${home.workspaceId}/audit-log?form_id=${form.id}&verb=submission`,
  );
  expect(log.body.map(({ verb, target, details }: any) => ({ verb, target, details })).reverse()).toEqual([
    {
      verb: 'submission.reviewed',
      target: { id, name: null },
      details: { state: 'has_issues', state_before: 'received' },
    },
    { verb: 'submission.note_added', target: { id, name: null }, details: {} },
    {
      verb: 'submission.reviewed',
      target: null,
      details: { state: 'approved', count: 2, submission_ids: expect.arrayContaining([id, second]) },
    },
    { verb: 'submission.note_deleted', target: { id, name: null }, details: {} },
  ]);
  expect(log.text).not.toContain('nobody reads');
  // By it respondents read and edit their answers, where the form lets them.
  for (const { submission_id } of await home.records(form)) expect(log.text).not.toContain(submission_id);
});
