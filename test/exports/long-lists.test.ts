import { expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';
import { download } from './download.ts';
import { storeSubmissions } from './stored-submissions.ts';
import { readColumnList } from './xlsx-reader.ts';

/** Questions with many long options or rows: a list of them must not be repeated for each of them. */
const home = useHome({ env: { EXPORT_SYNC_LIMIT: '1' } });
const MAX_CELL = 32_767;

const names = (count: number, length: number) =>
  Array.from({ length: count }, (_, n) => `${n} ${'x'.repeat(length)}`);

test.each([
  ['options', { type: 'multi_select', options: names(200, 300) }],
  ['rows', { type: 'matrix', rows: names(200, 300), columns: names(20, 300) }],
])('a job with a column for each of many %s stores little', async (_what, question) => {
  const form = await home.form({ properties: [{ id: 'q', name: 'Question', ...question }] });
  await storeSubmissions(home.service, form.id, [{ q: null }, { q: null }]);
  const answer = await download(home, form, 'xlsx', ['q'], { split_answers: true });
  expect(answer.status).toBe(200);
  const { rows } = await home.service.context.pool.query(
    'select length(columns::text) as length from export_jobs where form_id = $1',
    [form.id],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0].length).toBeLessThan(10 * JSON.stringify(question).length);
});

test('what the cells of a long row add up to is cut to what Excel takes', async () => {
  const question = { type: 'matrix', rows: names(1, 3_000), columns: names(1_500, 10) };
  const form = await home.form({ properties: [{ id: 'q', name: 'Question', ...question }] });
  const answer = await download(home, form, 'xlsx', ['q']);
  expect(answer.status).toBe(200);
  const [, row = []] = readColumnList(Buffer.from(await answer.arrayBuffer()));
  expect(row.at(-1)).toHaveLength(MAX_CELL);
});

test('a name of a question is not repeated for each option when it is endless', async () => {
  const question = { id: 'q', name: 'n'.repeat(100_000), type: 'multi_select', options: names(100, 10) };
  const form = await home.form({ properties: [question] });
  const answer = await download(home, form, 'csv', ['q'], { split_answers: true });
  expect(answer.status).toBe(422);
  expect((await answer.json()).errors).toEqual({
    split_answers: ['The names of these questions are too long for a column for each option.'],
  });
});
