import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';

const home = useHome();
const guests = aField('02', 'number', 'Guests');
const aSurvey = (overrides: Record<string, unknown> = {}) =>
  home.form({ properties: [aTextField(), guests], ...overrides });
const pathOf = (form: { id: number }) => `/open/forms/${form.id}/live-tables`;

async function aTable(form: { id: number }, name = 'Sheet'): Promise<{ id: number; url: string }> {
  const answer = await home.call('POST', pathOf(form), { name });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
/** Reads a table as a spreadsheet does, with nothing but its address. */
async function read(url: string): Promise<{ status: number; headers: Headers; rows: string[][] }> {
  const { status, headers, ...answer } = await fetch(url).then(async (found) => ({
    status: found.status,
    headers: found.headers,
    text: await found.text(),
  }));
  return { status, headers, rows: status === 200 ? parse(answer.text) : [] };
}

describe('a live table', () => {
  test('is what the form has at the moment it is read', async () => {
    const form = await aSurvey();
    const { url } = await aTable(form);
    expect((await read(url)).rows).toEqual([['id', 'created_at', 'Name', 'Guests']]);
    await home.submit(form, { [TEXT_FIELD_ID]: '=1+1', [guests.id]: 3 });
    await home.submit(form, { [TEXT_FIELD_ID]: 'Ada, Countess' });
    const { rows, headers } = await read(url);
    const [ada, bob] = await home.records(form);
    expect(rows.slice(1)).toEqual([
      [String(ada.id), ada.created_at, 'Ada, Countess', ''],
      [String(bob.id), bob.created_at, "'=1+1", '3'],
    ]);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    await home.call('DELETE', `/open/forms/${form.id}/submissions/${bob.id}`);
    expect((await read(url)).rows).toHaveLength(2);
  });

  test('is not read by whoever asks for the head alone', async () => {
    const form = await aSurvey();
    const { url } = await aTable(form);
    const { status, headers } = await fetch(url, { method: 'HEAD' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect((await home.call('GET', pathOf(form))).body).toMatchObject([{ last_read_at: null }]);
  });

  test('has the questions as the form asks them now, and the state where answers may be partial', async () => {
    const form = await aSurvey();
    const { url } = await aTable(form);
    const city = aField('03', 'text', 'City');
    const body = { properties: [city, aTextField({ name: 'Your name' })], enable_partial_submissions: true };
    const changed = await home.call('PUT', `/open/forms/${form.id}`, body);
    expect(changed.status, changed.text).toBe(200);
    await home.submit(form, { [city.id]: 'Paris', is_partial: true });
    const { rows } = await read(url);
    expect(rows[0]).toEqual(['id', 'created_at', 'status', 'City', 'Your name']);
    expect(rows[1]?.slice(2)).toEqual(['partial', 'Paris', '']);
  });

  test('is told once, listed with who made it and when it was read, and ends when it is deleted', async () => {
    const form = await aSurvey();
    const { id, url } = await aTable(form, ' Budget ');
    const list = async () => (await home.call('GET', pathOf(form))).body;
    expect(await list()).toMatchObject([{ id, name: 'Budget', created_by: 'Ada', last_read_at: null }]);
    expect(JSON.stringify(await list())).not.toContain(url.slice(-40));
    await read(url);
    const [{ last_read_at }] = await list();
    expect(Date.now() - Date.parse(last_read_at)).toBeLessThan(60_000);
    const other = await aSurvey();
    expectRefused(await home.call('DELETE', `${pathOf(other)}/${id}`), 404);
    expect((await read(url)).status).toBe(200);
    expect((await home.call('DELETE', `${pathOf(form)}/${id}`)).status).toBe(200);
    expect((await read(url)).status).toBe(404);
    expect(await list()).toEqual([]);
  });

  test('ends with its form, and is kept as a hash alone', async () => {
    const form = await aSurvey();
    const { url } = await aTable(form);
    const secret = /([0-9a-f]{64})\.csv$/.exec(url)?.[1] ?? '';
    const { rows } = await home.service.context.pool.query('select token_hash::text from live_tables');
    expect(JSON.stringify(rows)).not.toContain(secret);
    await home.call('DELETE', `/open/forms/${form.id}`);
    expect((await read(url)).status).toBe(404);
  });

  test('cannot be made by a token that may write and not read: its link would read everything', async () => {
    const form = await aSurvey();
    const make = async (...abilities: string[]) =>
      home.call('POST', pathOf(form), { name: 'Sheet' }, await home.tokenWith(...abilities));
    for (const ability of ['forms-write', 'forms-read']) expectRefused(await make(ability), 403);
    expect((await home.call('GET', pathOf(form))).body).toEqual([]);
    expect((await make('forms-write', 'forms-read')).status).toBe(200);
  });

  test('needs a name, and there are so many', async () => {
    const form = await aSurvey();
    for (const name of ['', '  ', 'x'.repeat(101)])
      expectInvalid(await home.call('POST', pathOf(form), { name }), 'name');
    for (let made = 0; made < 20; made++) await aTable(form, `No. ${made}`);
    expectInvalid(await home.call('POST', pathOf(form), { name: 'One more' }), 'name');
  });

  test.each(['', '.csv', 'x.csv', `${'0'.repeat(64)}.csv`, `${'0'.repeat(64)}`])(
    'nothing is found under “%s”',
    async (file) => expect((await read(`${home.service.url}/live-tables/${file}`)).status).toBe(404),
  );
});
