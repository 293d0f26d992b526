import { afterEach, expect, test, vi } from 'vitest';
import { createPace } from '../../server/deliveries/pace.ts';
import { startWebhookReceiver } from '../setup/webhook-receiver.ts';
import { openOutbox } from './outbox.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('while submissions queue up, so many begin in a time and no more', () => {
  vi.useFakeTimers();
  let isUnderPressure = true;
  let begun = 0;
  const pace = createPace(() => isUnderPressure, beginAll);
  function beginAll(): void {
    // Stands for an endless queue.
    while (begun < 1_000 && pace.mayBegin()) {
      pace.began();
      begun++;
    }
  }

  beginAll();
  const atOnce = begun;
  expect(atOnce).toBeLessThan(10);
  vi.advanceTimersByTime(100);
  const begunUnderPressure = begun;
  expect(begunUnderPressure).toBeGreaterThan(atOnce * 20);
  expect(begunUnderPressure).toBeLessThan(1_000);

  isUnderPressure = false;
  vi.advanceTimersByTime(2);
  expect(begun).toBe(1_000);
});

test('while submissions queue up, receivers that do not answer keep no turn from the others', async () => {
  const outbox = await openOutbox();
  const hanging = await startWebhookReceiver();
  const healthy = await startWebhookReceiver();
  hanging.script([], () => {});
  try {
    const deaf = await Promise.all(Array.from({ length: 12 }, () => outbox.addIntegration(hanging.url)));
    const hook = await outbox.addIntegration(healthy.url);
    for (const one of [...deaf, hook]) await outbox.addDeliveries(one, 10);
    const dispatcher = outbox.startDispatcher({ isUnderPressure: true });
    dispatcher.wake(deaf);
    await hanging.received(12);
    dispatcher.wake([hook]);
    await healthy.received(10);
    expect(hanging.maxConcurrency()).toBe(12);
  } finally {
    await hanging.close();
    await healthy.close();
    await outbox.close();
  }
});
