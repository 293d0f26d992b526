import { describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';

const home = useHome();

const ANY = aField('01', 'hologram', 'Any');
const openForm = () => home.form({ properties: [aTextField(), ANY] });

/** JSON texts that no store can return unchanged. */
const UNSTORABLE = [
  '"\\u0000"',
  '"before\\u0000after"',
  '"\\ud800"',
  '"\\udc00 alone"',
  '"\\ude00\\ud83d"',
  '1e400',
  '-1e400',
  '9007199254740993',
  '-9007199254740993',
  '123456789012345678901234567890',
];

describe('values that cannot be stored exactly', () => {
  test.each(UNSTORABLE)('the answer %s is 422 under its field and is not stored', async (json) => {
    const form = await openForm();
    for (const value of [json, `[${json}]`, `{"a":{"b":${json}}}`])
      expectInvalid(await home.submit(form, `{"${ANY.id}":${value}}`), ANY.id);
    expect(await home.records(form)).toEqual([]);
  });

  test.each(UNSTORABLE.filter((json) => json.startsWith('"')))('the text answer %s is 422', async (json) => {
    const form = await openForm();
    expectInvalid(await home.submit(form, `{"${TEXT_FIELD_ID}":${json}}`), TEXT_FIELD_ID);
  });

  test.each(['1e400', '9007199254740993', '"9007199254740993"', '"1e400"'])(
    'the number answer %s is 422',
    async (json) => {
      const number = aField('02', 'number', 'Number');
      const form = await home.form({ properties: [number] });
      expectInvalid(await home.submit(form, `{"${number.id}":${json}}`), number.id);
    },
  );

  test.each([
    ['0.12345678901234567', /more digits/],
    ['1e-400', /nearer to 0/],
    ['9007199254740993', /beyond ±9007199254740991/],
  ])('of the number %s it is told why', async (json, reason) => {
    const answer = await home.submit(await openForm(), `{"${ANY.id}":${json}}`);
    expect(expectInvalid(answer, ANY.id)[ANY.id]).toEqual([expect.stringMatching(reason)]);
  });

  test.each([
    ['"\\u0001\\u001f\\u007f"'],
    ['"\\ud83d\\ude00"'],
    ['"\\ufffd\\ufffe\\uffff"'],
    ['9007199254740991'],
    ['-9007199254740991'],
    ['0.1'],
    ['5e-324'],
    ['[[],{},"",null,false,0]'],
    ['{"":1," ":2,"constructor":3,"toString":4}'],
  ])('%s is stored as it came', async (json) => {
    const form = await openForm();
    const answer = await home.submit(form, `{"${ANY.id}":${json}}`);
    expect(answer.status, answer.text).toBe(200);
    expect((await home.records(form))[0].data[ANY.id]).toStrictEqual(JSON.parse(json));
  });

  test('a field may be called like the settings of an integration', async () => {
    const form = await home.form({ properties: [{ ...ANY, id: 'data' }] });
    expectInvalid(await home.submit(form, '{"data":{"k":"\\u0000"}}'), 'data');
    const integration = '{"integration_id":"webhook","data":{"webhook_url":"\\u0000"}}';
    const path = `/open/forms/${form.id}/integrations`;
    expectInvalid(await home.call('POST', path, integration), 'data.webhook_url');
  });

  test('an answer that is nested one level too deep is 422 under its field', async () => {
    const form = await openForm();
    const nested = (levels: number) => `{"${ANY.id}":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect((await home.submit(form, nested(31))).status).toBe(200);
    for (const levels of [32, 33, 1_000]) expectInvalid(await home.submit(form, nested(levels)), ANY.id);
  });

  test('bytes that are no UTF-8 are refused, not replaced', async () => {
    const form = await openForm();
    const head = Buffer.from(`{"${TEXT_FIELD_ID}":"`);
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]]) {
      const response = await fetch(`${home.service.url}/forms/${form.slug}/answer`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: Buffer.concat([head, Buffer.from(bytes), Buffer.from('"}')]),
      });
      expect([400, 422]).toContain(response.status);
    }
    expect(await home.records(form)).toEqual([]);
  });

  test('an attribution value with them is 422', async () => {
    const form = await openForm();
    for (const json of ['"\\u0000"', '"\\ud800"']) {
      const answer = await home.submit(form, `{"tracking_parameters":{"utm_source":${json}}}`);
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors)).toEqual([expect.stringMatching(/^tracking_parameters/)]);
    }
  });

  test.each(['\\u0000', '\\ud800'])('a key with %s is 422 where it would be stored', async (code) => {
    const form = await openForm();
    const answer = await home.submit(form, `{"${ANY.id}":{"a${code}":1}}`);
    expectInvalid(answer, ANY.id);
    const unknown = await home.submit(form, `{"a${code}":1}`);
    expect([200, 422]).toContain(unknown.status);
  });

  test.each(['\\u0000', '\\ud800'])('everything else that is stored refuses %s too', async (code) => {
    const form = await openForm();
    await home.submit(form, {});
    const [record] = await home.records(form);
    const text = `"a${code}"`;
    const answers = [
      await home.call('POST', '/open/workspaces/create', `{"name":${text}}`),
      await home.call('POST', '/open/forms', `{"workspace_id":${home.workspaceId},"title":${text}}`),
      await home.call('PUT', `/open/forms/${form.id}`, `{"seo_meta":{"page_title":${text}}}`),
      await home.call('PUT', `/open/forms/${form.id}`, `{"properties":[{"type":"text","name":${text}}]}`),
      await home.call(
        'PUT',
        `/open/forms/${form.id}/submissions/${record.id}`,
        `{"${TEXT_FIELD_ID}":${text}}`,
      ),
      await home.call(
        'POST',
        `/open/forms/${form.id}/integrations`,
        `{"integration_id":"webhook","data":{"webhook_url":"http://127.0.0.1:9/","webhook_secret":"123456789012${code}"}}`,
      ),
      await home.call(
        'POST',
        `/open/workspaces/${home.workspaceId}/users/add`,
        `{"email":"a${code}@example.com","role":"user"}`,
      ),
    ];
    for (const answer of answers) {
      expect(answer.status, answer.text).toBe(422);
      expect(Object.keys(answer.body.errors).length).toBeGreaterThan(0);
    }
  });
});

describe('keys that mean something to JavaScript', () => {
  test('__proto__ and constructor.prototype are refused and poison nothing', async () => {
    const form = await openForm();
    const bodies = [
      '{"__proto__":{"polluted":true}}',
      `{"${ANY.id}":{"__proto__":{"polluted":true}}}`,
      `{"${ANY.id}":{"constructor":{"prototype":{"polluted":true}}}}`,
      '{"tracking_parameters":{"__proto__":{"utm_source":"x"}}}',
    ];
    for (const body of bodies) {
      expectRefused(await home.submit(form, body), 400);
      expectRefused(await home.call('POST', '/open/workspaces/create', body), 400);
    }
    expect(await home.records(form)).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((await home.submit(form, { [TEXT_FIELD_ID]: 'fine' })).status).toBe(200);
  });

  test('a field of a form cannot take the name of an envelope member or of a system column', async () => {
    const names = [
      'completion_time',
      'is_partial',
      'submission_hash',
      'submission_id',
      'tracking_parameters',
    ];
    const columns = ['id', 'created_at', 'updated_at', 'status'];
    for (const id of [...names, ...columns, 'captcha', '__proto__']) {
      const answer = await home.call('POST', '/open/forms', {
        workspace_id: home.workspaceId,
        title: 'Reserved',
        properties: [{ id, type: 'text', name: 'Reserved' }],
      });
      expectInvalid(answer, 'properties', 'properties.0.id');
    }
  });
});

describe('size and shape', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  test('nesting beyond 32 is 422, however deep', async () => {
    const form = await openForm();
    expect((await home.submit(form, `{"${ANY.id}":${nested(31)}}`)).status).toBe(200);
    for (const levels of [33, 100, 10_000, 400_000])
      expectInvalid(await home.submit(form, `{"${ANY.id}":${nested(levels)}}`), ANY.id);
    const elsewhere = `{"title":"x","workspace_id":${home.workspaceId},"seo_meta":{"a":${nested(10_000)}}}`;
    expectInvalid(await home.call('POST', '/open/forms', elsewhere), 'seo_meta');
  });

  test('an object has at most 2,000 members', async () => {
    const form = await openForm();
    const members = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
    expect((await home.submit(form, { [ANY.id]: members(2_000) })).status).toBe(200);
    expectInvalid(await home.submit(form, { [ANY.id]: members(2_001) }), ANY.id);
    expect((await home.submit(form, members(2_001))).status).toBe(422);
  });

  test('a body is at most 1 MiB', async () => {
    const form = await openForm();
    const body = (bytes: number) => {
      const start = `{"${ANY.id}":["`;
      return `${start}${'x'.repeat(1000)}"]${' '.repeat(bytes - start.length - 1003)}}`;
    };
    expect((await home.submit(form, body(1024 * 1024))).status).toBe(200);
    expectRefused(await home.submit(form, body(1024 * 1024 + 1)), 413);
    expectRefused(await home.call('POST', '/open/workspaces/create', body(1024 * 1024 + 1)), 413);
  });
});
