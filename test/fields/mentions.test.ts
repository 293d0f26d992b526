import { expect, test } from 'vitest';
import { fillMentions } from '../../fields/texts/mentions.ts';

const mention = (id: string, fallback: string) =>
  `<span mention="true" mention-field-id="${id}" mention-fallback="${fallback}">Name</span>`;
const filled = (text: string) => fillMentions(text, (id) => (id === 'known' ? 'Ada & <b>' : null), String);

test('a mention becomes the answer, or its fallback as it was meant', () => {
  expect(filled(`Dear ${mention('known', 'you')}!`)).toBe('Dear Ada & <b>!');
  expect(filled(`Dear ${mention('none', 'Sir &amp; &quot;Madam&quot; &lt;3')}!`)).toBe(
    'Dear Sir & "Madam" <3!',
  );
  expect(filled(mention('none', '&amp;amp; Co & more'))).toBe('&amp; Co & more');
});

test('words around mentions stay as they are', () => {
  expect(filled('a < b &amp; c <span>x</span>')).toBe('a < b &amp; c <span>x</span>');
});
