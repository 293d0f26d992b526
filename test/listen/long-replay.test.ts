import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { followSubmissions } from '../../server/listen/follow-submissions.ts';
import type { RemoteForm, RemoteSubmission } from '../../server/listen/remote-form.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Several parts of what is told in one go. */
const SUBMISSIONS = 3_456;
const MIB = 1024 * 1024;
const ANSWERS_BYTES = MIB / 16;

/** A service whose answers are long; without `gone`, which is deleted once the list was read. */
function aLongForm(gone: number): RemoteForm {
  let isDeleted = false;
  const submission = (id: number) => {
    const moment = new Date(id * 1000).toISOString();
    const data = Buffer.alloc(ANSWERS_BYTES, id);
    return {
      id,
      form_id: 1,
      status: 'completed',
      created_at: moment,
      updated_at: moment,
      data,
    } as RemoteSubmission;
  };
  return {
    async list({ before = SUBMISSIONS + 1, per_page = 10 }) {
      const data: RemoteSubmission[] = [];
      for (let id = Number(before) - 1; id > 0 && data.length < Number(per_page); id--)
        if (!isDeleted || id !== gone) data.push(submission(id));
      return { data, links: { next: (data.at(-1)?.id ?? 1) > 1 ? 'there is more' : null }, meta: {} };
    },
    find: async () => submission(1),
    changesOf: async () => [],
    async bodyOf(id) {
      isDeleted = true;
      return { body: `${id}`, arrival: 'sent' };
    },
    openRings: async () => null,
    pause: () => Promise.reject(new Error('all was told')),
  };
}

test('a replay from the first of many long submissions does not hold them all, and tells each once in order', async () => {
  const gone = 2_000;
  const { told } = followSubmissions(aLongForm(gone), { submission: '1' }, new Set(['created']), () => {});
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  const ids: number[] = [];
  await expect(async () => {
    for await (const { id } of told) {
      ids.push(id);
      if (ids.length > 1) continue;
      // What was collected is freed by another thread, some time later on a busy machine.
      const held = () => {
        collectGarbage();
        return process.memoryUsage().arrayBuffers - before;
      };
      await expect.poll(held).toBeLessThan(50 * MIB);
    }
  }).rejects.toThrow('all was told');
  const all = Array.from({ length: SUBMISSIONS }, (_, n) => n + 1);
  expect(ids).toEqual(all.filter((id) => id !== gone));
});
