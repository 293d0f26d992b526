import { expect, test } from 'vitest';
import { withDistinctHeaders } from '../../server/exports/columns/columns.ts';
import { createWords } from '../../server/exports/columns/words.ts';
import { createNames } from '../../server/exports/sav/names.ts';
import { expectCheap } from '../setup/processor-time.ts';

/** Names of columns, made from texts that give the same one. */
const MANY = 10_000;
const names = (nameOf: (index: number) => string) =>
  Array.from({ length: MANY }, (_, index) => nameOf(index));

test('thousands of equal names are numbered without much work', async () => {
  let all: string[][] = [];
  await expectCheap(3_000, () => {
    const wordOf = createWords(['other']);
    const nameOf = createNames();
    const header = 'Long '.repeat(20);
    const columns = names(() => header).map((one) => ({ source: 'id', header: one }) as never);
    all = [
      names(() => wordOf('?!')),
      names((index) => nameOf(`${header}${index}`, '')),
      withDistinctHeaders(columns).map((column) => column.header),
    ];
  });
  for (const one of all) expect(new Set(one).size).toBe(MANY);
  expect(all.map((one) => one[MANY - 1])).toEqual([
    'question_10000',
    expect.stringMatching(/^Long_.*_10000$/),
    expect.stringMatching(/ \(10000\)$/),
  ]);
});

test('a number that is taken is skipped', () => {
  const wordOf = createWords(['other']);
  const asked = ['a', 'a_2', 'a', 'a', 'a 2', 'a', 'other'];
  expect(asked.map(wordOf)).toEqual(['a', 'a_2', 'a_3', 'a_4', 'a_2_2', 'a_5', 'other_2']);
});
