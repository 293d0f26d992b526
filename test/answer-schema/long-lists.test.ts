import { expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';
import { expectCompiles } from './type-check.ts';
import { readSchema, readTypes, validatorsOf } from './validators.ts';

/** Long lists of names, which all rows of a matrix share. */
const home = useHome();

const COLUMNS = Array.from({ length: 20 }, (_, n) => `${n} ${'column '.repeat(60)}`);
const ROWS = Array.from({ length: 400 }, (_, n) => `Row ${n}`);
const MATRIX = { type: 'matrix', rows: ROWS, columns: COLUMNS };

test('stand once in a description, for however many rows', async () => {
  const questions = [{ id: 'inner', name: 'Again', type: 'multi_select', options: COLUMNS }];
  const properties = [
    { id: 'm', name: 'Matrix', ...MATRIX, required: true },
    { id: 'kept', name: 'Not for long', type: 'select', options: COLUMNS, retention_days: 7 },
    { id: 'own', name: 'Own', type: 'select', options: COLUMNS, allow_creation: true },
    { id: 'repeat', name: 'Repeat', type: 'repeat', questions },
  ];
  const form = await home.form({ properties });
  const schema = await readSchema(home, form);
  expect(JSON.stringify(schema).length).toBeLessThan(4 * JSON.stringify(properties).length);
  const types = await readTypes(home, form);
  expect(types.length).toBeLessThan(4 * JSON.stringify(properties).length);

  const [column] = COLUMNS;
  const answers = {
    m: Object.fromEntries(ROWS.map((row) => [row, column])),
    kept: column,
    own: 'mine',
    repeat: [{ inner: [column] }],
  };
  const { fits, expectFits } = validatorsOf(schema);
  expectFits('Answers', answers);
  expectFits('Answers', { ...answers, kept: null });
  for (const wrong of [{ m: { ...answers.m, 'Row 7': 'x' } }, { kept: 'x' }, { repeat: [{ inner: ['x'] }] }])
    expect(fits('Answers', { ...answers, ...wrong }), Object.keys(wrong)[0]).toBe(false);
  await expectCompiles({
    'answers.ts': types,
    'right.ts': `import type { Answers } from './answers.ts';
      export const answers: Answers = ${JSON.stringify(answers)};`,
    'wrong.ts': `import type { Answers } from './answers.ts';
      // @ts-expect-error: no column
      export const row: Answers['m']['Row 7'] = 'x';
      // @ts-expect-error: no option
      export const kept: Answers['kept'] = 'x';`,
  });
});
