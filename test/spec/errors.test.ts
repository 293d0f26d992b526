import { describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';

const home = useHome();

describe('the order of refusals', () => {
  interface Call {
    name: string;
    method: string;
    path: (id: number | string) => string;
    ability: string;
    /** A body refused with 422 when all else is right; undefined for calls that cannot be wrong in this way. */
    badBody?: object;
    role: 'admin' | 'user';
    of: 'workspace' | 'form';
  }
  const calls: Call[] = [
    {
      name: 'PUT workspace',
      method: 'PUT',
      path: (id) => `/open/workspaces/${id}`,
      ability: 'workspaces-write',
      badBody: { name: '' },
      role: 'admin',
      of: 'workspace',
    },
    {
      name: 'PUT update-role',
      method: 'PUT',
      path: (id) => `/open/workspaces/${id}/users/1/update-role`,
      ability: 'workspace-users-write',
      badBody: { role: 'boss' },
      role: 'admin',
      of: 'workspace',
    },
    {
      name: 'GET invites',
      method: 'GET',
      path: (id) => `/open/workspaces/${id}/invites`,
      ability: 'workspaces-write',
      role: 'admin',
      of: 'workspace',
    },
    {
      name: 'PUT form',
      method: 'PUT',
      path: (id) => `/open/forms/${id}`,
      ability: 'forms-write',
      badBody: { theme: 'neon' },
      role: 'user',
      of: 'form',
    },
    {
      name: 'POST integrations',
      method: 'POST',
      path: (id) => `/open/forms/${id}/integrations`,
      ability: 'manage-integrations',
      badBody: { integration_id: 'fax' },
      role: 'user',
      of: 'form',
    },
    {
      name: 'DELETE submission',
      method: 'DELETE',
      path: (id) => `/open/forms/${id}/submissions/1`,
      ability: 'forms-write',
      role: 'user',
      of: 'form',
    },
  ];

  test.each(calls)('$name: 401, 403 ability, 404, 403 membership and role, 422', async (call) => {
    const ownId = call.of === 'form' ? (await home.form()).id : home.workspaceId;
    const body = call.method === 'GET' || call.method === 'DELETE' ? undefined : call.badBody;
    const send = (id: number | string, token: string | null) =>
      home.call(call.method, call.path(id), body, token);
    const abilities = ['workspaces-read', 'forms-read', 'workspace-users-read'];
    const [weak, reader, stranger] = [
      await home.tokenWith(...abilities),
      (await home.member('readonly')).token,
      (await home.stranger()).token,
    ];
    expectRefused(await send(999_999, null), 401);
    expectRefused(await send(999_999, weak), 403);
    expectRefused(await send(ownId, weak), 403);
    for (const id of [999_999, 'abc', 0, '99999999999999999999'])
      expectRefused(await send(id, stranger), 404);
    expectRefused(await send(ownId, stranger), 403);
    expectRefused(await send(ownId, reader), 403);
    if (call.role === 'admin') expectRefused(await send(ownId, (await home.member('user')).token), 403);
    if (call.badBody) expect((await send(ownId, home.ada.token)).status).toBe(422);
  });

  test('a broken JSON body does not come before 401 and 403', async () => {
    const form = await home.form();
    const send = (token: string | null) => home.call('PUT', `/open/forms/${form.id}`, '{"title":', token);
    expectRefused(await send(null), 401);
    expectRefused(await send(await home.tokenWith('forms-read')), 403);
    expect((await send(home.ada.token)).status).toBeGreaterThanOrEqual(400);
    expect((await send(home.ada.token)).status).toBeLessThan(500);
  });
});

describe('the shape of an error', () => {
  test('403 and 404 carry a message and nothing that tells more', async () => {
    const form = await home.form();
    const answers = [
      await home.call('GET', `/open/forms/${form.id}`, undefined, (await home.stranger()).token),
      await home.call('GET', '/open/forms/999999'),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([403, 404]);
    for (const answer of answers) expect(Object.keys(answer.body)).toEqual(['message']);
  });

  test('an unknown path is 404 as JSON, with a token and without', async () => {
    for (const path of ['/nowhere', '/open/nowhere', '/open/forms/1/nothing', '/forms/x/y/z']) {
      expectRefused(await home.call('GET', path), 404);
      expectRefused(await home.call('POST', path, {}, null), 404);
    }
  });

  test('a form whose name is too long for any is a form that is not found, for pages of any site', async () => {
    for (const name of ['a'.repeat(255), 'a'.repeat(256), '%61'.repeat(256)]) {
      for (const path of ['', '/captcha']) {
        const answer = await home.call('GET', `/forms/${name}${path}`, undefined, null);
        expectRefused(answer, 404);
        expect(answer.body).toEqual({ message: 'Form not found.', error: 'form_not_found' });
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      }
    }
    expectRefused(await home.call('GET', `/nowhere/${'a'.repeat(256)}`), 404);
    const ofOthers = await home.call('GET', `/open/forms/${'a'.repeat(256)}`);
    expect(ofOthers.body).toEqual({ message: 'This address does not exist.' });
  });

  test('422 maps keys to lists of texts, and its message is the first one with the count of the others', async () => {
    const one = await home.call('POST', '/open/workspaces/create', {});
    expect(one.body).toEqual({
      message: 'The name field is required.',
      errors: { name: ['The name field is required.'] },
    });
    const two = await home.call('POST', '/open/forms', {});
    expectInvalid(two, 'title', 'workspace_id');
    expect(two.body.message).toMatch(/ \(and 1 more error\)$/);
    const three = await home.call('POST', '/open/forms', {
      workspace_id: home.workspaceId,
      title: 'X',
      theme: 'neon',
      size: 'xxl',
      width: 'wide',
    });
    expectInvalid(three, 'theme', 'size', 'width');
    expect(three.body.message).toMatch(/ \(and 2 more errors\)$/);
  });

  test('a required member that is null, or empty where no text is expected, is missing', async () => {
    const form = await home.form();
    const ofForm = `/open/forms/${form.id}`;
    const ofMembers = `/open/workspaces/${home.workspaceId}/users`;
    const user = await home.newMember('user');
    for (const [method, path, body, key, name] of [
      ['POST', '/open/workspaces/create', { name: null }, 'name', 'name'],
      ['PUT', `/open/workspaces/${home.workspaceId}`, { name: null, emoji: null }, 'name', 'name'],
      ['POST', `${ofMembers}/add`, { email: null, role: 'user' }, 'email', 'email'],
      ['PUT', `${ofMembers}/${user.id}/update-role`, { role: null }, 'role', 'role'],
      ['PUT', `${ofMembers}/${user.id}/update-role`, { role: '' }, 'role', 'role'],
      ['POST', '/open/forms', { workspace_id: null, title: 'X' }, 'workspace_id', 'workspace id'],
      ['POST', `${ofForm}/submissions/export`, { columns: null }, 'columns', 'columns'],
      ['POST', `${ofForm}/submissions/export`, { columns: '' }, 'columns', 'columns'],
      ['POST', `${ofForm}/submissions/multi`, { submissionIds: null }, 'submissionIds', 'submissionIds'],
      ['POST', `${ofForm}/integrations`, { integration_id: 'webhook', data: null }, 'data', 'data'],
      ['POST', '/external/partner/webhook', { hookUrl: null, form_id: form.id }, 'hookUrl', 'hookUrl'],
      [
        'POST',
        '/external/partner/webhook',
        { hookUrl: 'http://127.0.0.1:9/', form_id: null },
        'form_id',
        'form id',
      ],
    ] as const) {
      const errors = expectInvalid(await home.call(method, path, body), key);
      expect(errors, `${method} ${path}`).toEqual({ [key]: [`The ${name} field is required.`] });
    }
  });

  test('keys are field ids for answers, dotted paths for integrations', async () => {
    const form = await home.form({ properties: [aTextField({ required: true })] });
    expectInvalid(await home.submit(form, {}), TEXT_FIELD_ID);
    const data = { webhook_url: 'x', webhook_secret: 'short', webhook_headers: { Host: 'x' } };
    const answer = await home.call('POST', `/open/forms/${form.id}/integrations`, {
      integration_id: 'webhook',
      data,
    });
    expectInvalid(answer, 'data.webhook_url', 'data.webhook_secret', 'data.webhook_headers');
  });

  test('the rejected value is never told back', async () => {
    const email = aField('01', 'email', 'Email');
    const form = await home.form({ properties: [email] });
    const marker = 'marker-4711';
    const answers = [
      await home.submit(form, { [email.id]: marker, completion_time: marker, submission_hash: 7 }),
      await home.submit(form, { tracking_parameters: { utm_source: marker.repeat(300) } }),
      await home.submit(form, `{"${marker}`),
      await home.call('POST', '/open/forms', { workspace_id: marker, title: 'X', theme: marker }),
      await home.call('POST', `/open/forms/${form.id}/integrations`, {
        integration_id: marker,
        data: { webhook_url: marker },
      }),
      await home.call('POST', `/open/forms/${form.id}/submissions/export`, { columns: { status: marker } }),
      await home.call('GET', '/open/workspaces', undefined, marker),
    ];
    for (const answer of answers) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).not.toContain(marker);
    }
  });

  test.each([
    ['text/plain', '{}'],
    ['application/x-www-form-urlencoded', 'a=b'],
    ['text/html', '<p>'],
    ['application/xml', '<a/>'],
  ])('a body of the type %s is 415', async (type, body) => {
    const form = await home.form();
    const headers = { 'content-type': type };
    expectRefused(await home.submit(form, body, headers), 415);
    const { token } = home.ada;
    const answer = await home.service.request('POST', '/open/workspaces/create', { token, headers, body });
    expectRefused(answer, 415);
    expect(await home.records(form)).toEqual([]);
  });

  test.each(['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8', 'application/json'])(
    'no body of the type %s is none, where none is needed',
    async (type) => {
      const form = await home.form();
      const { token } = home.ada;
      const ask = (method: string, path: string, body = '') =>
        home.service.request(method, path, { token, headers: { 'content-type': type }, body });
      const copied = await ask('POST', `/open/forms/${form.id}/duplicate`);
      expect(copied.status, copied.text).toBe(200);
      expect((await ask('DELETE', `/open/forms/${copied.body.new_form.id}`)).status).toBe(204);
      const refused = type === 'application/json' ? 400 : 415;
      expectRefused(await ask('DELETE', `/open/forms/${form.id}`, 'x'), refused);
      expectRefused(await ask('POST', '/open/workspaces/create'), refused);
    },
  );

  test('another method is 405, with those that there are', async () => {
    const form = await home.form();
    for (const [path, allowed] of [
      [`/forms/${form.slug}/answer`, 'POST'],
      [`/open/forms/${form.id}`, 'GET, HEAD, PUT, DELETE'],
      ['/external/partner/webhook', 'POST, DELETE'],
    ] as const) {
      const answer = await home.call('PATCH', path, {});
      expectRefused(answer, 405);
      expect(answer.headers.get('allow')).toBe(allowed);
    }
    expect((await home.call('HEAD', `/open/forms/${form.id}`)).status).toBe(200);
  });

  test.each(['{', '{"a":}', 'undefined', "{'a':1}", '{"a":1}}', '{"a":01}', ''])(
    'the broken JSON %j is 400, as JSON',
    async (body) => {
      const form = await home.form();
      expectRefused(await home.submit(form, body), 400);
      expectRefused(await home.call('POST', '/open/workspaces/create', body), 400);
    },
  );

  test.each(['[]', '"text"', '7', 'true'])('the body %s is no object', async (body) => {
    const answers = [
      await home.submit(await home.form(), body),
      await home.call('POST', '/open/workspaces/create', body),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(422);
      expect(answer.body.message).toBeTypeOf('string');
    }
  });

  test('nothing a path or a query carries yields a 5xx', async () => {
    const form = await home.form();
    const odd = [
      '%00',
      '%ff',
      '..%2f',
      '%F0%9F%98%80',
      'x'.repeat(300),
      "'--",
      '1%00',
      '-1',
      '1e9',
      '0x1',
      '%25',
      ' ',
    ];
    for (const value of odd) {
      const part = value === ' ' ? '%20' : value;
      const answers = [
        await home.call('GET', `/open/forms/${part}`),
        await home.call('GET', `/open/workspaces/${part}/users`),
        await home.call('GET', `/open/forms/${form.id}/submissions/${part}`),
        await home.call('GET', `/open/forms/${form.id}/submissions/export/status/${part}`),
        await home.call('GET', `/open/forms/${form.id}/integrations/${part}/events`),
        await home.call('GET', `/forms/${part}`, undefined, null),
        await home.call('POST', `/forms/${part}/answer`, {}, null),
        await home.call('GET', `/exports/${part}`, undefined, null),
        await home.call('GET', `/external/partner/forms?workspace_id=${part}`),
        await home.call('GET', `/external/partner/submissions/recent?form_id=${part}`),
        await home.call('GET', `/open/forms/${form.id}/submissions?page=${part}&per_page=${part}`),
        await home.call('GET', `/open/forms/${form.id}/submissions?search=${part}&status=${part}`),
        await home.call('GET', `/open/workspaces/${home.workspaceId}/forms?page=${part}`),
      ];
      for (const [index, answer] of answers.entries()) {
        expect(answer.status, `${index} ${value}: ${answer.text}`).toBeLessThan(500);
        expect(answer.headers.get('content-type'), `${index} ${value}`).toContain('json');
        if (index < 8) expect([400, 404, 414], `${index} ${value}`).toContain(answer.status);
        if (answer.status === 422)
          expect(Object.keys(answer.body.errors), `${index} ${value}`).not.toEqual([]);
      }
    }
  });
});
