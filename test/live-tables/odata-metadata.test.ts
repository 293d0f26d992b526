import { Parser } from 'htmlparser2';
import { expect, test } from 'vitest';
import { storeSubmissions } from '../exports/stored-submissions.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { expectCheap } from '../setup/processor-time.ts';
import { anODataReader } from './odata-reader.ts';

/** The metadata document keeps the rules of OData CSDL 4.0, and says what is in the answers. */
const home = useHome();

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

/** Only for documents without comments and the like. */
function readXml(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = { name, attributes, children: [], text: '' };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext(text) {
        (open.at(-1) as Element).text += text;
      },
      onclosetag(name, isImplied) {
        expect([open.pop()?.name, isImplied]).toEqual([name, expect.any(Boolean)]);
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  expect(open).toEqual([root]);
  return root.children.find(({ name }) => name === 'edmx:Edmx') as Element;
}

const within = ({ children }: Element, name: string) => children.filter((child) => child.name === name);
const one = (element: Element, name: string): Element => {
  const found = within(element, name);
  expect([name, found.length]).toEqual([name, 1]);
  return found[0] as Element;
};
const annotation = (element: Element, term: string): Element | undefined =>
  within(element, 'Annotation').find(({ attributes }) => attributes.Term === term);

/** OData CSDL 4.0, 17.2. */
const IDENTIFIER = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]{0,127}$/u;
const IN_JSON: Record<string, (value: unknown) => boolean> = {
  'Edm.String': (value) => typeof value === 'string',
  'Edm.Double': (value) => typeof value === 'number',
  'Edm.Int32': (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31,
  'Edm.Int64': (value) => Number.isSafeInteger(value),
  'Edm.Boolean': (value) => typeof value === 'boolean',
  'Edm.Date': (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)),
  'Edm.DateTimeOffset': (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value)),
};

const NAMES = [
  'Name',
  'name',
  '?',
  '2nd',
  'id',
  'Created at',
  'Answers other',
  '名前は何ですか',
  'मैं कौन हूँ',
  'Κατάσταση',
  '😀 How?',
  '𝒳 𐐀 𠮷',
  '① ② a\u20dd',
  '"quoted" <b>&amp; \u0007\ufffe\n\tx',
  'select',
  'x'.repeat(300),
  'é'.normalize('NFD').repeat(40),
];

async function described(properties: object[], answers: object[] = []) {
  const form = await home.form({ properties });
  await storeSubmissions(home.service, form.id, answers);
  const reader = await anODataReader(home, form);
  const { text, headers, status } = await reader.get('$metadata', { accept: 'application/xml' });
  expect(status).toBe(200);
  expect([headers.get('content-type'), headers.get('odata-version')]).toEqual([
    'application/xml; charset=utf-8',
    '4.0',
  ]);
  const edmx = readXml(text);
  expect(edmx.attributes).toEqual({
    Version: '4.0',
    'xmlns:edmx': 'http://docs.oasis-open.org/odata/ns/edmx',
  });
  const schema = one(one(edmx, 'edmx:DataServices'), 'Schema');
  expect(schema.attributes.xmlns).toBe('http://docs.oasis-open.org/odata/ns/edm');
  const types = within(schema, 'EntityType');
  const container = one(schema, 'EntityContainer');
  const sets = within(container, 'EntitySet');
  const names = [...types, container].map(({ attributes }) => attributes.Name);
  expect(new Set(names).size).toBe(names.length);
  expect(sets).toHaveLength(types.length);
  return {
    reader,
    container,
    sets: sets.map((set) => {
      const type = types.find(
        ({ attributes }) => `${schema.attributes.Namespace}.${attributes.Name}` === set.attributes.EntityType,
      );
      return { name: set.attributes.Name as string, set, type: type as Element };
    }),
  };
}

/** Checks a type, and that the entities are of it. @returns the properties by the question that they say */
function expectSound({ set, type }: { set: Element; type: Element }, entities: any[]): Map<string, Element> {
  expect(set.attributes.Name).toMatch(IDENTIFIER);
  expect(type.attributes.Name).toMatch(IDENTIFIER);
  const properties = within(type, 'Property');
  const names = properties.map(({ attributes }) => attributes.Name as string);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(IDENTIFIER);
  // Many clients look at characters of 16 bits.
  expect(names.filter((name) => /[\ud800-\udfff]/.test(name))).toEqual([]);
  const keys = within(one(type, 'Key'), 'PropertyRef').map(({ attributes }) => attributes.Name);
  for (const key of keys)
    expect(properties.find(({ attributes }) => attributes.Name === key)?.attributes.Nullable).toBe('false');
  for (const entity of entities) {
    expect(Object.keys(entity)).toEqual(names);
    for (const { attributes } of properties) {
      const { Name: name = '', Type: edmType = '', Nullable: nullable } = attributes;
      const isFine = entity[name] === null ? nullable !== 'false' : IN_JSON[edmType]?.(entity[name]);
      expect([name, edmType, entity[name], isFine]).toEqual([name, edmType, entity[name], true]);
    }
  }
  for (const [term, member] of [
    ['FilterRestrictions', 'NonFilterableProperties'],
    ['SortRestrictions', 'NonSortableProperties'],
  ]) {
    const record = one(annotation(set, `Org.OData.Capabilities.V1.${term}`) as Element, 'Record');
    const [value] = within(record, 'PropertyValue');
    expect(value?.attributes.Property).toBe(member);
    for (const { text } of within(one(value as Element, 'Collection'), 'PropertyPath'))
      expect(names).toContain(text);
  }
  return new Map(
    properties.flatMap((property) => {
      const question = annotation(property, 'Org.OData.Core.V1.Description')?.attributes.String;
      return question === undefined ? [] : [[question, property]];
    }),
  );
}

const TYPES: [type: string, edmType: string, more: object, answers: unknown[]][] = [
  ['text', 'Edm.String', {}, ['a', '=1', 'x\ny', '\u2028']],
  ['number', 'Edm.Double', {}, [1.5, -1e-7, 2 ** 53 - 1, 1e300]],
  ['number', 'Edm.Int64', { whole_number: true }, [7, -(2 ** 53 - 1), 1.5]],
  ['rating', 'Edm.Int32', {}, [5, 2 ** 40]],
  ['checkbox', 'Edm.Boolean', {}, [true, false]],
  ['date', 'Edm.Date', {}, ['0001-01-01', '9999-12-31', '2026-02-30', '2026-05-01T10:00']],
  ['date', 'Edm.String', { with_time: true }, ['2026-05-01T10:00', '2026-05-01T10:00:00.5']],
  ['email', 'Edm.String', {}, ['a@b.example']],
  ['select', 'Edm.String', { options: ['a', 'b'] }, ['a', ['a', 'b']]],
  ['multi_select', 'Edm.String', { options: ['a', 'b'] }, [['a', 'b'], [], 'a', ['a', null]]],
  ['ranking', 'Edm.String', { options: ['a', 'b'] }, [['b', 'a']]],
  ['signature', 'Edm.String', {}, ['Ada', 'sig_0b0e7b0e-0000-4000-8000-000000000001.png']],
  ['mystery', 'Edm.String', {}, [{ a: ['b', null] }, 5, [null]]],
];

test('every type of question has its type, and every answer fits it', async () => {
  const properties = TYPES.map(([type, , more], index) =>
    aField(`${10 + index}`, type, `Q${index}`, more as object as Record<string, unknown>),
  );
  const everything: unknown[] = [
    ...TYPES.flatMap(([, , , answers]) => answers),
    null,
    {},
    [{}],
    [{ a: 1 }],
    -0,
  ];
  const answers = everything.map((_, turn) =>
    Object.fromEntries(
      properties.map(({ id }, index) => [id, everything[(turn + index) % everything.length]]),
    ),
  );
  const { reader, sets } = await described(properties, answers);
  expect(sets.map(({ name }) => name)).toEqual(['Submissions']);
  const entities = await reader.values('Submissions');
  expect(entities).toHaveLength(everything.length);
  const byQuestion = expectSound(sets[0] as any, entities);
  expect(TYPES.map(([type], index) => [type, byQuestion.get(`Q${index}`)?.attributes.Type])).toEqual(
    TYPES.map(([type, edmType]) => [type, edmType]),
  );
});

test('every name is legal, and no two are alike', async () => {
  const questions = NAMES.map((name, index) => ({ id: `q${index}`, type: 'number', name }));
  const rows = [...NAMES.map((name) => name.slice(0, 90)), 'Other', 'other'];
  const grid = { id: 'grid', type: 'matrix', name: 'Grid', rows, columns: ['a'] };
  const repeated = NAMES.map((name, index) => {
    const asked = index === 0 ? questions : questions.slice(0, 1);
    return { id: `r${index}`, type: 'repeat', name, questions: asked };
  });
  const { reader, sets } = await described(
    [...questions, ...repeated, grid],
    [
      {
        ...Object.fromEntries(questions.map(({ id }, index) => [id, index])),
        ...Object.fromEntries(repeated.map(({ id }) => [id, [{ q0: 1, q1: 2 }]])),
        grid: Object.fromEntries(rows.map((row) => [row, 'a'])),
      },
    ],
  );
  expect(sets).toHaveLength(1 + repeated.length);
  for (const found of sets) {
    const entities = await reader.values(encodeURIComponent(found.name));
    expect(entities).toHaveLength(1);
    expectSound(found, entities);
  }
  const values = Object.values((await reader.values('Submissions'))[0]);
  expect(values.filter((value) => typeof value === 'number')).toHaveLength(1 + questions.length);
  expect(values.filter((value) => value === 'a')).toHaveLength(rows.length);
});

test('thousands of rows with the same name are numbered without much work', async () => {
  const rows = Array.from({ length: 2_000 }, (_, index) => `Line ${'x'.repeat(48)} ${index}`);
  const form = await home.form({
    properties: [{ id: 'grid', type: 'matrix', name: 'Grid', rows, columns: ['a'] }],
  });
  const { get } = await anODataReader(home, form);
  let text = '';
  await expectCheap(2_000, async () => {
    text = (await get('$metadata')).text;
  });
  for (const name of ['grid__line', 'grid__line_2', 'grid__line_2000']) expect(text).toContain(`"${name}"`);
});

test('a question is there as it is asked, but for what XML cannot hold', async () => {
  const { reader, sets } = await described([aField('10', 'text', 'Line 1\nLine 2 "<&>\u0007')]);
  const questions = expectSound(sets[0] as any, await reader.values('Submissions'));
  expect([...questions.keys()]).toEqual(['Line 1\nLine 2 "<&>']);
});

test('a form without a question has its submissions', async () => {
  const { reader, sets, container } = await described([], [{}]);
  expect(expectSound(sets[0] as any, await reader.values('Submissions')).size).toBe(0);
  expect(annotation(container, 'Org.OData.Capabilities.V1.ConformanceLevel')?.attributes.EnumMember).toMatch(
    /Minimal$/,
  );
});
