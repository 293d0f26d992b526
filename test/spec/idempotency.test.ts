import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';

const home = useHome();

const key = (value: string) => ({ 'idempotency-key': value });

describe('Idempotency-Key', () => {
  test('the same body gets the same answer and is stored once', async () => {
    const form = await home.form();
    const first = await home.submit(form, { [TEXT_FIELD_ID]: 'once' }, key('order-1'));
    expect(first.status).toBe(200);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const second = await home.submit(form, { [TEXT_FIELD_ID]: 'once' }, key('order-1'));
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await home.records(form)).toHaveLength(1);
  });

  test('another body under the same key is 422 and is not stored', async () => {
    const form = await home.form();
    await home.submit(form, { [TEXT_FIELD_ID]: 'one' }, key('k'));
    const answer = await home.submit(form, { [TEXT_FIELD_ID]: 'two' }, key('k'));
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toBeTypeOf('object');
    expect(await home.records(form)).toHaveLength(1);
  });

  test('fifty at once with one key are one submission with one answer', async () => {
    const form = await home.form();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => home.submit(form, { [TEXT_FIELD_ID]: 'storm' }, key('storm'))),
    );
    for (const answer of answers) {
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toEqual(answers[0]?.body);
    }
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await home.records(form)).toHaveLength(1);
  });

  test('of different bodies at once with one key one is taken', async () => {
    const form = await home.form();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        home.submit(form, { [TEXT_FIELD_ID]: `${index}` }, key('race')),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 422)).toHaveLength(19);
    expect(await home.records(form)).toHaveLength(1);
  });

  test('a key belongs to one form; different keys are different submissions', async () => {
    const [one, other] = [await home.form(), await home.form()];
    const body = { [TEXT_FIELD_ID]: 'x' };
    const first = await home.submit(one, body, key('shared'));
    const second = await home.submit(other, body, key('shared'));
    const third = await home.submit(one, body, key('own'));
    expect(new Set([first, second, third].map((answer) => answer.body.submission_id)).size).toBe(3);
    expect(second.headers.get('idempotent-replayed')).toBeNull();
  });

  test('a refused submission does not use the key up', async () => {
    const form = await home.form({ properties: [aTextField({ required: true })] });
    expectInvalid(await home.submit(form, {}, key('again')), TEXT_FIELD_ID);
    expect((await home.submit(form, { [TEXT_FIELD_ID]: 'now' }, key('again'))).status).toBe(200);
  });

  test('a replay is answered even when the form is full or closed by then', async () => {
    const form = await home.form({ max_submissions_count: 1 });
    const first = await home.submit(form, { [TEXT_FIELD_ID]: 'last' }, key('last'));
    const again = await home.submit(form, { [TEXT_FIELD_ID]: 'last' }, key('last'));
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'closed' });
    const late = await home.submit(form, { [TEXT_FIELD_ID]: 'last' }, key('last'));
    expect(late.status, late.text).toBe(200);
    expect(late.body).toEqual(first.body);
  });

  test('a partial submission is replayed with its hash', async () => {
    const form = await home.form({ enable_partial_submissions: true });
    const body = { [TEXT_FIELD_ID]: 'half', is_partial: true };
    const first = await home.submit(form, body, key('half'));
    const again = await home.submit(form, body, key('half'));
    expect(again.body).toEqual(first.body);
    expect(await home.records(form)).toHaveLength(1);
  });

  test('a key is 1 to 255 visible ASCII characters', async () => {
    const form = await home.form();
    expect((await home.submit(form, {}, key('x'.repeat(255)))).status).toBe(200);
    expect(await home.submit(form, {}, key('!~')).then((answer) => answer.status)).toBe(200);
    for (const wrong of ['x'.repeat(256), 'two words', 'é']) {
      const answer = await home.submit(form, {}, key(wrong));
      expect(answer.status, wrong).toBe(422);
    }
    expect((await home.submit(form, {}, key(''))).status).toBe(422);
  });
});

test('what keys there are costs the next submission nothing', async () => {
  const form = await home.form();
  const submit = (name: string) => home.submit(form, { [TEXT_FIELD_ID]: name }, key(name));
  await Promise.all(Array.from({ length: 200 }, (_, n) => submit(`before-${n}`)));
  const client = new pg.Client(home.service.database.connection);
  await client.connect();
  onTestFinished(() => client.end());
  const before = await readEntries('first');
  for (let n = 0; n < 20; n++) await submit(`after-${n}`);
  // No submission finds an entry; reading all entries each time would be over 4,000. The clean-up may read them all once.
  expect((await readEntries('second')) - before).toBeLessThan(1_000);

  /** Entries of the index of keys read by statements; the connection that stores a key reports its reads after a second. */
  async function readEntries(name: string): Promise<number> {
    await setTimeout(1_100);
    await submit(name);
    const { rows } = await client.query<{ count: number }>(
      "select idx_tup_read as count from pg_stat_user_indexes where indexrelname = 'idempotency_keys_pkey'",
    );
    return rows[0]?.count ?? Number.NaN;
  }
});
