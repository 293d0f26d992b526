import { describe, expect, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectRefused, useHome } from '../setup/home.ts';
import type { Answer } from '../setup/service.ts';

const home = useHome({ env: { RATE_LIMITS: 'on' } });

/** With this header, a caller on this machine counts as one from outside. */
const forwarded = { 'x-forwarded-for': '203.0.113.9' };

function expectLimited(answer: Answer | undefined): void {
  if (!answer) throw new Error('no answer');
  expectRefused(answer, 429);
  const seconds = Number(answer.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
}

async function times(count: number, send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) {
    const many = Math.min(50, count - answers.length);
    answers.push(...(await Promise.all(Array.from({ length: many }, send))));
  }
  return answers;
}

describe('rate limits', () => {
  test('300 answers per minute, address and form', async () => {
    const [form, other] = [await home.form(), await home.form()];
    const answers = await times(301, () => home.submit(form, { [TEXT_FIELD_ID]: 'x' }, forwarded));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(300);
    expectLimited(answers.find((answer) => answer.status !== 200));
    expect((await home.submit(other, {}, forwarded)).status).toBe(200);
    const listed = await home.call('GET', `/open/forms/${form.id}/submissions`);
    expect(listed.body.meta.total).toBe(300);
  });

  test('600 API calls per minute and token', async () => {
    const [token, other] = [await home.tokenWith('forms-read'), await home.tokenWith('forms-read')];
    const send = (with_: string) =>
      home.service.request('GET', '/external/partner/validate', { token: with_, headers: forwarded });
    const answers = await times(601, () => send(token));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(600);
    expectLimited(answers.find((answer) => answer.status !== 200));
    expect((await send(other)).status).toBe(200);
  });

  test('callers on this machine that send no forwarding header are exempt', async () => {
    const form = await home.form();
    const answers = await times(310, () => home.submit(form, {}));
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
  });
});
