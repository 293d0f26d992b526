import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stopOnSignals } from '../../server/start/shutdown.ts';

const DEADLINE_MS = 25_000;

let said: string[];
const others = { SIGTERM: process.listeners('SIGTERM'), SIGINT: process.listeners('SIGINT') };
beforeEach(() => {
  said = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    for (const listener of process.listeners(signal))
      if (!others[signal].includes(listener)) process.off(signal, listener);
});

const stopping = (stop: () => Promise<void>) => stopOnSignals(stop, (line) => said.push(line));
const never = () => new Promise<void>(() => {});

test('a stop that comes to its end is one', async () => {
  const stopped = stopping(async () => {});
  process.emit('SIGTERM');
  expect(await stopped).toBe(true);
  expect(said).toEqual([]);
});

test('a stop that takes too long is given up', async () => {
  const stopped = stopping(never);
  process.emit('SIGTERM');
  await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  expect(await stopped).toBe(false);
  expect(said).toEqual(['Stopping took too long; ending now.']);
});

test('a stop that fails is given up', async () => {
  const stopped = stopping(() => Promise.reject(new Error('no')));
  process.emit('SIGINT');
  expect(await stopped).toBe(false);
  expect(said).toEqual(['Stopping failed: no']);
});

test('a signal that comes twice is one, a later one gives it up at once', async () => {
  const stopped = stopping(never);
  const hasEnded = vi.fn();
  void stopped.then(hasEnded);
  process.emit('SIGINT');
  process.emit('SIGINT');
  await vi.advanceTimersByTimeAsync(900);
  process.emit('SIGTERM');
  await vi.advanceTimersByTimeAsync(0);
  expect(hasEnded).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(101);
  process.emit('SIGTERM');
  expect(await stopped).toBe(false);
  expect(said).toEqual([]);
});
