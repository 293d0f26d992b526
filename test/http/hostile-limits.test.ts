import { expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

const home = useHome({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1/32' } });
const ANSWERS = 300;

test('one form counts as one, however its UUID is written', async () => {
  const form = await home.form();
  const headers = { 'x-forwarded-for': '203.0.113.77' };
  const seen = new Map<number, number>();
  for (let n = 0; n < ANSWERS + 10; n++) {
    const uuid = [...form.uuid]
      .map((letter, at) => ((n >> (at % 9)) & 1 ? letter.toUpperCase() : letter))
      .join('');
    const { status } = await home.service.request('POST', `/forms/${uuid}/answer`, { headers, body: {} });
    seen.set(status, (seen.get(status) ?? 0) + 1);
  }
  expect(Object.fromEntries(seen)).toEqual({ 200: ANSWERS, 429: 10 });
});

test('one form is kept in memory once for all ways to write its UUID', async () => {
  const form = await home.form();
  const { publishedForms } = home.service.context;
  const kept = await publishedForms.find(form.uuid);
  expect(kept?.id).toBe(form.id);
  expect(await publishedForms.find(form.uuid.toUpperCase())).toBe(kept);
  expect(await publishedForms.find(form.slug.toUpperCase())).toBeNull();
});

test('a flood of passwords neither piles up nor keeps anybody else waiting', async () => {
  const guesses = Array.from({ length: 40 }, (_, n) =>
    home.service.request('POST', '/login', { body: { email: `nobody-${n}@example.com`, password: 'x' } }),
  );
  const seen = new Set<number>();
  let isOver = false;
  const over = Promise.all(guesses.map(async (guess) => seen.add((await guess).status))).then(() => {
    isOver = true;
  });
  await until(() => seen.has(503), { what: 'a refusal' });
  expect((await home.submit(await home.form(), {})).status).toBe(200);
  expect(isOver).toBe(false);
  await over;
  expect([...seen].sort()).toEqual([422, 503]);
  expect((await home.service.request('POST', '/login', { body: home.ada })).status).toBe(200);
});
