import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { createIntake } from '../../server/submissions/intake.ts';
import type { NewSubmission } from '../../server/submissions/store-queries.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();

async function aSubmission(form: { id: number }, key: string | null): Promise<NewSubmission> {
  const { revision } = await home.service.context.db
    .selectFrom('forms')
    .select('revision')
    .where('id', '=', form.id)
    .executeTakeFirstOrThrow();
  return {
    formId: form.id,
    formRevision: revision,
    publicId: randomUUID(),
    data: '{}',
    attribution: null,
    completionTime: null,
    idempotency: key === null ? null : { key, bodyHash: Buffer.alloc(32) },
    deliveries: [],
  };
}

test('a submission sent twice at once takes one place of a limited form', async () => {
  const { intake } = home.service.context;
  const form = await home.form({ max_submissions_count: 2 });
  const batch = await Promise.all(['once', 'once', null].map((key) => aSubmission(form, key)));
  const outcomes = await Promise.all(batch.map((submission) => intake.add(submission)));
  expect(outcomes.map(({ kind }) => kind)).toEqual(['stored', 'used_key', 'stored']);
  expect((await intake.add(await aSubmission(form, null))).kind).toBe('full');
  expect(await home.records(form)).toHaveLength(2);
});

test('one that the database cannot take does not take its neighbours down', async () => {
  const { intake } = home.service.context;
  const form = await home.form();
  const [good, bad, alsoGood] = await Promise.all([1, 2, 3].map(() => aSubmission(form, null)));
  bad!.data = '{"a":"\\u0000"}';
  const outcomes = await Promise.allSettled(
    [good!, bad!, alsoGood!].map((submission) => intake.add(submission)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await home.records(form)).toHaveLength(2);
});

test('more text than a process should hold is refused instead of kept', async () => {
  const noDatabase = {
    query: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
  };
  const dropped: number[] = [];
  const intake = createIntake(noDatabase as unknown as pg.Pool, () => {}, {
    reserve: () => true,
    take() {},
    drop: (id) => void dropped.push(id),
    wake() {},
  });
  const large = { head: 'x'.repeat(64 * 1024 * 1024), tail: '', integrationId: 7, isMail: false };
  const one = await aSubmission(await home.form(), null);
  // The same text counts each time, though it is there once.
  const waiting = Array.from({ length: 4 }, () => intake.add({ ...one, deliveries: [large] }));
  const settled = Promise.allSettled(waiting);
  await expect(intake.add(one)).rejects.toMatchObject({ statusCode: 503 });
  expect((await settled).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  expect(dropped).toEqual(Array(4).fill(7));
  await expect(intake.add(one)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
