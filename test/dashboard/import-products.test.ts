import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText } from '../../dashboard/form-import/read-source.ts';
import { readXlsForm } from '../../dashboard/form-import/xlsform/sheets.ts';
import { fromXlsForm } from '../../dashboard/form-import/xlsform/xlsform.ts';
import { habitsOf } from '../../dashboard/import/habits.ts';
import { matchColumns } from '../../dashboard/import/match-columns.ts';
import { compileRows, finishedRows, UTC } from '../../dashboard/import/read-rows.ts';
import { type Chosen, readTable } from '../../dashboard/import/read-table.ts';
import { targetsOf } from '../../dashboard/import/targets.ts';
import { readSurvey } from '../../examples/star-wars-survey/read-survey.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

/** Files with several header rows, and those of Kobo and ODK, read without the dialog. */
const home = useHome();

const named = (names: readonly string[]) => names.map((name) => ({ id: name.toLowerCase(), name }));
const who = aField('01', 'text', 'Who are you?');
const topics = aField('02', 'multi_select', 'Which topics?', {
  multi_select: { options: named(['Garden', 'Food, drinks', 'Art']) },
  allow_creation: true,
});
const way = aField('03', 'select', 'How did you come?', {
  select: { options: named(['Car', 'Train']) },
  allow_creation: true,
});
const staff = aField('04', 'matrix', 'Staff', { rows: ['Bar', 'Desk'], columns: ['Good', 'Bad'] });
const order = aField('05', 'ranking', 'Order them', { ranking: { options: named(['A', 'B', 'C']) } });
const city = aField('06', 'text', 'City');
const days = aField('07', 'multi_select', 'Days', {
  multi_select: { options: named(['Mon', 'Tue', 'Big Day']) },
});
const FIELDS = [who, topics, way, staff, order, city, days];

async function imported(
  content: string | Uint8Array<ArrayBuffer>,
  fields: object[] = FIELDS,
  chosen?: Chosen,
) {
  const form = await home.form({ properties: fields });
  const table = await readTable(new File([content], 'answers.csv'), chosen);
  const targets = targetsOf(form, table);
  const matched = matchColumns(table, targets, form);
  const habits = habitsOf(table, matched, targets);
  const ways = { dayFirst: false, zone: table.zone ?? UTC, habits };
  const rows = finishedRows(table, matched);
  const submissions = rows.map(compileRows(matched, targets, ways));
  const path = `/open/forms/${form.id}/submissions/import`;
  const outcome = await home.call('POST', path, {
    submissions: submissions.slice(0, 500),
    skip_invalid: true,
  });
  expect(outcome.status, outcome.text).toBe(200);
  const records = (await home.records(form)).toReversed();
  return {
    heads: table.heads,
    refused: outcome.body.refused.map(({ errors }: any) => Object.values(errors).flat().join(' ')),
    answers: records.map(({ data: { id: _, submission_id, status, created_at, ...answers } }) => answers),
    times: records.map(({ created_at }) => created_at),
    numbers: table.rows.map(({ number }) => number),
    left: table.columns.filter((_, at) => matched[at] === ''),
    matched,
    submissions,
  };
}

const csvOf = (...rows: string[][]) =>
  rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');

test('Formbricks: numbers before the questions, and columns about a response that are called as questions are', async () => {
  const ABOUT = ['No.', 'Response ID', 'Timestamp', 'Finished', 'Survey ID', 'Formbricks ID (internal)'];
  const about = (id: string) => [id, `r${id}`, '2024-05-01 13:45:12 UTC', 'Yes', 's1', '', 'u1', 'tag', 'FR'];
  const yes = aField('08', 'checkbox', 'Terms');
  const country = aField('09', 'text', 'Country');
  const second = aField('10', 'text', '2. Why?');
  const hidden = aField('11', 'text', 'plan', { hidden: true });
  const { answers, refused, left, times } = await imported(
    csvOf(
      [...ABOUT, 'User ID', 'Tags', 'country', '1. who are you?', '2. Which topics?']
        .concat(['2. Which topics? - Option ID', '3. Staff - Bar', '3. Staff - Desk', '4. Order them'])
        .concat(['4. Order them - Option ID', '5. Terms', '6. Country', '7. 2. Why?', 'plan']),
      about('1')
        .concat(['Ada', 'Garden; Boats', 'garden, other', 'Good', 'Bad', 'B; A; C', 'b, a, c'])
        .concat(['accepted', 'Spain', 'So', 'pro']),
      about('2').concat(['Bob', '', '', '', '', '', '', '', '', '', '']),
    ),
    [who, topics, staff, order, yes, country, second, hidden],
  );
  expect(refused).toEqual([]);
  expect(answers).toEqual([
    {
      [who.id]: 'Ada',
      [topics.id]: ['Garden', 'Boats'],
      [staff.id]: { Bar: 'Good', Desk: 'Bad' },
      [order.id]: ['B', 'A', 'C'],
      [yes.id]: true,
      [country.id]: 'Spain',
      [second.id]: 'So',
      [hidden.id]: 'pro',
    },
    { [who.id]: 'Bob' },
  ]);
  expect(times).toEqual(Array(2).fill('2024-05-01T13:45:12.000Z'));
  expect(left).toEqual(
    ['No.', 'Survey ID', 'Formbricks ID (internal)', 'User ID', 'Tags', 'country'].concat([
      '2. Which topics? - Option ID',
      '4. Order them - Option ID',
    ]),
  );
});

test('OpnForm: names without what stands in brackets at their end, where one question has such a name', async () => {
  const weight = aField('08', 'number', 'Weight (kg)');
  const born = aField('09', 'text', 'Date (of birth)');
  const sizes = ['(cm)', '(in)'].map((unit, at) => aField(`1${at}`, 'number', `Size ${unit}`));
  const { answers, times, left } = await imported(
    csvOf(['Name', 'Weight', 'Size', 'Date', 'Created at'], ['Ada', '61', '7', 'May', '2024-05-01 13:45:12']),
    [aField('07', 'text', 'Name'), weight, born, ...sizes],
  );
  expect(answers[0]).toMatchObject({ [weight.id]: 61, [born.id]: 'May' });
  expect(times).toEqual(['2024-05-01T13:45:12.000Z']);
  expect(left).toEqual(['Size']);
});

describe('SurveyMonkey', () => {
  const ABOUT = ['Respondent ID', 'Collector ID', 'Date Created', 'Date Modified', 'IP Address'];
  const HEAD = [
    [
      ...ABOUT,
      who.name,
      topics.name,
      '',
      '',
      '',
      way.name,
      '',
      staff.name,
      '',
      order.name,
      '',
      '',
      'Contact',
      '',
    ],
    [
      ...['', '', '', '', ''],
      ...['Open-Ended Response', 'Garden', 'Food, drinks', 'Art', 'Other (please specify)'],
      ...['Response', 'Other (please specify)', 'Bar', 'Desk', 'A', 'B', 'C', 'Company', 'City'],
    ],
  ];
  const about = (id: string) => [id, '77', '05/13/2024 01:40:00 PM', '05/13/2024 01:45:12 PM', '10.0.0.1'];
  const ADA = [
    'Ada',
    'Garden',
    'Food, drinks',
    '',
    'Boats, old ones',
    'Train',
    '',
    'Good',
    '',
    '2',
    '1',
    '3',
    'X',
    'Bonn',
  ];
  const BOB = ['Bob', '', '', '', '', '', 'By bike, slowly', '', '', '1', '1', '', '', ''];

  test('two rows of names make one answer of several columns', async () => {
    const { heads, answers, refused, times, numbers, left } = await imported(
      csvOf(...HEAD, [...about('118'), ...ADA], [...about('119'), ...BOB.with(9, '').with(10, '')]),
    );
    expect(heads).toBe('questions-and-options');
    expect(refused).toEqual([]);
    expect(answers).toEqual([
      {
        [who.id]: 'Ada',
        [topics.id]: ['Garden', 'Food, drinks', 'Boats, old ones'],
        [way.id]: 'Train',
        [staff.id]: { Bar: 'Good' },
        [order.id]: ['B', 'A', 'C'],
        [city.id]: 'Bonn',
      },
      { [who.id]: 'Bob', [way.id]: 'By bike, slowly' },
    ]);
    expect(times).toEqual(Array(2).fill('2024-05-13T13:45:12.000Z'));
    expect(numbers).toEqual([3, 4]);
    expect(left).toEqual(['Collector ID', 'Date Created', 'IP Address', 'Contact [Company]']);
  });

  test('places that make no order are told', async () => {
    const { refused } = await imported(csvOf(...HEAD, [...about('119'), ...BOB]));
    expect(refused).toEqual([expect.stringContaining('1')]);
    expect(refused[0]).toContain('C');
  });

  test('in another language it is known by its shape', async () => {
    const words: Record<string, string> = {
      'Open-Ended Response': 'Offene Antwort',
      Response: 'Antwort',
      'Other (please specify)': 'Sonstiges (bitte angeben)',
    };
    const [first = [], second = []] = HEAD;
    const german = [first, second.map((cell) => words[cell] ?? cell)];
    const { heads, answers } = await imported(
      csvOf(...german, [...about('118'), ...ADA], [...about('119'), ...BOB.with(9, '').with(10, '')]),
    );
    expect(heads).toBe('questions-and-options');
    expect(answers).toMatchObject([
      { [who.id]: 'Ada', [topics.id]: ['Garden', 'Food, drinks', 'Boats, old ones'], [way.id]: 'Train' },
      { [who.id]: 'Bob', [way.id]: 'By bike, slowly' },
    ]);
  });

  test('a real file is read as the example reads it', async () => {
    const { form, respondents } = readSurvey();
    const file = await readFile(
      join(import.meta.dirname, '../../examples/star-wars-survey/star-wars-survey.csv'),
    );
    const { submissions } = await imported(new Uint8Array(file), form.properties);
    // Numbers stay texts until the service reads them.
    const written = (answers: object) =>
      Object.fromEntries(
        Object.entries(answers).map(([id, answer]) => [
          id,
          typeof answer === 'number' ? `${answer}` : answer,
        ]),
      );
    expect(submissions.map(({ answers }) => answers)).toEqual(
      respondents.map(({ answers }) => written(answers)),
    );
  });
});

describe('Qualtrics', () => {
  const ids = (zone: string) =>
    [
      'startDate',
      'endDate',
      'status',
      'ipAddress',
      'progress',
      'duration',
      'finished',
      'recordedDate',
      '_recordId',
    ].map((id) => (/Date$/.test(id) ? `{"ImportId":"${id}","timeZone":"${zone}"}` : `{"ImportId":"${id}"}`));
  const VARIABLES = [
    ...['StartDate', 'EndDate', 'Status', 'IPAddress', 'Progress', 'Duration (in seconds)', 'Finished'],
    ...[
      'RecordedDate',
      'ResponseId',
      'Q1',
      'Q2',
      'Q2_4_TEXT',
      'Q3',
      'Q3_3_TEXT',
      'Q4_1',
      'Q4_2',
      'Q5_1',
      'Q5_2',
      'Q5_3',
    ],
  ];
  const TEXTS = [
    ...['Startdatum', 'Enddatum', 'Antworttyp', 'IP-Adresse', 'Fortschritt', 'Dauer (in Sekunden)', 'Fertig'],
    ...['Aufgezeichnet', 'Antwort-ID', who.name],
    ...[`${topics.name} - Selected Choice`, `${topics.name} - Other (please specify) - Text`],
    ...[`${way.name} - Selected Choice`, `${way.name} - Another way: - Text`],
    ...['Staff - Bar', 'Staff - Desk', 'Order them - A', 'Order them - B', 'Order them - C'],
  ];
  const HEAD = (zone: string) => [
    VARIABLES,
    TEXTS,
    [...ids(zone), ...VARIABLES.slice(9).map((_, at) => `{"ImportId":"QID${at}"}`)],
  ];
  const about = (finished: string) => [
    ...['2024-05-13 13:40:00', '2024-05-13 13:45:00', 'IP Address', '10.0.0.1', '100', '312', finished],
    ...['2024-05-13 13:45:12', `R_${finished}`],
  ];
  const ADA = ['Ada', 'Garden,Food, drinks,Other (please specify)', 'Boats, old', 'Another way:', 'By bike'];
  const GRIDS = ['Good', 'Bad', '3', '1', '2'];

  test.each([
    ['True', 'False'],
    ['1', '0'],
  ])('three rows of names, and unfinished responses are left out: %s and %s', async (yes, no) => {
    const { heads, answers, refused, times, left, submissions, numbers } = await imported(
      csvOf(
        ...HEAD('America/Denver'),
        [...about(yes), ...ADA, ...GRIDS],
        [...about(no), 'Bob', '', '', 'Train', ''],
      ),
    );
    expect(heads).toBe('variables-and-questions');
    expect(refused).toEqual([]);
    expect(answers).toEqual([
      {
        [who.id]: 'Ada',
        [topics.id]: ['Garden', 'Food, drinks', 'Boats, old'],
        [way.id]: 'By bike',
        [staff.id]: { Bar: 'Good', Desk: 'Bad' },
        [order.id]: ['B', 'C', 'A'],
      },
    ]);
    // Six hours behind UTC in summer, as the third row says.
    expect(times).toEqual(['2024-05-13T19:45:12.000Z']);
    expect(submissions).toMatchObject([{ source_id: `R_${yes}`, completion_time: '312' }]);
    expect(left).toEqual(['StartDate', 'EndDate', 'Status', 'IPAddress', 'Progress']);
    expect(numbers).toEqual([4, 5]);
  });

  test('columns of single options, without the row of ids, in UTF-16 with tabs', async () => {
    const english = TEXTS.with(8, 'Response ID');
    const columns = ['Garden', 'Food, drinks', 'Art'].map(
      (name) => `${topics.name} - Selected Choice - ${name}`,
    );
    const rows = [
      [...VARIABLES.slice(0, 10), 'Q2_1', 'Q2_2', 'Q2_3'],
      [...english.slice(0, 10), ...columns],
      [...about('True'), 'Ada', 'Garden', '', 'Art'],
    ];
    const text = `\ufeff${rows.map((cells) => cells.join('\t')).join('\n')}`;
    const { heads, answers } = await imported(new Uint8Array(Buffer.from(text, 'utf16le')));
    expect(heads).toBe('variables-and-questions');
    expect(answers).toEqual([{ [who.id]: 'Ada', [topics.id]: ['Garden', 'Art'] }]);
  });

  test.each([
    ['Z', '2024-05-13 13:45:12', '2024-05-13T13:45:12.000Z'],
    ['Europe/Berlin', '2024-10-27 02:30:00', '2024-10-27T00:30:00.000Z'],
    ['Europe/Berlin', '2024-12-01 00:15:00', '2024-11-30T23:15:00.000Z'],
    ['Asia/Kolkata', '2024-05-13 00:00:00', '2024-05-12T18:30:00.000Z'],
    ['Australia/Sydney', '2024-10-06 03:00:00', '2024-10-05T16:00:00.000Z'],
    ['No/Where', '2024-05-13 13:45:12', '2024-05-13T13:45:12.000Z'],
  ])('times are of the zone that the file names: %s, %s', async (zone, written, moment) => {
    const { times } = await imported(csvOf(...HEAD(zone), [...about('True').with(7, written), 'Ada']));
    expect(times).toEqual([moment]);
  });
});

describe('KoboToolbox and ODK', () => {
  const fields = [
    { ...who, id: 'who' },
    { ...topics, id: 'topics' },
    { ...way, id: 'way' },
    { ...days, id: 'days' },
    { ...order, id: 'order' },
  ];
  const KOBO = ['start', 'end'];
  const ADDED = ['_id', '_uuid', '_submission_time', '_status'];
  const added = ['5', 'u-1', '2024-05-13T13:45:12', 'submitted_via_web'];

  test('lists by ids with blanks between, own answers in a column beside them, and groups before the names', async () => {
    const { answers, refused, submissions, left } = await imported(
      csvOf(
        [
          ...KOBO,
          'g/who',
          'g/topics',
          'g/topics/garden',
          'g/topics/food, drinks',
          'g/topics_other',
          'way',
          'days',
          'order',
          ...ADDED,
        ],
        [
          'a',
          'b',
          'Ada',
          'food, drinks garden other',
          '1',
          '1',
          'Boats, old',
          'train',
          'mon big day',
          'b c a',
          ...added,
        ],
        ['a', 'b', 'Bob', 'art', '0', '0', '', 'by bike', '', '', ...added.with(1, 'u-2')],
      ),
      fields,
    );
    expect(refused).toEqual([]);
    expect(answers).toEqual([
      {
        who: 'Ada',
        topics: ['Food, drinks', 'Garden', 'Boats, old'],
        way: 'Train',
        days: ['Mon', 'Big Day'],
        order: ['B', 'C', 'A'],
      },
      { who: 'Bob', topics: ['Art'], way: 'by bike' },
    ]);
    expect(submissions).toMatchObject([
      { source_id: 'u-1', created_at: '2024-05-13T13:45:12.000Z' },
      { source_id: 'u-2' },
    ]);
    expect(left).toEqual(['start', 'end', '_id', '_status']);
  });

  test.each([
    ['1', '0'],
    ['TRUE', 'FALSE'],
    ['True', ''],
  ])('columns of single options alone: %s and %j', async (yes, no) => {
    const { answers } = await imported(
      csvOf(
        ['SubmissionDate', 'g-who', 'g-topics/garden', 'g-topics/art', 'Days/Mon', 'Days/Big Day', 'KEY'],
        ['2024-05-13T13:45:12.000Z', 'Ada', yes, no, no, yes, 'uuid:1'],
      ),
      fields,
    );
    expect(answers).toEqual([{ who: 'Ada', topics: ['Garden'], days: ['Big Day'] }]);
  });

  test('lists by labels with blanks between are read in any file, where people cannot add options', async () => {
    const { answers, refused } = await imported(
      'Who are you?;Days;Which topics?\nAda;Big Day Tue;Garden Art\nBob;Mon Sun;\nCleo;big day mon;\n',
    );
    expect(answers).toEqual([
      { [who.id]: 'Ada', [days.id]: ['Big Day', 'Tue'], [topics.id]: ['Garden Art'] },
      { [who.id]: 'Cleo', [days.id]: ['Big Day', 'Mon'] },
    ]);
    expect(refused).toHaveLength(1);
  });
});

test.each([
  ['a first answer beside unnamed columns', 'Who are you?,City,\n,Bonn,x\nAda,Ulm,y\nBob,,z\n,Rom,\n'],
  ['a first answer without an id', 'Who are you?,City\n,Bonn\nAda,Ulm\n'],
])('other files have one row of names: %s', async (_, content) => {
  expect((await imported(content)).heads).toBe('names');
});

test('how many rows name the columns can be said', async () => {
  const content = 'Staff,\nBar,Desk\nGood,Bad\n';
  const { answers } = await imported(content, FIELDS, { heads: 'questions-and-options' });
  expect(answers).toEqual([{ [staff.id]: { Bar: 'Good', Desk: 'Bad' } }]);
  await expect(imported('Staff,\nBar,Desk\n', FIELDS, { heads: 'questions-and-options' })).rejects.toThrow(
    'There are no responses below the rows that name the columns.',
  );
});

test('limesurvey has the first, the second and so on', async () => {
  const { answers } = await imported('Order them [Rank 1],Order them [Rank 2],Order them [Rank 3]\nC,A,B\n');
  expect(answers).toEqual([{ [order.id]: ['C', 'A', 'B'] }]);
});

describe('answers to a form that was imported first', () => {
  test('of Kobo, with the names of an XLSForm instead of its labels', async () => {
    const { form } = fromXlsForm(
      readXlsForm(
        new Map([
          [
            'survey',
            [
              ['type', 'name', 'label'],
              ['select_multiple crops', 'crops', 'What do you grow?'],
              ['select_one crops or_other', 'main', 'What most?'],
              ['rank crops', 'order', 'Order them'],
            ],
          ],
          [
            'choices',
            [
              ['list_name', 'name', 'label'],
              ['crops', 'maize', 'Maize, yellow'],
              ['crops', '2', 'Yam'],
            ],
          ],
        ]),
      ),
    );
    const { answers, refused } = await imported(
      csvOf(
        ['crops', 'crops/maize', 'crops/2', 'main', 'main_other', 'order', '_uuid', '_submission_time'],
        ['2 maize', '1', '1', 'maize', '', 'maize 2', 'u-1', '2024-05-13T13:45:12'],
        ['', '0', '1', 'other', 'Cassava', '', 'u-2', '2024-05-13T13:45:12'],
      ),
      form.properties,
    );
    expect(refused).toEqual([]);
    expect(answers).toEqual([
      { crops: ['Yam', 'Maize, yellow'], main: 'Maize, yellow', order: ['Maize, yellow', 'Yam'] },
      { crops: ['Yam'], main: 'Cassava' },
    ]);
  });

  test('of Typeform, where yes is 1', async () => {
    const fields = [{ ref: 'again', type: 'yes_no', title: 'Again?', properties: {}, validations: {} }];
    const { form } = readText(JSON.stringify({ title: 'Event', fields, welcome_screens: [] }));
    const { answers } = await imported('#,Again?\na,1\nb,0\n', form.properties);
    expect(answers).toEqual([{ again: 'Yes' }, { again: 'No' }]);
  });

  describe('of LimeSurvey', () => {
    const survey = async () =>
      readText(await readFile(new URL('../form-import/fixtures/limesurvey.lss', import.meta.url), 'utf8'))
        .form.properties;
    const expected = {
      name: 'Ada',
      age: 36,
      visit: '2024-05-01 13:45',
      again: 'Yes',
      branch: 'By the sea',
      staff: 'Good',
      staff_comment: 'kind',
      use: ['Books', 'Maps'],
      miss: ['Quiet'],
      miss_qcomment: 'mornings',
      order: ['Light', 'Hours', 'Space'],
      rate: { Shelves: '4' },
      dual_0: { Toilets: 'Important' },
      dual_1: { Toilets: 'Bad' },
      seen_p: ['In town'],
      hours_mo_am: 1.5,
      notes_r_b: 'dark',
      contact_city: 'Ulm',
      count_f: 3,
    };
    const LONG: [code: string, text: string, cell: string][] = [
      ['id', 'Response ID', '7'],
      ['submitdate', 'Date submitted', '2024-05-13 13:45:12'],
      ['lastpage', 'Last page', '4'],
      ['name', 'What is your name?', 'Ada'],
      ['age', 'How old are you?', '36'],
      ['visit', 'Last visit', '2024-05-01 13:45'],
      ['sex', 'Gender', 'N/A'],
      ['again', 'Will you come again?', 'Yes'],
      ['branch', 'Which branch?', 'Other'],
      ['branch[other]', 'Which branch? [Other]', 'By the sea'],
      ['staff', 'How is the staff?', 'Good'],
      ['staff[comment]', 'How is the staff? [Comment]', 'kind'],
      ['use[b]', 'What do you use? [Books]', 'Yes'],
      ['use[w]', 'What do you use? [Wi-Fi]', 'No'],
      ['use[n]', 'What do you use? [Nothing]', 'No'],
      ['use[other]', 'What do you use? [Other]', 'Maps'],
      ['miss[c]', 'What do you miss? [Coffee]', 'No'],
      ['miss[ccomment]', 'What do you miss? [Coffee][Comment]', ''],
      ['miss[q]', 'What do you miss? [Quiet]', 'Yes'],
      ['miss[qcomment]', 'What do you miss? [Quiet][Comment]', 'mornings'],
      ['order[1]', 'Put in order [Rank 1]', 'Light'],
      ['order[2]', 'Put in order [Rank 2]', 'Hours'],
      ['order[3]', 'Put in order [Rank 3]', 'Space'],
      ['rate[s]', 'Rate these [Shelves]', '4'],
      ['rate[d]', 'Rate these [Desks]', ''],
      ['dual[t][1]', 'How important, how good? [Toilets][Importance]', 'Important'],
      ['dual[t][2]', 'How important, how good? [Toilets][Quality]', 'Bad'],
      ['seen[p_h]', 'Where did you see it? [Poster][Here]', '0'],
      ['seen[p_t]', 'Where did you see it? [Poster][In town]', '1'],
      ['hours[mo_am]', 'How many hours? [Monday][Morning]', '1.5'],
      ['hours[mo_pm]', 'How many hours? [Monday][Evening]', ''],
      ['notes[r_g]', 'Notes [Reading room][Good]', ''],
      ['notes[r_b]', 'Notes [Reading room][Bad]', 'dark'],
      ['contact[city]', 'How do we reach you? [City]', 'Ulm'],
      ['count[b]', 'How many did you borrow? [Books]', ''],
      ['count[f]', 'How many did you borrow? [Films]', '3'],
    ];
    const cells = LONG.map(([, , cell]) => cell);
    const unfinished = LONG.map(([code]) => (code === 'id' ? '8' : code === 'name' ? 'Bob' : ''));

    test.each([
      ['full texts', LONG.map(([, text]) => text)],
      ['codes and texts', LONG.map(([code, text]) => `${code}. ${text}`)],
    ])('%s in its head', async (_, head) => {
      const { answers, refused, left, submissions } = await imported(
        csvOf(head, cells, unfinished),
        await survey(),
      );
      expect(refused).toEqual([]);
      expect(answers).toEqual([expected]);
      expect(submissions).toMatchObject([{ source_id: '7', created_at: '2024-05-13T13:45:12.000Z' }]);
      expect(left).toEqual([head[2]]);
    });

    test('codes in its head, and as answers but to the rows of a matrix', async () => {
      const codes: Record<string, string> = {
        again: 'Y',
        branch: '-oth-',
        staff: 'g',
        'use[b]': 'Y',
        'use[w]': '',
        'use[n]': '',
        'miss[c]': '',
        'miss[q]': 'Y',
        sex: '',
        'order[1]': 'y',
        'order[2]': 'z',
        'order[3]': 'x',
      };
      const head = LONG.map(([code]) => code);
      const coded = LONG.map(([code, , cell]) => codes[code] ?? cell);
      const { answers, refused, left } = await imported(csvOf(head, coded), await survey());
      expect(refused).toEqual([]);
      expect(answers).toEqual([expected]);
      expect(left).toEqual(['lastpage']);
    });

    test('codes as answers to the rows of a matrix, or not all of its rows, are left to whoever imports', async () => {
      const { rate, dual_0, dual_1, ...others } = expected;
      const head = LONG.map(([code]) => code);
      const at = (code: string) => head.indexOf(code);
      const coded = cells.with(at('dual[t][1]'), 'A1').with(at('dual[t][2]'), 'A2');
      const part = [head, coded].map((row) => row.toSpliced(at('rate[d]'), 1)) as [string[], string[]];
      const { answers, left } = await imported(csvOf(...part), await survey());
      expect(answers).toEqual([others]);
      expect(left).toEqual(['lastpage', 'rate[s]', 'dual[t][1]', 'dual[t][2]']);
    });
  });
});
