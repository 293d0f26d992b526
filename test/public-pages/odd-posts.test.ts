import { describe, expect, test } from 'vitest';
import { emptyErrorBag } from '../../fields/property.ts';
import { readAttribution } from '../../server/submissions/acceptance/attribution.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { expectCheap } from '../setup/processor-time.ts';

const home = useHome();

const NAME = aField('01', 'text', 'Name');
const MORE = aField('02', 'text', 'More');
const PHOTOS = aField('03', 'files', 'Photos');
const SIGN = aField('04', 'signature', 'Signature');

async function post(form: { slug: string }, body: BodyInit, { type = '', query = '' } = {}) {
  const answer = await fetch(`${home.service.url}/forms/${form.slug}${query}`, {
    method: 'POST',
    body,
    headers: { accept: 'application/json', ...(type !== '' && { 'content-type': type }) },
  });
  return { status: answer.status, body: await answer.json() };
}

/** Posts a multipart body of parts written by hand. */
function postParts(form: { slug: string }, ...parts: string[]) {
  const body = `${parts.map((part) => `--B\r\n${part}\r\n`).join('')}--B--\r\n`;
  return post(form, body, { type: 'multipart/form-data; boundary=B' });
}

const answersOf = ({ data }: any) => ({ [NAME.id]: data[NAME.id], [MORE.id]: data[MORE.id] });

describe('multipart bodies that no browser sends', () => {
  const named = `Content-Disposition: form-data; name="${NAME.id}"\r\n\r\nAda`;
  const OCTETS = 'Content-Type: application/octet-stream\r\n\r\n';

  test.each([PHOTOS, SIGN])(
    'a file input of type $type without a file name is an empty one',
    async (field) => {
      const form = await home.form({ properties: [NAME, field] });
      const body = new FormData();
      body.append(NAME.id, 'Ada');
      body.append(field.id, new File([], ''));
      const answer = await post(form, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const [{ data }] = await home.records(form);
      expect(data[NAME.id]).toBe('Ada');
      expect(data[field.id] ?? null).toBeNull();
    },
  );

  test('bytes without a file name are a text, and no text is a file', async () => {
    const form = await home.form({ properties: [NAME, PHOTOS] });
    const part = `Content-Disposition: form-data; name="${PHOTOS.id}"\r\n${OCTETS}abc`;
    const answer = await postParts(form, named, part);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([PHOTOS.id]);
  });

  test.each([
    ['file name alone', `Content-Disposition: form-data; filename="a.txt"\r\n\r\nabc`],
    ['neither name', `Content-Disposition: form-data\r\n${OCTETS}abc`],
    ['nothing', `\r\nabc`],
  ])('a part with %s is passed by', async (_what, part) => {
    const form = await home.form({ properties: [NAME, PHOTOS] });
    const answer = await postParts(form, part, named);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const [{ data }] = await home.records(form);
    expect(data[NAME.id]).toBe('Ada');
    expect(data[PHOTOS.id] ?? null).toBeNull();
  });

  test.each(['{"toString":1,"valueOf":1}', '[[]]', '{'])('JSON %s in a part is refused', async (json) => {
    const form = await home.form({ properties: [NAME] });
    const head = `Content-Disposition: form-data; name="${NAME.id}"\r\nContent-Type: application/json`;
    expect((await postParts(form, `${head}\r\n\r\n${json}`)).status).toBe(400);
  });
});

describe('a form of another site', () => {
  test('an input without a name is nobody’s answer', async () => {
    const form = await home.form({ properties: [NAME, MORE] });
    await post(
      form,
      new URLSearchParams([
        [NAME.id, 'Ada'],
        ['', '2'],
      ]),
    );
    expect((await home.records(form)).map(answersOf)).toEqual([{ [NAME.id]: 'Ada' }]);
  });

  test.each([
    ['%s[0]', '%s[1]'],
    ['%s', '%s'],
    ['%s[]', '%s[]'],
    ['Stay', 'Stay'],
    ['Stay[]', 'Stay[]'],
  ])('the two dates of a range may be called %s and %s', async (first, second) => {
    const stay = aField('05', 'date', 'Stay', { date_range: true });
    const form = await home.form({ properties: [stay] });
    const named = (name: string, day: string): [string, string] => [name.replace('%s', stay.id), day];
    const from = named(first, '2026-05-01');
    expect((await post(form, new URLSearchParams([from, named(second, '2026-05-03')]))).status).toBe(200);
    expect((await home.records(form))[0].data[stay.id]).toEqual(['2026-05-01', '2026-05-03']);
    // One day alone is no range: this is an error, not ignored.
    expect((await post(form, new URLSearchParams([from]))).body.errors).toHaveProperty([stay.id]);
    const empty = new URLSearchParams([named(first, ''), named(second, '')]);
    expect((await post(form, empty)).status).toBe(200);
    expect((await home.records(form))[0].data).not.toHaveProperty([stay.id]);
  });

  test('what of the address cannot be stored as origin is left out', async () => {
    const form = await home.form({ properties: [NAME] });
    const query = '?utm_source=%00&utm_medium=mail';
    const answer = await post(form, new URLSearchParams({ [NAME.id]: 'Ada' }), { query });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const [record] = await home.records(form);
    expect(record.meta.attribution).toEqual({ utm_medium: 'mail' });
  });

  test.each(['\u0000', '\ud800'])('an origin of %j is refused wherever it comes from', (value) => {
    const errors = emptyErrorBag();
    readAttribution({ utm_source: value }, errors);
    expect(Object.keys(errors)).toEqual(['tracking_parameters.utm_source']);
  });
});

test('long texts in any script are taken as by the API, and no longer ones', async () => {
  const form = await home.form({ properties: [NAME, MORE] });
  const text = '\u3042'.repeat(70_000);
  const answer = await post(form, new URLSearchParams({ [NAME.id]: text, [MORE.id]: text }));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answersOf((await home.records(form))[0])).toEqual({ [NAME.id]: text, [MORE.id]: text });
  const tooLong = new URLSearchParams({ [NAME.id]: 'a'.repeat(600_000), [MORE.id]: 'b'.repeat(600_000) });
  expect((await post(form, tooLong)).status).toBe(413);
});

test('names count as texts do, in both encodings', async () => {
  const form = await home.form({ properties: [NAME] });
  const names = Array.from({ length: 20 }, (_, n) => `${n}${'n'.repeat(60_000)}`);
  expect(await post(form, new URLSearchParams(names.map((name) => [name, ''])))).toMatchObject({
    status: 413,
  });
  const parts = names.map((name) => `Content-Disposition: form-data; name="${name}"\r\n\r\n`);
  expect(await postParts(form, ...parts)).toMatchObject({ status: 413 });
});

test('so many inputs as no form has are refused before they are taken apart', async () => {
  const form = await home.form({ properties: [NAME] });
  const send = (count: number) =>
    post(form, `${'=&'.repeat(count - 1)}${NAME.id}=Ada`, { type: 'application/x-www-form-urlencoded' });
  expect((await send(2_000)).status).toBe(200);
  await expectCheap(400, async () => {
    for (const count of [10_001, 2_000_000]) expect((await send(count)).status).toBe(413);
  });
});

test('more files than five answers hold are refused', async () => {
  const form = await home.form({ properties: [{ ...PHOTOS, multiple: true }] });
  const file = (at: number) =>
    `Content-Disposition: form-data; name="${PHOTOS.id}"; filename="${at}.svg"\r\n\r\nx`;
  const send = (count: number) => postParts(form, ...Array.from({ length: count }, (_, at) => file(at)));
  expect((await send(500)).status).toBe(200);
  expect((await send(501)).status).toBe(400);
});

test('on our page a field is answered under its own id alone, also where another one differs in its case', async () => {
  const box = (id: string) => ({ id, type: 'checkbox', name: id });
  const form = await home.form({ properties: [NAME, box('agreed'), box('Agreed'), { ...MORE, id: 'NAME' }] });
  const page = await fetch(`${home.service.url}/forms/${form.slug}`, { headers: { accept: 'text/html' } });
  const [, visit] = /visit=([\w-]+)/.exec(await page.text()) ?? [];
  const sent = await post(form, new URLSearchParams({ agreed: 'on', [NAME.id]: 'Ada', name: 'x' }), {
    query: `?visit=${visit}`,
  });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  const [{ data }] = await home.records(form);
  expect(data).toMatchObject({ [NAME.id]: 'Ada', agreed: true, Agreed: false });
  expect(data).not.toHaveProperty('NAME');
});

describe('a first save that a sent form names', () => {
  const saved = async (key: string) => {
    const form = await home.form({ properties: [NAME], enable_partial_submissions: true });
    const partial = { [NAME.id]: 'Ada', is_partial: true };
    expect((await home.submit(form, partial, { 'idempotency-key': key })).status).toBe(200);
    // What was begun can be completed all the same.
    await home.call('PUT', `/open/forms/${form.id}`, { enable_partial_submissions: false });
    const type = 'application/x-www-form-urlencoded';
    await post(form, new URLSearchParams({ [NAME.id]: 'Grace' }), { type, query: `?first_save=${key}` });
    return (await home.records(form)).map(({ status, data }) => [status, data[NAME.id]]);
  };

  test('is completed if its key is one of the page', async () => {
    expect(await saved('4294967295-1-22-333-4444')).toEqual([['completed', 'Grace']]);
  });

  test('stays if its key could be guessed', async () => {
    const both = [
      ['completed', 'Grace'],
      ['partial', 'Ada'],
    ];
    expect(await saved('order-1')).toEqual(both);
  });
});
