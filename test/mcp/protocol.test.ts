import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { aForm, aUser, aWorkspace } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { type Answer, startService } from '../setup/service.ts';
import { anAssistant } from './assistant.ts';

const home = useHome();
const VERSION = '2025-06-18';
const NEW_VERSION = '2026-07-28';

/** Sends JSON-RPC written by hand. */
function send(body: unknown, headers: Record<string, string> = {}, token = home.ada.token): Promise<Answer> {
  return home.service.request('POST', '/mcp', { token, body, headers });
}

const message = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const hello = (protocolVersion: string) =>
  message('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } });
const code = ({ body }: Answer) => body.error.code;

test('who brings no token, or a session alone, is told to bring one', async () => {
  const { cookie } = home.ada;
  const credentials = [
    {},
    { cookie },
    { headers: { authorization: 'Bearer nonsense' } },
    { cookie, headers: { origin: home.service.url } },
  ];
  for (const one of credentials) {
    const answer = await home.service.request('POST', '/mcp', { ...one, body: hello(VERSION) });
    expect(answer.status).toBe(401);
    const metadata = `${home.service.context.baseUrl()}/.well-known/oauth-protected-resource/mcp`;
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${metadata}", scope="workspaces-read forms-read"`,
    );
  }
});

test('pages of other origins are refused, whatever token they have', async () => {
  for (const origin of ['https://evil.example', 'null'])
    expect((await send(hello(VERSION), { origin })).status).toBe(403);
  expect((await send(hello(VERSION), { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await send(hello(VERSION), { origin: home.service.url })).status).toBe(200);
});

test('there is no stream to open and no session to end', async () => {
  for (const method of ['GET', 'DELETE']) {
    const answer = await home.service.request(method, '/mcp', { token: home.ada.token });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  }
});

test('versions are agreed on', async () => {
  for (const version of ['2025-03-26', VERSION, '2025-11-25']) {
    const answer = await send(hello(version));
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.headers.get('mcp-session-id')).toBeNull();
    expect(answer.body.result).toMatchObject({ protocolVersion: version, capabilities: { tools: {} } });
  }
  expect((await send(hello('1999-01-01'))).body.result.protocolVersion).toBe('2025-11-25');
  expect((await send(message('ping'), { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
  const { client } = await anAssistant(home.service, home.ada.token);
  expect(client.getNegotiatedProtocolVersion()).toBe(NEW_VERSION);
});

test('an unknown version of the new kind is answered with those that are known', async () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2099-01-01',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' };
  const answer = await send(message('tools/list', { _meta: meta }), headers);
  expect([answer.status, code(answer), answer.body.error.data.supported]).toEqual([
    400,
    -32_022,
    [NEW_VERSION],
  ]);
});

test('what is no message is answered as JSON-RPC has it, and never with a 5xx', async () => {
  expect(code(await send('{"jsonrpc":'))).toBe(-32_700);
  expect(code(await send(''))).toBe(-32_700);
  expect(code(await send('{"__proto__":1}'))).toBe(-32_700);
  expect(code(await send(message('resources/list')))).toBe(-32_601);
  expect(code(await send(message('nonsense')))).toBe(-32_601);
  expect(code(await send(message('tools/call', {})))).toBe(-32_602);
  expect(code(await send(message('tools/call', { name: 'list_forms', arguments: 5 })))).toBe(-32_602);
  expect(code(await send(message('tools/call', { name: 'delete_form', arguments: {} })))).toBe(-32_602);
  const odd = [
    '5',
    '"x"',
    'null',
    '[]',
    '[1]',
    '[[]]',
    '{}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"id":{}}',
  ];
  const params = [
    message('ping', 'x'),
    message('ping', []),
    message('initialize'),
    message('ping', {}, null),
    message('subscriptions/listen', {}),
  ];
  const meta = {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': NEW_VERSION,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const listen = message('subscriptions/listen', { ...meta, notifications: { toolsListChanged: true } });
  for (const body of [...odd, ...params, message('tools/list', meta), message('tools/list', { _meta: 5 })]) {
    const { status, text } = await send(body);
    expect(status, `${JSON.stringify(body)} ${text}`).toBeLessThan(500);
  }
  const answer = await send(listen, {
    'mcp-protocol-version': NEW_VERSION,
    'mcp-method': 'subscriptions/listen',
  });
  expect([answer.status, answer.body.error.message]).toEqual([200, 'Subscription limit reached']);
});

test('a notification is taken without a word', async () => {
  const { status, text } = await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect([status, text]).toEqual([202, '']);
});

test('a few messages may come together in the version that knows this, and not many', async () => {
  const three = [
    message('ping', {}, 1),
    message('tools/list', {}, 'two'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ];
  const { status, body } = await send(three, { 'mcp-protocol-version': '2025-03-26' });
  expect([status, body.map(({ id }: any) => id)]).toEqual([200, [1, 'two']]);
  const many = Array.from({ length: 21 }, (_, id) => message('ping', {}, id));
  for (const answer of [await send(many), await send(three, { 'mcp-protocol-version': VERSION })])
    expect([answer.status, code(answer)]).toEqual([400, -32_600]);
});

test('a token sees the tools that its abilities allow, and is refused all others', async () => {
  const reading = await anAssistant(home.service, await home.tokenWith('workspaces-read', 'forms-read'));
  const names = await reading.tools();
  expect(names).toContain('list_submissions');
  const { tools } = await reading.client.listTools();
  for (const { name, annotations } of tools) expect([name, annotations?.readOnlyHint]).toEqual([name, true]);
  const form = await home.form();
  const { isError, value } = await reading.use('update_form', { form: form.id, title: 'Mine' });
  expect([isError, value]).toEqual([
    true,
    {
      status: 403,
      message: 'This action is unauthorized.',
      needs: 'a token with forms-write, of somebody whose role in the workspace allows it',
    },
  ]);
  expect((await reading.use('list_integrations', { form: form.id })).value.status).toBe(403);
  expect(
    await (await anAssistant(home.service, await home.tokenWith('workspace-users-read'))).tools(),
  ).toEqual([]);
});

test('every tool asks for the ability of the route it calls', async () => {
  const { client } = await anAssistant(home.service, home.ada.token);
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(15);
  const listed = new Map<string, string>();
  const abilities = ['workspaces-read', 'forms-read', 'forms-write', 'manage-integrations'];
  for (const ability of abilities)
    for (const name of await (await anAssistant(home.service, await home.tokenWith(ability))).tools())
      listed.set(name, ability);
  expect([...listed.keys()].sort()).toEqual(tools.map(({ name }) => name).sort());
  const form = await home.form();
  const input = {
    workspace_id: home.workspaceId,
    title: 'New',
    form: form.id,
    submission: 1,
    integration_id: 1,
    delivery_id: 1,
    answers: {},
  };
  for (const { name, inputSchema } of tools) {
    const asked = Object.entries(input).filter(([key]) => inputSchema.required?.includes(key));
    const called = async (...held: string[]) =>
      (
        await (
          await anAssistant(home.service, await home.tokenWith(...held))
        ).use(name, Object.fromEntries(asked))
      ).value;
    const ability = listed.get(name) ?? '';
    expect((await called(ability))?.status, name).not.toBe(403);
    expect(await called(...abilities.filter((one) => one !== ability)), name).toMatchObject({ status: 403 });
  }
});

test('roles count: who may only read cannot write, and strangers see nothing', async () => {
  const form = await home.form();
  const reader = await anAssistant(home.service, (await home.member('readonly')).token);
  expect((await reader.use('get_form', { form: form.id })).value.title).toBe('Feedback');
  expect((await reader.use('update_form', { form: form.id, title: 'Mine' })).value.status).toBe(403);
  const stranger = await anAssistant(home.service, (await home.stranger()).token);
  for (const tool of ['get_form', 'list_submissions', 'get_statistics'])
    expect((await stranger.use(tool, { form: form.id })).value.status).toBe(403);
});

test('what is wrong with the input of a tool is told by name', async () => {
  const { use } = await anAssistant(home.service, home.ada.token);
  const { value } = await use('list_forms', { workspace_id: 'one', limit: 51, colour: 'red' });
  expect([value.status, Object.keys(value.errors).sort()]).toEqual([
    422,
    ['colour', 'limit', 'workspace_id'],
  ]);
  expect((await use('get_form', { form: '..' })).value.errors).toHaveProperty('form');
  expect((await use('get_form', { form: '1/submissions' })).value.errors).toHaveProperty('form');
  const arguments_ = { workspace_id: home.workspaceId, title: 'a\u0000b' };
  expect((await use('create_form', arguments_)).value.errors).toHaveProperty('title');
  const lossy = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_form","arguments":{"workspace_id":${home.workspaceId},"title":"x","max_submissions_count":12345678901234567890}}}`;
  expect((await send(lossy)).text).toContain('max_submissions_count');
});

test('calls of tools count as calls of the API', async () => {
  const service = await startService({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1/32' } });
  try {
    const ada = await aUser(service);
    const form = await aForm(service, ada, await aWorkspace(service, ada));
    const call = () =>
      service.request('POST', '/mcp', {
        token: ada.token,
        headers: { 'x-forwarded-for': '203.0.113.7' },
        body: message('tools/call', { name: 'get_form', arguments: { form: form.id } }),
      });
    const { headers } = await call();
    const left = Number(headers.get('x-ratelimit-remaining'));
    // The message counts, and so does the call of the API behind it.
    expect(left - Number((await call()).headers.get('x-ratelimit-remaining'))).toBe(2);
  } finally {
    await service.stop();
  }
});

test('the library is loaded with the first call alone', async () => {
  const routes = await readFile(new URL('../../server/mcp/routes.ts', import.meta.url), 'utf8');
  expect(routes).not.toMatch(/^import .*(endpoint|modelcontextprotocol)/m);
});
