import { describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';

const home = useHome();

const list = (form: { id: number }, query = '', token?: string) =>
  home.call('GET', `/open/forms/${form.id}/submissions${query}`, undefined, token);
const path = (form: { id: number }, id: number | string) => `/open/forms/${form.id}/submissions/${id}`;

/** Makes a form with one submission for each text. @returns the form and its records, oldest first */
async function filled(answers: string[], overrides: Record<string, unknown> = {}) {
  const form = await home.form(overrides);
  for (const answer of answers) await home.submit(form, { [TEXT_FIELD_ID]: answer });
  return { form, records: (await home.records(form)).reverse() };
}

const oddly = (digit: string) => (Number(digit) % 2 === 1 ? `${digit}e` : digit);

describe('a submission record', () => {
  test('value types follow the field types', async () => {
    const [number, checkbox, many] = [
      aField('01', 'number', 'Number'),
      aField('02', 'checkbox', 'Checkbox'),
      aField('03', 'multi_select', 'Many'),
    ];
    const form = await home.form({ properties: [aTextField(), number, checkbox, many] });
    const answers = { [TEXT_FIELD_ID]: 'text', [number.id]: 1.5, [checkbox.id]: true, [many.id]: ['a', 'b'] };
    await home.submit(form, answers);
    expect((await home.records(form))[0].data).toMatchObject(answers);
  });

  test('carries both ids, the form, the status, the times and the completion time', async () => {
    const form = await home.form();
    const { body } = await home.submit(form, { completion_time: 45, tracking_parameters: { gclid: 'x' } });
    const [record] = await home.records(form);
    expect(record).toMatchObject({
      id: expect.any(Number),
      submission_id: body.submission_id,
      form_id: form.id,
      completion_time: 45,
      data: { status: 'completed', id: record.id, submission_id: body.submission_id },
      meta: { attribution: { gclid: 'x' } },
    });
    expect(Math.abs(Date.parse(record.created_at) - Date.now())).toBeLessThan(60_000);
    expect(Math.abs(Date.parse(record.data.created_at) - Date.now())).toBeLessThan(60_000);
  });
});

describe('GET /open/forms/{id}/submissions', () => {
  test('is paged, the latest first; 100 per page at most', async () => {
    const { form } = await filled(['1', '2', '3']);
    const first = (await list(form, '?per_page=2')).body;
    expect(first.data.map((record: any) => record.data[TEXT_FIELD_ID])).toEqual(['3', '2']);
    expect(first.meta).toMatchObject({
      current_page: 1,
      from: 1,
      last_page: 2,
      path: expect.any(String),
      per_page: 2,
      to: 2,
      total: 3,
    });
    expect(first.links).toMatchObject({ prev: null, next: expect.any(String) });
    const second = (await list(form, '?per_page=2&page=2')).body;
    expect(second.data.map((record: any) => record.data[TEXT_FIELD_ID])).toEqual(['1']);
    expect((await list(form)).body.meta.per_page).toBe(100);
    expect((await list(form, '?per_page=5000')).body.meta.per_page).toBe(100);
  });

  test.each([
    ['', ['6', '5', '4', '3', '2', '1'], 7],
    ['&page=3', ['6', '5', '4', '3', '2', '1'], 7],
    ['&search=e', ['5e', '3e', '1e'], 4],
  ])('links.next leads from `before` to the end, everything once: %s', async (query, expected, total) => {
    const { form, records } = await filled(
      ['1', '2', '3', '4', '5', '6', '7'].map((text) => (query === '&search=e' ? oddly(text) : text)),
    );
    const path = `/open/forms/${form.id}/submissions`;
    const seen: string[] = [];
    let url: string | null = `?per_page=2&before=${records[6].id}${query}`;
    for (let pages = 0; url !== null && pages < 9; pages++) {
      const { body }: any = await list(form, url);
      seen.push(...body.data.map((record: any) => record.data[TEXT_FIELD_ID]));
      expect(body.meta).toMatchObject({ current_page: 1, from: null, last_page: 1, to: null, total });
      expect(body.links).toMatchObject({ first: expect.not.stringContaining('before'), prev: null });
      url = body.links.next && new URL(body.links.next).search;
    }
    expect(seen).toEqual(expected);
    expect((await list(form, `?before=${records[0].id}`)).body).toMatchObject({
      data: [],
      links: { next: null, first: `${home.service.url}${path}?page=1` },
    });
  });

  test('can be narrowed by status and searched in the answers', async () => {
    const { form } = await filled(['Red apple', 'Green pear'], { enable_partial_submissions: true });
    await home.submit(form, { [TEXT_FIELD_ID]: 'half an APPLE', is_partial: true });
    const texts = async (query: string) =>
      (await list(form, query)).body.data.map((record: any) => record.data[TEXT_FIELD_ID]).sort();
    expect(await texts('?status=completed')).toEqual(['Green pear', 'Red apple']);
    expect(await texts('?status=partial')).toEqual(['half an APPLE']);
    expect(await texts('?status=all')).toHaveLength(3);
    expect(await texts('?search=apple')).toEqual(['Red apple', 'half an APPLE']);
    expect(await texts('?search=%25')).toEqual([]);
    expect(await texts('?search=_')).toEqual([]);
  });

  test('readers may, strangers may not; forms-read is needed', async () => {
    const { form } = await filled(['x']);
    expect((await list(form, '', (await home.member('readonly')).token)).status).toBe(200);
    expectRefused(await list(form, '', (await home.stranger()).token), 403);
    expectRefused(await list(form, '', await home.tokenWith('forms-write', 'manage-integrations')), 403);
  });
});

describe('GET and PUT /open/forms/{id}/submissions/{submission_id}', () => {
  test('one submission is read by either id', async () => {
    const { form, records } = await filled(['x']);
    for (const id of [records[0].id, records[0].submission_id])
      expect((await home.call('GET', path(form, id))).body).toEqual(records[0]);
  });

  test('PUT changes the answers that it names, null removes one, and keeps the attribution', async () => {
    const number = aField('01', 'number', 'Age');
    const form = await home.form({ properties: [aTextField(), number] });
    await home.submit(form, {
      [TEXT_FIELD_ID]: 'old',
      [number.id]: 4,
      tracking_parameters: { utm_source: 'news' },
    });
    const [before] = await home.records(form);
    const answer = await home.call('PUT', path(form, before.id), { [TEXT_FIELD_ID]: 'new' });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ type: 'success', message: expect.any(String) });
    const [after] = await home.records(form);
    expect(answer.body.data).toEqual(after);
    expect(after.data).toMatchObject({ [TEXT_FIELD_ID]: 'new', [number.id]: 4 });
    expect(after.meta).toEqual(before.meta);
    expect([after.id, after.submission_id]).toEqual([before.id, before.submission_id]);
    await home.call('PUT', path(form, before.id), { [number.id]: null });
    const [emptied] = await home.records(form);
    expect(emptied.data[TEXT_FIELD_ID]).toBe('new');
    expect(emptied.data).not.toHaveProperty(number.id);
  });

  test('PUT shows no answers to a token that may only write', async () => {
    const form = await home.form({ properties: [aTextField()], editable_submissions: true });
    await home.submit(form, { [TEXT_FIELD_ID]: 'not for writers', tracking_parameters: { utm_source: 'a' } });
    const [before] = await home.records(form);
    const token = await home.tokenWith('forms-write', 'manage-integrations', 'workspaces-read');
    for (const [url, body] of [
      [path(form, before.id), {}],
      [`${path(form, before.id)}/review`, { state: 'approved', note: 'Fine' }],
    ] as const) {
      const answer = await home.call(url === path(form, before.id) ? 'PUT' : 'POST', url, body, token);
      expect(answer.status, answer.text).toBe(200);
      // By its public id the answers can be read where they can be edited.
      for (const secret of ['not for writers', before.submission_id, 'utm_source'])
        expect(answer.text).not.toContain(secret);
    }
    const { body } = await home.call('PUT', path(form, before.id), {}, token);
    expect(body.data).toEqual({
      id: before.id,
      submission_id: null,
      form_id: form.id,
      status: 'completed',
      created_at: before.created_at,
      updated_at: expect.any(String),
    });
  });

  test('PUT need not mend answers that it leaves out', async () => {
    const colour = (...names: string[]) =>
      aField('01', 'select', 'Colour', { select: { options: names.map((name) => ({ id: name, name })) } });
    const form = await home.form({ properties: [aTextField(), colour('Red', 'Blue')] });
    await home.submit(form, { [TEXT_FIELD_ID]: 'old', [colour().id]: 'Red' });
    await home.call('PUT', `/open/forms/${form.id}`, { properties: [aTextField(), colour('Blue')] });
    const [{ id }] = await home.records(form);
    const put = (body: object) => home.call('PUT', path(form, id), body);
    expect((await put({ [TEXT_FIELD_ID]: 'new' })).status).toBe(200);
    expect((await home.records(form))[0].data).toMatchObject({
      [TEXT_FIELD_ID]: 'new',
      [colour().id]: 'Red',
    });
    expectInvalid(await put({ [TEXT_FIELD_ID]: 'new', [colour().id]: 'Red' }), colour().id);
  });

  test('PUT of a whole submission replaces all answers', async () => {
    const number = aField('01', 'number', 'Age');
    const form = await home.form({ properties: [aTextField(), number] });
    await home.submit(form, { [TEXT_FIELD_ID]: 'old', [number.id]: 4 });
    const [{ id }] = await home.records(form);
    await home.call('PUT', path(form, id), { data: { [number.id]: 5 } });
    const [after] = await home.records(form);
    expect(after.data[number.id]).toBe(5);
    expect(after.data).not.toHaveProperty(TEXT_FIELD_ID);
  });

  test('PUT takes a submission as it was read, its answers under data', async () => {
    const { form, records } = await filled(['kept']);
    const answer = await home.call('PUT', path(form, records[0].id), records[0]);
    expect(answer.status, answer.text).toBe(200);
    expect((await home.records(form))[0].data).toEqual(records[0].data);
    const own = await home.form({
      properties: [{ id: 'data', type: 'matrix', name: 'M', rows: ['a'], columns: ['1'] }],
    });
    await home.submit(own, { data: { a: '1' } });
    const [{ id }] = await home.records(own);
    await home.call('PUT', path(own, id), { data: { a: '1' } });
    expect((await home.records(own))[0].data).toMatchObject({ data: { a: '1' } });
  });

  test('PUT refuses data that is no object, by which all answers would be lost', async () => {
    const { form, records } = await filled(['kept']);
    for (const data of ['text', 7, true, ['a']])
      expectInvalid(await home.call('PUT', path(form, records[0].id), { data }), 'data');
    expect((await home.records(form))[0].data).toEqual(records[0].data);
    for (const data of [{}, [], null]) {
      const answer = await home.call('PUT', path(form, records[0].id), { data });
      expect(answer.status, answer.text).toBe(200);
    }
  });

  test('PUT takes completion_time as an answer does, and tells what is wrong with it beside the rest', async () => {
    const { form, records } = await filled(['x']);
    const put = (body: object) => home.call('PUT', path(form, records[0].id), body);
    expect((await put({ completion_time: '12.5' })).body.data.completion_time).toBe(12.5);
    expect((await put({ completion_time: '' })).body.data.completion_time).toBe(12.5);
    for (const completion_time of ['text', '-1', -1])
      expectInvalid(await put({ completion_time, [TEXT_FIELD_ID]: 7 }), 'completion_time', TEXT_FIELD_ID);
  });

  test('PUT checks the answers, needs forms-write and the role user', async () => {
    const { form, records } = await filled(['x'], { properties: [aTextField({ required: true })] });
    const put = (body: unknown, token?: string) => home.call('PUT', path(form, records[0].id), body, token);
    expectInvalid(await put({ [TEXT_FIELD_ID]: null }), TEXT_FIELD_ID);
    expectRefused(await put({ [TEXT_FIELD_ID]: 'y' }, await home.tokenWith('forms-read')), 403);
    expectRefused(await put({ [TEXT_FIELD_ID]: 'y' }, (await home.member('readonly')).token), 403);
    expect((await home.records(form))[0].data[TEXT_FIELD_ID]).toBe('x');
  });

  test('a partial submission that a member saves becomes complete', async () => {
    const form = await home.form({ enable_partial_submissions: true });
    await home.submit(form, { [TEXT_FIELD_ID]: 'half', is_partial: true });
    const [record] = await home.records(form);
    await home.call('PUT', path(form, record.id), { [TEXT_FIELD_ID]: 'whole' });
    expect((await home.records(form))[0].status).toBe('completed');
  });
});

describe('DELETE /open/forms/{id}/submissions/{submission_id}', () => {
  test('takes the number as well as the UUID and answers with a message', async () => {
    const { form, records } = await filled(['a', 'b', 'c']);
    for (const id of [records[0].id, records[1].submission_id]) {
      const answer = await home.call('DELETE', path(form, id));
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ type: 'success', message: expect.any(String) });
      expectRefused(await home.call('DELETE', path(form, id)), 404);
    }
    expect((await home.records(form)).map((record) => record.data[TEXT_FIELD_ID])).toEqual(['c']);
  });

  test('a submission of another form is 404 and stays', async () => {
    const { form, records } = await filled(['kept']);
    const other = await home.form();
    for (const id of [records[0].id, records[0].submission_id]) {
      expectRefused(await home.call('DELETE', path(other, id)), 404);
      expectRefused(await home.call('GET', path(other, id)), 404);
      expectRefused(await home.call('PUT', path(other, id), { [TEXT_FIELD_ID]: 'x' }), 404);
    }
    expect(await home.records(form)).toHaveLength(1);
  });

  test.each(['0', '-1', '1.5', 'abc', '99999999999999999999', '%00', '1e3'])('%s is 404', async (id) => {
    expectRefused(await home.call('DELETE', path(await home.form(), id)), 404);
  });

  test('needs forms-write and the role user', async () => {
    const { form, records } = await filled(['kept']);
    const remove = (token: string) => home.call('DELETE', path(form, records[0].id), undefined, token);
    expectRefused(await remove(await home.tokenWith('forms-read')), 403);
    expectRefused(await remove((await home.member('readonly')).token), 403);
    expectRefused(await remove((await home.stranger()).token), 403);
    expect((await remove((await home.member('user')).token)).status).toBe(200);
  });
});

describe('POST /open/forms/{id}/submissions/multi', () => {
  const removeAll = (form: { id: number }, submissionIds: unknown, token?: string) =>
    home.call('POST', `/open/forms/${form.id}/submissions/multi`, { submissionIds }, token);

  test('deletes many at once', async () => {
    const { form, records } = await filled(['a', 'b', 'c']);
    const answer = await removeAll(form, [records[0].id, records[2].id]);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ type: 'success', message: expect.any(String) });
    expect((await home.records(form)).map((record) => record.data[TEXT_FIELD_ID])).toEqual(['b']);
  });

  test('one id that is not of this form is 422, and nothing is deleted', async () => {
    const { form, records } = await filled(['a']);
    const elsewhere = await filled(['x']);
    const answer = await removeAll(form, [records[0].id, elsewhere.records[0].id]);
    expectInvalid(answer, 'submissionIds.1');
    expect(await home.records(form)).toHaveLength(1);
    expect(await home.records(elsewhere.form)).toHaveLength(1);
    expectInvalid(await removeAll(form, undefined), 'submissionIds');
    expectRefused(await removeAll(form, [records[0].id], (await home.member('readonly')).token), 403);
  });
});
