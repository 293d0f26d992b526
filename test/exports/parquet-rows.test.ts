import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolveColumns } from '../../server/exports/columns/columns.ts';
import { createParquet } from '../../server/exports/parquet/parquet-file.ts';
import { useHome } from '../setup/home.ts';
import { prepareRows } from '../setup/prepare-rows.ts';
import { download } from './download.ts';
import { finishedJob } from './finished-job.ts';
import { readParquet } from './parquet-reader.ts';

/** Parquet files of many submissions, and of all shapes of answers. */
const home = useHome({ env: { EXPORT_SYNC_LIMIT: '1000' } });

const FIELDS = [
  { id: 'long', type: 'text', name: 'Long' },
  { id: 'color', type: 'select', name: 'Color', options: ['Red', 'Blue'] },
  { id: 'age', type: 'number', name: 'Age' },
  { id: 'news', type: 'checkbox', name: 'News' },
  { id: 'pets', type: 'multi_select', name: 'Pets', options: ['Cat'] },
  {
    id: 'people',
    type: 'repeat',
    name: 'People',
    questions: [
      { id: 'who', type: 'text', name: 'Who' },
      { id: 'likes', type: 'multi_select', name: 'Likes' },
    ],
  },
];
const IDS = FIELDS.map(({ id }) => id);

test('a job with several row groups has the same cells as the lines of JSON', async () => {
  const rows = 10_000;
  const form = await home.form({ properties: FIELDS });
  await prepareRows(home.service, [
    `insert into submissions (form_id, public_id, status, data)
     select $1, gen_random_uuid(), 'completed', jsonb_strip_nulls(jsonb_build_object(
       'long', case when n % 7 > 0 then repeat(md5(n::text), 50) end, 'color', (array['Red', 'Blue'])[n % 3],
       'age', case when n % 5 > 0 then n / 4.0 end, 'news', (array[true, false])[n % 3 + 1],
       'pets', case when n % 4 > 0 then to_jsonb((array['Cat', 'Dog ' || n, 'ü'])[:n % 4 - 1]) end,
       'people', case when n % 9 > 0 then to_jsonb((array[jsonb_build_object('who', 'P' || n % 20, 'likes', '["x", "y"]'::jsonb),
         jsonb_build_object('likes', '[]'::jsonb)])[:n % 9 - 1]) end))
     from generate_series(1, ${rows}) n order by n`,
    [form.id],
  ]);
  const file = async (format: string) => {
    const { file_url, processed_submissions } = await finishedJob(
      home,
      form,
      await download(home, form, format, ['id', ...IDS]),
    );
    expect(processed_submissions).toBe(rows);
    return Buffer.from(await (await fetch(file_url)).arrayBuffer());
  };
  const { rows: found, groups } = await readParquet(await file('parquet'));
  expect(groups.length).toBeGreaterThan(1);
  expect(groups.reduce((sum, count) => sum + count)).toBe(rows);
  const lines = String(await file('jsonl'))
    .trimEnd()
    .split('\n')
    .toReversed();
  expect(found).toEqual(
    lines.map((line) => {
      const {
        id,
        Long: long,
        Color: color,
        Age: age,
        News: news,
        Pets: pets,
        People: people,
      } = JSON.parse(line);
      const entries = people?.map(({ who = null, likes = null }) => ({ who, likes })) ?? null;
      return { id, long, color, age, news, pets, people: entries };
    }),
  );
});

/** An answer of each field, or none. */
const ANSWERS = fc.record({
  long: fc.option(fc.oneof(fc.constantFrom('', 'a', 'b'), fc.string({ unit: 'binary', maxLength: 9 }))),
  color: fc.constantFrom('Red', null),
  age: fc.option(fc.double({ noDefaultInfinity: true, noNaN: true }).map((age) => age + 0)),
  news: fc.option(fc.boolean()),
  pets: fc.option(fc.array(fc.option(fc.string({ maxLength: 2 })), { maxLength: 3 })),
  people: fc.option(
    fc.array(
      fc.record({
        who: fc.option(fc.constantFrom('Ada', 'Ben')),
        likes: fc.option(fc.array(fc.option(fc.constantFrom('x', 'y')), { maxLength: 2 })),
      }),
      { maxLength: 3 },
    ),
  ),
});

test('any answers are read as they were given', async () => {
  const wanted = Object.fromEntries(IDS.map((id) => [id, true]));
  const columns = resolveColumns(IDS, wanted, { properties: FIELDS, endings: [] });
  const written = (answer: unknown) =>
    answer === null ? '\\N' : JSON.stringify(answer).replaceAll('\\', '\\\\');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(ANSWERS, fc.constantFrom(1, 2, 7, 8, 9, 30)), { maxLength: 40 }),
      async (some) => {
        const rows = some.flatMap(([answers, times]) => Array.from({ length: times }, () => answers));
        const lines = rows.map(
          (row) => `${IDS.map((id) => written(row[id as keyof typeof row])).join('\t')}\n`,
        );
        const file = createParquet(columns);
        file.end(lines.join(''));
        const { rows: found } = await readParquet(Buffer.concat(await file.toArray()));
        expect(found).toEqual(rows);
      },
    ),
    { numRuns: 60 },
  );
});
