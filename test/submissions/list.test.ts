import { beforeAll, describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { prepareRows } from '../setup/prepare-rows.ts';
import { until } from '../setup/until.ts';

const home = useHome({ env: { ROLES: 'http' } });
const SCORE = aField('c1', 'number', 'Score');
const DAY = aField('c2', 'date', 'Day');
const TICK = aField('c3', 'checkbox', 'Tick');
const MANY = aField('c4', 'multi_select', 'Many');
const GRID = aField('c5', 'matrix', 'Grid', { rows: ['Food'], columns: ['Good', 'Bad'] });
const FIELDS = [aTextField(), SCORE, DAY, TICK, MANY, GRID];

let form: any;
/** Names by id, in the order they were stored. */
const rows = [
  { [TEXT_FIELD_ID]: 'Anna', [SCORE.id]: 1, [DAY.id]: '2026-01-05', [TICK.id]: true, [MANY.id]: ['a', 'b'] },
  { [TEXT_FIELD_ID]: 'bert', [SCORE.id]: 10, [DAY.id]: '2026-02-05T10:00', [TICK.id]: false },
  { [TEXT_FIELD_ID]: 'Cleo 100%', [SCORE.id]: 2.5, [MANY.id]: ['bc'], [GRID.id]: { Food: 'Good' } },
  { [SCORE.id]: -3, [DAY.id]: '2025-12-31' },
  { [TEXT_FIELD_ID]: 'anna' },
];
const NAMES = ['Anna', 'bert', 'Cleo 100%', undefined, 'anna'];

beforeAll(async () => {
  form = await home.form({ properties: FIELDS, enable_partial_submissions: true });
  for (const row of rows) expect((await home.submit(form, row)).status).toBe(200);
});

async function list(query: Record<string, string>, of = form): Promise<any> {
  const answer = await home.call('GET', `/open/forms/${of.id}/submissions?${new URLSearchParams(query)}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
const names = ({ data }: any) => data.map(({ data }: any) => data[TEXT_FIELD_ID]);
const refused = (query: Record<string, string>) =>
  home.call('GET', `/open/forms/${form.id}/submissions?${new URLSearchParams(query)}`);

describe('the list by pages', () => {
  test('stays byte for byte what it was', async () => {
    const path = `/open/forms/${form.id}/submissions`;
    const { text, body } = await home.call('GET', `${path}?per_page=2&page=2&search=a&status=completed`);
    expect(Object.keys(body.links)).toEqual(['first', 'last', 'prev', 'next']);
    const url = `${home.service.url + path}?per_page=2&page=`;
    const rest = '&search=a&status=completed';
    expect(text.slice(text.indexOf(',"links"'))).toBe(
      `,"links":{"first":"${url}1${rest}","last":"${url}2${rest}","prev":"${url}1${rest}","next":null},` +
        `"meta":{"current_page":2,"from":3,"last_page":2,"path":"${home.service.url + path}","per_page":2,"to":3,"total":3}}`,
    );
  });

  test('is the same with parameters that a client had no value for', async () => {
    const path = `/open/forms/${form.id}/submissions`;
    const empty = await home.call(
      'GET',
      `${path}?page=&per_page=&before=&search=&status=&order=&total=&review=&filter=`,
    );
    expect(empty.status, empty.text).toBe(200);
    const { data, meta } = (await home.call('GET', path)).body;
    expect(empty.body).toMatchObject({ data, meta });
  });
});

describe('filters', () => {
  const T = `filter[${TEXT_FIELD_ID}]`;
  test.each<[string, Record<string, string>, number[]]>([
    ['equal text, with its case', { [T]: 'anna' }, [4]],
    ['part of a text in any case', { [`${T}[contains]`]: 'AN' }, [4, 0]],
    ['signs of patterns mean themselves', { [`${T}[contains]`]: '0%' }, [2]],
    ['no answer', { [`${T}[is_empty]`]: '' }, [3]],
    ['an answer', { [`${T}[is_not_empty]`]: '', order: 'asc' }, [0, 1, 2, 4]],
    ['an equal number', { [`filter[${SCORE.id}]`]: '10.0' }, [1]],
    ['a number as near to 0 as there are', { [`filter[${SCORE.id}]`]: '5e-324' }, []],
    ['larger numbers', { [`filter[${SCORE.id}][greater_than]`]: '2' }, [2, 1]],
    ['numbers up to', { [`filter[${SCORE.id}][less_than_or_equal_to]`]: '1' }, [3, 0]],
    [
      'two comparisons of one field',
      {
        [`filter[${SCORE.id}][greater_than_or_equal_to]`]: '1',
        [`filter[${SCORE.id}][less_than]`]: '10',
      },
      [2, 0],
    ],
    ['a day, whatever its time', { [`filter[${DAY.id}]`]: '2026-02-05' }, [1]],
    ['days before', { [`filter[${DAY.id}][before]`]: '2026-01-05' }, [3]],
    ['days from', { [`filter[${DAY.id}][on_or_after]`]: '2026-01-05' }, [1, 0]],
    ['a tick', { [`filter[${TICK.id}]`]: 'true' }, [0]],
    ['a choice of several', { [`filter[${MANY.id}]`]: 'b' }, [0]],
    ['part of a choice', { [`filter[${MANY.id}][contains]`]: 'B' }, [2, 0]],
    ['a line of a matrix', { [`filter[${GRID.id}]`]: 'Food: Good' }, [2]],
    ['another text, or none', { [`${T}[does_not_equal]`]: 'anna' }, [3, 2, 1, 0]],
    ['no such part', { [`${T}[does_not_contain]`]: 'AN' }, [3, 2, 1]],
    ['another number, or none', { [`filter[${SCORE.id}][does_not_equal]`]: '10' }, [4, 3, 2, 0]],
    ['another day, or none', { [`filter[${DAY.id}][does_not_equal]`]: '2026-02-05' }, [4, 3, 2, 0]],
    ['no tick, or no answer', { [`filter[${TICK.id}][does_not_equal]`]: 'true' }, [4, 3, 2, 1]],
    ['not this choice', { [`filter[${MANY.id}][does_not_equal]`]: 'b' }, [4, 3, 2, 1]],
    ['no such line', { [`filter[${GRID.id}][does_not_contain]`]: 'good' }, [4, 3, 1, 0]],
    ['answers of two fields', { [`${T}[contains]`]: 'a', [`filter[${TICK.id}]`]: 'true' }, [0]],
    ['with a search', { [`${T}[contains]`]: 'an', search: '2026' }, [0]],
  ])('%s', async (_what, query, expected) => {
    const body = await list({ ...query, total: 'true' });
    expect(names(body)).toEqual(expected.map((index) => NAMES[index]));
    expect(body.meta).toMatchObject({ total: expected.length, total_is_capped: false });
  });

  test('from and to, days being whole', async () => {
    const own = await home.form();
    const days = ['2026-03-01T00:00:00Z', '2026-03-01T23:59:59.999Z', '2026-03-02T12:00:00Z'];
    for (const day of days) {
      await home.submit(own, { [TEXT_FIELD_ID]: day });
      await home.service.context.pool.query(
        `update submissions set created_at = $1::timestamptz, updated_at = $1::timestamptz
         where form_id = $2 and data->>$3 = $1::text`,
        [day, own.id, TEXT_FIELD_ID],
      );
    }
    const [first, second, third] = days;
    expect(names(await list({ from: '2026-03-01', to: '2026-03-01' }, own))).toEqual([second, first]);
    expect(names(await list({ from: '2026-03-02' }, own))).toEqual([third]);
    expect(names(await list({ to: '2026-03-01T23:59:59Z' }, own))).toEqual([first]);
    expect(names(await list({ from: '2026-03-02t12:00:00z' }, own))).toEqual([third]);
    expect(names(await list({ from: '2026-03-03' }, own))).toEqual([]);
  });

  test('dates are days in UTC, as in logic, and texts that are none do no harm', async () => {
    const own = await home.form({ properties: [aTextField(), { ...DAY, type: 'text' }] });
    const add = (text: string) => home.submit(own, { [TEXT_FIELD_ID]: text, [DAY.id]: text });
    const late = '2026-01-01T23:30:00-05:00';
    const early = '2026-01-03 04:59+05:00';
    const none = ['2026-02-30T00:00:00+99:99', '2026-99-99T99:99:99+14:59', 'soon', '0000-00-00T00:00+00:00'];
    for (const text of [late, early, '2026-01-01T23:30:00Z', '2026-01-03', ...none]) await add(text);
    await home.call('PUT', `/open/forms/${own.id}`, { properties: [aTextField(), DAY] });
    const on = async (day: string, operator = 'equals') =>
      names(await list({ [`filter[${DAY.id}][${operator}]`]: day }, own));
    expect(await on('2026-01-02')).toEqual([early, late]);
    expect(await on('2026-01-01')).toEqual(['2026-01-01T23:30:00Z']);
    expect(await on('2026-01-02', 'before')).toContain('2026-01-01T23:30:00Z');
    expect(await on('2026-01-03', 'on_or_after')).not.toContain(early);
    expect(await on('2026-01-01', 'is_not_empty')).toHaveLength(4 + none.length);
  });

  test('of a field that was removed', async () => {
    const own = await home.form({ properties: [aTextField(), SCORE] });
    await home.submit(own, { [TEXT_FIELD_ID]: 'x', [SCORE.id]: 5 });
    await home.call('PUT', `/open/forms/${own.id}`, { properties: [aTextField()] });
    expect(names(await list({ [`filter[${SCORE.id}]`]: '5' }, own))).toEqual(['x']);
  });

  test.each<[string, Record<string, string>, string]>([
    ['an unknown field', { 'filter[nothing]': 'x' }, 'filter[nothing]'],
    ['no field', { 'filter[]': 'x' }, 'filter[]'],
    [
      'an operator that makes no sense',
      { [`filter[${TICK.id}][contains]`]: 'x' },
      `filter[${TICK.id}][contains]`,
    ],
    ['a number that is none', { [`filter[${SCORE.id}]`]: '1; drop' }, `filter[${SCORE.id}]`],
    ['a day that is none', { [`filter[${DAY.id}]`]: '2026-02-30' }, `filter[${DAY.id}]`],
    ['a moment', { [`filter[${DAY.id}][after]`]: '2026-01-02T09:00' }, `filter[${DAY.id}][after]`],
    ['no value', { [T]: '' }, T],
    ['U+0000', { [T]: '\0' }, T],
    ['a long value', { [T]: 'x'.repeat(1_001) }, T],
    ['a bad moment', { from: 'yesterday' }, 'from'],
    ['an unknown order', { order: 'up' }, 'order'],
    ['an unknown sort', { sort: 'nothing' }, 'sort'],
    ['a cursor that is none', { cursor: 'x' }, 'cursor'],
    ['an id no submission can have', { before: '99999999999999999999' }, 'before'],
    ['an id that is not exact', { before: '9007199254740993' }, 'before'],
  ])('refuse %s', async (_what, query, key) => {
    expectInvalid(await refused(query), key);
  });

  test('refuse cursors that somebody made up', async () => {
    const made = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    for (const cursor of [
      made('created_at', 'asc', 'next', 'x', 1),
      made('created_at', 'asc', 'next', null, 1),
      made('created_at', 'asc', 'next', '2026-99-99T00:00:00.000000Z', 1),
      made('created_at', 'desc', 'next', '2026-02-30T00:00:00.000000Z', 1),
      made('created_at', 'desc', 'next', '0000-01-01T00:00:00.000000Z', 1),
      made('created_at', 'up', 'next', '2026-01-01T00:00:00.000000Z', 1),
      made('created_at', 'asc', 'next', '2026-01-01T00:00:00.000000Z', 1.5),
      made(SCORE.id, 'asc', 'next', '1e9999', 1),
      made(TEXT_FIELD_ID, 'asc', 'next', 'a\0', 1),
      made('nothing', 'asc', 'next', 'a', 1),
    ]) {
      const { status, body } = await refused({ cursor });
      expect([cursor, status], JSON.stringify(body)).toEqual([cursor, 422]);
      expect(body.errors).not.toEqual({});
    }
    const { meta } = await list({ order: 'asc', per_page: '2' });
    expectInvalid(await refused({ cursor: meta.next_cursor, order: 'desc' }), 'cursor');
  });
});

/** Reads every page from the first to the last, and then back again. */
async function walk(query: Record<string, string>, of = form): Promise<{ there: any[]; back: any[] }> {
  const there: any[] = [];
  const back: any[] = [];
  let page = await list(query, of);
  expect(page.meta.prev_cursor).toBeNull();
  for (;;) {
    there.push(...names(page));
    if (page.meta.next_cursor === null) break;
    page = await list({ ...query, cursor: page.meta.next_cursor }, of);
  }
  for (;;) {
    back.unshift(...names(page));
    if (page.meta.prev_cursor === null) break;
    page = await list({ ...query, cursor: page.meta.prev_cursor }, of);
  }
  return { there, back };
}

describe('order and pages', () => {
  const byText = ['Anna', 'anna', 'bert', 'Cleo 100%', undefined];
  test.each<[string, Record<string, string>, unknown[]]>([
    ['newest first', { sort: 'created_at' }, [...NAMES].reverse()],
    ['oldest first', { order: 'asc' }, NAMES],
    ['last changed first', { sort: 'updated_at' }, [...NAMES].reverse()],
    ['first changed first', { sort: 'updated_at', order: 'asc' }, NAMES],
    ['by a text', { sort: TEXT_FIELD_ID, order: 'asc' }, byText],
    ['by a text, downwards', { sort: TEXT_FIELD_ID }, ['Cleo 100%', 'bert', 'anna', 'Anna', undefined]],
    ['by a number', { sort: SCORE.id, order: 'asc' }, [undefined, 'Anna', 'Cleo 100%', 'bert', 'anna']],
    ['by a number, downwards', { sort: SCORE.id }, ['bert', 'Cleo 100%', 'Anna', undefined, 'anna']],
    [
      'by a field hardly anybody answered',
      { sort: GRID.id, order: 'asc' },
      ['Cleo 100%', 'Anna', 'bert', undefined, 'anna'],
    ],
  ])('%s, page by page, there and back', async (_what, query, expected) => {
    for (const perPage of ['1', '2', '3', '5'])
      expect(await walk({ ...query, per_page: perPage })).toEqual({ there: expected, back: expected });
  });

  test('nothing is missed or shown twice while submissions arrive and change', async () => {
    const own = await home.form({ editable_submissions: true });
    const ids: string[] = [];
    const add = async (name: string) => {
      const { body } = await home.submit(own, { [TEXT_FIELD_ID]: name });
      ids.push(body.submission_id);
    };
    for (const name of ['1', '2', '3', '4']) await add(name);
    const first = await list({ order: 'desc', per_page: '2' }, own);
    await add('5');
    const second = await list({ per_page: '2', cursor: first.meta.next_cursor }, own);
    expect([...names(first), ...names(second)]).toEqual(['4', '3', '2', '1']);
    expect(second.meta.next_cursor).toBeNull();
    const before = await list({ per_page: '9', cursor: second.meta.prev_cursor }, own);
    expect(names(before)).toEqual(['5', '4', '3']);
    // The end of the list, asked for again later, gives what has arrived since.
    const end = await list({ order: 'asc', per_page: '9' }, own);
    expect(end.meta.next_cursor).toBeNull();
    await home.submit(own, { [TEXT_FIELD_ID]: '2b', submission_id: ids[1] });
    expect(names(await list({ sort: 'updated_at' }, own))).toEqual(['2b', '5', '4', '3', '1']);
    expect(await walk({ sort: 'updated_at', per_page: '2' }, own)).toEqual({
      there: ['2b', '5', '4', '3', '1'],
      back: ['2b', '5', '4', '3', '1'],
    });
  });

  test('submissions of the same moment have an order, too', async () => {
    const own = await home.form();
    const { pool } = home.service.context;
    await pool.query(
      `with added as (insert into submissions (form_id, public_id, status, data)
         select $1::bigint, gen_random_uuid(), case when n % 3 = 0 then 'partial' else 'completed' end,
           jsonb_build_object($2::text, n::text) from generate_series(1, 30) n returning status)
       update form_counters set completed_count = 20, partial_count = 10 where form_id = $1`,
      [own.id, TEXT_FIELD_ID],
    );
    await pool.query(
      `update submissions set updated_at = '2030-01-01' where form_id = $1 and (data->>$2)::int % 4 = 0`,
      [own.id, TEXT_FIELD_ID],
    );
    const all = Array.from({ length: 30 }, (_, index) => String(index + 1));
    for (const sort of ['created_at', 'updated_at'])
      for (const status of ['all', 'partial', 'completed']) {
        const { there, back } = await walk({ sort, status, per_page: '4', order: 'asc' }, own);
        const wanted = all.filter(
          (n) => status === 'all' || (Number(n) % 3 === 0) === (status === 'partial'),
        );
        expect(there).toEqual(back);
        expect([...there].sort()).toEqual([...wanted].sort());
      }
    expect((await list({ total: 'true', status: 'partial', per_page: '1' }, own)).meta).toMatchObject({
      total: 10,
      total_is_capped: false,
      per_page: 1,
    });
    expect((await list({ sort: 'created_at' }, own)).meta.total).toBeUndefined();
  });
});

describe('what would cost too much', () => {
  let large: any;
  beforeAll(async () => {
    large = await home.form({ properties: FIELDS });
    await prepareRows(home.service, [
      `with added as (insert into submissions (form_id, public_id, status, data, created_at)
         select $1::bigint, gen_random_uuid(), 'completed', jsonb_build_object($2::text, n),
           timestamptz '2026-01-01' + n * interval '1 minute' from generate_series(1, 50001) n)
       update form_counters set completed_count = 50001 where form_id = $1`,
      [large.id, SCORE.id],
    ]);
  });

  test('sorting more than 50,000 by a field is refused, and possible in a part of them', async () => {
    const query = { sort: SCORE.id, order: 'asc', per_page: '1' };
    const path = `/open/forms/${large.id}/submissions`;
    const answer = await home.call('GET', `${path}?${new URLSearchParams(query)}`);
    expect(expectInvalid(answer, 'sort').sort).toEqual([expect.stringContaining('narrow')]);
    const part = await list({ ...query, from: '2026-01-02' }, large);
    expect(part.data[0].data[SCORE.id]).toBe(24 * 60);
  });

  test('counting stops at 10,000', async () => {
    const filter = { [`filter[${SCORE.id}][greater_than]`]: '0', total: 'true', per_page: '1' };
    expect((await list(filter, large)).meta).toMatchObject({ total: 10_000, total_is_capped: true });
    expect((await list({ total: 'true', per_page: '1' }, large)).meta).toMatchObject({
      total: 50_001,
      total_is_capped: false,
    });
  });

  test.each<[string, Record<string, string>]>([
    ['by cursor', { [`filter[${GRID.id}][contains]`]: 'nothing', search: 'nothing' }],
    ['by pages', { search: 'nothing', page: '2' }],
  ])('a list %s that takes too long says what to narrow', async (_which, params) => {
    const { pool } = home.service.context;
    // The search waits for the table locked here, and only the search gives up, after a second.
    const holder = await pool.connect();
    await holder.query('begin; lock table search_blocks in access exclusive mode');
    const others = Array.from({ length: (pool.options.max ?? 1) - 1 }, () => pool.connect());
    const clients = await Promise.all(others);
    await Promise.all(clients.map((client) => client.query(`set statement_timeout = 1000`)));
    for (const client of clients) client.release();
    try {
      const query = new URLSearchParams(params);
      const answer = await home.call('GET', `/open/forms/${large.id}/submissions?${query}`);
      expect(expectInvalid(answer, 'from').from).toEqual([expect.stringContaining('narrow')]);
    } finally {
      await holder.query('rollback');
      holder.release();
      const again = await Promise.all(Array.from({ length: pool.options.max ?? 1 }, () => pool.connect()));
      await Promise.all(again.map((client) => client.query(`set statement_timeout = 5000`)));
      for (const client of again) client.release();
    }
  });

  test('four searches at a time and fifty that wait: the next is refused', async () => {
    const { pool } = home.service.context;
    const holder = await pool.connect();
    await holder.query('begin; lock table search_blocks in access exclusive mode');
    const searches = Array.from({ length: 55 }, () =>
      home.call('GET', `/open/forms/${form.id}/submissions?search=anna`),
    );
    expect((await Promise.race(searches)).status).toBe(503);
    await holder.query('rollback');
    holder.release();
    const statuses = (await Promise.all(searches)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(54);
  });

  test('whoever does not wait any more leaves the line to others', async () => {
    const holder = await home.service.context.pool.connect();
    await holder.query('begin; lock table search_blocks in access exclusive mode');
    const search = (signal: AbortSignal | null = null) =>
      fetch(`${home.service.url}/open/forms/${form.id}/submissions?search=anna`, {
        headers: { authorization: `Bearer ${home.ada.token}` },
        signal,
      });
    const running = Array.from({ length: 4 }, () => search());
    const leaver = new AbortController();
    const waiting = Array.from({ length: 51 }, () => search(leaver.signal));
    try {
      // One search is too many; the other 50 wait in line.
      expect((await Promise.race(waiting)).status).toBe(503);
      leaver.abort();
      await Promise.allSettled(waiting);
      // There is room for 50 again; a search that is refused would be told at once.
      const isEmpty = async () => {
        const left = new AbortController();
        const others = Array.from({ length: 50 }, () => search(left.signal));
        const answered = Promise.race(others).then(() => false);
        const meanwhile = async () => {
          for (let call = 0; call < 30; call++) await home.service.request('GET', '/livez');
          return true;
        };
        const isStanding = await Promise.race([answered, meanwhile()]);
        left.abort();
        await Promise.allSettled([answered, ...others]);
        return isStanding;
      };
      await until(isEmpty, { what: 'an empty line' });
      const next = search();
      await holder.query('rollback');
      expect((await next).status).toBe(200);
    } finally {
      holder.release(true);
      await Promise.all(running);
    }
  });
});
