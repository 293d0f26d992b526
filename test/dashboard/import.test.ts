import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { answerFields } from '../../examples/star-wars-survey/compare.ts';
import { readSurvey } from '../../examples/star-wars-survey/read-survey.ts';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aField, aTextField, TEXT_FIELD_ID, type TestUser } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aSurvey, ID } from './responses.ts';
import { expectFine, keepMessages, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

async function open(
  form: { id: number },
  { person = home.ada, device }: { person?: TestUser; device?: BrowserContextOptions } = {},
): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, person, device);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/responses`);
  return page;
}

async function choose(page: Page, content: string | Buffer, name = 'answers.csv'): Promise<void> {
  const input = page.getByLabel('CSV, TSV or Excel file');
  if (!(await input.isVisible())) await page.getByRole('button', { name: 'Import', exact: true }).click();
  await input.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
}

const inRussia = (letter: string) =>
  letter >= 'А' && letter <= 'я' ? letter.charCodeAt(0) - 0x350 : letter.charCodeAt(0);

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const answersOf = async (form: { id: number }) =>
  (await home.records(form)).map(({ data, created_at }) => {
    const { id: _, submission_id, status, created_at: __, ...answers } = data;
    return { answers, created_at };
  });
const csvOf = (...lines: string[]) => lines.join('\r\n');

test('a file is matched, checked, imported, taken back and imported again', async () => {
  const form = await aSurvey(home);
  const page = await open(form);
  const file = csvOf(
    'Submission ID,Submitted at,Your name,How was it?,What did you see?,May we write to you?,Staff [Desk],Staff [Café],Party size,Mood',
    'r1,5/13/2024 1:45 PM,Ada,5,"paintings, Garden",yes,Good,Bad,"1,234.5",fine',
    'r2,5/14/2024 13:45,Bob,6,Nothing,no,Good,,many,',
    'r3,5/12/2024 08:00,"Cleo\nde Merode",,,,,,,',
  );
  await press(page, 'Import');
  await page.getByLabel('CSV, TSV or Excel file').waitFor();
  await expectFine(page, 'the choice of a file');
  await choose(page, file);
  await page.getByText('3 responses. 9 of 10 columns found in the form.').waitFor();
  await expect.poll(() => page.getByLabel('What “Mood” is').inputValue()).toBe('');
  expect(await page.getByLabel('Dates such as 5/1/2024').count()).toBe(0);
  await page.getByLabel('Times without a time zone are').selectOption({ label: 'UTC' });
  await expectFine(page, 'columns of the file');
  await press(page, 'Check');
  await page.getByText('2 responses can be imported.').waitFor();
  const row = page.getByRole('row', { name: /^3 / });
  await row.getByText('The How was it? may not be greater than 5.').waitFor();
  await row.getByText('The Party size must be a number.').waitFor();
  await expectFine(page, 'what was checked');
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download these rows')]);
  expect(download.suggestedFilename()).toBe('answers-refused.csv');
  const refused: string[][] = parse(await readFile(await download.path(), 'utf8'), { bom: true });
  expect(refused).toHaveLength(2);
  expect(refused[1]?.slice(0, 3)).toEqual(['r2', '5/14/2024 13:45', 'Bob']);
  expect(refused[1]?.at(-1)).toContain('The Party size must be a number.');
  expect(await home.records(form)).toEqual([]);

  await press(page, 'Import 2 responses');
  await page.getByText('2 responses were imported.').waitFor();
  await expectFine(page, 'what was imported');
  const ada = {
    [ID.name]: 'Ada',
    [ID.stars]: 5,
    [ID.topics]: ['Paintings', 'Garden'],
    [ID.agreed]: true,
    [ID.grid]: { Desk: 'Good', Café: 'Bad' },
    [ID.count]: 1234.5,
  };
  expect(await answersOf(form)).toEqual([
    { answers: ada, created_at: '2024-05-13T13:45:00.000Z' },
    { answers: { [ID.name]: 'Cleo\nde Merode' }, created_at: '2024-05-12T08:00:00.000Z' },
  ]);

  await home.submit(form, { [ID.name]: 'Eve' });
  await press(page, 'Undo: delete 2 responses');
  await page.getByText('2 responses were imported, 2 of them taken back.').waitFor();
  expect((await answersOf(form)).map(({ answers }) => answers[ID.name])).toEqual(['Eve']);

  await press(page, 'Done');
  await choose(page, file);
  await press(page, 'Check');
  await press(page, 'Import 2 responses');
  await press(page, 'Done');
  await page.getByText('3 responses', { exact: true }).waitFor();
  await choose(page, file);
  await press(page, 'Check');
  await page.getByText('0 responses can be imported.').waitFor();
  await page.getByText('2 responses are there already and stay as they are.').waitFor();
});

test('the answers of the example come back from its export as they were', async () => {
  const survey = readSurvey();
  const body = survey.form as unknown as Record<string, unknown>;
  const [source, target] = [await home.form(body), await home.form(body)];
  // As many as an export sends at once.
  const people = survey.respondents.slice(0, 1_000);
  for (const start of [0, 500]) {
    const submissions = people.slice(start, start + 500).map(({ answers }, index) => ({
      answers,
      created_at: new Date(Date.UTC(2014, 5, 3, 0, 0, start + index)).toISOString(),
    }));
    const path = `/open/forms/${source.id}/submissions/import`;
    expect((await home.call('POST', path, { submissions })).body.stored).toBe(500);
  }
  const exported = async ({ id }: { id: number }, ...about: string[]) => {
    const names = [...about, 'created_at', ...answerFields(survey).map((field) => field.id)];
    const columns = Object.fromEntries(names.map((name) => [name, true]));
    const answer = await home.call('POST', `/open/forms/${id}/submissions/export`, { columns });
    expect(answer.status, answer.text).toBe(200);
    return answer.text;
  };
  const page = await open(target);
  await choose(page, await exported(source, 'submission_id'));
  await page.getByText('1,000 responses.').waitFor();
  await press(page, 'Check');
  await press(page, 'Import 1,000 responses');
  await page.getByText('1,000 responses were imported.').waitFor();
  expect(await allAnswers(target.id)).toEqual(await allAnswers(source.id));
  expect(await exported(target)).toBe(await exported(source));
});

async function allAnswers(formId: number) {
  const { rows } = await home.service.context.pool.query(
    'select data, created_at from submissions where form_id = $1 order by id',
    [formId],
  );
  return rows;
}

describe('files of all kinds', () => {
  const number = aField('02', 'number', 'Größe');
  const day = aField('03', 'date', 'Day');
  const aShortForm = () =>
    home.form({ properties: [aTextField(), number, day, aField('04', 'files', 'Papers')] });
  const table = 'Name;Größe;Day;Papers\nÄnne;3,5;1/2/2024;cv.pdf\n"a ""b""\n;c";;;\n';
  const utf16 = Buffer.from(`\ufeff${table.replaceAll(';', '\t')}`, 'utf16le');
  const stored = [
    { [TEXT_FIELD_ID]: 'a "b"\n;c' },
    { [TEXT_FIELD_ID]: 'Änne', [number.id]: 3.5, [day.id]: '2024-01-02' },
  ];

  test.each([
    ['UTF-8', Buffer.from(table)],
    ['UTF-8 with a mark, CRLF', Buffer.from(`\ufeff${table.replaceAll('\n', '\r\n')}`)],
    ['Windows-1252', Buffer.from(table, 'latin1')],
    ['UTF-16 with tabs', utf16],
  ])('%s', async (what, content) => {
    const form = await aShortForm();
    const page = await open(form);
    await choose(page, content, what.includes('tabs') ? 'answers.tsv' : 'answers.csv');
    await page.getByText('2 responses. 3 of 4 columns found in the form.').waitFor();
    await page.getByLabel('Dates such as 5/1/2024').selectOption({ label: 'Month first: 1 May' });
    await press(page, 'Check');
    await press(page, 'Import 2 responses');
    await page.getByText('2 responses were imported.').waitFor();
    const answers = (await answersOf(form)).map(({ answers }) => answers);
    const isTabbed = what.includes('tabs');
    expect(answers).toEqual(isTabbed ? [{ [TEXT_FIELD_ID]: 'a "b"\n\tc' }, stored[1]] : stored);
  });

  test('two rows that name the columns are shown as such, and can be read in another way', async () => {
    const form = await aSurvey(home);
    const page = await open(form);
    await choose(
      page,
      csvOf(
        'Respondent ID,Your name,What did you see?,',
        ',Open-Ended Response,Paintings,Garden',
        '17,Ada,Paintings,Garden',
      ),
    );
    await page.getByText('1 response. 4 of 4 columns found in the form.').waitFor();
    const heads = page.getByLabel('Columns are named by');
    const shown = () => heads.evaluate((one: HTMLSelectElement) => one.selectedOptions[0]?.text);
    expect(await shown()).toBe('Two rows: questions and their options, as of SurveyMonkey');
    await page.getByLabel('What “What did you see? [Garden]” is').waitFor();
    await heads.selectOption({ label: 'One row' });
    await page.getByText('2 responses. 3 of 4 columns found in the form.').waitFor();
    await heads.selectOption({ label: 'Rows of Qualtrics: variables, questions, ids' });
    await page.getByText('1 response. 1 of 4 columns found in the form.').waitFor();
    await heads.selectOption({ label: 'Two rows: questions and their options, as of SurveyMonkey' });
    await page.getByText('1 response. 4 of 4 columns found in the form.').waitFor();
    await expectFine(page, 'columns named by two rows');
    await press(page, 'Check');
    await press(page, 'Import 1 response');
    await page.getByText('1 response was imported.').waitFor();
    expect((await answersOf(form)).map(({ answers }) => answers)).toEqual([
      { [ID.name]: 'Ada', [ID.topics]: ['Paintings', 'Garden'] },
    ]);
  });

  test('what cannot be read says why', async () => {
    const page = await open(await aShortForm());
    const expectProblem = async (content: string | Buffer, problem: string) => {
      await choose(page, content);
      await page.getByRole('alert').getByText(problem).waitFor();
    };
    await expectProblem('', 'The file is empty.');
    await expectProblem('Name\n\n \n', 'The file has one row only.');
    await expectProblem('Name\n"never ends', 'A quotation mark in row 2 does not end as it should.');
    await expectProblem(Buffer.from('PK\u0003\u0004'), 'The workbook cannot be read.');
    await expectProblem(Buffer.from([0x89, 0x50, 0, 0, 1, 2]), 'This is not a text file.');
    await choose(page, 'Mood,Papers\nfine,cv.pdf\n');
    await page.getByRole('button', { name: 'Check' }).focus();
    await page.getByText('Say of at least one column which question it answers').first().waitFor();
  });

  test('what stands between columns can be said, and what cannot be read is told', async () => {
    const form = await aShortForm();
    const page = await open(form);
    const file = Buffer.from('Last, first name;Größe\nMüller;3,5\nÄnne ö?;1,5\n');
    file[file.indexOf('?')] = 0xe4;
    await choose(page, file);
    await page.getByText('1 character of the file cannot be read').waitFor();
    const between = page.getByLabel('Columns are separated by');
    expect(await between.inputValue()).toBe(',');
    await page.getByText('0 of 2 columns found in the form.').waitFor();
    await between.selectOption({ label: 'Semicolons' });
    await page.getByText('2 responses. 1 of 2 columns found in the form.').waitFor();
    await page.getByLabel('What “Last, first name” is').selectOption({ label: 'Name' });
    await expectFine(page, 'columns with what stands between them');
    await press(page, 'Check');
    await press(page, 'Import 2 responses');
    await page.getByText('2 responses were imported.').waitFor();
    expect((await answersOf(form)).map(({ answers }) => answers)).toEqual([
      { [TEXT_FIELD_ID]: 'Änne ö\ufffd', [number.id]: 1.5 },
      { [TEXT_FIELD_ID]: 'Müller', [number.id]: 3.5 },
    ]);
  });

  test('each column of dates says for itself what stands first; ranges that do not are asked about', async () => {
    const stay = aField('05', 'date', 'Stay', { date_range: true });
    const form = await home.form({ properties: [day, stay] });
    const page = await open(form);
    await choose(
      page,
      csvOf(
        'Timestamp,Day,Stay',
        '5/13/2024 10:00,25/12/2024,5/1/2024 - 6/1/2024',
        '5/14/2024 10:00,5/4/2024,7/1/2024 - 8/1/2024',
      ),
    );
    await page.getByLabel('Times without a time zone are').selectOption({ label: 'UTC' });
    await page.getByLabel('Dates such as 5/1/2024').selectOption({ label: 'Day first: 5 January' });
    await press(page, 'Check');
    await press(page, 'Import 2 responses');
    await page.getByText('2 responses were imported.').waitFor();
    expect(await answersOf(form)).toEqual([
      {
        answers: { [day.id]: '2024-04-05', [stay.id]: ['2024-01-07', '2024-01-08'] },
        created_at: '2024-05-14T10:00:00.000Z',
      },
      {
        answers: { [day.id]: '2024-12-25', [stay.id]: ['2024-01-05', '2024-01-06'] },
        created_at: '2024-05-13T10:00:00.000Z',
      },
    ]);
  });

  test('a number that is a thousand in one country and a bit in another is asked about', async () => {
    const form = await aShortForm();
    const page = await open(form);
    await choose(page, 'Name;Größe\nÄnne;45.000\nBob;-1,500\nCleo;12\n');
    const meaning = page.getByLabel('Numbers such as 45.000 are');
    await page.getByRole('button', { name: 'Check' }).focus();
    await page.getByText('Say what 45.000 means').first().waitFor();
    await expectFine(page, 'a number that means two things');
    await meaning.selectOption({ label: '45000, with a decimal comma' });
    await press(page, 'Check');
    await press(page, 'Import 3 responses');
    await page.getByText('3 responses were imported.').waitFor();
    const numbers = (await answersOf(form)).map(({ answers }) => answers[number.id]);
    expect(numbers.toReversed()).toEqual([45_000, -1.5, 12]);
  });

  test('of rows with one response id the first counts, and the others are told wherever they stand', async () => {
    const form = await home.form({});
    const page = await open(form);
    const rows = Array.from({ length: 600 }, (_, index) => `${index},Person ${index}`);
    await choose(page, csvOf('Id,Name', ...rows, '7,Somebody else', '599,Another'));
    await press(page, 'Check');
    await page.getByText('600 responses can be imported.').waitFor();
    await page.getByText('2 rows do not fit the form.').waitFor();
    await page.getByRole('row', { name: '602 Row 9 has the same response id.' }).waitFor();
    await page.getByRole('row', { name: '603 Row 601 has the same response id.' }).waitFor();
    await press(page, 'Import 600 responses');
    await page.getByText('600 responses were imported.').waitFor();
    expect(await page.getByText('there already').count()).toBe(0);
  });

  test('an option that is gone is named in front of what is said about it', async () => {
    const colour = aField('02', 'select', 'Colour', { select: { options: ['Red', 'Blue'] } });
    const form = await home.form({ properties: [aTextField({ name: 'Name' }), colour] });
    const page = await open(form);
    await choose(page, csvOf('Name,Colour', 'Ada,Green', 'Ben,Red'));
    await press(page, 'Check');
    await page.getByRole('row', { name: /^2 “Green”: .*Colour/ }).waitFor();
    await expectFine(page, 'an option that is gone');
  });

  test('letters of other countries are read as those of the browser, or as is chosen', async () => {
    const form = await home.form({ properties: [aTextField({ name: 'Имя' }), number] });
    // As Excel saves it in Russia: consecutive bytes for the letters, as in Windows-1251.
    const file = Buffer.from([...'Имя\r\nАнна\r\n'].map(inRussia));
    const found = '1 response. 1 of 1 column found in the form.';
    const page = await open(form);
    await choose(page, file);
    await page.getByText('1 response. 0 of 1 column found in the form.').waitFor();
    const letters = page.getByLabel('Its letters are of');
    expect(await letters.inputValue()).toBe('windows-1252');
    await letters.selectOption({ label: 'Cyrillic' });
    await page.getByText(found).waitFor();
    await expectFine(page, 'columns of a file in other letters');
    await press(page, 'Check');
    await press(page, 'Import 1 response');
    await page.getByText('1 response was imported.').waitFor();
    expect((await answersOf(form)).map(({ answers }) => answers)).toEqual([{ [TEXT_FIELD_ID]: 'Анна' }]);
    const russian = await open(form, { device: { locale: 'ru-RU' } });
    await choose(russian, file);
    await russian.getByText(found).waitFor();
    // A file whose encoding is evident brings no question.
    await press(russian, 'Another file');
    await choose(russian, 'Имя;Größe\nАнна;3,5\n');
    await russian.getByText('1 response. 2 of 2 columns found in the form.').waitFor();
    expect(await russian.getByLabel('Its letters are of').count()).toBe(0);
  });

  test('what no request can hold is told of its row, not of all', async () => {
    const form = await aShortForm();
    const page = await open(form);
    const rows = [
      '=1+1,1',
      `${'x'.repeat(1_100_000)},2`,
      '<img src=x onerror=alert(1)>,3',
      '"__proto__",4',
      'b,5',
    ];
    await choose(page, csvOf('Name,Größe', ...rows));
    await press(page, 'Check');
    await page.getByText('4 responses can be imported.').waitFor();
    await page.getByRole('row', { name: /^3 / }).waitFor();
    await press(page, 'Import 4 responses');
    await page.getByText('4 responses were imported.').waitFor();
    const names = (await answersOf(form)).map(({ answers }) => answers[TEXT_FIELD_ID]);
    expect(names.toReversed()).toEqual(['=1+1', '<img src=x onerror=alert(1)>', '__proto__', 'b']);
  });
});

describe('on the way', () => {
  const rows = (count: number) =>
    csvOf('Name', ...Array.from({ length: count }, (_, index) => `Person ${index + 1}`));

  test('a lost network and an ended session keep the place; nothing is stored twice', async () => {
    const form = await home.form({});
    const page = await open(form);
    await choose(page, rows(1_200));
    await press(page, 'Check');
    await page.getByText('1,200 responses can be imported.').waitFor();
    let calls = 0;
    // The second call is stored, but its answer is lost; a later one finds no session.
    await page.route('**/submissions/import', async (route) => {
      calls += 1;
      if (calls === 2) {
        await route.fetch();
        await route.abort();
      } else if (calls === 4) await route.fulfill({ status: 401, json: { message: 'Unauthenticated.' } });
      else await route.continue();
    });
    await press(page, 'Import 1,200 responses');
    await page.getByText('The service cannot be reached.').waitFor();
    await expectFine(page, 'a lost network');
    // It goes on by itself, but it cannot sign in by itself.
    await page.getByText('Your session has ended. Sign in in another tab').waitFor();
    await press(page, 'Go on now');
    await page.getByText('1,200 responses were imported.').waitFor();
    expect(calls).toBe(5);
    const { submissions_count } = (await home.call('GET', `/open/forms/${form.id}`)).body;
    expect(submissions_count).toBe(1_200);
    await keepMessages(page);
    await press(page, 'Undo: delete 1,200 responses');
    await page.getByText('1,200 responses were deleted.').waitFor();
    expect(await home.records(form)).toEqual([]);
  });

  test('it is stopped between two calls, and goes on', async () => {
    const form = await home.form({});
    const page = await open(form);
    await choose(page, rows(1_500));
    await press(page, 'Check');
    await page.getByText('1,500 responses can be imported.').waitFor();
    await page.route(
      '**/submissions/import',
      async (route) => {
        const stop = page.getByRole('dialog').getByRole('button', { name: 'Stop' });
        await stop.click();
        // It shows that it was pressed until the call has been answered.
        await stop.and(page.locator('[aria-disabled=true]')).waitFor();
        await route.continue();
      },
      { times: 1 },
    );
    await press(page, 'Import 1,500 responses');
    await page.getByText('500 responses were imported.').waitFor();
    await page.getByText('1,000 responses are still to be imported.').waitFor();
    await press(page, 'Import the rest');
    await page.getByText('1,500 responses were imported.').waitFor();
  });

  test('rows that are alike are each stored, and once', async () => {
    const form = await home.form({});
    const page = await open(form);
    for (const [fresh, there] of [
      [3, 0],
      [1, 3],
    ]) {
      await choose(page, csvOf('Name', 'same', 'same', 'other', ...(there ? ['same'] : [])));
      await press(page, 'Check');
      await press(page, new RegExp(`^Import ${fresh} response`));
      await page.getByText(new RegExp(`^${fresh} responses? (was|were) imported`)).waitFor();
      await press(page, 'Done');
    }
    expect(await home.records(form)).toHaveLength(4);
  });
});

test('unfinished responses of an export are left out, unless their status is', async () => {
  const form = await home.form({});
  const page = await open(form);
  await choose(page, csvOf('Name,status', 'Ada,completed', 'Bob,partial'));
  await press(page, 'Check');
  await page.getByText('1 response can be imported.').waitFor();
  await page.getByText('1 unfinished response is left out.').waitFor();
  await press(page, 'Back to the columns');
  await page.getByLabel('What “status” is').selectOption({ label: 'Not imported' });
  await press(page, 'Check');
  await page.getByText('2 responses can be imported.').waitFor();
});

test('of two files chosen one after the other the second counts, however long the first one takes', async () => {
  const page = await open(await aSurvey(home));
  await page.evaluate(() => {
    const read = Blob.prototype.arrayBuffer;
    const gate = new Promise<void>((resolve) => Object.assign(window, { readOn: resolve }));
    Blob.prototype.arrayBuffer = async function (this: File) {
      if (this.name === 'large.csv') await gate;
      return read.call(this);
    };
  });
  await choose(page, csvOf('Your name', 'Ada', 'Bob'), 'large.csv');
  await page.getByText('Reading the file').waitFor();
  await choose(page, csvOf('Your name', 'Cleo'), 'small.csv');
  await page.getByText('1 response. 1 of 1 column found in the form.').waitFor();
  await page.evaluate('readOn()');
  await press(page, 'Check');
  await page.getByText('1 response can be imported.').waitFor();
});

test('who may only read is told why', async () => {
  const page = await open(await home.form({}), { person: await home.member('readonly') });
  const button = page.getByRole('button', { name: 'Import', exact: true });
  await button.focus();
  await page
    .getByText('As a viewer you can look at forms, responses and figures, but not change them.')
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('all of it works by keyboard, on a phone', async () => {
  const form = await aSurvey(home);
  const page = await open(form, { device: PHONE });
  await page.getByRole('button', { name: 'More for the table' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Import' }).press('Enter');
  const file = page.getByLabel('CSV, TSV or Excel file');
  await file.waitFor();
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab');
      return file.evaluate((element) => element === document.activeElement);
    })
    .toBe(true);
  await choose(page, csvOf('Who,How was it?', 'Ada,4'));
  await page.getByLabel('What “Who” is').focus();
  await page.keyboard.type('Your');
  await expect.poll(() => page.getByLabel('What “Who” is').inputValue()).toBe(`field ${ID.name}`);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Check' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Import 1 response' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('1 response was imported.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await answersOf(form))[0]?.answers).toEqual({ [ID.name]: 'Ada', [ID.stars]: 4 });
});
