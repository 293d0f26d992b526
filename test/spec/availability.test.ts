import { createHash } from 'node:crypto';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import type { Answer } from '../setup/service.ts';
import { until } from '../setup/until.ts';

const home = useHome();

const update = async (form: { id: number }, body: unknown) => {
  const answer = await home.call('PUT', `/open/forms/${form.id}`, body);
  expect(answer.status, answer.text).toBe(200);
};

function expectPublicly(answer: Answer, status: number, error: string): void {
  expectRefused(answer, status);
  expect(answer.body).toEqual({ message: expect.any(String), error });
}

describe('closing', () => {
  test('a closed form answers 403 form_closed, and opens again', async () => {
    const form = await home.form({ visibility: 'closed' });
    expectPublicly(await home.submit(form, {}), 403, 'form_closed');
    await update(form, { visibility: 'public' });
    expect((await home.submit(form, {})).status).toBe(200);
  });

  test('a form past closes_at answers 403 form_closed', async () => {
    const past = await home.form({ closes_at: '2020-01-01T00:00:00Z' });
    expectPublicly(await home.submit(past, {}), 403, 'form_closed');
    const future = await home.form({ closes_at: '2999-01-01T00:00:00+02:00' });
    expect((await home.submit(future, {})).status).toBe(200);
  });

  test('a form closes by itself when its time comes', async () => {
    const closes_at = new Date(Date.now() + 2_000).toISOString();
    const form = await home.form({ closes_at });
    const before = await home.submit(form, {});
    if (Date.now() < Date.parse(closes_at)) expect(before.status).toBe(200);
    await until(async () => (await home.submit(form, {})).status === 403);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(closes_at));
  });

  test('closing binds partial submissions too, and their completion', async () => {
    const form = await home.form({ enable_partial_submissions: true });
    const { body } = await home.submit(form, { [TEXT_FIELD_ID]: 'half', is_partial: true });
    await update(form, { visibility: 'closed' });
    expectPublicly(await home.submit(form, { [TEXT_FIELD_ID]: 'x', is_partial: true }), 403, 'form_closed');
    const completion = { [TEXT_FIELD_ID]: 'x', submission_hash: body.submission_hash };
    expectPublicly(await home.submit(form, completion), 403, 'form_closed');
  });
});

test('404 comes before 403, and 403 before 422', async () => {
  const properties = [aTextField({ required: true })];
  const bad = { is_partial: true, tracking_parameters: 7 };
  const draft = await home.form({ properties, visibility: 'draft', password: 'letmein' });
  expectPublicly(await home.submit(draft, bad), 404, 'form_not_found');
  const closed = await home.form({ properties, visibility: 'closed' });
  expectPublicly(await home.submit(closed, bad), 403, 'form_closed');
  const shut = await home.form({ properties, password: 'letmein' });
  expectPublicly(await home.submit(shut, bad), 403, 'form_protected');
});

describe('max_submissions_count', () => {
  test('a full form answers 403 form_full', async () => {
    const form = await home.form({ max_submissions_count: 2 });
    expect((await home.submit(form, {})).status).toBe(200);
    expect((await home.submit(form, {})).status).toBe(200);
    expectPublicly(await home.submit(form, {}), 403, 'form_full');
    await update(form, { max_submissions_count: 3 });
    expect((await home.submit(form, {})).status).toBe(200);
    expectPublicly(await home.submit(form, {}), 403, 'form_full');
  });

  test('of 200 submissions at once exactly as many are taken as the form allows', async () => {
    const form = await home.form({ max_submissions_count: 57 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => home.submit(form, { [TEXT_FIELD_ID]: `no. ${index}` })),
    );
    const taken = answers.filter((answer) => answer.status === 200);
    expect(taken).toHaveLength(57);
    for (const answer of answers) if (answer.status !== 200) expectPublicly(answer, 403, 'form_full');
    expect(taken.filter((answer) => answer.body.is_first_submission)).toHaveLength(1);
    const listed = await home.call('GET', `/open/forms/${form.id}/submissions?per_page=100`);
    expect(listed.body.meta.total).toBe(57);
    const stored = new Set(listed.body.data.map((record: any) => record.submission_id));
    for (const answer of taken) expect(stored).toContain(answer.body.submission_id);
  });

  test('deleting a submission makes room for one', async () => {
    const form = await home.form({ max_submissions_count: 1 });
    await home.submit(form, {});
    const [record] = await home.records(form);
    await home.call('DELETE', `/open/forms/${form.id}/submissions/${record.id}`);
    expect((await home.submit(form, {})).status).toBe(200);
    expectPublicly(await home.submit(form, {}), 403, 'form_full');
  });

  test('partial submissions do not count, but a full form refuses them and their completion', async () => {
    const form = await home.form({ max_submissions_count: 1, enable_partial_submissions: true });
    const half = await home.submit(form, { [TEXT_FIELD_ID]: 'half', is_partial: true });
    expect((await home.submit(form, { [TEXT_FIELD_ID]: 'whole' })).status).toBe(200);
    expectPublicly(await home.submit(form, { [TEXT_FIELD_ID]: 'x', is_partial: true }), 403, 'form_full');
    const { submission_hash } = half.body;
    expectPublicly(await home.submit(form, { [TEXT_FIELD_ID]: 'x', submission_hash }), 403, 'form_full');
  });
});

describe('password', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

  test('a protected form wants the password or its lower-case SHA-256 in the header form-password', async () => {
    const form = await home.form({ password: 'Grüße 1' });
    expectPublicly(await home.submit(form, {}), 403, 'form_protected');
    for (const wrong of ['wrong', sha256('wrong'), '********', sha256('Grüße 1').toUpperCase()])
      expectPublicly(await home.submit(form, {}, { 'form-password': wrong }), 403, 'form_protected');
    expect((await home.submit(form, {}, { 'form-password': sha256('Grüße 1') })).status).toBe(200);
    const ascii = await home.form({ password: 'let me in' });
    expect((await home.submit(ascii, {}, { 'form-password': 'let me in' })).status).toBe(200);
    expect((await home.submit(ascii, {}, { 'form-password': sha256('let me in') })).status).toBe(200);
  });

  test('binds partial submissions too', async () => {
    const form = await home.form({ password: 'letmein', enable_partial_submissions: true });
    const body = { [TEXT_FIELD_ID]: 'half', is_partial: true };
    expectPublicly(await home.submit(form, body), 403, 'form_protected');
    expect((await home.submit(form, body, { 'form-password': 'letmein' })).status).toBe(200);
  });

  test('a member’s token does not replace it, and an open form ignores it', async () => {
    const form = await home.form({ password: 'letmein' });
    expectPublicly(await home.call('POST', `/forms/${form.slug}/answer`, {}), 403, 'form_protected');
    expect((await home.submit(await home.form(), {}, { 'form-password': 'any' })).status).toBe(200);
  });
});

describe('use_captcha', () => {
  /** Solves the built-in proof of work, as a browser would. */
  async function solve(form: { slug: string }): Promise<string> {
    const { body } = await home.call('GET', `/forms/${form.slug}/captcha`, undefined, null);
    const { challenge } = body;
    const solution = await solveChallenge({ challenge, deriveKey });
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
  }

  test('a solved proof of work passes once, for its own form', async () => {
    const form = await home.form({ use_captcha: true });
    const other = await home.form({ use_captcha: true });
    const captcha = await solve(form);
    expectInvalid(await home.submit(other, { captcha }), 'captcha');
    expect((await home.submit(form, { captcha })).status).toBe(200);
    expectInvalid(await home.submit(form, { captcha }), 'captcha');
  });

  test('a challenge tells nothing of the form but whether it is the same', async () => {
    const forms = [await home.form({ use_captcha: true }), await home.form({ use_captcha: true })];
    const dataOf = async (form: { slug: string }) => {
      const { body } = await home.call('GET', `/forms/${form.slug}/captcha`, undefined, null);
      return body.challenge.parameters.data;
    };
    const [mark, other] = [await dataOf(forms[0]), await dataOf(forms[1])];
    expect(mark).toEqual({ form: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(other).not.toEqual(mark);
    expect(await dataOf(forms[0])).toEqual(mark);
  });

  test.each([[undefined], [''], ['rubbish'], [7], [{}], ['eyJjaGFsbGVuZ2UiOnt9fQ==']])(
    '%j is 422 on captcha',
    async (captcha) => {
      const form = await home.form({ use_captcha: true, enable_partial_submissions: true });
      expectInvalid(await home.submit(form, { captcha }), 'captcha');
      expectInvalid(await home.submit(form, { captcha, [TEXT_FIELD_ID]: 'x', is_partial: true }), 'captcha');
      expect(await home.records(form)).toEqual([]);
    },
  );

  test('a challenge whose parameters were made easier is refused', async () => {
    const form = await home.form({ use_captcha: true });
    const proof = JSON.parse(Buffer.from(await solve(form), 'base64').toString());
    proof.challenge.parameters.cost = 1;
    const captcha = Buffer.from(JSON.stringify(proof)).toString('base64');
    expectInvalid(await home.submit(form, { captcha }), 'captcha');
  });

  test('an Idempotency-Key that was used does not use the captcha up', async () => {
    const form = await home.form({ use_captcha: true });
    const key = { 'idempotency-key': 'k1' };
    await home.submit(form, { captcha: await solve(form), [TEXT_FIELD_ID]: 'x' }, key);
    const captcha = await solve(form);
    expectInvalid(await home.submit(form, { captcha, [TEXT_FIELD_ID]: 'y' }, key), 'Idempotency-Key');
    expect((await home.submit(form, { captcha, [TEXT_FIELD_ID]: 'y' })).status).toBe(200);
  });

  test('a request sent again while the first one is under way is answered the same', async () => {
    const form = await home.form({ use_captcha: true });
    for (let round = 0; round < 4; round++) {
      const body = { captcha: await solve(form), [TEXT_FIELD_ID]: 'x' };
      const sendings = Array.from({ length: 4 }, () =>
        home.submit(form, body, { 'idempotency-key': `at once ${round}`.replaceAll(' ', '-') }),
      );
      const answers = await Promise.all(sendings);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(answers.map(({ body }) => body.submission_id)).size).toBe(1);
    }
  });

  test('what is refused or known takes no number', async () => {
    const number = aField('0b', 'text', 'Number', { hidden: true, generates_auto_increment_id: true });
    const form = await home.form({ use_captcha: true, properties: [aTextField(), number] });
    for (let tries = 0; tries < 3; tries++) expectInvalid(await home.submit(form, {}), 'captcha');
    const key = { 'idempotency-key': 'k' };
    const first = { captcha: await solve(form) };
    for (let tries = 0; tries < 3; tries++) expect((await home.submit(form, first, key)).status).toBe(200);
    await home.submit(form, { captcha: await solve(form) });
    expect((await home.records(form)).map(({ data }) => data[number.id])).toEqual(['2', '1']);
  });

  test('a wrong answer does not use the captcha up', async () => {
    const form = await home.form({ use_captcha: true, properties: [aTextField({ required: true })] });
    const captcha = await solve(form);
    expectInvalid(await home.submit(form, { captcha }), TEXT_FIELD_ID);
    expect((await home.submit(form, { captcha, [TEXT_FIELD_ID]: 'now' })).status).toBe(200);
  });
});
