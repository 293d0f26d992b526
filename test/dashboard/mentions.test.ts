import { expect, test } from 'vitest';
import {
  mentionMarkup,
  mentionsIn,
  splitMentions,
  withFallback,
} from '../../dashboard/integrations/mentions.ts';
import { fillMentions } from '../../fields/texts/mentions.ts';

const NAME = { fieldId: 'f1', fallback: 'Sir & "Madam" <3', name: 'Your <name> & more' };

test('a mention is read as it was written, here and by the service', () => {
  const text = `Hello ${mentionMarkup(NAME)}, a < b & c!`;
  expect(splitMentions(text)).toEqual(['Hello ', NAME, ', a < b & c!']);
  expect(fillMentions(text, () => null, String)).toBe('Hello Sir & "Madam" <3, a < b & c!');
  expect(fillMentions(text, (id) => id, String)).toBe('Hello f1, a < b & c!');
});

test('mentions that were written through the API are understood', () => {
  const text = '<p><span mention mention-field-id="f1">Name</span> <span>no</span></p>';
  expect(mentionsIn(text)).toEqual([{ fieldId: 'f1', fallback: '', name: 'Name' }]);
});

test('a fallback is that of all mentions of the field, and of no other', () => {
  const text = `${mentionMarkup(NAME)} ${mentionMarkup({ ...NAME, fieldId: 'f2' })} ${mentionMarkup(NAME)}`;
  const changed = withFallback(text, 'f1', 'you');
  expect(mentionsIn(changed).map(({ fieldId, fallback }) => [fieldId, fallback])).toEqual([
    ['f1', 'you'],
    ['f2', NAME.fallback],
  ]);
  expect(changed.match(/mention-fallback="you"/g)).toHaveLength(2);
});
