import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { unavailable } from '../../server/http/errors.ts';
import { createFailureLog } from '../../server/http/failure-log.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();

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
  // Many errors that are no failures must not hide the real ones.
  for (let n = 0; n < 1000; n++) note(unavailable(), request);
  expect(lines).toHaveLength(2);
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  note(new Error('still away'), request);
  expect(JSON.parse(lines[2] ?? '')).toMatchObject({ othersBefore: 999 });
});

test('what is refused for a moment on purpose is no error in the log, what fails is one', async () => {
  const { intake, log } = home.service.context;
  const [info, error] = [vi.spyOn(log, 'info'), vi.spyOn(log, 'error')];
  const add = vi.spyOn(intake, 'add');
  onTestFinished(() => {
    for (const spy of [info, error, add]) spy.mockRestore();
  });
  const form = await home.form();

  add.mockRejectedValueOnce(unavailable());
  expect((await home.submit(form, {})).status).toBe(503);
  expect(error).not.toHaveBeenCalled();
  expect(info).toHaveBeenCalledExactlyOnceWith(
    { method: 'POST', route: '/forms/:form/answer', othersBefore: 0, reason: unavailable().message },
    'a request was told to come again',
  );

  const isAway = Object.assign(new Error('the database is away'), { code: '57P01' });
  add.mockRejectedValueOnce(isAway);
  expect((await home.submit(form, {})).status).toBe(503);
  expect(error).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ err: isAway }), 'a request failed');
});
