import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createFailureLog } from '../../server/http/failure-log.ts';

test('of a flood of failures the first is described and the rest are counted', async () => {
  const lines: string[] = [];
  const note = createFailureLog(pino({ base: null }, { write: (line: string) => void lines.push(line) }));
  const request = { method: 'POST', routeOptions: { url: '/forms/:form/answer' } } as never;
  for (let n = 0; n < 1000; n++) note(new Error('the database is away'), request);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    method: 'POST',
    route: '/forms/:form/answer',
    othersBefore: 0,
  });
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  note(new Error('still away'), request);
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ othersBefore: 999 });
});
