import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

const home = useHome();
afterEach(() => {
  vi.restoreAllMocks();
});

const FIELDS = Array.from({ length: 10 }, (_, at) => aField(`${at + 10}`, 'text', `Text ${at}`));
/** About a megabyte each. */
const COUNT = 10;

/** A form whose submissions anybody could have sent. @returns its id and theirs, newest first */
async function aLongList() {
  const form = await home.form({ properties: FIELDS });
  for (let at = 0; at < COUNT; at++) {
    const answers = Object.fromEntries(FIELDS.map(({ id }) => [id, `${at + 10} `.repeat(33_000)]));
    const sent = await home.submit(form, answers);
    expect(sent.status, sent.text).toBe(200);
  }
  const path = `/open/forms/${form.id}/submissions`;
  const page = async (query: string, token?: string) => {
    // On a busy machine the database may take too long for so much, or to count it: then one is to ask again.
    const { status, body, text } = await until(async () => {
      const answer = await home.call('GET', `${path}?${query}`, undefined, token);
      return answer.status !== 503 && answer.body.meta?.total !== null && answer;
    });
    expect(status, text.slice(0, 300)).toBe(200);
    return { ids: body.data.map(({ id }: { id: number }) => id) as number[], ...body };
  };
  const whole = await page('per_page=100');
  expect(whole.ids).toHaveLength(COUNT);
  expect(whole.meta).toMatchObject({ total: COUNT, to: COUNT, last_page: 1 });
  return { path, page, all: whole.ids };
}

/**
 * Asks for the whole list as Ada, by a connection of its own: one that read long pages before may have room for all of this one, and
 * the service would be done with it.
 */
async function askForAll(path: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${home.ada.token}` };
  return until(async () => {
    const request = get(`${home.service.url}${path}?per_page=100`, { agent: false, headers });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    if (answer.statusCode === 200) return answer;
    // Too much for the database of a busy machine.
    expect(answer.statusCode).toBe(503);
    answer.destroy();
    return null;
  });
}

test('a page of long answers ends early where the list goes on by cursor or before, and misses none', async () => {
  const { page, all } = await aLongList();
  const part = async (query: string) => {
    const found = await page(`${query}&per_page=100`);
    expect(found.ids.length).toBeGreaterThan(0);
    expect(found.ids.length).toBeLessThan(COUNT);
    return found;
  };
  const wholeList = async (query: string) => {
    const parts = [await part(`${query}&total=true`)];
    for (let cursor = parts[0]?.meta.next_cursor; cursor !== null; cursor = parts.at(-1)?.meta.next_cursor)
      parts.push(await part(`${query}&cursor=${encodeURIComponent(cursor)}`));
    return { parts, ids: parts.flatMap(({ ids }) => ids) };
  };

  const latestFirst = await wholeList('order=desc');
  expect(latestFirst.ids).toEqual(all);
  const [beforeLast, last] = latestFirst.parts.slice(-2);
  const back = await part(`cursor=${encodeURIComponent(last?.meta.prev_cursor)}`);
  expect(beforeLast?.ids.slice(-back.ids.length)).toEqual(back.ids);
  const byUpdate = await wholeList('sort=updated_at');
  const byAnswer = await wholeList(`sort=${FIELDS[0]?.id}&order=desc`);
  for (const { parts, ids } of [latestFirst, byUpdate, byAnswer]) {
    expect(parts[0]?.meta.total).toBe(COUNT);
    expect(ids.toSorted()).toEqual(all.toSorted());
  }
  await wholeList('search=1');

  const [newest = 0] = all;
  const seen = [newest];
  for (;;) {
    const { ids, links, meta } = await page(`before=${seen.at(-1)}&per_page=100`);
    expect(meta.total).toBe(COUNT);
    seen.push(...ids);
    if (links.next === null) break;
    expect(new URL(links.next).searchParams.get('before')).toBe(String(ids.at(-1)));
  }
  expect(seen).toEqual(all);
});

test('whole pages of long answers are made one at a time, and none waits for a client that has left', async () => {
  const { path, page, all } = await aLongList();
  const unread = await askForAll(path);
  let isThere = false;
  const next = page('per_page=100').finally(() => {
    isThere = true;
  });
  expect((await page('per_page=5&page=2')).ids).toEqual(all.slice(5, 10));
  await sleep(1_000);
  expect(isThere).toBe(false);
  unread.destroy();
  expect((await next).ids).toEqual(all);

  const moved = await home.call('POST', `${path}/trash`, { submissionIds: all });
  expect(moved.status, moved.text).toBe(200);
  const trash = await home.call('GET', `${path}/trash?per_page=100`);
  expect([trash.status, trash.body.data?.length, trash.body.meta?.total]).toEqual([200, COUNT, COUNT]);
});

test('a whole page of long answers that is read too slowly is given up', async () => {
  const { path, page, all } = await aLongList();
  const { timeout } = AbortSignal;
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, Math.min(ms, 2_000)));
  const slow = await askForAll(path);
  const reading = (async () => {
    for await (const _ of slow) await sleep(500);
  })().catch(() => {});
  const next = await Promise.race([page('per_page=100'), sleep(40_000, null)]);
  slow.destroy();
  await reading;
  expect(next?.ids).toEqual(all);
});

test('one person who asks for many whole pages of long answers holds up others for one of them', async () => {
  const { path, page, all } = await aLongList();
  const { token } = await home.newMember('readonly');
  const held = Array.from({ length: 21 }, () => new AbortController());
  const headers = { authorization: `Bearer ${token}` };
  const arrived: Response[] = [];
  const asked = held.map(async ({ signal }) => {
    const ask = () => fetch(`${home.service.url}${path}?per_page=100`, { headers, signal });
    arrived.push(await until(async () => [await ask()].find(({ status }) => status === 200)));
  });
  const answered = Promise.allSettled(asked);
  const leaveOne = () => arrived.shift()?.body?.cancel();

  await until(() => arrived.length, { what: 'the first long page' });
  let next: { ids: number[] } | undefined;
  const another = page('per_page=100').then(
    (found) => {
      next = found;
    },
    () => {},
  );
  // It was sent later, so the other is likely to have its place in the queue by now.
  await page('per_page=1');
  // One is enough once the other has its place; behind all the others it would wait for twenty.
  for (let left = 0; left < 6 && !next; left++) {
    await leaveOne();
    await until(() => next !== undefined || arrived.length > 0, { what: 'the next page' });
  }
  const inTime = next;
  for (const one of held) one.abort();
  await Promise.all([another, answered]);
  expect(inTime?.ids).toEqual(all);
});
