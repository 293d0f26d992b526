import { expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';
import { expectCheap } from '../setup/processor-time.ts';
import { download } from './download.ts';
import { readSav } from './sav-reader.ts';
import { storeSubmissions } from './stored-submissions.ts';

/** SPSS limits labels of variables to 255 bytes, those of values to 120, and names to 64. Surveys do not. */
const home = useHome();
const QUESTION = `How satisfied were you, all things considered, with ${'the way in which '.repeat(25)}we did it?`;
const OPTION = `An option with a very long name that goes on and on, beyond ${'what a label may hold, '.repeat(10)}number`;
const OPTIONS = [
  `${OPTION} 1`,
  `${OPTION} 2`,
  'Ü'.repeat(200),
  `${'Ü'.repeat(100)}E${'Ü'.repeat(99)}`,
  'Short',
];
const PROPERTIES = [
  { id: 'several', type: 'multi_select', name: QUESTION, options: OPTIONS },
  { id: 'one', type: 'select', name: `${QUESTION} Only one.`, options: OPTIONS },
  { id: 'rows', type: 'matrix', name: `${QUESTION} Each.`, rows: ['Speed', 'Price'], columns: OPTIONS },
];

async function read(form: { id: number }, columns: string[]) {
  const response = await download(home, form, 'sav', columns);
  expect(response.status).toBe(200);
  return readSav(Buffer.from(await response.arrayBuffer()));
}

test('labels of long questions and options stay within the limits, and no two options have the same', async () => {
  const form = await home.form({ properties: PROPERTIES });
  await home.submit(form, { several: [OPTIONS[1]], one: OPTIONS[1], rows: { Price: OPTIONS[3] } });
  const { variables, cases, sets } = await read(form, ['several', 'one', 'rows']);
  const labels = variables.map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
  for (const label of labels) expect(Buffer.byteLength(label)).toBeLessThanOrEqual(255);
  expect(labels[1]).toMatch(/^How satisfied .*….*we did it\?: An option with .*….* number 2$/);
  expect(labels[4]).toMatch(/^How satisfied .*….*we did it\?: Short$/);
  expect(labels[5]).toMatch(/^How satisfied .*….*we did it\? Only one\.$/);
  expect(labels[6]).toMatch(/^How satisfied .*….*we did it\? Each\.: Speed$/);

  const texts = (variables[5]?.valueLabels ?? []).map(([, text]) => text);
  expect(new Set(texts).size).toBe(OPTIONS.length);
  for (const text of texts) {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(120);
    expect(text).not.toContain('\ufffd');
  }
  expect(texts[1]).toMatch(/^An option with .*….* number 2$/);
  expect(texts[3]).toMatch(/^Ü+…Ü+ \(2\)$/);
  expect(Object.values(cases[0] ?? {})).toEqual([0, 1, 0, 0, 0, 2, null, 4]);

  const [set] = sets;
  expect(set?.members).toEqual(variables.slice(0, 5).map(({ name }) => name));
  // With the `$` before it; PSPP leaves out a set with a longer name.
  expect(Buffer.byteLength(set?.name ?? '')).toBeLessThanOrEqual(63);
});

test('two sets of long questions have two names', async () => {
  const several = (id: string, name: string) => ({ id, type: 'multi_select', name, options: ['A', 'B'] });
  const form = await home.form({
    properties: [several('x', QUESTION), several('y', `${QUESTION} Really?`)],
  });
  const { sets } = await read(form, ['x', 'y']);
  expect(new Set(sets.map(({ name }) => name)).size).toBe(2);
});

test('a single answer, from before the question took several, is one of its options', async () => {
  const form = await home.form({
    properties: [{ id: 'pets', type: 'multi_select', name: 'Pets', options: ['Cat', 'Dog'] }],
  });
  await storeSubmissions(home.service, form.id, [{ pets: 'Dog' }, { pets: 'Newt' }, { pets: ['Cat'] }]);
  const { cases } = await read(form, ['pets']);
  expect(cases.toReversed()).toEqual([
    { Pets_1: 0, Pets_2: 1, Pets_text: '' },
    { Pets_1: 0, Pets_2: 0, Pets_text: 'Newt' },
    { Pets_1: 1, Pets_2: 0, Pets_text: '' },
  ]);
});

test('a day before the calendar of SPSS is a text, which SPSS shows', async () => {
  const form = await home.form({ properties: [{ id: 'day', type: 'date', name: 'Day' }] });
  await storeSubmissions(home.service, form.id, [{ day: '1582-10-14' }, { day: '1582-10-15' }]);
  const { cases } = await read(form, ['day']);
  expect(cases.toReversed()).toEqual([
    { Day: null, Day_text: '1582-10-14' },
    { Day: 86_400, Day_text: '' },
  ]);
});

test('many long options that differ in their middle cost little, and stay apart', async () => {
  const options = Array.from({ length: 2_000 }, (_, n) => `${'x'.repeat(200)}${n}${'y'.repeat(200)}`);
  const form = await home.form({ properties: [{ id: 'q', type: 'select', name: 'Q', options }] });
  await expectCheap(1_000, async () => {
    const { variables } = await read(form, ['q']);
    const labels = variables[0]?.valueLabels.map(([, label]) => label) ?? [];
    expect(new Set(labels).size).toBe(options.length);
    expect(labels.at(-1)).toMatch(/^x+…y+ \(2000\)$/);
  });
});
