import { describe, expect, test } from 'vitest';
import { asFields, fieldsOf } from '../../dashboard/calculations/fields.ts';
import { formulaNames, namedIn } from '../../dashboard/calculations/formula-names.ts';
import { formulaProblems, leadingTo, plainWords } from '../../dashboard/calculations/formula-problems.ts';
import { FUNCTION_GROUPS } from '../../dashboard/calculations/function-words.ts';
import { usesOf } from '../../dashboard/calculations/uses.ts';
import { FUNCTIONS } from '../../fields/formulas/functions.ts';
import { parseFormula } from '../../fields/formulas/parse.ts';
import type { Property } from '../../fields/property.ts';

const question = (id: string, name: string, type = 'number'): Property => ({ id, name, type });
const variable = (id: string, name: string, formula: string) => ({ id, name, formula });

describe('formulas', () => {
  const names = formulaNames([
    question('p1', ' Price '),
    question('q1', 'How many?'),
    question('q2', 'How many?'),
    question('b1', 'In {braces}'),
    question('e1', '  '),
    question('x1', 'p1'),
    question('t1', 'Size "L"'),
    question('h1', 'A heading', 'nf-text'),
    ...asFields([variable('cv_t', 'Total', ''), variable('cv_p', 'Price', '')]),
  ]);

  test.each([
    ['{p1} * {q1}', '{Price} * {How many?}'],
    ['{cv_t} + {p1}', '{Total} + {Price}'],
    // Equal names, names that no formula can hold, no name, and a name that is the id of another.
    ['{q1} + {q2} + {cv_p}', '{How many?} + {q2} + {cv_p}'],
    ['{b1} & {e1} & {x1} & {h1}', '{b1} & {e1} & {x1} & {h1}'],
    // Quotes hold texts, except within a name.
    [`CONCAT("{p1}", '{p1}', {p1}, "a ""{p1}""")`, `CONCAT("{p1}", '{p1}', {Price}, "a ""{p1}""")`],
    ['{t1} = "{p1}" & {t1}', '{Size "L"} = "{p1}" & {Size "L"}'],
    ['{gone} * 2', '{gone} * 2'],
    ['', ''],
    ['"{p1', '"{p1'],
  ])('%s is shown as %s, and stored as it was', (stored, shown) => {
    expect(names.toNames(stored)).toBe(shown);
    expect(names.toIds(shown)).toBe(stored);
    expect(names.toIds(stored)).toBe(stored);
  });

  test('names are matched exactly, but for spaces around them', () => {
    expect(names.toIds('{ Price }*{price}*{Price per}*{  Total  }')).toBe('{p1}*{price}*{Price per}*{cv_t}');
    expect([...namedIn('{ p1 } + "{no}" + {cv_t}')]).toEqual(['p1', 'cv_t']);
  });
});

describe('what is wrong', () => {
  const blocks = [question('p1', 'Price'), question('h1', 'A heading', 'nf-text')];
  const wrong = (...calculations: ReturnType<typeof variable>[]) => {
    const fields = fieldsOf({ properties: blocks, computed_variables: calculations });
    return Object.fromEntries(formulaProblems(calculations, blocks, formulaNames(fields)));
  };

  test('is told with names, and as a person would say it', () => {
    expect(
      wrong(
        variable('cv_a', 'Fine', '{p1} * 2 + {cv_f}'),
        variable('cv_b', 'Early', '{p1} *'),
        variable('cv_c', 'Side by side', '{p1} {cv_a}'),
        variable('cv_d', 'Unknown', '{Prise}'),
        variable('cv_e', 'Empty', '{ } + 1'),
        variable('cv_f', 'Not begun', ' '),
        variable('cv_g', 'Round', '{cv_h}'),
        variable('cv_h', 'And round', '{cv_g}'),
        variable('cv_i', 'Block', 'LEN({h1})'),
      ),
    ).toEqual({
      cv_b: 'The formula cannot be read: it ends too early.',
      cv_c: 'The formula cannot be read: “Fine” is not expected there.',
      cv_d: 'The published form has no question “Prise”, and there is no calculation of that name.',
      cv_e: 'Write the name of a question or a calculation between the braces.',
      cv_g: 'It leads back to itself: it counts with itself, or with a calculation that does.',
      cv_h: 'It leads back to itself: it counts with itself, or with a calculation that does.',
    });
    const chain = Array.from({ length: 25 }, (_, index) =>
      variable(`cv_${index}`, `${index}`, index === 0 ? '1' : `{cv_${index - 1}}`),
    );
    expect(wrong(...chain).cv_24).toBe('Too many calculations count with one another in a row.');
    expect(plainWords('The formula field is required.')).toBe('The formula field is required.');
  });

  test('a calculation is offered to none that it counts with', () => {
    const all = [
      variable('cv_a', 'A', '1'),
      variable('cv_b', 'B', '{cv_a}'),
      variable('cv_c', 'C', '{cv_b}'),
      variable('cv_d', 'D', '"{cv_a}"'),
    ];
    expect([...leadingTo('cv_a', all)]).toEqual(['cv_a', 'cv_b', 'cv_c']);
    expect([...leadingTo('cv_c', all)]).toEqual(['cv_c']);
  });
});

test('where a calculation is used is found everywhere', () => {
  const mention = '<span mention="true" mention-field-id="cv_a" mention-fallback="">A</span>';
  const conditions = {
    operatorIdentifier: 'and' as const,
    children: [
      {
        identifier: 'cv_a',
        value: { operator: 'equals', property_meta: { id: 'cv_a', type: 'computed' }, value: '1' },
      },
    ],
  };
  const block = { ...question('1', 'One'), logic: { conditions, actions: [] } };
  const users = {
    settings: {
      computed_variables: [variable('cv_a', 'A', '{cv_a}'), variable('cv_b', 'B', '{cv_a} + 1')],
      submitted_text: `<p>${mention}</p>`,
      redirect_url: `https://example.com/?a=${mention}`,
      endings: [
        { name: 'Asks', conditions },
        { name: 'Says', conditions: {}, redirect_url: mention },
        { name: 'Neither', conditions: {} },
      ],
      translations: { de: { submitted_text: mention } },
    },
    blocks: [
      block,
      block,
      { ...question('2', 'Two'), validation: { error_conditions: { conditions } } },
      { ...question('3', 'Three', 'nf-text'), content: mention },
    ],
    integrations: [
      { integration_id: 'webhook', logic: conditions, data: {} },
      { integration_id: 'email', logic: null, data: { subject: mention } },
    ],
  };
  expect(usesOf({ id: 'cv_a' }, users)).toEqual([
    'The calculation “B”',
    'The logic of “One”',
    'The validation of “Two”',
    'The text of “Three”',
    'The thank-you text',
    'The address after sending',
    'The ending “Asks”',
    'The ending “Says”',
    'A text in another language',
    'An integration: Webhook',
    'An integration: Mail to owners',
  ]);
  expect(usesOf({ id: 'cv_b' }, users)).toEqual([]);
});

test('every function is explained, as it is called', () => {
  const written = FUNCTION_GROUPS.flatMap(([, functions]) => functions.map(([one]) => one));
  expect(written.map((one) => one.replace(/\(.*/, '')).sort()).toEqual([...FUNCTIONS.keys()].sort());
  for (const one of written) {
    const call = one.replace(/(?<=[(, ])[a-z]+(?=[,)])/g, '1').replace(/, …/g, '');
    expect(() => parseFormula(call), one).not.toThrow();
  }
});
