import { readFile } from 'node:fs/promises';
import { beforeEach, expect, test } from 'vitest';
import { TEMPLATES } from '../../dashboard/templates/templates.ts';
import { removeExpiredAnswers } from '../../server/submissions/retention/remove-expired-answers.ts';
import { PDF, PNG, upload } from '../files/upload.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';
import { expectCompiles } from './type-check.ts';
import { readSchema, readTypes, validatorsOf } from './validators.ts';

/** Which answers are always there, which may be missing or null, and what surrounds them. */
const home = useHome();
const DAY_MS = 24 * 3600 * 1000;

const receiver = useWebhookReceiver();
beforeEach(() => {
  receiver.requests.length = 0;
});

const required = { required: true };
const whenOn = (action: string) => ({
  conditions: {
    operatorIdentifier: 'and',
    children: [
      {
        identifier: 'on',
        value: { operator: 'equals', property_meta: { id: 'on', type: 'checkbox' }, value: true },
      },
    ],
  },
  actions: [action],
});
const field = (id: string, type: string, more: object = {}) => ({ id, type, name: `The ${id}`, ...more });

async function aToldForm(properties: object[]) {
  const form = await home.form({
    properties,
    editable_submissions: true,
    enable_partial_submissions: true,
  });
  const integration = { integration_id: 'webhook', data: { webhook_url: receiver.url, sends_edits: true } };
  const made = await home.call('POST', `/open/forms/${form.id}/integrations`, integration);
  expect(made.status, made.text).toBe(200);
  return form;
}

async function send(form: { slug: string }, answers: object): Promise<any> {
  const answer = await home.submit(form, answers);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** The bodies that came since the last call; there must be as many. */
async function nextBodies(count: number): Promise<any[]> {
  await receiver.received(count);
  const bodies = receiver.requests.splice(0).map(({ body }) => JSON.parse(String(body)));
  expect(bodies).toHaveLength(count);
  return bodies;
}

test('an answer is always there if nothing can hide its field or take its rule away, or if the service gives it', async () => {
  const form = await aToldForm([
    field('on', 'checkbox'),
    field('name', 'text', required),
    field('stars', 'rating', required),
    field('terms', 'checkbox', required),
    field('grid', 'matrix', { ...required, rows: ['A', 'B'], columns: ['1', '2'] }),
    field('secret', 'text', { ...required, hidden: true }),
    field('hideable', 'text', { ...required, logic: whenOn('hide-block') }),
    field('showable', 'text', { ...required, hidden: true, logic: whenOn('show-block') }),
    field('lenient', 'text', { ...required, logic: whenOn('make-it-optional') }),
    field('strict', 'text', { ...required, logic: whenOn('disable-block') }),
    field('wanted', 'text', { logic: whenOn('require-answer') }),
    field('source', 'text', { hidden: true, prefill: 'mail' }),
    field('wrong', 'number', { hidden: true, prefill: 'no number' }),
    field('key', 'text', { hidden: true, generates_uuid: true, max_char_limit: 3 }),
    field('shown-key', 'text', { generates_uuid: true }),
    field('number', 'text', { generates_auto_increment_id: true, input_mask: 'aa', max_char_limit: 2 }),
    field('today', 'date', { hidden: true, prefill_today: true }),
    field('deadline', 'date', { hidden: true, prefill: '2999-12-31', disable_past_dates: true }),
    field('two', 'multi_select', { hidden: true, prefill: ['A'], options: ['A', 'B'], min_selection: 2 }),
    field('break', 'nf-page-break', { logic: whenOn('hide-block') }),
    field('later', 'text', required),
  ]);
  const schema = await readSchema(home, form);
  const always = ['name', 'stars', 'terms', 'grid', 'strict', 'source', 'key', 'number', 'today', 'two'];
  expect(schema.$defs.Answers.required).toEqual(always);
  expect(schema.$defs.DeliveredAnswers.required).toEqual(always);
  const { fits, expectFits } = validatorsOf(schema);
  const least = { name: 'x', stars: 1, terms: true, grid: { A: '1', B: '2' }, strict: 'x', on: true };
  await send(form, { ...least, showable: 'x', wanted: 'x' });
  await send(form, { ...least, on: false, hideable: 'x', lenient: 'x', later: 'x', 'shown-key': 'mine' });
  const records = await home.records(form);
  for (const record of records) {
    expectFits('CompleteSubmission', record);
    for (const id of always) {
      const { [id]: _, ...data } = record.data;
      expect(fits('Submission', { ...record, data }), id).toBe(false);
    }
    for (const wrong of [{ stars: 0 }, { terms: false }, { grid: { A: '1' } }])
      expect(fits('Submission', { ...record, data: { ...record.data, ...wrong } })).toBe(false);
  }
  expect(Object.keys(records[1].data)).not.toContain('later');
  for (const body of await nextBodies(2)) expectFits('WebhookBody', body);
  await expectCompiles({
    'answers.ts': await readTypes(home, form),
    'consumer.ts': `
      import type { Submission, WebhookBody } from './answers.ts';
      export function read({ data, submission_id: id, event, edit_link: link }: WebhookBody): string {
        const [always, stars]: [string, number] = [data.name.value, data.stars.value];
        const row: '1' | '2' = data.grid.value.B;
        const maybe: string | undefined = data.hideable?.value;
        const changed: 'submission.updated' | undefined = event;
        // @ts-expect-error it may be hidden
        const later: string = data.later.value;
        // @ts-expect-error it is no text
        const text: string = data.stars.value;
        // @ts-expect-error there is no such field
        const none = data.nothing;
        return [always, stars, row, maybe, changed, later, text, none, id, link].join();
      }
      export function rate(submission: Submission): number {
        if (submission.status === 'completed') return submission.data.stars;
        // @ts-expect-error a partial submission may lack it
        const stars: number = submission.data.stars;
        return stars;
      }
      `,
  });
});

test('a partial submission may lack anything, and fits no less when it is completed and changed', async () => {
  const people = field('people', 'repeat', {
    ...required,
    questions: [field('name', 'text', required), field('agrees', 'checkbox', required)],
  });
  const ranking = field('ranks', 'ranking', { options: ['A', 'B', 'C'] });
  const some = field('some', 'multi_select', { ...required, options: ['A', 'B'], min_selection: 2 });
  const form = await aToldForm([people, ranking, some, field('stars', 'rating', required)]);
  const { fits, expectFits } = validatorsOf(await readSchema(home, form));
  const begun = { people: [{ agrees: false }], ranks: ['B'], some: ['A'], stars: 0, is_partial: true };
  const { submission_hash } = await send(form, begun);
  const [partial] = await home.records(form);
  expectFits('PartialSubmission', partial);
  expectFits('Submission', partial);
  expect(fits('Answers', partial.data)).toBe(false);
  // The page cannot show a ranking that lacks options, so it stays.
  const whole = { people: [{ name: 'Ann', agrees: '1' }], some: ['A', 'B'], stars: 3 };
  const { submission_id } = await send(form, {
    ...whole,
    submission_hash,
    utm_source: 'x',
    completion_time: 3,
  });
  await send(form, { ...whole, stars: 4, submission_id });
  const [record] = await home.records(form);
  expect(record.data.ranks).toEqual(['B']);
  const path = `/open/forms/${form.id}/submissions/${record.id}`;
  await home.call('PUT', path, { ...whole, ranks: ['A', 'C', 'B'] });
  expect((await home.call('POST', `${path}/review`, { state: 'approved', note: 'x' })).status).toBe(200);
  for (const token of [home.ada.token, (await home.member('readonly')).token])
    expectFits('CompleteSubmission', (await home.call('GET', path, undefined, token)).body);
  const bodies = await nextBodies(3);
  for (const body of bodies) expectFits('WebhookBody', body);
  expect(bodies.map(({ event }) => event)).toEqual([undefined, 'submission.updated', 'submission.updated']);
  for (const [body, ...missing] of [
    [bodies[0], 'edit_link', 'submission_id', 'form_id', 'data'],
    [{ ...bodies[0], form_id: form.id + 1 }, 'message'],
    [{ ...bodies[1], event: 'deleted' }, 'message'],
  ])
    for (const name of missing as string[]) {
      const { [name]: _, ...rest } = body;
      expect(fits('WebhookBody', rest), name).toBe(false);
    }
});

test('a removed answer is null, and missing in a webhook', async () => {
  const kept = { ...required, retention_days: 1 };
  const form = await aToldForm([
    field('mail', 'email', kept),
    field('terms', 'checkbox', kept),
    field('source', 'text', { hidden: true, prefill: 'mail', retention_days: 1 }),
    field('note', 'text'),
  ]);
  const schema = await readSchema(home, form);
  expect(schema.$defs.Answers.required).toEqual(['mail', 'terms', 'source']);
  expect(schema.$defs.DeliveredAnswers.required).toEqual([]);
  const { expectFits, fits } = validatorsOf(schema);
  await send(form, { mail: 'a@b.co', terms: true, note: 'x' });
  // What is not sent yet is removed, too.
  await nextBodies(1);
  await send(form, { mail: 'a@b.co', is_partial: true });
  await removeExpiredAnswers(home.service.context.db, { now: new Date(Date.now() + 2 * DAY_MS) });
  const [partial, complete] = await home.records(form);
  expect([partial.data.mail, complete.data.mail, complete.data.terms]).toEqual([null, null, null]);
  expectFits('PartialSubmission', partial);
  expectFits('CompleteSubmission', complete);
  expect(fits('Submission', { ...complete, data: { ...complete.data, note: null } })).toBe(false);
  const path = `/open/forms/${form.id}/submissions/${complete.id}`;
  expect((await home.call('PUT', path, { note: 'y', terms: false })).status).toBe(200);
  expectFits('CompleteSubmission', (await home.call('GET', path)).body);
  const [changed] = await nextBodies(1);
  expectFits('WebhookBody', changed);
  expect(Object.keys(changed.data)).toEqual(['terms', 'note']);
});

test('files are names when they are read, and links in a webhook; a typed signature is a text in both', async () => {
  const files = aField('01', 'files', 'Files', { ...required, multiple: true });
  const signature = aField('02', 'signature', 'Signature');
  const form = await aToldForm([files, signature, field('one', 'files')]);
  const { fits, expectFits } = validatorsOf(await readSchema(home, form));
  const stored = async (id: string, content: Buffer, name: string) => {
    const answer = await upload(home.service, form, id, content, name);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.reference;
  };
  const drawing = `data:image/png;base64,${PNG.toString('base64')}`;
  for (const signed of [drawing, 'Ada Lovelace']) {
    const names = [await stored(files.id, PDF, 'Größe 1.pdf'), await stored(files.id, PNG, 'a.png')];
    const one = await stored('one', PNG, 'b.png');
    await send(form, { [files.id]: [...names, names[0]], [signature.id]: signed, one });
  }
  const records = await home.records(form);
  for (const record of records) expectFits('CompleteSubmission', record);
  const bodies = await nextBodies(2);
  for (const body of bodies) expectFits('WebhookBody', body);
  expect(bodies.map(({ data }) => typeof data[signature.id].value).toSorted()).toEqual(['object', 'string']);
  const [record] = records;
  for (const wrong of [['a.png'], [], 'a.png'])
    expect(fits('Submission', { ...record, data: { ...record.data, [files.id]: wrong } })).toBe(false);
});

test('imported answers fit as partial ones do', async () => {
  const form = await home.form({ properties: [field('name', 'text', required), field('age', 'number')] });
  const { expectFits } = validatorsOf(await readSchema(home, form));
  const submissions = [{ answers: {} }, { answers: { age: '3' } }, { answers: { name: 'Ann' } }];
  const answer = await home.call('POST', `/open/forms/${form.id}/submissions/import`, { submissions });
  expect(answer.status, answer.text).toBe(200);
  const records = await home.records(form);
  expect(records).toHaveLength(3);
  for (const { data } of records) expectFits('PartialAnswers', data);
});

test('it describes the published form, not its draft', async () => {
  const form = await home.form({ properties: [field('name', 'text')] });
  const draft = { properties: [field('name', 'number')] };
  expect((await home.call('PUT', `/open/forms/${form.id}/draft`, draft)).status).toBe(200);
  const schema = await readSchema(home, form);
  expect(schema.$defs.Answers.properties.name.type).toBe('string');
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: form.title,
  });
  const other = await home.call('GET', `/open/forms/${form.id}/answer-schema?format=yaml`);
  expect(other.status).toBe(422);
});

test('the made-up answers of a test delivery fit forms made of the templates', async () => {
  const files: Record<string, string> = {};
  for (const { key, form: body } of TEMPLATES) {
    const form = await home.form({ ...body });
    const integration = { integration_id: 'webhook', data: { webhook_url: receiver.url } };
    const made = await home.call('POST', `/open/forms/${form.id}/integrations`, integration);
    const { id } = made.body.form_integration;
    const tested = await home.call('POST', `/open/forms/${form.id}/integrations/${id}/test`);
    expect(tested.status, tested.text).toBe(200);
    const [sample] = await nextBodies(1);
    validatorsOf(await readSchema(home, form)).expectFits('WebhookBody', sample);
    files[`${key}.ts`] = await readTypes(home, form);
    files[`${key}-sample.ts`] =
      `import type { WebhookBody } from './${key}.ts';\nexport const sample: WebhookBody = ${JSON.stringify(sample)};\n`;
  }
  await expectCompiles(files);
});

test('the receiver in the docs compiles', async () => {
  const docs = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
  const [, receiverInDocs = ''] = /```ts\n(.*?)```/s.exec(docs) ?? [];
  const form = await home.form({
    properties: [
      field('name', 'text', required),
      field('meals', 'multi_select', { options: ['Vegan', 'Fish'] }),
    ],
  });
  await expectCompiles({ 'answers.ts': await readTypes(home, form), 'receiver.ts': receiverInDocs });
});
