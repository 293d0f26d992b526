import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { SizedCache } from '../../fields/sized-cache.ts';
import { aVisitor } from '../public-pages/visitor.ts';
import { aField } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { expectCheap } from '../setup/processor-time.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';

/** Owners are not trusted like operators, so filling in their forms must stay cheap, however they make them. */
const smtp = useSmtpServer();
const home = useHome(() => ({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'forms@example.org' } }));
afterEach(() => {
  vi.restoreAllMocks();
});

const STORY = aField('01', 'rich_text', 'Story');
const EMAIL = aField('02', 'email', 'E-mail');
/** Takes a tenth of a second to be read as plain text. */
const LONG_STORY = '<b>&amp;x</b> '.repeat(990) + '&lt;'.repeat(20_000);
const MENTIONS = `<span mention mention-field-id="${STORY.id}">x</span>`.repeat(100);

test('a long answer that a mail mentions again and again is read once', async () => {
  const form = await home.form({ properties: [STORY, EMAIL] });
  const data = { recipient_field: EMAIL.id, subject: 'Hello', text: MENTIONS };
  const path = `/open/forms/${form.id}/integrations`;
  const made = await home.call('POST', path, { integration_id: 'email_confirmation', data });
  expect(made.status, made.text).toBe(200);
  await expectCheap(5_000, async () => {
    const answer = await home.submit(form, { [STORY.id]: LONG_STORY, [EMAIL.id]: 'ada@example.org' });
    expect(answer.status, answer.text).toBe(200);
  });
});

test('so is one that the page which thanks mentions, and only its beginning is shown', async () => {
  const form = await home.form({ properties: [STORY], submitted_text: MENTIONS });
  const visitor = aVisitor(home.service);
  const page = await visitor.open(`/forms/${form.slug}`);
  await expectCheap(5_000, async () => {
    const thanks = await visitor.send(page, { [STORY.id]: LONG_STORY });
    expect(thanks.path).toContain('/thank-you?');
    expect(thanks.html.length).toBeLessThan(2_000_000);
  });
});

const says = (id: string, operator: string, value: unknown) => ({
  identifier: id,
  value: { operator, property_meta: { id, type: 'text' }, value },
});
const any = (children: unknown[]) => ({ operatorIdentifier: 'or', children });
const hiddenWhen = (conditions: unknown) => ({ logic: { conditions, actions: ['hide-block'] } });
const TEXT = aField('03', 'text', 'Text');
/** Leads an automaton to a new state with nearly every letter: 100,000 random letters (Lehmer, MINSTD). */
const MAZE = (() => {
  let [number, letters] = [1, ''];
  while (letters.length < 100_000) {
    number = (number * 48_271) % 0x7fffffff;
    letters += number % 2 === 0 ? 'a' : 'b';
  }
  return letters;
})();
const patterns = (count: number) =>
  Array.from({ length: count }, (_, at) => says(TEXT.id, 'matches_regex', `[ab]*a[ab]{20}[c-d]|[Q-R]${at}`));

test('a hundred patterns that are slow for what was sent cost little time, and no memory', async () => {
  const form = await home.form({
    properties: [TEXT, aField('04', 'text', 'Other', hiddenWhen(any(patterns(100))))],
  });
  const before = process.memoryUsage().rss;
  await expectCheap(5_000, async () => {
    expect((await home.submit(form, { [TEXT.id]: MAZE })).status).toBe(200);
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
});

test('long answers are compared once, however far one hidden field hides the next', async () => {
  const links = Array.from({ length: 300 }, (_, at) => {
    const condition =
      at === 0 ? says(TEXT.id, 'is_not_empty', true) : says(`link-${at - 1}`, 'is_empty', true);
    return aField('05', 'text', 'Link', { id: `link-${at}`, ...hiddenWhen(any([condition])) });
  });
  const long = Array.from({ length: 500 }, () => says(TEXT.id, 'contains', `${'a'.repeat(50)}b`));
  const form = await home.form({
    properties: [TEXT, ...links, aField('06', 'text', 'End', hiddenWhen(any(long)))],
  });
  const visitor = aVisitor(home.service);
  const page = await visitor.open(`/forms/${form.slug}`);
  const values = Object.fromEntries(links.map(({ id }) => [id, 'x']));
  await expectCheap(10_000, async () => {
    const thanks = await visitor.send(page, { ...values, [TEXT.id]: 'a'.repeat(100_000) });
    expect(thanks.path).toContain('/thank-you?');
  });
  const [{ data }] = await home.records(form);
  expect(Object.keys(data)).not.toContain('link-299');
});

test('an integration has as few conditions and patterns as every submission can be compared with', async () => {
  const form = await home.form({ properties: [TEXT] });
  const add = (logic: unknown) =>
    home.call('POST', `/open/forms/${form.id}/integrations`, {
      integration_id: 'webhook',
      data: { webhook_url: 'https://example.com/hook' },
      logic,
    });
  const contains = (count: number) =>
    any(Array.from({ length: count }, () => says(TEXT.id, 'contains', 'x')));
  expect((await add(any([contains(50), contains(50)]))).status).toBe(200);
  expect(expectInvalid(await add(any([contains(50), contains(51)])), 'logic').logic).toEqual([
    'An integration may not have more than 100 conditions.',
  ]);
  expect((await add(any(patterns(5)))).status).toBe(200);
  expectInvalid(await add(any(patterns(6))), 'logic');
});

test('all endings together cost little time, whatever was sent', async () => {
  const compare = Array.from({ length: 480 }, () => says(TEXT.id, 'contains', `${'a'.repeat(50)}b`));
  const ending = (name: string, conditions: unknown) => ({ name, conditions, submitted_text: name });
  const endings = [ending('Long', any(compare)), ending('Slow', any(patterns(20)))];
  const form = await home.form({ properties: [TEXT], endings });
  const visitor = aVisitor(home.service);
  const page = await visitor.open(`/forms/${form.slug}`);
  await expectCheap(5_000, async () => {
    const thanks = await visitor.send(page, { [TEXT.id]: MAZE });
    expect(thanks.path).toContain('/thank-you?');
  });
  const more = [ending('One too many', any(patterns(21)))];
  expectInvalid(await home.call('PUT', `/open/forms/${form.id}`, { endings: more }), 'endings.0.conditions');
});

test('a page has as many cells of matrices as it can be drawn with in a moment', async () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => String(at));
  const matrix = (digits: string, rows: number, columns: number) =>
    aField(digits, 'matrix', 'Matrix', { rows: names(rows), columns: names(columns) });
  const save = (...properties: unknown[]) =>
    home.call('POST', '/open/forms', { workspace_id: home.workspaceId, title: 'Cells', properties });
  const problem =
    'The matrices, rankings and repeated questions of a form may not have more than 10000 cells.';
  for (const matrices of [[matrix('07', 2_000, 2_000)], [matrix('07', 100, 51), matrix('08', 100, 50)]])
    expect(expectInvalid(await save(...matrices), 'properties').properties).toEqual([problem]);
  const rankings = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      aField(`${at + 10}`, 'ranking', 'Ranking', { options: names(50) }),
    );
  expect(expectInvalid(await save(...rankings(5)), 'properties').properties).toEqual([problem]);
  expect((await save(...rankings(4))).status).toBe(201);
  const lists = (options: number, max: number) =>
    aField('07', 'repeat', 'Repeat', {
      max_entries: max,
      questions: Array.from({ length: 20 }, () => ({ type: 'select', name: 'S', options: names(options) })),
    });
  expect(expectInvalid(await save(lists(41, 100)), 'properties').properties).toEqual([problem]);
  const repeated = await save({ ...lists(40, 100), min_entries: 100 });
  expect(repeated.status, repeated.text).toBe(201);
  await expectCheap(10_000, async () => {
    const page = await aVisitor(home.service).open(`/forms/${repeated.body.slug}`);
    expect(page.html.match(/<select/g)).toHaveLength(101 * 20);
  });
  const form = await save(matrix('07', 100, 50), matrix('08', 50, 100));
  expect(form.status, form.text).toBe(201);
  await expectCheap(10_000, async () => {
    const page = await aVisitor(home.service).open(`/forms/${form.body.slug}`);
    expect(page.html.match(/<input type="radio" id=/g)).toHaveLength(10_000);
  });
});

test('names of rows and columns, their labels, and texts of repeated questions are as long as a page can repeat them', async () => {
  const names = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) => `${at} `.padEnd(length, 'x'));
  const save = (properties: unknown[], more = {}) =>
    home.call('POST', '/open/forms', { workspace_id: home.workspaceId, title: 'Texts', properties, ...more });
  const problem =
    'The matrices and repeated questions of a form may not have more than 5000000 characters in all cells together.';
  const matrix = (length: number) =>
    aField('07', 'matrix', 'Matrix', { rows: names(100, length), columns: names(100, length) });
  expect(expectInvalid(await save([matrix(251)]), 'properties').properties).toEqual([problem]);
  const repeat = (help: string, more = {}) =>
    aField('07', 'repeat', 'Repeat', { questions: [{ type: 'text', name: 'Q', help }], ...more });
  for (const properties of [[repeat('x'.repeat(50_000))], [repeat('', { entry_name: 'x'.repeat(50_000) })]])
    expect(expectInvalid(await save(properties), 'properties').properties).toEqual([problem]);
  expect((await save([repeat('x'.repeat(50_000), { max_entries: 90 })])).status).toBe(201);
  const options = names(900, 20).map((name) => ({ id: randomUUID(), name }));
  const choice = { type: 'select', name: 'Product', select: { options } };
  const many = await save([aField('07', 'repeat', 'Products', { questions: [choice] })]);
  expect(many.status, many.text).toBe(201);
  const named = { ...choice, select: { options: ['id'] }, labels: { id: 'x'.repeat(50_000) } };
  const labelled = aField('07', 'repeat', 'Products', { questions: [named] });
  expectInvalid(await save([labelled]), 'properties');

  const short = matrix(10);
  const labels = (length: number) =>
    Object.fromEntries(names(100, 10).map((name) => [name, 'y'.repeat(length)]));
  const inGerman = (length: number) => ({
    translations: { de: { properties: { [short.id]: { labels: labels(length) } } } },
  });
  expect(expectInvalid(await save([short], inGerman(251)), 'translations').translations).toEqual([problem]);
  const form = await save([short], inGerman(250));
  expect(form.status, form.text).toBe(201);
  await expectCheap(10_000, async () => {
    const page = await aVisitor(home.service).open(`/forms/${form.body.slug}?lang=de`);
    expect(page.html).toContain('y'.repeat(250));
  });
  const path = `/open/forms/${form.body.id}`;
  expectInvalid(await home.call('PUT', path, inGerman(251)), 'translations');
  expectInvalid(await home.call('PUT', path, { properties: [matrix(251)] }), 'properties');
});

test('a page that says its own address at every entry costs little', async () => {
  const lists = Array.from({ length: 100 }, (_, at) =>
    aField('07', 'repeat', 'Repeat', {
      id: `list-${at}`,
      min_entries: 100,
      questions: [{ type: 'text', name: 'Q' }],
    }),
  );
  const form = await home.form({ properties: lists });
  const remember = vi.spyOn(SizedCache.prototype, 'set');
  await expectCheap(10_000, async () => {
    const page = await home.service.request('GET', `/forms/${form.slug}`, {
      headers: { accept: 'text/html' },
    });
    expect(page.text.match(/#f\d+-e0"/g)?.length).toBeGreaterThan(10_000);
    expect(page.text).not.toContain('undefined');
  });
  // What has no size is never forgotten: one more of it for every time that the form is saved.
  const kept = remember.mock.calls.filter(([key]) => String(key).includes(form.uuid));
  expect(kept.length).toBeGreaterThan(0);
  for (const [key, , size] of kept) expect(size, String(key)).toBeGreaterThan(0);
});

test('somebody with very many long forms cannot ask for all of them at once', async () => {
  const owner = await home.newMember('user');
  const { token } = owner;
  const list = () => home.call('GET', '/open/forms', undefined, token);
  const before = (await list()).body.length;
  const block = { id: 'long', type: 'nf-text', name: 'Long', content: 'x'.repeat(1_000_000) };
  const body = { workspace_id: home.workspaceId, title: 'Long', properties: [block] };
  const first = await home.call('POST', '/open/forms', body, token);
  expect(first.status, first.text.slice(0, 300)).toBe(201);
  const copyForm = (count: number) =>
    sql`
    with copies as (
      insert into forms (workspace_id, creator_id, slug, title, properties, presentation)
      select workspace_id, creator_id, 'long-' || n || '-' || ${count}::int, title, properties, presentation
      from forms, generate_series(1, ${count}::int) n where id = ${first.body.id} returning id
    ) insert into form_counters (form_id) select id from copies`.execute(home.service.context.db);
  await copyForm(9);
  const some = await Promise.all([list(), list(), list()]);
  for (const { status, body } of some) expect([status, body.length]).toEqual([200, before + 10]);
  await copyForm(60);
  expectRefused(await list(), 422);
});
