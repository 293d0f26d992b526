import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { useHome } from '../setup/home.ts';
import { aLargeForm, copiesUnderWay, useStalledReaders } from '../setup/long-copies.ts';
import { until } from '../setup/until.ts';

/** Tables that a process sends at a time. */
const CONNECTIONS = 2;

const home = useHome();
const stalledReader = useStalledReaders(home);
let form: { id: number };
beforeAll(async () => {
  form = await aLargeForm(home);
});
afterEach(() => {
  vi.useRealTimers();
});

const copies = () => copiesUnderWay(home);
const listOf = async ({ id }: { id: number }) =>
  (await home.call('GET', `/open/forms/${id}/live-tables`)).body;

async function aTable(form: { id: number }): Promise<URL> {
  const made = await home.call('POST', `/open/forms/${form.id}/live-tables`, { name: 'Sheet' });
  expect(made.status, made.text).toBe(200);
  return new URL(made.body.url);
}

/** Requests a table and never reads it. */
const stall = ({ pathname }: URL) => stalledReader(`GET ${pathname} HTTP/1.1\r\nHost: x\r\n\r\n`);

test('whoever does not get on with reading ends where others wait, and they wait for it', async () => {
  const large = await aTable(form);
  const other = await home.form();
  const small = await aTable(other);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  for (let reader = 0; reader < CONNECTIONS; reader++) stall(large);
  await until(async () => (await copies()) === CONNECTIONS, { what: 'as many readers as there are places' });
  const answer = fetch(small).then(({ status }) => status);
  const isAsking = async () => (await listOf(other))[0].last_read_at !== null;
  await until(isAsking, { what: 'somebody who waits' });
  let seconds = 0;
  const isOver = async () => {
    vi.advanceTimersByTime(1_000);
    seconds += 1;
    return (await copies()) < CONNECTIONS;
  };
  await until(isOver, { what: 'the end of somebody who reads nothing' });
  expect(await answer).toBe(200);
  expect(seconds).toBeGreaterThan(30);
});

test('nobody is stopped as long as nobody waits', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  stall(await aTable(form));
  await until(async () => (await copies()) === 1, { what: 'a reader' });
  vi.advanceTimersByTime(50_000);
  expect(await copies()).toBe(1);
});
