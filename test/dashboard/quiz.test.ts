import { expect, test } from 'vitest';
import { formOf } from '../../dashboard/templates/form-of.ts';
import { TEMPLATES } from '../../dashboard/templates/templates.ts';
import type { Property } from '../../fields/property.ts';
import { aVisitor } from '../public-pages/visitor.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();

test.each([
  ['4', 'Jupiter', 'Danube', ['2', '11', '17'], '1969'],
  ['2', 'Jupiter', 'Rhine', ['2', '9', '11', '17'], '1969'],
  ['0', 'Mars', 'Elbe', ['2', '11'], '1968'],
])('the quiz says at the end that %s of 4 were right', async (right, planet, river, primes, year) => {
  const template = TEMPLATES.find(({ key }) => key === 'quiz')!;
  const form = formOf(template);
  const ids = (form.properties as Property[]).map(({ id }) => id);
  const { slug } = await home.form(form);
  const { open, send } = aVisitor(home.service);
  const answers = ['Ada', planet, river, primes, year, '50'];
  let page = await open(`/forms/${slug}`);
  for (const [at, answer] of answers.entries()) page = await send(page, { [ids[at]!]: answer });
  expect(page.html.replace(/<[^>]*>/g, '')).toContain(`You got ${right} of 4.`);
});
