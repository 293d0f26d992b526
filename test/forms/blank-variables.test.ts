import { expect, test } from 'vitest';
import { aVisitor } from '../public-pages/visitor.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();

/** Each variable doubles the one before, the first doubles a question; each is blank while the one before is. */
function doubling(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const before = index === 0 ? '{start}' : `{cv_${index - 1}}`;
    const formula = `IF(ISBLANK(${before}), ${before}, ${before} * 2)`;
    return { id: `cv_${index}`, name: `Doubled ${index}`, formula };
  });
}

test('a variable that is blank is worked out once too, however many others name it', async () => {
  const { slug } = await home.form({
    properties: [{ id: 'start', type: 'number', name: 'Start' }],
    computed_variables: [
      ...doubling(18),
      { id: 'cv_told', name: 'Told', formula: 'IF(ISBLANK({cv_17}), "no number", {cv_17})' },
    ],
    submitted_text: '<p>It is <span mention mention-field-id="cv_told" mention-fallback="lost">x</span>.</p>',
  });
  const visitor = aVisitor(home.service);
  const toldFor = async (start: string) =>
    (await visitor.send(await visitor.open(`/forms/${slug}`), { start })).text;
  expect(await toldFor('1')).toContain('It is 262144.');
  expect(await toldFor('')).toContain('It is no number.');
});
