import { expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';
import { download } from './download.ts';
import { readColumnList, readWorkbook } from './xlsx-reader.ts';

/** The second sheet of an Excel file: what its columns are, and which values they have. */
const home = useHome();
const options = ['Red', '=Green', 'Blue <&>'];
const PROPERTIES = [
  { id: 'color', type: 'select', name: 'Color', options },
  { id: 'again', type: 'text', name: 'Color' },
  { id: 'several', type: 'multi_select', name: 'Several', options },
  { id: 'care', type: 'matrix', name: 'Care', rows: ['Food', 'Room'], columns: ['Bad', 'Good'] },
  { id: 'order', type: 'ranking', name: 'Order', options },
  {
    id: 'nps',
    type: 'scale',
    name: 'Recommend',
    scale_min_value: 0,
    scale_max_value: 10,
    scale_max_label: 'Surely',
  },
  { id: 'people', type: 'repeat', name: 'People', questions: [{ id: 'who', type: 'text', name: 'Who' }] },
];
const HEADING = ['Column', 'Question', 'Option or row', 'Type', 'Id', 'Values'];

async function exported(columns: string[], more = {}) {
  const form = await home.form({ properties: PROPERTIES });
  const response = await download(home, form, 'xlsx', columns, more);
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  const list = readColumnList(bytes);
  const [headers = []] = readWorkbook(bytes);
  expect(list.slice(1).map(([column]) => column)).toEqual(headers.map((cell) => cell?.value));
  return list;
}

test('says of each column its question, type, id and values', async () => {
  const names = ['created_at', 'color', 'again', 'several', 'care', 'nps', 'meta.attribution.utm_source'];
  const listed = options.join('\n');
  expect(await exported(names)).toEqual([
    HEADING,
    ['created_at', '', '', '', 'created_at', 'when it was sent, in UTC'],
    ['Color', 'Color', '', 'select', 'color', listed],
    ['Color (2)', 'Color', '', 'text', 'again', ''],
    ['Several', 'Several', '', 'multi_select', 'several', listed],
    ['Care', 'Care', '', 'matrix', 'care', 'Food: Bad\nFood: Good\nRoom: Bad\nRoom: Good'],
    ['Recommend', 'Recommend', '', 'scale', 'nps', '0\n10 = Surely'],
    ['utm_source', '', '', '', 'meta.attribution.utm_source', 'where the sender came from'],
  ]);
});

test('says which option or row a column is about where each has one', async () => {
  const chosen = '1 = chosen\n0 = not chosen';
  expect(await exported(['several', 'care', 'order'], { split_answers: true })).toEqual([
    HEADING,
    ['Several [Red]', 'Several', 'Red', 'multi_select', 'several', chosen],
    ['Several [=Green]', 'Several', '=Green', 'multi_select', 'several', chosen],
    ['Several [Blue <&>]', 'Several', 'Blue <&>', 'multi_select', 'several', chosen],
    ['Several [Other]', 'Several', 'Other', 'multi_select', 'several', ''],
    ['Care [Food]', 'Care', 'Food', 'matrix', 'care', 'Bad\nGood'],
    ['Care [Room]', 'Care', 'Room', 'matrix', 'care', 'Bad\nGood'],
    ['Care [Other]', 'Care', 'Other', 'matrix', 'care', ''],
    ['Order [Red]', 'Order', 'Red', 'ranking', 'order', '1 = first\n3 = last'],
    ['Order [=Green]', 'Order', '=Green', 'ranking', 'order', '1 = first\n3 = last'],
    ['Order [Blue <&>]', 'Order', 'Blue <&>', 'ranking', 'order', '1 = first\n3 = last'],
    ['Order [Other]', 'Order', 'Other', 'ranking', 'order', ''],
  ]);
});

test('knows the questions of entries', async () => {
  expect(await exported(['people'], { entries_of: 'people' })).toEqual([
    HEADING,
    ['entry', '', '', '', '', 'number of the entry in its submission'],
    ['Who', 'Who', '', 'text', 'who', ''],
  ]);
});
