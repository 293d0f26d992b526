import { expect, test } from 'vitest';
import { plainText } from '../../fields/texts/plain-text.ts';
import { expectCheap } from '../setup/processor-time.ts';

test.each([
  ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
  ['One<br>Two<br />\n Three', 'One\nTwo\nThree'],
  ['<ul><li>a</li><li>b</li></ul>c', '- a\n- b\n\nc'],
  ['<a target="_blank" href="https://example.org/">there</a>', 'there (https://example.org/)'],
  ['<a href="https://example.org/">https://example.org/</a>', 'https://example.org/'],
  ['&lt;b&gt; &amp;amp; &quot;&#39;&#x41;', `<b> &amp; "'A`],
  ['<b>x</b>', 'x'],
])('%s', (markup, text) => {
  expect(plainText(markup)).toBe(text);
});

test('takes no longer than it should, whatever was written', async () => {
  await expectCheap(2_000, () => {
    for (const piece of ['<a href="', '<a ', '&#', '\n ', '<a href="x">']) plainText(piece.repeat(5_000));
  });
});
