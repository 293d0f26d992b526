import { expect, test } from 'vitest';
import { type People, readPeople } from '../../dashboard/recipients/read-people.ts';
import { aField } from '../setup/factories.ts';

const number = aField('02', 'text', 'Member number');
const read = (text: string): People => readPeople(text, [number] as never);
const ADA = { name: 'Ada Lovelace', email: 'ada@example.org' };
const BOB = { name: 'Bob', email: 'bob@example.org' };

test.each([
  ['Ada Lovelace <ada@example.org>; Bob <bob@example.org>', [ADA, BOB]],
  ['Ada Lovelace <ada@example.org>, "Bob" <bob@example.org>', [ADA, BOB]],
  [
    '"Lovelace, Ada" <ada@example.org>\nHopper, Grace <grace@example.org>; bob@example.org',
    [
      { name: 'Lovelace, Ada', email: 'ada@example.org' },
      { name: 'Hopper, Grace', email: 'grace@example.org' },
      { email: 'bob@example.org' },
    ],
  ],
  ['ada@example.org, bob@example.org', [{ email: 'ada@example.org' }, { email: 'bob@example.org' }]],
])('people are taken from a mail program: %j', (text, people) => {
  expect(read(text)).toMatchObject({ people, unread: [] });
});

test.each([
  ['Ada Lovelace\tada@example.org\nBob\tbob@example.org', []],
  ['"Ada Lovelace",mailto:ada@example.org\nBob,\u200bbob@example.org', []],
  ['First name;Last name;E-mail\nAda;Lovelace;ada@example.org\nBob;;bob@example.org', []],
  ['sep=;\r\nName;E-mail\r\nAda Lovelace;ada@example.org\r\nBob;bob@example.org', []],
  [
    'Vorname;Nachname;Adresse\nAda;Lovelace;ada@example.org\nBob;;bob@example.org',
    ['Vorname', 'Nachname', 'Adresse'],
  ],
  ['Ada Lovelace;ada@example.org;ada@home.example\nBob;bob@example.org', []],
])('people are taken from a table: %j', (text, ignored) => {
  expect(read(text)).toMatchObject({ people: [ADA, BOB], unread: [], ignored });
});

test.each([
  'ada@example.org;\nbob@example.org;\ncleo@example.org;Cleo\n"dan@example.org";"Dan; Esq."',
  'ada@example.org\nbob@example.org\n\nCleo;cleo@example.org\n"Dan; Esq." <dan@example.org>',
])('whoever has no name makes nobody else of the names of others: %j', (text) => {
  expect(read(text)).toMatchObject({
    people: [
      { email: 'ada@example.org' },
      { email: 'bob@example.org' },
      { name: 'Cleo', email: 'cleo@example.org' },
      { name: 'Dan; Esq.', email: 'dan@example.org' },
    ],
    unread: [],
  });
});

test('questions are filled in, by the names of columns', () => {
  const { people, filledIn } = read('name,member number\nAda,4711\nBob,');
  expect([people, filledIn]).toEqual([
    [{ name: 'Ada', prefill: { [number.id]: '4711' } }, { name: 'Bob' }],
    ['member number'],
  ]);
});

test('rows that the service would refuse are named, each once', () => {
  const long = 'x'.repeat(256);
  const { people, unread } = read(
    `Ada,ada@example..org\nBob,bob@example.org\n${long},long@example.org\n<a@b@c>; <d@e@f>`,
  );
  expect([people.length, unread]).toEqual([1, [1, 3, 4]]);
});

test('an address of any script is good, also where letters have marks', () => {
  const people = [{ email: 'jürgen@example.org' }, { email: 'ada@उदाहरण.भारत' }];
  expect(read('email\njürgen@example.org\nada@उदाहरण.भारत')).toMatchObject({ people, unread: [] });
});

test.each([
  'Email 1;Name\nada@example.org;Ada Lovelace',
  'Name,E-mail 1 - Value\nAda Lovelace,ada@example.org\nCleo,',
])('addresses are found under another name of their column: %j', (text) => {
  const { people, ignored } = read(text);
  expect([people[0], ignored]).toEqual([ADA, []]);
});

test('a row that fills in more than the service takes is named', () => {
  const { people, unread } = read(`name,member number\nAda,${'x'.repeat(20_000)}\nBob,4711`);
  expect([people, unread]).toEqual([[{ name: 'Bob', prefill: { [number.id]: '4711' } }], [2]]);
});

test('an address that comes twice is one person, with the last name that was given', () => {
  const { people } = read(
    'Ada <ada@example.org>; Ada Lovelace <Ada@example.org>; ada@example.org; bob@example.org',
  );
  expect(people).toEqual([ADA, { email: 'bob@example.org' }]);
  expect(read('Ada\nAda').people).toHaveLength(2);
});
