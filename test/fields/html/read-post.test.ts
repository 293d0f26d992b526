import { expect, test } from 'vitest';
import { readPost } from '../../../fields/html/read-post.ts';
import type { Property } from '../../../fields/property.ts';
import { property } from '../forms.ts';

function read(field: Property, entries: [string, string][]) {
  const posted = {
    getAll: (name: string) => entries.filter(([key]) => key === name).map(([, value]) => value),
  };
  return { ...readPost([field], posted, { isComplete: true }) };
}

test('the row named "1" is not answered by the input of the second row', () => {
  const field = property('matrix', { rows: ['1', '2', '7'], columns: ['A', 'B'] });
  expect(read(field, [['x[1]', 'A']])).toEqual({ x: { 2: 'A' } });
  expect(read(field, [['x[7]', 'B']])).toEqual({ x: { 7: 'B' } });
});

test('a file whose box is ticked is no answer any more', () => {
  const entries: [string, string][] = [
    ['x', 'a'],
    ['x', 'b'],
    ['x[remove]', 'a'],
  ];
  expect(read(property('files'), entries)).toEqual({ x: ['b'] });
  expect(
    read(property('files'), [
      ['x', 'a'],
      ['x[remove]', 'a'],
    ]),
  ).toEqual({});
});

test('a typed signature replaces the drawing before it', () => {
  expect(
    read(property('signature'), [
      ['x', 'drawing'],
      ['x', ''],
    ]),
  ).toEqual({ x: 'drawing' });
  expect(
    read(property('signature'), [
      ['x', 'drawing'],
      ['x', 'Ada'],
    ]),
  ).toEqual({ x: 'Ada' });
  expect(
    read(property('signature'), [
      ['x', 'drawing'],
      ['x', ''],
      ['x[remove]', 'drawing'],
    ]),
  ).toEqual({});
});

test('a moment with an offset stays as it is', () => {
  expect(read(property('date'), [['x', '2026-05-01T12:30']])).toEqual({ x: '2026-05-01 12:30' });
  expect(read(property('date'), [['x', '2026-05-01T12:30:00Z']])).toEqual({ x: '2026-05-01T12:30:00Z' });
});

test('the second date of a range alone stays the second one', () => {
  const range = property('date', { date_range: true });
  expect(read(range, [['x[1]', '2026-05-03']])).toEqual({ x: ['', '2026-05-03'] });
});
