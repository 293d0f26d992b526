import { expect, test } from 'vitest';
import { shownType } from '../../dashboard/responses/answers/answer-shape.ts';
import { inPresentShape } from '../../dashboard/responses/answers/present-shape.ts';
import { comparedValue } from '../../dashboard/responses/filters/compared-value.ts';
import { aField } from '../setup/factories.ts';

test('entries become a text where the question is one now, and are no answer of any other type', () => {
  const entries = [{ name: 'Ann' }, { name: 'Ben' }];
  expect(inPresentShape(aField('a', 'text', 'Who?'), entries)).toBe('{"name":"Ann"}, {"name":"Ben"}');
  expect(inPresentShape(aField('a', 'repeat', 'Who?'), entries)).toBe(entries);
  for (const type of ['email', 'rich_text', 'number', 'select', 'multi_select', 'ranking', 'date']) {
    const field = aField('a', type, 'Who?');
    expect(inPresentShape(field, entries), type).toBe(entries);
    expect(shownType(field, entries), type).toBe('text');
  }
});

test('a number to compare with is sent as the API takes it', () => {
  const sent = ['.5', '-.5', '1.', ' 1e3 ', '0.5'].map((typed) =>
    comparedValue(aField('a', 'number', 'N'), typed),
  );
  expect(sent).toEqual(['0.5', '-0.5', '1', '1000', '0.5']);
  expect(comparedValue(aField('a', 'text', 'T'), ' .5')).toBe('.5');
});
