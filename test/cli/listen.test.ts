import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../../server/cli/command.ts';
import { run as listen } from '../../server/cli/listen.ts';
import { unusedPort } from '../deliveries/receivers.ts';
import {
  aField,
  aForm,
  aTextField,
  aToken,
  aUser,
  aWorkspace,
  TEXT_FIELD_ID,
  type TestUser,
} from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';
import type { TestDatabase } from '../setup/test-database.ts';
import { until } from '../setup/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../setup/webhook-receiver.ts';

const MAIN = join(import.meta.dirname, '../../server/cli/main.ts');
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NOTE = aField('02', 'text', 'Note');

let database: TestDatabase;
/** Holds the key and answers all along; `service` is another process's, which is restarted. */
let owner: TestService;
let service: TestService;
let port: number;
let ada: TestUser;
let workspaceId: number;
let token: string;
let receiver: WebhookReceiver;

const BASE_URL = 'https://forms.example.org';
const start = (env: Record<string, string>) =>
  startService({ database, dataDir: owner.dataDir, env: { BASE_URL, ROLES: 'http', ...env } });
const call = (method: string, path: string, body?: unknown) =>
  owner.request(method, path, { token: ada.token, body });

beforeAll(async () => {
  owner = await startService({ env: { BASE_URL } });
  ({ database } = owner);
  service = await start({});
  port = Number(new URL(service.url).port);
  ada = await aUser(owner);
  workspaceId = await aWorkspace(owner, ada);
  token = await aToken(owner, ada, ['forms-read']);
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await receiver.close();
  await service.stop();
  await owner.stop();
});
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.script([]);
});

interface Listening {
  lines: string[];
  complaints: string[];
  ended: Promise<number>;
  /** Ends it as Ctrl-C does. */
  end(): Promise<number>;
}

let running: Listening[] = [];
afterEach(async () => {
  await Promise.allSettled(running.map(({ end }) => end()));
  running = [];
});

function startListening(form: { slug: string }, ...more: string[]): Listening {
  const lines: string[] = [];
  const complaints: string[] = [];
  const common = ['--url', service.url, '--form', form.slug, '--forward', receiver.url, '--token', token];
  const args = [...common, '--secret', SECRET, ...more];
  const ended = listen(args, { out: (line) => lines.push(line), err: (line) => complaints.push(line) });
  ended.catch(() => {});
  const end = () => {
    process.emit('SIGINT');
    return ended;
  };
  const listening = { lines, complaints, ended, end };
  running.push(listening);
  return listening;
}

async function listenTo(form: { slug: string }, ...more: string[]): Promise<Listening> {
  const listening = startListening(form, ...more);
  await until(() => listening.complaints.length > 0);
  expect(listening.complaints[0]).toMatch(/^Listening to /);
  return listening;
}

function form(more: object = {}) {
  const properties = [aTextField(), NOTE];
  return aForm(owner, ada, workspaceId, { properties, editable_submissions: true, ...more });
}

async function submit({ slug }: { slug: string }, answers: object | string, by = owner) {
  const body = typeof answers === 'string' ? { [TEXT_FIELD_ID]: answers } : answers;
  const answer = await by.request('POST', `/forms/${slug}/answer`, { body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function submissions({ id }: { id: number }): Promise<any[]> {
  return (await call('GET', `/open/forms/${id}/submissions`)).body.data;
}

/** The answers to the text field in the bodies that have arrived. */
const heard = () =>
  receiver.requests.map(({ body }) => JSON.parse(String(body)).data[TEXT_FIELD_ID]?.value as string);

test('the receiver gets what an integration sends, byte for byte, and can verify it', async () => {
  const contact = await form();
  const integrated = await startWebhookReceiver();
  await call('POST', `/open/forms/${contact.id}/integrations`, {
    integration_id: 'webhook',
    data: { webhook_url: integrated.url, webhook_secret: SECRET },
  });
  const { lines } = await listenTo(contact);
  await submit(contact, { [TEXT_FIELD_ID]: 'Grüße, “Ada”', attribution: { utm_source: 'news' } });
  const [[forwarded], [sent]] = await Promise.all([receiver.received(1), integrated.received(1)]);
  expect(forwarded!.body.equals(sent!.body)).toBe(true);
  const { method, path } = sent!;
  expect(forwarded).toMatchObject({ method, path });
  // Each delivery has its own id, time and connection.
  const varying = {
    host: '',
    connection: '',
    'webhook-id': '',
    'webhook-timestamp': '',
    'webhook-signature': '',
  };
  expect({ ...forwarded!.headers, ...varying }).toEqual({ ...sent!.headers, ...varying });
  for (const { headers, body } of [forwarded!, sent!])
    expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toMatchObject({
      form_slug: contact.slug,
    });
  const [{ id }] = await submissions(contact);
  await until(() => lines.length > 0);
  expect(lines).toEqual([expect.stringMatching(new RegExp(`^\\S+Z {2}${id} {2}200 {2}\\d+ ms$`))]);
  await integrated.close();
});

test('while the service is away submissions are waited for, and each comes once', async () => {
  const contact = await form();
  const listening = await listenTo(contact);
  await submit(contact, 'before');
  await receiver.received(1);
  await service.stop();
  // More than a page of the list.
  const missed = Array.from({ length: 120 }, (_, n) => `while away ${n}`);
  await Promise.all(missed.map((name) => submit(contact, name)));
  await until(() => listening.complaints.some((line) => line.includes('does not answer')));
  // What a proxy says about a service that is not there.
  const asked: string[] = [];
  const proxy = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(asked.length === 1 ? 404 : 502).end('<h1>Sorry');
  }).listen(port, '127.0.0.1');
  await until(() => asked.length > 2);
  proxy.close();
  proxy.closeAllConnections();
  service = await start({ PORT: String(port) });
  await receiver.received(121);
  await submit(contact, 'after', service);
  await receiver.received(122);
  const told = receiver.requests.map(({ body }) => JSON.parse(String(body)).submission_id as number);
  expect(told).toEqual(told.toSorted((one, other) => one - other));
  expect(heard().toSorted()).toEqual(['before', ...missed, 'after'].toSorted());
  expect(listening.complaints.slice(1)).toEqual([
    expect.stringMatching(/^http:\S+ does not answer \(.+\); trying again …$/),
    `${service.url} answers again.`,
  ]);
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(122);
  expect(await listening.end()).toBe(0);
  const [{ id }] = await submissions(contact);
  expect(listening.complaints.at(-1)).toBe(`Ended. To go on from here: --since ${id + 1}`);
});

test('a receiver that refuses or is down is said, and the next submission is sent', async () => {
  const contact = await form();
  receiver.script([{ status: 500, body: 'no such\ntable' }, (response) => response.destroy()]);
  const { lines } = await listenTo(contact);
  for (const name of ['refused', 'broken off', 'fine']) await submit(contact, name);
  await until(() => lines.length === 3);
  expect(heard()).toEqual(['refused', 'broken off', 'fine']);
  expect(lines[0]).toMatch(/ {2}500 {2}\d+ ms {2}no such table$/);
  expect(lines[1]).toMatch(
    / {2}not received: connection_reset {2}\d+ ms {2}The receiver closed the connection/,
  );
  expect(lines[2]).toMatch(/ {2}200 {2}\d+ ms$/);

  const nobody = await startWebhookReceiver();
  await nobody.close();
  const down = await listenTo(contact, '--forward', nobody.url, '--json');
  await submit(contact, 'to nobody');
  await until(() => down.lines.length === 1);
  const [{ id }] = await submissions(contact);
  expect(JSON.parse(down.lines[0]!)).toEqual({
    time: expect.any(String),
    event: 'created',
    submission_id: id,
    change_id: null,
    webhook_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    is_delivered: false,
    status: null,
    failure: 'connect_failed',
    detail: 'The connection was refused or the host is unreachable. (ECONNREFUSED)',
    duration_ms: expect.any(Number),
  });
});

test('a replay begins at a submission or a moment, and goes on with what is new', async () => {
  const contact = await form();
  for (const name of ['one', 'two', 'three']) await submit(contact, name);
  const [three, two] = await submissions(contact);
  for (const since of [String(two.id), two.submission_id, two.created_at]) {
    receiver.requests.length = 0;
    const listening = await listenTo(contact, '--since', since);
    await receiver.received(2);
    await submit(contact, `after ${since}`);
    await until(() => heard().includes(`after ${since}`));
    expect(heard().slice(0, 2)).toEqual(['two', 'three']);
    expect(heard().filter((name) => name.startsWith('after '))).toContain(`after ${since}`);
    await listening.end();
  }
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
  receiver.requests.length = 0;
  await listenTo(contact, '--since', String(three.id));
  await receiver.received(1);
  // The same submission has the same id again, as a delivery that is sent again.
  expect(receiver.requests[0]!.headers['webhook-id']).toBe(ids[1]);
});

test('a partial submission comes when it is complete; an import and what is restored do not', async () => {
  const contact = await form({ enable_partial_submissions: true });
  const early = await submit(contact, { [TEXT_FIELD_ID]: 'half', is_partial: true });
  const listening = await listenTo(contact);
  const late = await submit(contact, { [TEXT_FIELD_ID]: 'half too', is_partial: true });
  await submit(contact, 'first');
  await receiver.received(1);
  for (const [n, { submission_hash }] of [early, late].entries())
    await submit(contact, { [TEXT_FIELD_ID]: `whole ${n}`, submission_hash });
  await receiver.received(3);
  const path = `/open/forms/${contact.id}/submissions`;
  await call('POST', `${path}/import`, {
    submissions: [{ answers: { [TEXT_FIELD_ID]: 'imported' }, source_id: 'other-1' }],
  });
  const first = (await submissions(contact)).find(({ data }) => data[TEXT_FIELD_ID] === 'first');
  await call('POST', `${path}/trash`, { submissionIds: [first.id] });
  await call('POST', `${path}/trash/restore`, { submissionIds: [first.id] });
  await submit(contact, 'last');
  await until(() => heard().includes('last'));
  expect(heard()).toEqual(['first', 'whole 0', 'whole 1', 'last']);
  expect(listening.complaints).toHaveLength(1);
});

test('changes come if they are asked for, each once and with the answers as they were then', async () => {
  const contact = await form({ enable_partial_submissions: true });
  const { submission_id } = await submit(contact, 'first');
  const { submission_hash } = await submit(contact, { [TEXT_FIELD_ID]: 'half', is_partial: true });
  const change = (name: string) => submit(contact, { [TEXT_FIELD_ID]: name, submission_id });
  await change('before');
  const listening = await listenTo(contact, '--events', 'created,updated', '--json');
  await change('second');
  await receiver.received(1);
  await change('second');
  await change('third');
  const partial = (await submissions(contact)).find(({ status }) => status === 'partial');
  await call('PUT', `/open/forms/${contact.id}/submissions/${partial.id}`, {
    [TEXT_FIELD_ID]: 'by a member',
  });
  await submit(contact, 'last');
  await until(() => heard().includes('last') && heard().includes('by a member') && heard().includes('third'));
  // A line is written once the receiver has answered.
  await until(() => listening.lines.length >= 4);
  const told = listening.lines.map((line) => JSON.parse(line));
  const bodies = receiver.requests.map(({ body }) => JSON.parse(String(body)));
  expect(bodies.map(({ event, data }) => [event, data[TEXT_FIELD_ID].value]).sort()).toEqual(
    [
      ['submission.updated', 'second'],
      ['submission.updated', 'third'],
      [undefined, 'by a member'],
      [undefined, 'last'],
    ].sort(),
  );
  expect(told.map(({ event }) => event).sort()).toEqual(['created', 'created', 'updated', 'updated']);
  expect(submission_hash).toBeTypeOf('string');

  receiver.requests.length = 0;
  await listening.end();
  await listenTo(contact, '--events', 'updated');
  await submit(contact, 'new');
  await change('fourth');
  await until(() => heard().length > 0);
  expect(heard()).toEqual(['fourth']);
});

test('what cannot be listened to is said in one line', async () => {
  const contact = await form();
  const refusal = async (...more: string[]) => {
    const listening = startListening(contact, ...more);
    const message = await listening.ended.then(String, (error: Error) => error.message);
    expect(listening.complaints).toEqual([]);
    expect(message).not.toContain(token);
    return message;
  };
  const { url } = service;
  expect(await refusal('--token', 'wrong')).toBe(`${url} does not accept the token (401).`);
  const needs = 'it needs forms-read, and its owner has to be a member of the workspace.';
  const without = `The token may not read the submissions of ${contact.slug} (403): ${needs}`;
  expect(await refusal('--token', await aToken(owner, ada, ['forms-write']))).toBe(without);
  const stranger = await aUser(owner);
  expect(await refusal('--token', stranger.token)).toBe(without);
  expect(await refusal('--form', 'unknown')).toBe(`${url} has no form unknown (404).`);
  const uuid = '00000000-0000-4000-8000-000000000000';
  expect(await refusal('--since', uuid)).toBe(`There is no submission ${uuid}.`);

  const other = createServer(({ url: path }, response) => {
    if (path?.startsWith('/open/forms/moved/'))
      response.writeHead(301, { location: 'https://forms.example.com/x' });
    response.end('<p>Hello');
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  expect(await refusal('--url', elsewhere)).toBe(`${elsewhere} does not answer as Formstead does (200).`);
  expect(await refusal('--url', elsewhere, '--form', 'moved')).toBe(
    `${elsewhere} redirects to https://forms.example.com: use that as --url.`,
  );
  other.close();
  other.closeAllConnections();
  const nowhere = `http://127.0.0.1:${await unusedPort()}`;
  expect(await refusal('--url', nowhere)).toBe(`${nowhere} does not answer (ECONNREFUSED).`);
});

test('a form that is deleted ends it', async () => {
  const contact = await form();
  const { ended } = await listenTo(contact);
  expect((await call('DELETE', `/open/forms/${contact.id}`)).status).toBe(204);
  await expect(ended).rejects.toThrow(`${service.url} has no form ${contact.slug} (404).`);
});

test.each([
  [['--url', 'forms.example.com'], '--url is the address'],
  [['--url', 'https://forms.example.com/path'], '--url is the address'],
  [['--forward', 'localhost:4000'], '--forward is an address'],
  [['--events', 'created,deleted'], '--events takes a list of created,updated'],
  [['--since', 'yesterday'], '--since takes the id of a submission, or a time'],
  [['--secret', 'short'], 'The Webhook Secret must be at least'],
  [['--token', ''], '--token is empty'],
  [['--token', 'two\nlines'], '--token is not a token'],
])('%j is wrong use', async (args, message) => {
  const { ended } = startListening({ slug: 'contact' }, ...args);
  await expect(ended).rejects.toThrow(UsageError);
  await expect(ended).rejects.toThrow(message);
});

test('as a program it makes a secret, takes the token from the environment, and ends by Ctrl-C', async () => {
  const contact = await form();
  const { BASE_URL: _, ...rest } = process.env;
  const args = [
    'listen',
    '--url',
    `${service.url}/`,
    '--form',
    String(contact.id),
    '--forward',
    receiver.url,
  ];
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...args], {
    env: { ...rest, FORMSTEAD_TOKEN: token, DATABASE_URL: 'postgres://127.0.0.1:1/none' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk) => (out += chunk));
  child.stderr?.on('data', (chunk) => (err += chunk));
  await until(() => err.includes('\nSigning secret: '));
  const [, secret = ''] = /^Signing secret: (whsec_\S{32})$/m.exec(err) ?? [];
  await submit(contact, 'Ada');
  const [{ body, headers }] = (await receiver.received(1)) as any;
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ form_id: contact.id });
  await until(() => out.endsWith('\n'));
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(err).toMatch(/\nEnded\. To go on from here: --since \d+\n$/);
  expect(out + err).not.toContain(token);
  expect(out.trim().split('\n')).toHaveLength(1);
});
