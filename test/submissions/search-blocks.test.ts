import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { findListed } from '../../server/submissions/lists/queries.ts';
import { countSubmissions, deleteSubmissions, findSubmissions } from '../../server/submissions/queries.ts';
import { fillNextBlocks, findFormsToFill } from '../../server/submissions/search/block-queries.ts';
import { fillSearchBlocks } from '../../server/submissions/search/fill-blocks.ts';
import {
  containsText,
  prepareSearch,
  type TextSearch,
  WHOLE_TABLE,
} from '../../server/submissions/search/queries.ts';
import { bitsOfText, SEPARATOR, signatureOf } from '../../server/submissions/search/signature.ts';
import { addToCounters, lockFormGate } from '../../server/submissions/store-queries.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

const home = useHome({ env: { ROLES: 'http' } });
const NAME = aField('01', 'text', 'Name');
const NOTE = aField('02', 'text', 'Note');
/** This many of the newest submissions are in no block yet. */
const WAITING = 1_000;

const db = () => home.service.context.db;

/** Stores submissions with these answers, then as many small ones as stay out of the blocks. @returns the ids of the first */
async function stored(formId: number, answers: object[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into submissions (form_id, public_id, status, data)
    select ${formId}, gen_random_uuid(), 'completed', value from jsonb_array_elements(${JSON.stringify(answers)}::jsonb)
    returning id`.execute(db());
  await sql`
    insert into submissions (form_id, public_id, status, data)
    select ${formId}, gen_random_uuid(), 'completed', jsonb_build_object(${NAME.id}::text, n)
    from generate_series(1, ${WAITING}) n`.execute(db());
  await addToCounters(db() as never, formId, answers.length + WAITING, 0);
  return rows.map(({ id }) => id);
}

async function filled(formId: number): Promise<void> {
  while (await fillNextBlocks(db(), formId));
}

const blocksOf = (formId: number) =>
  db().selectFrom('search_blocks').selectAll().where('form_id', '=', formId).orderBy('first_id').execute();

async function found(formId: number, search: TextSearch): Promise<number[]> {
  const { rows } = await findSubmissions(
    db(),
    formId,
    { status: 'all', search },
    { limit: 10_000, offset: 0, beforeId: undefined, isWhole: true },
  );
  return rows.map(({ id }) => id);
}

const foundText = async (formId: number, text: string) =>
  found(formId, await prepareSearch(db(), formId, text));

/** Letters whose case depends on the language or on their neighbours, special characters of patterns and JSON, and more. */
const LETTER = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom(...'aAbBiIıİßẞsSσΣςǅǆŉﬀÅÅåéÉ'.normalize('NFC')) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        'e\u0301',
        'I\u0307',
        '👩‍🚀',
        '😀',
        '%',
        '_',
        '\\',
        '"',
        "'",
        '\n',
        ' ',
        '.',
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('[', ']', '{', ',', '\t', SEPARATOR, '\u007f', '\u200d', '1', '0'),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
  )
  .filter((letter) => !letter.includes('\0'));
const TEXT = fc.array(LETTER, { maxLength: 24 }).map((letters) => letters.join(''));

test('every part of a text has all its bits in the signature, whatever stands beside it', () => {
  fc.assert(
    fc.property(TEXT, TEXT, TEXT, (before, part, after) => {
      const signature = signatureOf(['beside', before + part + after]);
      for (const bit of bitsOfText(part)) expect((signature[bit >> 3] ?? 0) & (1 << (bit & 7))).not.toBe(0);
    }),
  );
});

test.each(['default', 'C', 'tr-x-icu', 'el-x-icu'])(
  'where PostgreSQL finds a text, its bits are set: collation %s',
  async (collation) => {
    const known = await sql`select from pg_collation where collname = ${collation}`.execute(db());
    if (known.rows.length === 0) return;
    const collate = sql.raw(`collate "${collation}"`);
    const pair = fc.tuple(TEXT, TEXT, TEXT, fc.constantFrom('as it is', 'upper', 'lower'));
    const pairs = fc.sample(pair, { numRuns: 1_500, seed: 7 }).map(([before, part, after, way]) => ({
      text: before + part + after,
      needle: way === 'upper' ? part.toUpperCase() : way === 'lower' ? part.toLowerCase() : part,
    }));
    const patterns = pairs.map(({ needle }) => `%${needle.replace(/[\\%_]/g, '\\$&')}%`);
    const { rows } = await sql<{ is_found: boolean; text: string; pattern: string }>`
      select text ${collate} ilike pattern ${collate} as is_found,
        lower(text ${collate}) as text, lower(pattern ${collate}) as pattern
      from unnest(${pairs.map(({ text }) => text)}::text[], ${patterns}::text[]) with ordinality as pair (text, pattern, at)
      order by at`.execute(db());
    let count = 0;
    for (const { is_found, text, pattern } of rows.filter((row) => row.is_found)) {
      const bits = bitsOfText(pattern.slice(1, -1).replace(/\\(.)/gs, '$1'));
      const signature = signatureOf([text]);
      count += is_found && bits.length > 0 ? 1 : 0;
      for (const bit of bits)
        expect((signature[bit >> 3] ?? 0) & (1 << (bit & 7)), JSON.stringify(text)).not.toBe(0);
    }
    expect(count).toBeGreaterThan(500);
  },
);

describe('what is found with blocks is what is found without', () => {
  let formId: number;
  let answers: Record<string, any>[];
  beforeAll(async () => {
    ({ id: formId } = await home.form({ properties: [NAME, NOTE] }));
    const value = fc.oneof(
      TEXT,
      fc.array(TEXT, { maxLength: 3 }),
      fc.record({ [`${'row'}`]: TEXT }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
    );
    const submission = fc.record({ [NAME.id]: value, [NOTE.id]: value }, { requiredKeys: [] });
    answers = fc.sample(submission, { numRuns: 1_500, seed: 11 });
    await stored(formId, answers);
    await filled(formId);
    expect((await blocksOf(formId)).length).toBeGreaterThan(8);
  });

  const needle = fc
    .oneof(
      TEXT,
      fc
        .tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 12 }), fc.constantFrom('upper', 'lower', ''))
        .map(([at, start, length, way]) => {
          const values = Object.values(answers[at % answers.length] ?? {});
          const text = values
            .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
            .join(' ');
          const part = [...text]
            .slice(start % Math.max(1, text.length))
            .slice(0, length)
            .join('');
          return way === 'upper' ? part.toUpperCase() : way === 'lower' ? part.toLowerCase() : part;
        }),
    )
    .filter((text) => text !== '' && text.isWellFormed());

  test.each([
    ['few blocks', 500],
    ['many blocks', 0],
  ])('%s', async (_what, maxBlocks) => {
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(needle, async (text) => {
        const condition = containsText(text);
        const plain = { from: WHOLE_TABLE, condition };
        const search = await prepareSearch(db(), formId, text, maxBlocks);
        const whole = { all: plain, page: plain };
        const expected = await found(formId, whole);
        expect(await found(formId, search)).toEqual(expected);
        const count = (search: TextSearch) => countSubmissions(db(), formId, { status: 'all', search });
        expect(await count(search)).toBe(expected.length);
        const listed = async (search: TextSearch, by: 'created_at' | 'updated_at') => {
          const filter = {
            status: 'all' as const,
            search,
            from: null,
            until: null,
            beforeId: null,
            fields: [],
            review: null,
            ending: null,
          };
          const place = { sort: { by }, order: 'asc' as const, cursor: null, limit: 30 };
          return (await findListed(db(), formId, filter, place)).rows.map(({ id }) => id);
        };
        for (const by of ['created_at', 'updated_at'] as const)
          expect(await listed(search, by)).toEqual(await listed(whole, by));
        hits += expected.length > 0 ? 1 : 0;
      }),
      { numRuns: 60, seed: 5 },
    );
    expect(hits).toBeGreaterThan(20);
  });
});

describe('changes', () => {
  const words = (n: number) => ({
    [NAME.id]: `person${n}`,
    [NOTE.id]: `word${'abcdefghij'[n % 10]} ${n * 7919}`,
  });
  let formId: number;
  let ids: number[];
  beforeAll(async () => {
    ({ id: formId } = await home.form({ properties: [NAME, NOTE] }));
    ids = await stored(
      formId,
      Array.from({ length: 600 }, (_, n) => words(n)),
    );
    await filled(formId);
  });

  test('a rare word is looked for in its block alone', async () => {
    const blocks = await blocksOf(formId);
    expect(blocks.length).toBeGreaterThanOrEqual(4);
    expect(blocks.every(({ signature }) => signature?.length === 1_980)).toBe(true);
    expect(await foundText(formId, 'PERSON417')).toEqual([ids[417]]);
    const { all } = await prepareSearch(db(), formId, 'person417');
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${all.from}`.execute(db());
    expect(rows[0]?.count).toBeLessThan(WAITING + 600);
  });

  test('what is new is found at once', async () => {
    const form = { slug: (await home.call('GET', `/open/forms/${formId}`)).body.slug };
    expect((await home.submit(form, { [NAME.id]: 'Zebulon' })).status).toBe(200);
    expect(await foundText(formId, 'zebulon')).toHaveLength(1);
  });

  test('an edited answer is found at once, the former one leaves nothing, and the block is filled again', async () => {
    const id = ids[300]!;
    const body = { [NAME.id]: 'Melchior', [NOTE.id]: 'x' };
    expect((await home.call('PUT', `/open/forms/${formId}/submissions/${id}`, body)).status).toBe(200);
    const voided = (await blocksOf(formId)).filter(({ signature }) => signature === null);
    expect(voided).toHaveLength(1);
    expect(voided[0]!.first_id <= id && id <= voided[0]!.last_id).toBe(true);
    expect(await foundText(formId, 'melchior')).toEqual([id]);
    expect(await foundText(formId, 'person300')).toEqual([]);
    expect(await findFormsToFill(db())).toContain(formId);
    await filled(formId);
    const again = (await blocksOf(formId)).find(({ first_id }) => first_id === voided[0]!.first_id);
    const isSet = (bit: number) => ((again?.signature?.[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
    expect(bitsOfText('melchior').every(isSet)).toBe(true);
    expect(bitsOfText('person300').every(isSet)).toBe(false);
    expect(await foundText(formId, 'melchior')).toEqual([id]);
  });

  test('a change of something else leaves the block as it is', async () => {
    await sql`update submissions set updated_at = now(), completion_time = 3
      where form_id = ${formId} and id <= ${ids[20]}`.execute(db());
    expect((await blocksOf(formId)).filter(({ signature }) => signature === null)).toEqual([]);
  });

  test('deleted submissions leave nothing, and a block without any goes', async () => {
    const [first] = await blocksOf(formId);
    const gone = ids.filter((id) => first && id <= first.last_id);
    await db()
      .transaction()
      .execute(async (trx) => {
        await lockFormGate(trx, formId);
        await deleteSubmissions(trx, formId, [...gone, ids[599]!]);
      });
    const voided = (await blocksOf(formId)).filter(({ signature }) => signature === null);
    expect(voided[0]?.first_id).toBe(first?.first_id);
    await filled(formId);
    expect((await blocksOf(formId)).map(({ first_id }) => first_id)).not.toContain(first?.first_id);
    expect(await foundText(formId, 'person599')).toEqual([]);
    expect(await foundText(formId, 'person598')).toEqual([ids[598]]);
  });

  test('an edit that is under way is waited for', async () => {
    const id = ids[450]!;
    await sql`update search_blocks set signature = null where form_id = ${formId}`.execute(db());
    let filling: Promise<unknown> = Promise.resolve();
    await db()
      .transaction()
      .execute(async (trx) => {
        await sql`update submissions set data = ${JSON.stringify({ [NAME.id]: 'Balthasar' })}
          where form_id = ${formId} and id = ${id}`.execute(trx);
        filling = filled(formId);
        await sql`select count(*) from submissions`.execute(db());
      });
    await filling;
    expect(await foundText(formId, 'balthasar')).toEqual([id]);
    expect((await blocksOf(formId)).every(({ signature }) => signature !== null)).toBe(true);
  });

  test('goes with the form', async () => {
    expect((await home.call('DELETE', `/open/forms/${formId}`)).status).toBe(204);
    expect(await blocksOf(formId)).toEqual([]);
  });
});

test('large forms are filled by the background, all but the newest; small ones cost nothing', async () => {
  const form = await home.form({ properties: [NAME, NOTE] });
  const small = await home.form({ properties: [NAME, NOTE] });
  await stored(small.id, [{ [NAME.id]: 'few' }]);
  const ids = await stored(
    form.id,
    Array.from({ length: 5_500 }, (_, n) => ({ [NAME.id]: `person ${n}`, [NOTE.id]: 'note' })),
  );
  expect(await findFormsToFill(db())).toEqual([form.id]);
  await fillSearchBlocks(db());
  const blocks = await blocksOf(form.id);
  expect(blocks.at(-1)!.last_id).toBeGreaterThan(ids[5_300]!);
  expect(await findFormsToFill(db())).toEqual([]);
  expect(await blocksOf(small.id)).toEqual([]);
  const list = async (query: string) =>
    (await home.call('GET', `/open/forms/${form.id}/submissions?${query}`)).body;
  const page = await list('search=PERSON%205123&per_page=10');
  expect([page.data.map(({ id }: any) => id), page.meta.total]).toEqual([[ids[5_123]], 1]);
  const rare = await list('search=person%205123&total=true');
  expect([rare.data.length, rare.meta.total, rare.meta.total_is_capped]).toEqual([1, 1, false]);
  const common = await list('search=person&total=true&per_page=10');
  expect([common.data[0].id, common.meta.total, common.data.length]).toEqual([ids.at(-1), 5_500, 10]);
  const beyond = await list('search=note&page=3&per_page=100');
  expect([beyond.data[0].id, beyond.meta.total]).toEqual([ids[5_500 - 201], 5_500]);
});
