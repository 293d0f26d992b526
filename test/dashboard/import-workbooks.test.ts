import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { habitsOf } from '../../dashboard/import/habits.ts';
import { matchColumns } from '../../dashboard/import/match-columns.ts';
import { compileRows } from '../../dashboard/import/read-rows.ts';
import { readTable, readText } from '../../dashboard/import/read-table.ts';
import { targetsOf } from '../../dashboard/import/targets.ts';
import type { JsonValue, Property } from '../../fields/property.ts';
import { sampleAnswer } from '../../fields/sample-answer.ts';
import { FIELDS } from '../public-pages/every-field.ts';
import { useBrowser } from '../setup/browser.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { signedInPage } from './screens.ts';

/** Answers in Excel files. */
const home = useHome();
const browser = useBrowser();

const price = aField('02', 'number', 'Price');
const topics = aField('03', 'multi_select', 'Topics', {
  multi_select: { options: ['Garden', 'Food, drinks', 'Art'].map((name) => ({ name })) },
});
const born = aField('04', 'date', 'Born');
const time = aField('05', 'text', 'Came at');
const agree = aField('06', 'checkbox', 'Agree');
const aForm = () =>
  home.form({ properties: [aTextField({ name: 'Your name' }), price, topics, born, time, agree] });

/** A file as users get it: three sheets, the first of them hidden, an empty row, and dates in four formats. */
const microsoftForms = () => readFile(join(import.meta.dirname, 'fixtures/microsoft-forms.xlsx'));

const fileOf = (bytes: Uint8Array) => new File([new Uint8Array(bytes)], 'answers.xlsx');

function aSheet(rows: string, { styles = '', shared = '', properties = '' } = {}): File {
  const parts = {
    'xl/workbook.xml': `<workbook xmlns:r="x"><workbookPr ${properties}/><sheets><sheet name="S" r:id="a"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="a" Target="/xl/worksheets/sheet1.xml"/></Relationships>',
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${shared}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  };
  const files = Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)] as const);
  return fileOf(zipSync(Object.fromEntries(files)));
}

async function sentOf(file: File, form: any) {
  const table = await readTable(file);
  const targets = targetsOf(form, table);
  const matched = matchColumns(table, targets, form);
  const ways = { dayFirst: false, zone: 'UTC', habits: habitsOf(table, matched, targets) };
  return table.rows.map(compileRows(matched, targets, ways));
}

describe('what cells say', () => {
  test('a file of Microsoft Forms', async () => {
    const file = fileOf(await microsoftForms());
    const { rows, reading } = await readTable(file);
    expect(reading).toEqual({ of: 'workbook', sheet: 'Sheet1', sheets: ['Sheet1', 'Notes', 'Lists'] });
    expect(rows.map(({ number }) => number)).toEqual([2, 3, 5]);
    expect(await sentOf(file, await aForm())).toEqual([
      {
        source_id: '1',
        created_at: '2024-05-01T09:02:30.000Z',
        answers: {
          [TEXT_FIELD_ID]: 'Ada "L."\nsecond line',
          [price.id]: '0.3',
          [topics.id]: ['Garden', 'Food, drinks'],
          [born.id]: '1985-12-10',
          [time.id]: '13:45:00',
          [agree.id]: true,
        },
      },
      {
        source_id: '2',
        created_at: '2024-05-02T10:00:59.000Z',
        answers: {
          [TEXT_FIELD_ID]: "'=1+1",
          [price.id]: '1500000',
          [topics.id]: ['Art'],
          [born.id]: '1900-01-31',
          [time.id]: '00:00:00',
          [agree.id]: false,
        },
      },
      {
        source_id: '4',
        created_at: '2024-05-03T23:59:59.000Z',
        answers: { [TEXT_FIELD_ID]: '=: & <b>', [price.id]: '-2.5' },
      },
    ]);
  });

  test.each([
    ['0', '45413.5', '45413.5'],
    ['14', '45413', '2024-05-01'],
    ['14', '45413.5', '2024-05-01'],
    ['22', '45413.5729166667', '2024-05-01T13:45'],
    ['22', '45413.573', '2024-05-01T13:45:07.200'],
    ['20', '45413.75', '18:00:00'],
    ['46', '1.5', '36:00:00'],
    ['200', '45413.25', '2024-05-01T06:00'],
    ['201', '0.5', '0.5'],
    ['202', '59', '1900-02-28'],
    ['202', '61', '1900-03-01'],
    ['202', '-1', '-1'],
    ['202', '2958466', '2958466'],
    ['0', '1.0000000000000001E-7', '0.0000001'],
    ['0', '123456789012345680', '123456789012346000'],
  ])('in format %s the number %s is %s', async (id, number, shown) => {
    const formats = '<numFmt numFmtId="200" formatCode="yyyy&quot;h&quot;\\h [Red]dd hh:mm;@"/>';
    const others =
      '<numFmt numFmtId="201" formatCode="&quot;day&quot; 0.0\\d_y"/><numFmt numFmtId="202" formatCode="mmm\\ yy"/>';
    const styles = `<numFmts>${formats}${others}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="${id}"/></cellXfs>`;
    const rows = `<row><c t="str"><v>A</v></c></row><row><c s="1"><v>${number}</v></c></row>`;
    const { rows: read } = await readTable(aSheet(rows, { styles }));
    expect(read.map(({ cells }) => cells)).toEqual([[shown]]);
  });

  test('a number with three places is one, and nobody is asked whether it is a thousand', async () => {
    const cell = (text: string) => `<row><c t="str"><v>${text}</v></c></row>`;
    const file = aSheet(
      `${cell('Price')}<row><c><v>45.125</v></c></row><row><c><v>-1.5</v></c></row>${cell('0,5')}`,
    );
    const form = await aForm();
    const table = await readTable(file);
    const targets = targetsOf(form, table);
    expect(habitsOf(table, matchColumns(table, targets, form), targets).openNumber).toBeNull();
    const answers = (await sentOf(file, form)).map((one) => one.answers[price.id]);
    expect(answers).toEqual(['45.125', '-1.5', '0.5']);
    const alone = aSheet(`${cell('Price')}<row><c><v>45.125</v></c></row>`);
    const onlyTable = await readTable(alone);
    expect(habitsOf(onlyTable, matchColumns(onlyTable, targets, form), targets).openNumber).toBeNull();
    expect((await sentOf(alone, form)).map((one) => one.answers[price.id])).toEqual(['45.125']);
  });

  test('days of old Macs, texts in pieces, how they are spoken, errors and cells without a place', async () => {
    const shared =
      '<si><r><t xml:space="preserve">Tokyo </t></r><r><t>東京</t></r><rPh sb="0" eb="1"><t>トウキョウ</t></rPh></si><si><t>a_x000D__x000a_b</t></si>';
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';
    const rows =
      '<x:row><x:c t="s"><x:v>0</x:v></x:c><x:c t="inlineStr"><x:is><x:t>B&amp;C</x:t></x:is></x:c></x:row>' +
      '<row r="3"><c r="A3" s="1"><v>0</v></c><c t="s"><v>1</v></c><c t="e"><v>#N/A</v></c><c r="E3" t="b"><v>1</v></c></row>';
    const { columns, rows: read } = await readTable(
      aSheet(rows, { shared, styles, properties: 'date1904="1"' }),
    );
    expect(columns).toEqual(['Tokyo 東京', 'B&C', 'Column 3', 'Column 4', 'Column 5']);
    expect(read).toMatchObject([{ number: 3, cells: ['1904-01-01', 'a\r\nb', '', '', 'true'] }]);
  });
});

/** Pages send times after a `T`, and so they are read from cells with dates; the API takes a space, too. */
const asPagesSend = (answer: JsonValue) =>
  typeof answer === 'string' ? answer.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d)$/, '$1T$2') : answer;

test('what an Excel export writes is read as the same answers at the same times', async () => {
  const properties = FIELDS.filter(
    ({ type }) => !['files', 'signature'].includes(String(type)),
  ) as Property[];
  const [source, copy] = [await home.form({ properties }), await home.form({ properties })];
  const answers = properties.map((field) => [field.id, asPagesSend(sampleAnswer(field))]);
  for (const text of ['=1+1', "'=1+1", '_x000D_']) {
    const { status, body } = await home.submit(source, {
      ...Object.fromEntries(answers),
      text,
      mask: '12-ab',
    });
    expect(status, JSON.stringify(body)).toBe(200);
  }
  const names = ['submission_id', 'created_at', ...properties.map(({ id }) => id)];
  const exported = await fetch(`${home.service.url}/open/forms/${source.id}/submissions/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${home.ada.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ format: 'xlsx', columns: Object.fromEntries(names.map((name) => [name, true])) }),
  });
  const submissions = await sentOf(fileOf(new Uint8Array(await exported.arrayBuffer())), copy);
  const stored = await home.call('POST', `/open/forms/${copy.id}/submissions/import`, { submissions });
  expect(stored.status, stored.text).toBe(200);
  const said = async (form: any) =>
    (await home.records(form))
      .map(({ data: { id: _, submission_id, status, created_at, ...rest }, created_at: at }) => ({
        ...rest,
        at: Math.floor(Date.parse(at) / 1000),
      }))
      .toSorted((one, other) => (one.text < other.text ? -1 : 1));
  expect(await said(copy)).toEqual(await said(source));
});

test('a sheet is chosen, its answers come in, and what is no workbook says why', async () => {
  const form = await aForm();
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/responses`);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const input = page.getByLabel('CSV, TSV or Excel file');
  const choose = (buffer: Buffer) =>
    input.setInputFiles({ name: 'answers.xlsx', mimeType: 'application/octet-stream', buffer });
  const problem = (words: string) => page.getByRole('alert').getByText(words).waitFor();
  await choose(Buffer.from(zipSync({ 'word/document.xml': strToU8('<x/>') })));
  await problem('This is no Excel workbook.');
  await choose(Buffer.from('PK\u0003\u0004 and no more'));
  await problem('The workbook cannot be read.');
  await choose(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]));
  await problem('This is an old Excel file (.xls), or one with a password.');
  await choose(await microsoftForms());
  await page.getByText('3 responses. 8 of 11 columns found in the form.').waitFor();
  await page.getByLabel('Sheet').selectOption('Notes');
  await page.getByText('1 response. 1 of 2 columns found in the form.').waitFor();
  await page.getByLabel('Sheet').selectOption('Lists');
  await problem('The file has one row only.');
  await page.getByLabel('Sheet').selectOption('Notes');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByRole('button', { name: 'Import 1 response' }).click();
  await page.getByText('1 response was imported.').waitFor();
  const [record] = await home.records(form);
  expect(record.data[TEXT_FIELD_ID]).toBe('Zoë');
});

test('as a text it is what is pasted from a spreadsheet', async () => {
  const { text } = await readText(
    aSheet(
      '<row><c t="str"><v>name</v></c><c t="str"><v>email</v></c></row><row><c t="str"><v>Ann "A"</v></c></row>',
    ),
  );
  expect(text).toBe('name\temail\n"Ann ""A"""');
});
