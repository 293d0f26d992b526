import { beforeAll, describe, expect, test } from 'vitest';
import { expectCompiles } from '../answer-schema/type-check.ts';
import { download } from '../exports/download.ts';
import { aVisitor, blockOf } from '../public-pages/visitor.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';

/** Fields, questions, options and rows with names that every object of JavaScript has. */
const home = useHome();
const receiver = useWebhookReceiver();
const visitor = () => aVisitor(home.service);

const optionsOf = (...names: string[]) => ({ options: names.map((name) => ({ name, id: name })) });
const TEXT = { id: 'constructor', type: 'text', name: 'Text' };
const NUMBER = { id: 'toString', type: 'number', name: 'Number' };
const CHOICE = { id: 'valueOf', type: 'select', name: 'Choice', select: optionsOf('toString', 'valueOf') };
const BOX = { id: 'hasOwnProperty', type: 'checkbox', name: 'Box' };
const STARS = { id: 'isPrototypeOf', type: 'rating', name: 'Stars' };
const GRID = {
  id: 'propertyIsEnumerable',
  type: 'matrix',
  name: 'Grid',
  rows: ['constructor', 'valueOf'],
  columns: ['toString', '__proto__'],
};
const PEOPLE = {
  id: 'toLocaleString',
  type: 'repeat',
  name: 'People',
  questions: [
    { id: 'constructor', type: 'text', name: 'Who' },
    { id: 'valueOf', type: 'number', name: 'Age' },
  ],
};
const PHOTO = { id: '__lookupGetter__', type: 'files', name: 'Photo' };
const SHOWN_WHEN = {
  id: '__defineGetter__',
  type: 'text',
  name: 'Shown when',
  hidden: true,
  logic: {
    conditions: {
      operatorIdentifier: 'and',
      children: [
        { value: { operator: 'equals', property_meta: { id: 'constructor', type: 'text' }, value: 'Ada' } },
      ],
    },
    actions: ['show-block'],
  },
};
const ALL = [TEXT, NUMBER, CHOICE, BOX, STARS, GRID, PEOPLE, SHOWN_WHEN];
const ANSWERS = {
  constructor: 'Ada',
  toString: 3,
  valueOf: 'toString',
  hasOwnProperty: true,
  isPrototypeOf: 4,
  propertyIsEnumerable: { constructor: 'toString', valueOf: '__proto__' },
  toLocaleString: [{ constructor: 'Ann', valueOf: 5 }],
  __defineGetter__: 'Yes',
};
const IDS = Object.keys(ANSWERS);

let form: any;
beforeAll(async () => {
  form = await home.form({
    properties: ALL,
    editable_submissions: true,
    settings: { public_results: { fields: [CHOICE.id, STARS.id, GRID.id], step: 1 } },
  });
});
const path = (rest: string) => `/open/forms/${form.id}${rest}`;
/** The answers of a submission as its owner reads it. */
const answersIn = ({ data }: any) =>
  Object.fromEntries(Object.entries(data).filter(([key]) => IDS.includes(key)));
const latest = async () => answersIn((await home.records(form))[0]);
const ok = async (method: string, rest: string, body?: unknown) => {
  const answer = await home.call(method, path(rest), body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
};

test('an answer without them has none of them', async () => {
  const empty = await home.form({ properties: ALL });
  expect((await home.submit(empty, { toString: 1 })).status).toBe(200);
  expect(answersIn((await home.records(empty))[0])).toEqual({ toString: 1 });
});

describe('answers', () => {
  let id: number;
  let uuid: string;
  beforeAll(async () => {
    await ok('POST', '/integrations', {
      integration_id: 'webhook',
      data: { webhook_url: receiver.url },
      logic: SHOWN_WHEN.logic.conditions,
    });
    const sent = await home.submit(form, ANSWERS);
    expect(sent.status, sent.text).toBe(200);
    const [record] = await home.records(form);
    id = record.id;
    uuid = record.submission_id;
  });

  test('are read, sent on, exported and found as they came', async () => {
    expect(await latest()).toEqual(ANSWERS);
    await until(() => receiver.requests.length > 0);
    const { data } = JSON.parse(String(receiver.requests[0]?.body));
    expect(Object.keys(data).sort()).toEqual([...IDS].sort());
    expect(data.constructor.value).toBe('Ada');
    for (const format of ['csv', 'jsonl', 'xlsx', 'sav', 'sqlite', 'parquet'])
      expect((await download(home, form, format, IDS)).status, format).toBe(200);
    const lines = await (await download(home, form, 'jsonl', IDS)).text();
    expect(JSON.parse(lines)).toMatchObject({ Text: 'Ada', Number: 3 });
    const filter = encodeURIComponent(
      JSON.stringify([{ id: 'constructor', operator: 'equals', value: 'Ada' }]),
    );
    expect((await ok('GET', `/submissions?filters=${filter}&sort=toString`)).data).toHaveLength(1);
  });

  test('are counted, also for everybody', async () => {
    await until(async () => (await ok('GET', '/statistics/fields')).uncounted === 0);
    const { fields } = await ok('GET', '/statistics/fields');
    expect(fields.map((field: { id: string }) => field.id).sort()).toEqual([...IDS].sort());
    const results = () => visitor().open(`/forms/${form.slug}/results`);
    expect((await results()).text).toContain('100%');
    expect((await results()).text).not.toContain('not enough responses');
    expect((await home.submit(form, { ...ANSWERS, valueOf: 'valueOf' })).status).toBe(200);
    await expect.poll(async () => (await results()).text, { timeout: 60_000 }).toContain('2 responses');
    expect((await results()).text).toContain('50%');
  });

  test('are changed, with what they were, by the API and on the page', async () => {
    await ok('PUT', `/submissions/${id}`, { ...ANSWERS, constructor: 'Ada', toString: 4 });
    const changes = await ok('GET', `/submissions/${id}/changes`);
    expect(JSON.stringify(changes)).toContain('"toString":{"before":3,"after":4}');
    const page = await visitor().open(`/forms/${form.slug}?submission_id=${uuid}`);
    const thanks = await visitor().send(page, { toString: '5' });
    expect(thanks.path).toContain('/thank-you');
    const changed = (await home.records(form)).find((record) => record.id === id);
    expect(answersIn(changed)).toEqual({ ...ANSWERS, toString: 5 });
  });

  test('have a type', async () => {
    const answer = await fetch(`${home.service.url}${path('/answer-schema')}?format=typescript`, {
      headers: { authorization: `Bearer ${home.ada.token}` },
    });
    expect(answer.status).toBe(200);
    await expectCompiles({ 'answers.ts': await answer.text() });
  });

  test('are imported', async () => {
    const { stored } = await ok('POST', '/submissions/import', { submissions: [{ answers: ANSWERS }] });
    expect(stored).toBe(1);
    expect(await latest()).toEqual(ANSWERS);
  });
});

test('views are saved, versions and drafts are told', async () => {
  const definition = {
    filters: [{ id: 'constructor', operator: 'equals', value: 'Ada' }],
    sort: 'toString',
    columns: ['constructor', 'toString'],
  };
  const { view } = await ok('POST', '/saved-views', { name: 'Mine', definition });
  expect(view).toMatchObject({ definition, left_out: [] });
  await ok('PUT', '/draft', { properties: ALL.slice(0, 3) });
  await ok('POST', '/draft/publish');
  await ok('PUT', '', { properties: ALL });
});

describe('the page without a script', () => {
  test('is prefilled, tells of problems, and mentions answers', async () => {
    const said = {
      id: 'said',
      type: 'nf-text',
      name: 'Said',
      content: '<p>Hello <span mention mention-field-id="constructor" mention-fallback="you"></span></p>',
    };
    const required = { ...TEXT, required: true };
    const asking = await home.form({ properties: [required, said, NUMBER] });
    const page = await visitor().open(`/forms/${asking.slug}?constructor=Grace`);
    expect(page.text).toContain('Hello Grace');
    const bare = await visitor().open(`/forms/${asking.slug}`);
    expect(bare.text).toContain('Hello you');
    expect(blockOf(await visitor().send(bare, { constructor: '' }), 'constructor')).toContain(
      'needs an answer',
    );
  });

  test('is sent with a file', async () => {
    const withFile = await home.form({ properties: [TEXT, NUMBER, PHOTO, PEOPLE] });
    const page = await visitor().open(`/forms/${withFile.slug}`);
    const thanks = await visitor().send(page, {
      constructor: 'Ada',
      toString: '3',
      [PHOTO.id]: new File(['words'], 'a.txt', { type: 'text/plain' }),
    });
    expect(thanks.path, thanks.text).toContain('/thank-you');
    const [record] = await home.records(withFile);
    expect(record.data).toMatchObject({ constructor: 'Ada', toString: 3 });
    expect(record.files[PHOTO.id]).toHaveLength(1);
  });
});
