import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/log.ts';
import { type Service, startService } from '../../server/start/service.ts';
import { aVisitor } from '../public-pages/visitor.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { codeOf } from '../setup/second-factor.ts';
import type { TestService } from '../setup/service.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';
import { until } from '../setup/until.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';
import { ROUTES } from '../spec/authorization-routes.ts';

/** Unmistakable words, put into everything that must not be revealed. */
const MARKS = {
  password: 'canary-password-7f3a',
  newPassword: 'canary-new-password-c1d9',
  wrongPassword: 'canary-wrong-password-22e8',
  formPassword: 'canary-form-password-9b0e',
  webhookSecret: 'canary-webhook-secret-51aa',
  newWebhookSecret: 'canary-new-webhook-secret-88f2',
  headerValue: 'canary-header-value-e6c4',
  urlSecret: 'canary-url-secret-3d77',
  answer: 'canary-answer-a2b8',
  editedAnswer: 'canary-edited-answer-f09c',
  receiverSays: 'canary-receiver-says-4e1b',
  code: 'canary-code-6a6a',
  draftPassword: 'canary-draft-password-0d1f',
  pageAnswer: 'canary-page-answer-b7b2',
  fileContent: 'canary-file-content-4c4c',
  fileName: 'canary-file-name-5d0a',
  referrer: 'canary-referrer-7b3e',
  person: 'canary-person-e1f2@example.com',
};
const ANSWERS = [MARKS.answer, MARKS.editedAnswer, MARKS.pageAnswer, MARKS.fileName, MARKS.fileContent];
/** Secrets that the service generates, found out while the test uses it. */
const made: Record<string, string> = {};

const log: string[] = [];
/** The bodies of all answers that are errors. */
const refusals: string[] = [];
let service: Service;
let database: TestDatabase;
let dataDir: string;
const receiver = useWebhookReceiver();
let metrics = '';

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'formstead-canaries-'));
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    REGISTRATION: 'open',
    EXPORT_SYNC_LIMIT: '0',
    LOG_LEVEL: 'trace',
  });
  const lines = { write: (line: string) => log.push(line) };
  service = await startService(config, database.connection, createLog(config, lines));
  await drive();
});
afterAll(async () => {
  await service?.stop();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Options {
  token?: string;
  cookie?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

async function call(method: string, path: string, { token, cookie, body, headers }: Options = {}) {
  const response = await fetch(service.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status >= 400) refusals.push(`${method} ${path.split('?')[0]} ${response.status} ${text}`);
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
    cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '',
  };
}

async function ok(...args: Parameters<typeof call>) {
  const answer = await call(...args);
  expect(answer.status, `${args[0]} ${args[1]}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer;
}

/** Does everything with secrets that a person, a visitor and a stranger can do, right and wrong. */
async function drive(): Promise<void> {
  const email = 'ada@example.com';
  const person = { name: 'Ada', email, password: MARKS.password };
  const { cookie } = await ok('POST', '/register', { body: person });
  made.session = cookie.split('=')[1] ?? '';
  const abilities = ['workspaces-read', 'workspaces-write', 'workspace-users-read', 'workspace-users-write'];
  abilities.push('forms-read', 'forms-write', 'manage-integrations');
  const token: string = (await ok('POST', '/settings/tokens', { cookie, body: { name: 'CI', abilities } }))
    .body.token;
  made.token = token;
  const workspace = (await ok('GET', '/open/workspaces', { token })).body[0].id;
  await driveForm(token, workspace);
  await drivePages(token, workspace);
  await drivePeople(token, workspace);
  await driveInvites(token, workspace);
  await driveAccount(cookie, email);
  await driveRefusals(token, cookie);
  metrics = await (await fetch(`${service.url}/metrics`)).text();
}

async function driveForm(token: string, workspace: number): Promise<void> {
  const form = (
    await ok('POST', '/open/forms', {
      token,
      body: {
        workspace_id: workspace,
        title: 'Feedback',
        password: MARKS.formPassword,
        properties: [aTextField({ required: true })],
        enable_partial_submissions: true,
      },
    })
  ).body;
  const integrations = `/open/forms/${form.id}/integrations`;
  const data = {
    webhook_url: `${receiver.url}?key=${MARKS.urlSecret}`,
    webhook_secret: MARKS.webhookSecret,
    webhook_headers: { 'X-Key': MARKS.headerValue },
  };
  const body = { integration_id: 'webhook', status: 'active', data };
  const { id } = (await ok('POST', integrations, { token, body })).body.form_integration;
  receiver.script([{ status: 500, body: MARKS.receiverSays }], { status: 200, body: MARKS.receiverSays });
  const answers = `/forms/${form.slug}/answer`;
  const headers = { 'form-password': MARKS.formPassword, 'idempotency-key': 'one' };
  await ok('POST', answers, { headers, body: { [TEXT_FIELD_ID]: MARKS.answer } });
  await call('POST', answers, { headers, body: { [TEXT_FIELD_ID]: MARKS.editedAnswer } });
  await call('POST', answers, { body: { [TEXT_FIELD_ID]: MARKS.answer } });
  await call('POST', answers, {
    headers: { 'form-password': MARKS.wrongPassword },
    body: { [TEXT_FIELD_ID]: MARKS.answer },
  });
  await call('POST', answers, {
    headers: { 'form-password': MARKS.formPassword },
    body: { [TEXT_FIELD_ID]: [MARKS.answer], completion_time: MARKS.answer, [MARKS.answer]: '\u0000' },
  });
  await call('POST', answers, { headers, body: `{"${TEXT_FIELD_ID}":"${MARKS.answer}"` });
  const partial = { [TEXT_FIELD_ID]: MARKS.answer, is_partial: true };
  const { submission_hash } = (
    await ok('POST', answers, { headers: { 'form-password': MARKS.formPassword }, body: partial })
  ).body;
  made.submissionHash = submission_hash;
  await receiver.received(1);
  await ok('POST', `${integrations}/${id}/test`, { token });
  const own = `${integrations}/${id}`;
  await ok('PUT', own, { token, body: { ...body, data: { webhook_secret: MARKS.newWebhookSecret } } });
  await call('PUT', own, {
    token,
    body: { ...body, data: { webhook_secret: MARKS.webhookSecret.repeat(40), webhook_url: MARKS.urlSecret } },
  });
  await call('PUT', own, {
    token,
    body: {
      ...body,
      data: { webhook_headers: { Host: MARKS.headerValue, 'X-Bad': `${MARKS.headerValue}\n` } },
    },
  });
  const submissions = `/open/forms/${form.id}/submissions`;
  const [record] = (await ok('GET', `${submissions}?status=completed`, { token })).body.data;
  await ok('PUT', `${submissions}/${record.id}`, { token, body: { [TEXT_FIELD_ID]: MARKS.editedAnswer } });
  await call('PUT', `${submissions}/${record.id}`, { token, body: { [TEXT_FIELD_ID]: { x: MARKS.answer } } });
  await ok('GET', `${submissions}?search=${MARKS.editedAnswer}`, { token });
  const columns = { id: true, [TEXT_FIELD_ID]: true };
  const { job_id } = (await ok('POST', `${submissions}/export`, { token, body: { columns } })).body;
  const job = await until(async () => {
    const { body: state } = await ok('GET', `${submissions}/export/status/${job_id}`, { token });
    return state.status === 'completed' && state;
  });
  made.exportLink = (job as { file_url: string }).file_url.split('/').at(-1) ?? '';
  await ok('GET', `/exports/${made.exportLink}`);
  await call('POST', `${submissions}/export`, { token, body: { columns: { id: MARKS.answer } } });
  await ok('PUT', `/open/forms/${form.id}`, { token, body: { title: 'New', password: MARKS.formPassword } });
  await ok('POST', `${submissions}/multi`, { token, body: { submissionIds: [record.id] } });
}

/** Uses forms without a script as a visitor, and drafts and previews as an owner. */
async function drivePages(token: string, workspace: number): Promise<void> {
  const [files, second] = [aField('f1', 'files', 'Files'), aField('f2', 'text', 'More')];
  const properties = [
    aTextField(),
    files,
    { id: 'page', type: 'nf-page-break', name: 'Next' },
    { ...second, required: true },
  ];
  const input = { workspace_id: workspace, title: 'Pages', password: MARKS.formPassword, properties };
  const form = (await ok('POST', '/open/forms', { token, body: input })).body;
  const visitor = aVisitor({ url: service.url } as TestService);
  const entrance = await visitor.open(`/forms/${form.slug}?utm_source=letter`, {
    headers: { referer: `https://elsewhere.example/${MARKS.referrer}?q=${MARKS.referrer}` },
  });
  expect(entrance.status).toBe(403);
  await visitor.send(entrance, { password: MARKS.wrongPassword });
  const first = await visitor.send(entrance, { password: MARKS.formPassword });
  made.unlockKey = new URL(first.path, service.url ?? '').searchParams.get('key') ?? '';
  const file = new File([MARKS.fileContent], `${MARKS.fileName}.txt`, { type: 'text/plain' });
  const next = await visitor.send(first, { [TEXT_FIELD_ID]: MARKS.pageAnswer, [files.id]: [file] });
  expect(next.status).toBe(200);
  made.visitId = new URL(next.path, service.url ?? '').searchParams.get('visit') ?? '';
  // Refused, so that the visit stays a draft.
  await visitor.send(next, { [second.id]: null });

  const own = `/open/forms/${form.id}`;
  const draft = { title: 'Soon', password: MARKS.draftPassword };
  await ok('PUT', `${own}/draft`, { token, body: draft });
  await call('PUT', `${own}/draft`, { token, body: { ...draft, properties: MARKS.answer, closes_at: 7 } });
  await ok('GET', `${own}/draft`, { token });
  const { url: previewUrl } = (await ok('POST', `${own}/preview`, { token, body: draft })).body;
  made.previewToken = new URL(previewUrl).pathname.split('/').at(-1) ?? '';
  const shown = await visitor.open(new URL(previewUrl).pathname);
  await visitor.send(shown, { [TEXT_FIELD_ID]: MARKS.editedAnswer });
  await call('POST', `${own}/draft/publish`, { token, body: {} });
  await ok('PUT', `${own}/draft`, { token, body: draft });
  await ok('GET', `${own}/statistics`, { token });
  await ok('GET', `${own}/statistics/fields?status=all`, { token });
  await service.context.visits.flush();
}

async function drivePeople(token: string, workspace: number): Promise<void> {
  const people = `/open/workspaces/${workspace}/people`;
  const value = MARKS.person;
  await ok('POST', `${people}/find`, { token, body: { value } });
  await ok('POST', `${people}/export`, { token, body: { value } });
  const form = (
    await ok('POST', '/open/forms', {
      token,
      body: { workspace_id: workspace, title: 'People', properties: [aTextField()] },
    })
  ).body;
  await ok('POST', `/forms/${form.slug}/answer`, { body: { [TEXT_FIELD_ID]: value } });
  await ok('POST', `${people}/erase`, { token, body: { value } });
  await call('POST', `${people}/erase`, { token, body: { value: [value], cursor: value } });
}

async function driveInvites(token: string, workspace: number): Promise<void> {
  const path = `/open/workspaces/${workspace}/users/add`;
  const invited = await ok('POST', path, { token, body: { email: 'grace@example.com', role: 'user' } });
  made.invite = new URL(invited.body.invite_link).searchParams.get('invite_token') ?? '';
  await ok('POST', '/register', {
    body: { name: 'Grace', email: 'grace@example.com', password: MARKS.password, invite_token: made.invite },
  });
  await call('POST', '/register', {
    body: { name: 'Eve', email: 'e@example.com', password: MARKS.password, invite_token: made.invite },
  });
  await call('POST', '/register', {
    body: { name: '', email: 'e', password: MARKS.password, invite_token: 7 },
  });
}

async function driveAccount(cookie: string, email: string): Promise<void> {
  const factor = '/settings/second-factor';
  const enrolled = (await ok('POST', factor, { cookie, body: { current_password: MARKS.password } })).body;
  made.totpSecret = enrolled.secret;
  await call('POST', `${factor}/confirm`, { cookie, body: { code: MARKS.code } });
  const { recovery_codes } = (
    await ok('POST', `${factor}/confirm`, { cookie, body: { code: codeOf(enrolled.secret) } })
  ).body;
  made.recoveryCode = recovery_codes[0];
  made.otherRecoveryCode = recovery_codes[1];
  const { pending_token } = (await ok('POST', '/login', { body: { email, password: MARKS.password } })).body;
  made.pendingToken = pending_token;
  await call('POST', '/login/second-factor', { body: { pending_token, code: MARKS.code } });
  await ok('POST', '/login/second-factor', { body: { pending_token, code: made.recoveryCode } });
  await call('POST', '/login/second-factor', { body: { pending_token, code: made.recoveryCode } });
  await call('POST', '/login', { body: { email, password: MARKS.wrongPassword } });
  await call('POST', '/login', { body: { email: MARKS.answer, password: [MARKS.wrongPassword] } });
  const change = { current_password: MARKS.password, password: MARKS.newPassword };
  await ok('PUT', '/user/password', { cookie, body: change });
  await call('PUT', '/user/password', { cookie, body: change });
  await ok('GET', '/settings/sessions', { cookie });
}

/** Calls every route with marks wherever a value may be refused. */
async function driveRefusals(token: string, cookie: string): Promise<void> {
  const marks = Object.fromEntries(Object.values(MARKS).map((mark) => [mark, { [mark]: [mark, null] }]));
  for (const row of ROUTES.filter(({ path }) => path !== '/logout')) {
    const path = `${row.path.replace(/:\w+/g, MARKS.answer)}?${MARKS.urlSecret}=${MARKS.answer}&limit=${MARKS.answer}`;
    const named = Object.fromEntries(
      ['email', 'name', 'password', 'current_password', 'code', 'invite_token', 'data', 'title'].map(
        (key) => [key, [MARKS.answer]],
      ),
    );
    const body = ['GET', 'HEAD', 'OPTIONS'].includes(row.method) ? {} : { body: { ...marks, ...named } };
    for (const who of [{}, { token }, { token: `${MARKS.code}${token}` }, { cookie }])
      await call(row.method, path, { ...who, ...body });
    if ('body' in body) await call(row.method, path, { cookie, body: `{"${MARKS.answer}":` });
  }
}

/** A text as it is, and in the forms in which it might be hidden. */
function disguises(text: string): string[] {
  const bytes = Buffer.from(text);
  return [text, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), encodeURIComponent(text)];
}

function expectNone(where: string, text: string, secrets: string[]): void {
  for (const secret of secrets)
    for (const disguise of disguises(secret)) {
      const at = text.indexOf(disguise);
      expect(at, `${where}: …${text.slice(Math.max(0, at - 80), at + 80)}…`).toBe(-1);
    }
}

/** Everything that must appear nowhere: what was typed and what was generated; codes also as people type them. */
function all(): string[] {
  const secrets = [...Object.values(MARKS), ...Object.values(made)];
  return [
    ...secrets,
    ...secrets.filter((one) => /^\w{4}(-\w{4}){3}$/.test(one)).map((code) => code.replaceAll('-', '')),
  ];
}

describe('after everything was done with marked secrets', () => {
  test('the marks were really there', async () => {
    for (const [name, secret] of Object.entries(made)) expect(secret.length, name).toBeGreaterThan(15);
    expect(refusals.length).toBeGreaterThan(ROUTES.length);
    expect(receiver.requests[0]?.headers['x-key']).toBe(MARKS.headerValue);
    expect(receiver.requests[0]?.body.toString()).toContain(MARKS.answer);
    const { rows } = await service.context.pool.query('select count(*)::int as count from audit_events');
    expect(rows[0].count).toBeGreaterThan(15);
    expect(log.length).toBeGreaterThan(0);
    expect(metrics).toContain('formstead_http_request_duration_seconds');
  });

  test('the log has none of them', () => expectNone('log', log.join(''), all()));

  test('the metrics have none of them', () => expectNone('metrics', metrics, all()));

  test('no refusal repeats what it was sent', () => {
    for (const refusal of refusals) {
      const body = refusal.replace(/^\S+ \S+ \d+ /, '');
      // Members of an error are named by keys that the sender chose.
      expectNone(refusal, body.replace(/"errors":\{.*\}/s, ''), all());
      const messages = Object.values((parsed(body).errors ?? {}) as Record<string, unknown>);
      expectNone(refusal, JSON.stringify(messages), all());
    }
  });

  test('the audit log has none of them', async () => {
    expectNone('audit log', await dump('audit_events'), all());
  });

  test('a dump of the database opens nothing', async () => {
    const { rows } = await service.context.pool.query(
      `select schemaname || '.' || tablename as name from pg_tables
       where schemaname in ('public', 'graphile_worker') order by 1`,
    );
    expect(rows.length).toBeGreaterThan(20);
    // The database exists to hold answers; protecting an address is up to the receiver; the start of a receiver's answer is
    // kept for the owner.
    const may = [...ANSWERS, MARKS.urlSecret, MARKS.receiverSays];
    const secrets = all().filter((secret) => !may.includes(secret));
    for (const { name } of rows) expectNone(name, await dump(name), secrets);
  });

  test('answers are where they belong, and nowhere else', async () => {
    const { rows } = await service.context.pool.query(
      `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    );
    const places = [];
    for (const { name } of rows) if (await holds(name, ANSWERS)) places.push(name);
    // Deliveries are deleted with their submission. Uploads hold the name of a file; its content is in the file store.
    expect(places).toEqual(['form_drafts', 'submissions', 'uploads']);
    for (const name of places) expect(await holds(name, [MARKS.fileContent]), name).toBe(false);
  });
});

function parsed(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}

async function holds(table: string, marks: string[]): Promise<boolean> {
  const text = await dump(table);
  return marks.some((mark) => text.includes(mark));
}

/** All rows of a table, bytes as hex. */
async function dump(table: string): Promise<string> {
  const { rows } = await service.context.pool.query(`select to_jsonb(t)::text as row from ${table} t`);
  return rows.map(({ row }) => row).join('\n');
}
