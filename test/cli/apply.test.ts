import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { run as apply } from '../../server/cli/apply.ts';
import { UsageError } from '../../server/cli/command.ts';
import { run as showForm } from '../../server/cli/form-show.ts';
import { aUser, aWorkspace, type TestUser } from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';

const NAME = { id: 'name', type: 'text', name: 'Your name', required: true };
const MAIL = { id: 'mail', type: 'email', name: 'Your e-mail' };
const STARS = { id: 'stars', type: 'rating', name: 'Stars' };

let service: TestService;
let user: TestUser;
let workspace: string;
let folder: string;
let slug: string;
let count = 0;

beforeAll(async () => {
  delete process.env.BASE_URL;
  service = await startService({ env: { ROLES: 'http' } });
  const { host, port, user: role, database } = service.context.connection as Record<string, string>;
  process.env.DATABASE_URL = `postgres://${role}@${encodeURIComponent(host ?? '')}:${port}/${database}`;
  process.env.DATA_DIR = service.dataDir;
  user = await aUser(service);
  workspace = String(await aWorkspace(service, user));
});
afterAll(() => service.stop());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'formstead-apply-'));
  slug = `contact-${++count}`;
  return () => rm(folder, { recursive: true });
});

async function file(content: unknown, name = 'contact.json'): Promise<string> {
  const path = join(folder, name);
  const isText = typeof content === 'string' || Buffer.isBuffer(content);
  await writeFile(path, isText ? content : JSON.stringify(content));
  return path;
}

/** The output of the command, and its exit code. */
async function formstead(command: typeof apply, ...args: string[]) {
  const lines: string[] = [];
  const code = await command(args, { out: (line) => lines.push(line), err: () => {} });
  return { lines, code };
}
const applied = (...args: string[]) => formstead(apply, '--workspace', workspace, ...args);

async function read(form: string) {
  return service.request('GET', `/open/forms/${form}`, { token: user.token });
}

test('a form that has senders confirm an address is refused where no mail can be sent', async () => {
  const path = await file({
    title: 'Contact',
    slug,
    properties: [MAIL],
    settings: { confirms_email: 'mail' },
  });
  await expect(applied('--plan', path)).rejects.toThrow(
    `${path}: settings.confirms_email: Neither this workspace nor this service has a mail server.`,
  );
  process.env.SMTP_URL = 'smtp://127.0.0.1:9';
  try {
    expect((await applied(path)).lines[0]).toBe(`+ ${slug}: new, 1 block`);
  } finally {
    delete process.env.SMTP_URL;
  }
  // It asks already.
  const again = { title: 'Contact us', slug, settings: { confirms_email: 'mail' } };
  expect((await applied(await file(again))).code).toBe(0);
});

test('a form is planned, made, changed, and found as it is', async () => {
  const path = await file({ title: 'Contact', slug, properties: [NAME, MAIL] });
  const made = [`+ ${slug}: new, 2 blocks`];
  expect(await applied(path, '--plan')).toEqual({ lines: made, code: 3 });
  expect((await read(slug)).status).toBe(404);
  expect(await applied(path)).toEqual({ lines: made, code: 0 });
  expect((await read(slug)).body).toMatchObject({
    title: 'Contact',
    creator_id: null,
    properties: [NAME, MAIL],
  });
  for (const args of [[path], [path, '--plan']])
    expect(await applied(...args)).toEqual({ lines: [`= ${slug}`], code: 0 });
  expect((await read(slug)).body.version).toBe(1);

  expect((await service.request('POST', `/forms/${slug}/answer`, { body: { name: 'Ada' } })).status).toBe(
    200,
  );
  await file({ title: 'Write us', slug, properties: [STARS, { ...MAIL, required: true }], theme: 'simple' });
  const changed = [
    `~ ${slug}`,
    '    title: "Contact" → "Write us"',
    '    + Stars (rating)',
    '    ~ Your e-mail (email): required',
    '    - Your name (text)',
    '    theme: "default" → "simple"',
  ];
  expect(await applied(path, '--plan')).toEqual({ lines: changed, code: 3 });
  expect((await read(slug)).body.title).toBe('Contact');
  expect(await applied(path)).toEqual({ lines: changed, code: 0 });
  // The running service had the old form cached.
  const refused = await service.request('POST', `/forms/${slug}/answer`, { body: { name: 'Ada' } });
  expect(Object.keys(refused.body.errors)).toEqual(['mail']);
  expect((await read(slug)).body.removed_properties).toMatchObject([{ id: 'name' }]);
});

test('what was changed elsewhere since is told', async () => {
  const path = await file({ title: 'Contact', slug, visibility: 'closed', properties: [NAME, MAIL] });
  await applied(path);
  const body = { visibility: 'public', properties: [MAIL, NAME] };
  await service.request('PUT', `/open/forms/${slug}`, { token: user.token, body });
  expect(await applied(folder, '--plan')).toEqual({
    lines: [`~ ${slug}`, '    visibility: "public" → "closed"', '    order of the blocks'],
    code: 3,
  });
});

test('a form that is shown, or read by the API, is applied as it is', async () => {
  const text = '<p>Thanks<script>alert(1)</script></p>';
  const closes = '2031-05-01T12:00+02:00';
  const path = await file({
    title: 'A',
    slug,
    properties: [NAME],
    submitted_text: text,
    closes_at: closes,
    password: 'open sesame',
  });
  await applied(path);
  expect((await applied(path, '--plan')).lines).toEqual([`= ${slug}`]);
  const shown = JSON.parse((await formstead(showForm, slug)).lines.join('\n'));
  expect(shown).toMatchObject({ slug, password: '********', closes_at: '2031-05-01T10:00:00.000Z' });
  expect(shown).not.toHaveProperty('id');
  for (const content of [shown, (await read(slug)).body])
    expect(await applied(await file(content))).toEqual({ lines: [`= ${slug}`], code: 0 });
  // Members that a form shows for every block are no change of a block stored without them.
  shown.properties[0].name = 'Who are you?';
  const lines = [`~ ${slug}`, '    ~ Who are you? (text): name'];
  expect(await applied(await file(shown), '--plan')).toEqual({ lines, code: 3 });
  await expect(formstead(showForm, 'no-such-form')).rejects.toThrow('There is no form no-such-form.');
});

test('nothing is changed unless every file can be applied, and all that is wrong is told', async () => {
  const good = await file({ title: 'Good', slug, properties: [NAME] }, 'a.json');
  const twin = await file({ title: 'Twin', slug }, 'b.json');
  const wrong = await file(
    { title: 'Bad', tilte: 'Bad', theme: 'pink', properties: [{ type: 'text', name: 'Who' }] },
    'c.json',
  );
  await expect(applied(folder)).rejects.toThrow(
    [
      `${twin}: slug: ${good} has the same.`,
      `${wrong}: slug: A file needs the slug of its form.`,
      `${wrong}: tilte: A form has no such member.`,
      `${wrong}: properties.0.id: A block in a file needs an id, to be found again.`,
      `${wrong}: theme: The selected theme is invalid.`,
    ].join('\n'),
  );
  expect((await read(slug)).status).toBe(404);
});

test('endings and translations are what the file says, also where it renames an option, and change once', async () => {
  const drinks = (...names: string[]) => ({
    id: 'drink',
    type: 'select',
    name: 'Drink',
    select: { options: names.map((name, n) => ({ id: `${n}`, name })) },
  });
  const leaf = {
    identifier: 'drink',
    value: { operator: 'equals', property_meta: { id: 'drink', type: 'select' }, value: 'Tea' },
  };
  const ending = {
    id: 'tea',
    name: 'Tea',
    conditions: { operatorIdentifier: 'and', children: [leaf] },
    submitted_text: '<p>Enjoy</p>',
  };
  const form = {
    title: 'Drinks',
    slug,
    properties: [drinks('Tea', 'Water')],
    endings: [ending],
    translations: { de: { properties: { drink: { labels: { Tea: 'Tee' } } } } },
  };
  const unnamed = await file({ ...form, endings: [{ ...ending, id: undefined }] });
  await expect(applied(unnamed)).rejects.toThrow(
    `${unnamed}: endings.0.id: An ending in a file needs an id, to be found again.`,
  );
  const path = await file(form);
  await applied(path);
  await file({ ...form, properties: [drinks('Green tea', 'Tea')] });
  await applied(path);
  const { body } = await read(slug);
  expect(body.endings[0].conditions).toEqual(ending.conditions);
  expect(body.translations).toEqual(form.translations);
  expect(await applied(path, '--plan')).toEqual({ lines: [`= ${slug}`], code: 0 });
  // What it does not name follows.
  await file({ title: 'Drinks', slug, properties: [drinks('Green tea', 'Black tea')] });
  await applied(path);
  expect((await read(slug)).body.endings[0].conditions.children[0].value.value).toBe('Black tea');
});

test('a form that got another link since is named, instead of being made once more under its links', async () => {
  const path = await file({ title: 'Contact', slug, properties: [NAME] });
  const another = await file({ title: 'Another', slug: `${slug}-a`, properties: [NAME] }, 'a.json');
  await applied(path);
  const body = { slug: `${slug}-now` };
  await service.request('PUT', `/open/forms/${slug}`, { token: user.token, body });
  const problem = `${path}: slug: Links with this slug lead to the form ${slug}-now`;
  for (const way of [['--plan'], []]) await expect(applied(folder, ...way)).rejects.toThrow(problem);
  expect((await read(`${slug}-a`)).status).toBe(404);
  const other = String(await aWorkspace(service, user));
  await expect(formstead(apply, another, path, '--workspace', other)).rejects.toThrow(
    `${problem} of workspace ${workspace}`,
  );
  expect((await read(`${slug}-a`)).status).toBe(404);
  expect((await service.request('POST', `/forms/${slug}/answer`, { body: { name: 'Ada' } })).status).toBe(
    200,
  );
  expect((await read(`${slug}-now`)).body.submissions_count).toBe(1);
});

describe('a file of Windows', () => {
  const contact = () => JSON.stringify({ title: 'Schöne Grüße, 太郎', slug, properties: [NAME] });
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');

  test.each([
    ['in UTF-8 with a mark', () => Buffer.from(`\ufeff${contact()}`)],
    ['in UTF-16, as PowerShell writes it', () => utf16(`\ufeff${contact()}\r\n`)],
    ['in UTF-16 the other way round', () => utf16(`\ufeff${contact()}`).swap16()],
  ])('%s is read', async (_, content) => {
    const path = await file(content());
    expect(await applied(path)).toEqual({ lines: [`+ ${slug}: new, 1 block`], code: 0 });
    expect((await read(slug)).body.title).toBe('Schöne Grüße, 太郎');
    expect((await applied(path, '--plan')).lines).toEqual([`= ${slug}`]);
  });

  test.each([
    ['in Windows-1252', () => Buffer.from(contact(), 'latin1')],
    ['in UTF-16 without a mark', () => utf16(contact())],
    ['in UTF-16 without its last byte', () => utf16(`\ufeff${contact()}`).subarray(0, -1)],
  ])('%s is refused, and nothing of it made', async (_, content) => {
    const path = await file(content());
    await expect(applied(path)).rejects.toThrow(
      `${path}: it is neither UTF-8 nor UTF-16 with a byte order mark.`,
    );
    expect((await read(slug)).status).toBe(404);
  });
});

test.each([
  ['what is no JSON', '{', /contact\.json: it cannot be read as JSON/],
  ['what is no object', [], /contact\.json: /],
])('%s is refused', async (_, content, message) => {
  await expect(applied(await file(content))).rejects.toThrow(message);
});

test('a form of another workspace, and a place that is none, are refused', async () => {
  const path = await file({ title: 'A', slug });
  await applied(path);
  const other = String(await aWorkspace(service, user));
  await expect(formstead(apply, path, '--workspace', other)).rejects.toThrow(
    `${path}: slug: A form of workspace ${workspace} has this slug.`,
  );
  await expect(formstead(apply, path)).rejects.toThrow('Say which with --workspace: ');
  await expect(formstead(apply, path, '--workspace', '999999')).rejects.toThrow(
    'There is no workspace 999999.',
  );
  await expect(formstead(apply, path, '--workspace', 'x')).rejects.toThrow(UsageError);
  await expect(applied(join(folder, 'none'))).rejects.toThrow('there is no such file');
  await expect(applied()).rejects.toThrow(UsageError);
});

test('scenarios are part of a file that names them, and what fails one that blocks publishing is not applied', async () => {
  const scenarios = [
    {
      name: 'Nobody',
      answers: {},
      expected: { outcome: 'refused', errors: ['name'] },
      blocks_publishing: true,
    },
    { name: 'Ada', answers: { name: 'Ada' }, expected: { outcome: 'accepted' } },
  ];
  const form = { title: 'Contact', slug, properties: [NAME, MAIL] };
  const path = await file({ ...form, scenarios });
  expect((await applied(path)).lines).toEqual([`+ ${slug}: new, 2 blocks, 2 scenarios`]);
  expect(await applied(path)).toEqual({ lines: [`= ${slug}`], code: 0 });
  const shown = JSON.parse((await formstead(showForm, slug)).lines.join('\n'));
  expect(shown.scenarios).toMatchObject(scenarios);
  expect(await applied(await file(shown), '--plan')).toEqual({ lines: [`= ${slug}`], code: 0 });

  await file({ ...form, properties: [{ ...NAME, required: false }, MAIL] });
  await expect(applied(path)).rejects.toThrow(
    /scenarios\.\d+: The scenario “Nobody” fails. The answers should be refused, but are accepted\./,
  );
  await file({ ...form, properties: [{ ...NAME, required: false }], scenarios: [scenarios[1]] });
  expect((await applied(path, '--plan')).code).toBe(3);
  expect((await applied(path)).lines.slice(1)).toEqual([
    '    ~ Your name (text): required',
    '    - Your e-mail (email)',
    '    - scenario Nobody',
  ]);
  // A file that names none leaves them alone.
  await file({ title: 'Write us', slug });
  await applied(path);
  await file({ title: 'Write us', slug, scenarios: [{ ...scenarios[1], answers: { name: 'Bob' } }] });
  expect(await applied(path)).toEqual({ lines: [`~ ${slug}`, '    ~ scenario Ada'], code: 0 });
});

test('names of scenarios that only the database holds equal are refused', async () => {
  const named = (name: string) => ({ name, answers: { name: 'Ada' }, expected: { outcome: 'accepted' } });
  const form = { title: 'Contact', slug, properties: [NAME] };
  const path = await file({ ...form, scenarios: [named('ΟΔΟΣ')] });
  await applied(path);
  await file({ ...form, scenarios: [named('ΟΔΟΣ'), named('οδοσ')] });
  await expect(applied(path)).rejects.toThrow('scenarios: Another scenario has the same name as “οδοσ”.');
  const other = await file(
    { ...form, slug: `${slug}-sigma`, scenarios: [named('ΟΔΟΣ'), named('οδοσ')] },
    'other.json',
  );
  await expect(applied(other)).rejects.toThrow('Another scenario has the same name');
  // Not even the form is made.
  expect((await service.request('GET', `/forms/${slug}-sigma`)).status).toBe(404);
  await file({ ...form, scenarios: [named('ΟΔΟΣ')] });
  // One that takes the place of the other is renamed.
  await file({ ...form, scenarios: [named('οδοσ')] });
  expect((await applied(path)).code).toBe(0);
});

test('scenarios in a file are checked with everything else in it', async () => {
  const other = `${slug}-new`;
  const path = await file({
    title: 'Contact',
    slug: other,
    properties: [NAME],
    scenarios: [
      { name: 'Ada', answers: {}, expected: { outcome: 'accepted', errors: ['name'] } },
      { name: 'ADA', answers: {}, expected: { outcome: 'accepted' }, blocks_publishing: true },
    ],
  });
  await expect(applied(path)).rejects.toThrow(
    /scenarios\.0\.expected\.errors:.*scenarios\.1\.name: Another/s,
  );
  const broken = { name: 'Ada', answers: {}, expected: { outcome: 'accepted' }, blocks_publishing: true };
  const form = { title: 'Contact', slug: other, properties: [NAME] };
  await file({ ...form, scenarios: [broken] });
  await expect(applied(path)).rejects.toThrow(/The scenario “Ada” fails/);
  await file({ ...form, scenarios: [{ name: 'Ada', answers: {} }] });
  await expect(applied(path)).rejects.toThrow(/scenarios/);
  await file({ ...form, scenarios: 'none' });
  await expect(applied(path)).rejects.toThrow(/scenarios/);
  await file({ ...form, scenarios: [{ ...broken, answers: { name: '\u0000' } }] });
  await expect(applied(path)).rejects.toThrow(/U\+0000/);
  expect((await read(other)).status).toBe(404);
});
