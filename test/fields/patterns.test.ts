import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { isValidPattern, matchesPattern } from '../../fields/engines/patterns.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
const MEGABYTE = 1024 * 1024;

function heldMemory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MEGABYTE;
}

test('however large patterns are, those that are kept take no more than some 100 MB', () => {
  const before = heldMemory();
  for (let count = 0; count < 200; count++) {
    const pattern = `${count}${'\\pL'.repeat(300)}`.slice(0, 990);
    expect(isValidPattern(pattern)).toBe(true);
    expect(matchesPattern(pattern, `${count}${'aB'.repeat(1_000)}`)).toBe(true);
  }
  // All of them together would take 400.
  expect(heldMemory() - before).toBeLessThan(200);
  expect(matchesPattern('^b+$', 'bbb')).toBe(true);
});
