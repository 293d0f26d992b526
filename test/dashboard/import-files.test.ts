import { describe, expect, test } from 'vitest';
import { habitsOf } from '../../dashboard/import/habits.ts';
import { matchColumns } from '../../dashboard/import/match-columns.ts';
import { compileRows, finishedRows, inOrderOfTime } from '../../dashboard/import/read-rows.ts';
import { type Chosen, readTable } from '../../dashboard/import/read-table.ts';
import { targetsOf } from '../../dashboard/import/targets.ts';
import { usualEncoding } from '../../dashboard/lib/encodings.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

/** Reading files for import, without the dialog. */
const home = useHome();

const number = aField('02', 'number', 'Price');
const topics = aField('03', 'multi_select', 'Topics', {
  multi_select: { options: ['Garden', 'Food, drinks', 'Art'].map((name) => ({ name })) },
});
const staff = aField('04', 'matrix', 'Staff', { rows: ['Bar', 'Desk'], columns: ['Good', 'Bad'] });
const born = aField('05', 'date', 'Born');
const tags = aField('08', 'multi_select', 'Tags', {
  multi_select: { options: [{ name: 'Own' }] },
  allow_creation: true,
});
const stay = aField('07', 'date', 'Stay', { date_range: true });
const guests = aField('06', 'repeat', 'Guests', {
  questions: [
    { id: 'name', type: 'text', name: 'Name' },
    { id: 'age', type: 'number', name: 'Age' },
    { id: 'came', type: 'date', name: 'Came' },
  ],
});
const aForm = () =>
  home.form({ properties: [aTextField(), number, topics, staff, born, stay, tags, guests] });

const tableOf = (content: string | Uint8Array<ArrayBuffer>, chosen?: Chosen) =>
  readTable(new File([content], 'answers.csv'), chosen);

async function imported(content: string | Uint8Array<ArrayBuffer>) {
  const form = await aForm();
  const table = await tableOf(content);
  const targets = targetsOf(form, table);
  const matched = matchColumns(table, targets, form);
  const habits = habitsOf(table, matched, targets);
  const ways = { dayFirst: false, zone: table.zone ?? 'UTC', habits };
  const rows = finishedRows(table, matched);
  const submissions = inOrderOfTime(rows, matched, ways).map(compileRows(matched, targets, ways));
  const path = `/open/forms/${form.id}/submissions/import`;
  const answer = await home.call('POST', path, { submissions, skip_invalid: true });
  expect(answer.status, answer.text).toBe(200);
  const records = (await home.records(form)).toReversed();
  return {
    refused: answer.body.refused.map(({ errors }: any) => Object.values(errors).flat().join(' ')),
    answers: records.map(({ data: { id: _, submission_id, status, created_at, ...answers } }) => answers),
    times: records.map(({ created_at }) => created_at),
    unfinished: table.rows.length - rows.length,
    habits,
    table,
  };
}

test('entries of repeated questions are read as exports write them', async () => {
  const { answers, refused } = await imported(
    'Guests\nName: Ann; Age: 3 | Name: Ben\n"[{""name"":""Cleo""}]"\nName: Dora; Age: many\n',
  );
  expect(answers).toEqual([
    { [guests.id]: [{ name: 'Ann', age: 3 }, { name: 'Ben' }] },
    { [guests.id]: [{ name: 'Cleo' }] },
  ]);
  expect(refused).toHaveLength(1);
});

describe('the columns of a file', () => {
  test.each([
    ['semicolons and CRLF', 'Name;Price\r\nAda;36\r\nBob;41\r\n'],
    ['tabs', 'Name\tPrice\nAda\t36\nBob\t41\n'],
    ['empty lines before and between', '\n \nName,Price\nAda,36\n\nBob,41\n\n'],
    ['what Excel says of them', 'sep=;\r\nName;Price\r\nAda;36\r\nBob;41\r\n'],
    ['what Excel says of them, and a mark', '\ufeff"sep=|"\nName|Price\nAda|36\nBob|41'],
  ])('with %s', async (_, content) => {
    const { answers } = await imported(content);
    expect(answers).toEqual([
      { [TEXT_FIELD_ID]: 'Ada', [number.id]: 36 },
      { [TEXT_FIELD_ID]: 'Bob', [number.id]: 41 },
    ]);
  });

  test('rows are counted as a spreadsheet shows them', async () => {
    const numbers = async (content: string) => (await tableOf(content)).rows.map((row) => row.number);
    expect(await numbers('Name\na\n\nb')).toEqual([2, 4]);
    expect(await numbers('\n\nName\na')).toEqual([4]);
    expect(await numbers('sep=,\nName,Price\na,1')).toEqual([2]);
  });

  test('a row has the mark it always had, and no line break of Windows', async () => {
    const marks = async (content: string) => (await tableOf(content)).rows.map(({ mark }) => mark);
    const own = 'Name\n"a\r\nb"\n';
    const windows = own.replaceAll(/\r?\n/g, '\r\n');
    expect(await marks(windows)).toEqual(await marks(own));
    expect((await imported(windows)).answers).toEqual([{ [TEXT_FIELD_ID]: 'a\nb' }]);
    // Exports end their lines with LF, so line breaks within answers come back unchanged.
    expect((await imported(own)).answers).toEqual([{ [TEXT_FIELD_ID]: 'a\r\nb' }]);
  });

  test.each(['\r\n', '\n'])(
    'of a large file, cut into pieces anywhere, quotation marks end as they should: %j',
    async (newline) => {
      const start = `Price,Name${newline}1,"`;
      for (const over of [0, 1, 2, 3]) {
        const text = 'x'.repeat(2_000_000 - start.length - over);
        const { rows } = await tableOf(`${start}${text}"${newline}2,"b"${newline}`);
        expect(rows.map(({ cells: [first] }) => first)).toEqual(['1', '2']);
      }
    },
  );

  test.each([
    ['Name,Price\r\nAda,36\nBob,41\nCleo,7\n'],
    ['Price,Name\n36,Ada\r\n41,Bob\r\n7,Cleo\r\n'],
    ['Name,Price\n"Ada",36\r\n"Bob","41"\n"Cleo","7"\r\n'],
  ])('lines may end in two ways: %j', async (content) => {
    const { answers } = await imported(content);
    expect(answers).toEqual([
      { [TEXT_FIELD_ID]: 'Ada', [number.id]: 36 },
      { [TEXT_FIELD_ID]: 'Bob', [number.id]: 41 },
      { [TEXT_FIELD_ID]: 'Cleo', [number.id]: 7 },
    ]);
  });

  test.each([
    ['windows-1250', [0x4d, 0x69, 0x63, 0x68, 0x61, 0xb3], 'Michał', 'pl-PL'],
    ['windows-1251', [0xc0, 0xed, 0xed, 0xe0], 'Анна', 'uk'],
    ['shift_jis', [0x91, 0xbe, 0x98, 0x59], '太郎', 'ja-JP'],
    ['big5', [0xa4, 0xd3, 0xad, 0xa6], '太郎', 'zh-Hant-TW'],
    ['gb18030', [0xcc, 0xab, 0xc0, 0xc9], '太郎', 'zh-CN'],
    ['windows-1252', [0x80, 0xe9], '€é', 'fr'],
  ])('letters in %s', async (encoding, bytes, name, language) => {
    const file = Uint8Array.from([...new TextEncoder().encode('Name;Price\n'), ...bytes, 0x3b, 0x31]);
    const table = await tableOf(file, { encoding });
    expect(table).toMatchObject({ reading: { encoding }, lost: 0, rows: [{ cells: [name, '1'] }] });
    expect(usualEncoding(language)).toBe(encoding);
    const unicode = await tableOf(`Name;Price\n${name};1`, { encoding });
    expect(unicode).toMatchObject({ reading: { encoding: null }, rows: [{ cells: [name, '1'] }] });
  });

  test('a byte that somebody damaged is lost alone; another encoding is another', async () => {
    const bytes = new TextEncoder().encode('Name\nMüller ä ö ü ?\n');
    bytes[bytes.indexOf(0x3f)] = 0xfc;
    const { answers, table } = await imported(bytes);
    expect(answers).toEqual([{ [TEXT_FIELD_ID]: 'Müller ä ö ü \ufffd' }]);
    expect(table.lost).toBe(1);
    const western = Uint8Array.from('Name\nMüller, “ä”'.replace(/[“”]/g, '"'), (c) => c.charCodeAt(0));
    expect(await tableOf(western, { delimiter: ';' })).toMatchObject({
      lost: 0,
      rows: [{ cells: ['Müller, "ä"'] }],
    });
  });
});

describe('a file in UTF-16', () => {
  /** With a byte order mark, as spreadsheets write it. */
  const inUtf16 = (text: string, isBigEndian: boolean) => {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    return Uint8Array.from(isBigEndian ? bytes.swap16() : bytes);
  };

  test.each([false, true])('tells of halves of characters (big endian: %s)', async (isBigEndian) => {
    const whole = await tableOf(inUtf16('Name\tPrice\n😀 \ufffd\t1', isBigEndian));
    expect(whole).toMatchObject({ lost: 0, rows: [{ cells: ['😀 \ufffd', '1'] }] });
    const damaged = await tableOf(inUtf16('Name\tPrice\nA\ud83d\t1\nB\udc00\t2', isBigEndian));
    expect(damaged).toMatchObject({
      lost: 2,
      rows: [{ cells: ['A\ufffd', '1'] }, { cells: ['B\ufffd', '2'] }],
    });
  });
});

describe('what products export', () => {
  test('prices of a German spreadsheet', async () => {
    const { answers } = await imported('Name;Price\na;1.234,50\nb;1.234\nc;12.500\nd;0,5\n');
    expect(answers.map((answer) => answer[number.id])).toEqual([1234.5, 1234, 12500, 0.5]);
  });

  test.each([
    ['a column tells it by another number', 'Price,Guests\n"1,234",Age: 3\n3.5,\n', null],
    ['another column tells it', 'Price;Guests\n45.000;Age: 0,5\n', null],
    ['nothing does', 'Name;Price\na;45.000\nb;52\n', '45.000'],
    ['what is asked in entries', 'Guests\n"Age: 1,234"\n', '1,234'],
    ['an export of Formstead does', 'submission_id,created_at,Price\n,,1.234\n', null],
    ['a column tells both', 'Price\n3.5\n"3,5"\n1.234\n', '1.234'],
    ['whole numbers and fractions', 'Price\n12\n0.125\n3.5\n', null],
  ])('whether somebody has to say what a number is: %s', async (_, content, expected) => {
    expect((await imported(content)).habits.openNumber).toBe(expected);
  });

  test('amounts of countries where a point stands between thousands', async () => {
    const { answers } = await imported('Name;Price\na;1.500.000\nb;750.000\nc;12\n');
    expect(answers.map((answer) => answer[number.id])).toEqual([1_500_000, 750_000, 12]);
  });

  test('the whole answer beside a column for each option', async () => {
    const { answers, refused } = await imported(
      'Name,Topics,Topics (Garden),"Topics (Food, drinks)",Topics (Art)\na,"Food, drinks, Art",false,true,true\nb,,true,,\n',
    );
    expect(refused).toEqual([]);
    expect(answers.map((answer) => answer[topics.id])).toEqual([['Food, drinks', 'Art'], ['Garden']]);
  });

  test('a cell of a grid that the form does not know is told of its row', async () => {
    const { answers, refused } = await imported('Name,Staff [Bar],Staff [Desk]\na,Unknown,Bad\nb,Good,\n');
    expect(refused).toEqual(["Invalid value for row 'Bar'."]);
    expect(answers).toEqual([{ [TEXT_FIELD_ID]: 'b', [staff.id]: { Bar: 'Good' } }]);
  });

  test('days and months stand as their column tells it, also those of ranges and of repeated questions', async () => {
    const { answers, times, habits } = await imported(
      [
        'Timestamp,Name,Born,Stay,Guests',
        '5/13/2024 10:00,Ada,25/12/1990,05/12/2024 - 31/12/2024,Came: 5/1/2024; Name: Ann | Came: 5/30/2024',
        '4/3/2024 10:00,Bob,05/04/1990,01/02/2024 - 03/04/2024,',
      ].join('\n'),
    );
    expect(habits.areDatesOpen).toBe(false);
    expect(times).toEqual(['2024-04-03T10:00:00.000Z', '2024-05-13T10:00:00.000Z']);
    expect(answers).toMatchObject([
      { [born.id]: '1990-04-05', [stay.id]: ['2024-02-01', '2024-04-03'] },
      {
        [stay.id]: ['2024-12-05', '2024-12-31'],
        [guests.id]: [{ came: '2024-05-01', name: 'Ann' }, { came: '2024-05-30' }],
      },
    ]);
  });

  test('what people wrote beside the options has a column of its own', async () => {
    const { answers, refused } = await imported(
      'Name,Tags [Own],Tags [Other]\na,Yes,"Boats, old ones"\nb,Yes,Own\nc,No,Own\n',
    );
    expect(refused).toEqual([]);
    expect(answers.map((answer) => answer[tags.id])).toEqual([['Own', 'Boats, old ones'], ['Own'], ['Own']]);
  });

  test.each([
    ['a range', 'Stay\n5/1/2024 - 6/1/2024\n', true],
    ['an entry', 'Guests\nCame: 5/1/2024\n', true],
    [
      'two columns that differ, and a third',
      'Timestamp,Born,Stay\n5/13/2024,25/12/1990,1/2/2024 - 3/4/2024\n',
      true,
    ],
    ['one column that differs', 'Born\n25/12/1990\n12/25/1990\n1/2/1990\n', true],
    ['a column beside one that tells', 'Timestamp,Born\n5/13/2024,1/2/1990\n', false],
  ])('whether somebody has to say it: %s', async (_, content, expected) => {
    expect((await imported(content)).habits.areDatesOpen).toBe(expected);
  });

  test('what stands in the column of an option and is neither yes nor no is an answer, or refused', async () => {
    const { answers, refused } = await imported(
      'Name,Topics [Garden],Topics [Art],Tags [Own]\na,Yes,Sculptures,\nb,No,Art,"Boats, old ones"\nc,checked,-,No\n',
    );
    expect(refused).toHaveLength(1);
    expect(refused[0]).toContain('Topics');
    expect(answers).toEqual([
      { [TEXT_FIELD_ID]: 'b', [topics.id]: ['Art'], [tags.id]: ['Boats, old ones'] },
      { [TEXT_FIELD_ID]: 'c', [topics.id]: ['Garden'] },
    ]);
  });

  test.each([
    ['OpnForm', 'Name,Status\nAda,Completed\nBob,In Progress\n'],
    ['LimeSurvey', 'Response ID,Date submitted,Name\n1,2024-05-01 13:45:12,Ada\n2,,Bob\n'],
    ['LimeSurvey with codes', 'id,submitdate,Name\n1,2024-05-01 13:45:12,Ada\n2,,Bob\n'],
    ['LimeSurvey in German', 'Antwort ID,Datum Abgeschickt,Name\n1,2024-05-01 13:45:12,Ada\n2,,Bob\n'],
    ['Typeform', 'Name,Response Type\nAda,completed\nBob,partial\n'],
  ])('unfinished responses of %s are left out', async (_, content) => {
    const { answers, unfinished } = await imported(content);
    expect(answers).toEqual([{ [TEXT_FIELD_ID]: 'Ada' }]);
    expect(unfinished).toBe(1);
  });

  test('the time of Google Forms in German, of Microsoft Forms, and how long Formstead took', async () => {
    const google = await imported('Zeitstempel,Name\n13.05.24 13:45:12,Ada\n');
    expect(google.times).toEqual(['2024-05-13T13:45:12.000Z']);
    const microsoft = await imported(
      'ID,Start time,Completion time,Name\n1,5/13/24 13:40:00,5/13/24 13:45:12,Ada\n',
    );
    expect(microsoft.times).toEqual(['2024-05-13T13:45:12.000Z']);
    const form = await aForm();
    const table = await tableOf('Name,Completion time\nAda,42\n');
    const matched = matchColumns(table, targetsOf(form, table), form);
    expect(matched).toEqual([`field ${TEXT_FIELD_ID}`, 'completion_time']);
  });

  test('of a birthday with two digits the century is that of spreadsheets, of a response the last one', async () => {
    const { answers, times } = await imported('Timestamp,Name,Born\n5/13/24 10:00,Ada,5/13/68\n');
    expect(answers[0]?.[born.id]).toBe('1968-05-13');
    expect(times).toEqual(['2024-05-13T10:00:00.000Z']);
  });
});
