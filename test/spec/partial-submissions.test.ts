import { describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';

const home = useHome();

const NUMBER = aField('01', 'number', 'Age');
const partialForm = () =>
  home.form({
    enable_partial_submissions: true,
    properties: [aTextField({ required: true }), NUMBER],
  });

describe('a partial submission', () => {
  test('answers type, message and submission_hash, and nothing else', async () => {
    const form = await partialForm();
    const answer = await home.submit(form, { [TEXT_FIELD_ID]: 'half', is_partial: true });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      type: 'success',
      message: expect.any(String),
      submission_hash: expect.any(String),
    });
    expect((await home.records(form))[0]).toMatchObject({ status: 'partial' });
  });

  test('completes with its hash and is_partial false; the answer carries a submission_id', async () => {
    const form = await partialForm();
    const half = await home.submit(form, { [NUMBER.id]: 4, is_partial: true });
    const { submission_hash } = half.body;
    const whole = await home.submit(form, { [TEXT_FIELD_ID]: 'whole', submission_hash, is_partial: false });
    expect(whole.status, whole.text).toBe(200);
    expect(whole.body).toMatchObject({
      submission_id: expect.any(String),
      is_first_submission: true,
      submission_hash: null,
    });
    const records = await home.records(form);
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ status: 'completed', submission_id: whole.body.submission_id });
    expect(records[0].data[TEXT_FIELD_ID]).toBe('whole');
  });

  test('is_partial is false unless it is said', async () => {
    const form = await partialForm();
    expectInvalid(await home.submit(form, { [NUMBER.id]: 1 }), TEXT_FIELD_ID);
    expectInvalid(
      await home.submit(form, { [NUMBER.id]: 1, is_partial: 'perhaps', [TEXT_FIELD_ID]: 'x' }),
      'is_partial',
    );
  });

  test('a form without partials refuses them on is_partial', async () => {
    const form = await home.form();
    expectInvalid(await home.submit(form, { [TEXT_FIELD_ID]: 'half', is_partial: true }), 'is_partial');
    expect(await home.records(form)).toEqual([]);
  });

  test('checks types and limits, but not what is required', async () => {
    const form = await partialForm();
    expectInvalid(await home.submit(form, { [NUMBER.id]: 'old', is_partial: true }), NUMBER.id);
    expectInvalid(
      await home.submit(form, { [TEXT_FIELD_ID]: 'x'.repeat(100_001), is_partial: true }),
      TEXT_FIELD_ID,
    );
    expect((await home.submit(form, { [NUMBER.id]: 4, is_partial: true })).status).toBe(200);
  });

  test.each([true, 1, '1', 'true', 'on', 'yes'])('is_partial may be said as %j', async (is_partial) => {
    const form = await partialForm();
    expect((await home.submit(form, { [NUMBER.id]: 4, is_partial })).status).toBe(200);
    expect((await home.records(form))[0].status).toBe('partial');
  });

  test('needs at least one answer', async () => {
    const form = await partialForm();
    for (const body of [{}, { [TEXT_FIELD_ID]: '' }, { [TEXT_FIELD_ID]: null }])
      expect((await home.submit(form, { ...body, is_partial: true })).status).toBe(422);
    expect(await home.records(form)).toEqual([]);
  });

  test('is updated in place while its hash is sent again', async () => {
    const form = await partialForm();
    const first = await home.submit(form, { [TEXT_FIELD_ID]: 'one', [NUMBER.id]: 1, is_partial: true });
    const { submission_hash } = first.body;
    const second = await home.submit(form, { [TEXT_FIELD_ID]: 'two', is_partial: true, submission_hash });
    expect(second.body.submission_hash).toBe(submission_hash);
    const records = await home.records(form);
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ status: 'partial' });
    expect(records[0].data[TEXT_FIELD_ID]).toBe('two');
  });

  test('without a hash every partial is a new one, with a hash that cannot be guessed', async () => {
    const form = await partialForm();
    const body = { [TEXT_FIELD_ID]: 'half', is_partial: true };
    const hashes: string[] = [];
    for (let count = 0; count < 5; count++) hashes.push((await home.submit(form, body)).body.submission_hash);
    expect(new Set(hashes).size).toBe(5);
    for (const hash of hashes) expect(hash.length).toBeGreaterThanOrEqual(22);
    for (const record of await home.records(form)) expect(hashes).not.toContain(record.submission_id);
  });

  test('completes exactly once, also under twenty completions at once', async () => {
    const form = await partialForm();
    const half = await home.submit(form, { [NUMBER.id]: 4, is_partial: true });
    const { submission_hash } = half.body;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        home.submit(form, { [TEXT_FIELD_ID]: `try ${index}`, submission_hash }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expectInvalid(answer, 'submission_hash');
    expect(await home.records(form)).toHaveLength(1);
  });

  test('completes even if the form no longer accepts any, so that what was begun is not lost', async () => {
    const form = await partialForm();
    const half = await home.submit(form, { [NUMBER.id]: 4, is_partial: true });
    const { submission_hash } = half.body;
    const off = await home.call('PUT', `/open/forms/${form.id}`, { enable_partial_submissions: false });
    expect(off.status, off.text).toBe(200);
    const again = await home.submit(form, { [NUMBER.id]: 5, submission_hash, is_partial: true });
    expectInvalid(again, 'is_partial');
    const whole = await home.submit(form, { [TEXT_FIELD_ID]: 'whole', submission_hash });
    expect(whole.status, whole.text).toBe(200);
    expect(await home.records(form)).toMatchObject([
      { status: 'completed', submission_id: whole.body.submission_id },
    ]);
  });

  test('its hash is dead after completion', async () => {
    const form = await partialForm();
    const { submission_hash } = (await home.submit(form, { [NUMBER.id]: 4, is_partial: true })).body;
    await home.submit(form, { [TEXT_FIELD_ID]: 'whole', submission_hash });
    const again = { [TEXT_FIELD_ID]: 'again', submission_hash };
    expectInvalid(await home.submit(form, again), 'submission_hash');
    expectInvalid(await home.submit(form, { ...again, is_partial: true }), 'submission_hash');
    expect((await home.records(form))[0].data[TEXT_FIELD_ID]).toBe('whole');
  });

  test('its hash is bound to its form; unknown and malformed ones are refused', async () => {
    const [form, other] = [await partialForm(), await partialForm()];
    const { submission_hash } = (await home.submit(form, { [NUMBER.id]: 4, is_partial: true })).body;
    const whole = { [TEXT_FIELD_ID]: 'whole' };
    expectInvalid(await home.submit(other, { ...whole, submission_hash }), 'submission_hash');
    for (const wrong of ['nothing', `${submission_hash}0`, 7, {}])
      expectInvalid(await home.submit(form, { ...whole, submission_hash: wrong }), 'submission_hash');
    const [record] = await home.records(form);
    expectInvalid(
      await home.submit(form, { ...whole, submission_hash: record.submission_id }),
      'submission_hash',
    );
    expect(await home.records(other)).toEqual([]);
    expect((await home.records(form))[0].status).toBe('partial');
  });

  test('the completion is checked in full', async () => {
    const form = await partialForm();
    const { submission_hash } = (await home.submit(form, { [NUMBER.id]: 4, is_partial: true })).body;
    expectInvalid(await home.submit(form, { submission_hash }), TEXT_FIELD_ID);
    expect((await home.records(form))[0].status).toBe('partial');
    expect((await home.submit(form, { [TEXT_FIELD_ID]: 'now', submission_hash })).status).toBe(200);
  });

  test('does not make a first submission of itself', async () => {
    const form = await partialForm();
    await home.submit(form, { [NUMBER.id]: 4, is_partial: true });
    expect((await home.submit(form, { [TEXT_FIELD_ID]: 'x' })).body.is_first_submission).toBe(true);
  });
});

describe('an editable submission', () => {
  const editable = (overrides: object = {}) => home.form({ editable_submissions: true, ...overrides });

  test('is replaced in place by a submission with its submission_id', async () => {
    const form = await editable();
    const first = await home.submit(form, { [TEXT_FIELD_ID]: 'before' });
    const { submission_id } = first.body;
    const edited = await home.submit(form, { [TEXT_FIELD_ID]: 'after', submission_id });
    expect(edited.status, edited.text).toBe(200);
    expect(edited.body.submission_id).toBe(submission_id);
    const records = await home.records(form);
    expect(records).toHaveLength(1);
    expect(records[0].data[TEXT_FIELD_ID]).toBe('after');
  });

  test('an edit keeps the attribution of the creation', async () => {
    const form = await editable();
    const created = { [TEXT_FIELD_ID]: 'a', tracking_parameters: { utm_source: 'first' } };
    const { submission_id } = (await home.submit(form, created)).body;
    await home.submit(form, {
      [TEXT_FIELD_ID]: 'b',
      submission_id,
      tracking_parameters: { utm_source: 'second', gclid: 'x' },
    });
    expect((await home.records(form))[0].meta.attribution).toEqual({ utm_source: 'first' });
  });

  test('an edit keeps the ids and numbers that were made for the submission', async () => {
    const uuid = aField('0a', 'text', 'Ticket', { hidden: true, generates_uuid: true });
    const number = aField('0b', 'text', 'Number', { hidden: true, generates_auto_increment_id: true });
    const form = await editable({ properties: [aTextField(), uuid, number] });
    const { submission_id } = (await home.submit(form, { [TEXT_FIELD_ID]: 'before' })).body;
    const [before] = await home.records(form);
    expect(before.data).toMatchObject({ [uuid.id]: expect.any(String), [number.id]: '1' });
    const answers = { ...before.data, [TEXT_FIELD_ID]: 'after' };
    await home.submit(form, { [TEXT_FIELD_ID]: 'after', submission_id });
    expect((await home.records(form))[0].data).toEqual(answers);
    await home.call('PUT', `/open/forms/${form.id}/submissions/${before.id}`, { [TEXT_FIELD_ID]: 'after' });
    expect((await home.records(form))[0].data).toEqual(answers);
    expect((await home.submit(form, {})).status).toBe(200);
    expect((await home.records(form))[0].data[number.id]).toBe('2');
  });

  test('an edit is checked in full and does not touch another form', async () => {
    const form = await editable({ properties: [aTextField({ required: true })] });
    const other = await editable();
    const { submission_id } = (await home.submit(form, { [TEXT_FIELD_ID]: 'kept' })).body;
    expectInvalid(await home.submit(form, { submission_id }), TEXT_FIELD_ID);
    const answer = await home.submit(other, { [TEXT_FIELD_ID]: 'x', submission_id });
    expect([404, 422]).toContain(answer.status);
    expect((await home.records(form))[0].data[TEXT_FIELD_ID]).toBe('kept');
    expect(await home.records(other)).toEqual([]);
  });

  test('where the form does not allow editing, the identifier is ignored', async () => {
    const form = await home.form();
    const { submission_id } = (await home.submit(form, { [TEXT_FIELD_ID]: 'first' })).body;
    const second = await home.submit(form, { [TEXT_FIELD_ID]: 'second', submission_id });
    expect(second.status).toBe(200);
    expect(second.body.submission_id).not.toBe(submission_id);
    expect(await home.records(form)).toHaveLength(2);
  });
});
