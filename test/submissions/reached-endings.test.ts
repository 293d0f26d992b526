import { describe, expect, test } from 'vitest';
import { download } from '../exports/download.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';

const home = useHome();
const receiver = useWebhookReceiver();

const AGE = { id: 'age', type: 'number', name: 'Age' };
const NAME = { id: 'name', type: 'text', name: 'Name' };
const younger = (than: number) => ({
  operatorIdentifier: 'and',
  children: [
    {
      identifier: 'age',
      value: { operator: 'less_than', property_meta: { id: 'age', type: 'number' }, value: than },
    },
  ],
});
const CHILD = {
  id: 'child',
  name: 'A child',
  conditions: younger(12),
  submitted_text: '<p>Ask your parents.</p>',
};
const YOUNG = { id: 'young', name: '=Too "young"', conditions: younger(18) };
const SURVEY = { properties: [AGE, NAME], endings: [CHILD, YOUNG] };
const AS_YOUNG = { id: 'young', name: '=Too "young"' };
const AS_CHILD = { id: 'child', name: 'A child' };

type Form = { id: number; slug: string };
const at = (form: Form, rest = '') => `/open/forms/${form.id}${rest}`;
const submit = async (form: Form, answers: Record<string, unknown>, headers = {}) => {
  const sent = await home.submit(form, answers, headers);
  expect(sent.status, sent.text).toBe(200);
  return sent.body;
};
const read = async (form: Form, id: string | number) => {
  const { status, body, text } = await home.call('GET', at(form, `/submissions/${id}`));
  expect(status, text).toBe(200);
  return body;
};
const list = async (form: Form, query: string) => {
  const { status, body, text } = await home.call('GET', at(form, `/submissions?${query}`));
  expect(status, text).toBe(200);
  return body;
};
const agesIn = async (form: Form, query: string) =>
  (await list(form, query)).data.map(({ data }: any) => data.age).sort();
const change = async (form: Form, body: object) => {
  const { status, text } = await home.call('PUT', at(form), body);
  expect(status, text).toBe(200);
};

describe('the ending that a submission reached', () => {
  test('is told where it is read and listed, by its present name; a form without endings says null', async () => {
    const form = await home.form(SURVEY);
    const sent = await Promise.all([5, 15, 40].map((age) => submit(form, { age })));
    const [child, young, none] = await Promise.all(sent.map((one) => read(form, one.submission_id)));
    expect([child, young, none].map(({ ending }) => ending)).toEqual([AS_CHILD, AS_YOUNG, null]);
    for (const query of ['', 'total=true'])
      expect(new Set((await list(form, query)).data.map(({ ending }: any) => ending?.id ?? null))).toEqual(
        new Set(['child', 'young', null]),
      );
    await change(form, { endings: [{ ...YOUNG, name: 'Below 18' }] });
    expect((await read(form, young.id)).ending).toEqual({ id: 'young', name: 'Below 18' });
    expect((await read(form, child.id)).ending).toEqual({ id: 'child', name: null });
    const plain = await home.form({ properties: [AGE] });
    expect((await read(plain, (await submit(plain, { age: 5 })).submission_id)).ending).toBeNull();
    expect((await home.call('GET', at(plain, '/endings'))).body).toEqual({ data: [] });
  });

  test('is kept in batches of several forms, with keys, and with limited options', async () => {
    const colour = {
      id: 'colour',
      type: 'select',
      name: 'Colour',
      select: { options: [{ id: 'red', name: 'red', max_submissions_count: 3 }] },
    };
    const forms = await Promise.all([
      home.form(SURVEY),
      home.form({ properties: [AGE] }),
      home.form({ ...SURVEY, properties: [AGE, colour] }),
    ]);
    const ages = [5, 15, 40, 6, 16, 41];
    await Promise.all(
      forms.flatMap((form, n) =>
        ages.map((age) =>
          submit(
            form,
            { age, ...(n === 2 && age < 7 && { colour: 'red' }) },
            age % 2 === 0 ? { 'idempotency-key': `${form.id}-${age}` } : {},
          ),
        ),
      ),
    );
    const reached = await Promise.all(
      forms.map(async (form) =>
        (await list(form, 'total=true')).data
          .map(({ data, ending }: any) => `${data.age} ${ending?.id ?? '-'}`)
          .sort(),
      ),
    );
    const wanted = ['15 young', '16 young', '40 -', '41 -', '5 child', '6 child'];
    expect(reached).toEqual([wanted, wanted.map((one) => one.replace(/ .*/, ' -')), wanted]);
  });

  test('follows the answers: completed, edited by a member or the respondent; not changed endings', async () => {
    const form = await home.form({
      ...SURVEY,
      enable_partial_submissions: true,
      editable_submissions: true,
    });
    const { submission_hash } = await submit(form, { age: 5, is_partial: true });
    const [begun] = (await list(form, 'status=partial')).data;
    expect(begun.ending).toBeNull();
    const { submission_id } = await submit(form, { age: 15, is_partial: false, submission_hash });
    const { id } = await read(form, submission_id);
    expect((await read(form, id)).ending).toEqual(AS_YOUNG);
    // By a member.
    const edited = await home.call('PUT', at(form, `/submissions/${id}`), { age: 6 });
    expect(edited.body.data.ending).toEqual(AS_CHILD);
    // By the respondent.
    await submit(form, { age: 30, submission_id });
    expect((await read(form, id)).ending).toBeNull();
    await submit(form, { age: 14, submission_id });
    expect((await read(form, id)).ending).toEqual(AS_YOUNG);
    // Other conditions are for later answers.
    await change(form, { endings: [{ ...CHILD, conditions: younger(100) }, YOUNG] });
    expect((await read(form, id)).ending).toEqual(AS_YOUNG);
    // Out of the trash it comes back as it was.
    await home.call('POST', at(form, '/submissions/trash'), { submissionIds: [id] });
    const { body: trash } = await home.call('GET', at(form, '/submissions/trash'));
    expect(trash.data[0].ending).toEqual(AS_YOUNG);
    await home.call('POST', at(form, '/submissions/trash/restore'), { submissionIds: [id] });
    expect((await read(form, submission_id)).ending).toEqual(AS_YOUNG);
  });

  test('is the one of the present form where set aside answers are released', async () => {
    const form = await home.form({ ...SURVEY, settings: { sets_spam_aside: true } });
    const name = 'See https://a.example, https://b.example, http://c.example/x and www.d.example';
    await submit(form, { age: 15, name });
    const { body: aside } = await home.call('GET', at(form, '/submissions/set-aside'));
    expect(aside.data[0].ending).toBeNull();
    await change(form, { endings: [{ ...YOUNG, id: 'later' }] });
    await home.call('POST', at(form, `/submissions/set-aside/${aside.data[0].id}/release`));
    const [released] = (await list(form, '')).data;
    expect(released.ending).toEqual({ ...AS_YOUNG, id: 'later' });
  });
});

describe('lists', () => {
  test('are filtered by the ending, also one that was removed, and by none', async () => {
    const form = await home.form({ ...SURVEY, enable_partial_submissions: true });
    for (const age of [5, 6, 15, 40]) await submit(form, { age });
    await submit(form, { age: 41, is_partial: true });
    await change(form, { endings: [YOUNG] });
    expect(await agesIn(form, 'ending=child')).toEqual([5, 6]);
    expect(await agesIn(form, 'ending=young')).toEqual([15]);
    expect(await agesIn(form, 'ending=none&status=all')).toEqual([40]);
    expect(await agesIn(form, 'ending=child&filter[age]=6')).toEqual([6]);
    expect(await agesIn(form, 'ending=never')).toEqual([]);
    expect((await list(form, 'ending=child&total=true')).meta.total).toBe(2);
    expect((await home.call('GET', at(form, '/endings'))).body.data).toEqual([
      AS_YOUNG,
      { id: 'child', name: null },
    ]);
    expectInvalid(await home.call('GET', at(form, '/submissions?ending=')), 'ending');
    expectInvalid(await home.call('GET', at(form, `/submissions?ending=${'x'.repeat(65)}`)), 'ending');
  });

  test('a saved view keeps the filter; one from before there were endings has none', async () => {
    const form = await home.form(SURVEY);
    const { body } = await home.call('POST', at(form, '/saved-views'), {
      name: 'Children',
      definition: { ending: 'child', columns: ['age', 'ending'] },
    });
    expect(body.view.definition).toMatchObject({ ending: 'child', columns: ['age', 'ending'] });
    await home.service.context.pool.query(
      `update saved_views set definition = definition - 'ending' where form_id = $1`,
      [form.id],
    );
    const { body: views } = await home.call('GET', at(form, '/saved-views'));
    expect(views[0].definition.ending).toBeNull();
  });
});

test('exports have the name, in every format; a removed ending is called so', async () => {
  const form = await home.form(SURVEY);
  for (const age of [5, 15, 40]) await submit(form, { age });
  await change(form, { endings: [YOUNG] });
  const fileOf = async (format: string) => {
    const file = await download(home, form, format, ['age', 'ending']);
    expect(file.status, format).toBe(200);
    return file;
  };
  const csv = await (await fileOf('csv')).text();
  expect(csv).toBe(`Age,ending\n40,\n15,"'=Too ""young"""\n5,(removed ending)\n`);
  const lines = (await (await fileOf('jsonl')).text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).ending)).toEqual([null, '=Too "young"', '(removed ending)']);
  const path = at(form, '/submissions/export?ending=young');
  expect((await home.call('POST', path, { columns: { age: true } })).text).toBe('Age\n15\n');
  for (const format of ['xlsx', 'zip', 'sav', 'sqlite']) {
    const file = await fileOf(format);
    expect((await file.arrayBuffer()).byteLength, format).toBeGreaterThan(0);
  }
});

test('webhooks of forms with endings say which was reached, also after an edit', async () => {
  const form = await home.form(SURVEY);
  const create = (integration_id: string) =>
    home.call('POST', at(form, '/integrations'), {
      integration_id,
      data: { webhook_url: receiver.url, sends_edits: integration_id === 'webhook' },
    });
  await create('webhook');
  await submit(form, { age: 5 });
  const bodies = async (count: number) =>
    (await receiver.received(count)).map(({ body }) => JSON.parse(String(body)));
  const [first] = await bodies(1);
  expect(first.ending).toEqual(AS_CHILD);
  const [{ id }] = (await list(form, '')).data;
  await home.call('PUT', at(form, `/submissions/${id}`), { age: 50 });
  const [, second] = await bodies(2);
  expect(second).toMatchObject({ event: 'submission.updated', ending: null });
  const shown = await home.call('GET', at(form, `/submissions/${id}/webhook-body`));
  expect(JSON.parse(shown.body.body).ending).toBeNull();
  const plain = await home.form({ properties: [AGE] });
  await submit(plain, { age: 5 });
  const [{ id: plainId }] = (await list(plain, '')).data;
  const without = await home.call('GET', at(plain, `/submissions/${plainId}/webhook-body`));
  expect(JSON.parse(without.body.body)).not.toHaveProperty('ending');
});

test('statistics count the endings of the range, and stay right when submissions change and go', async () => {
  const form = await home.form(SURVEY);
  for (const age of [5, 6, 7, 15, 40]) await submit(form, { age });
  const counted = async () => (await home.call('GET', at(form, '/statistics'))).body.endings;
  const wanted = {
    none: 1,
    values: [
      { ...AS_CHILD, completed: 3 },
      { ...AS_YOUNG, completed: 1 },
    ],
  };
  expect(await counted()).toEqual(wanted);
  const [newest] = (await list(form, '')).data;
  await home.call('PUT', at(form, `/submissions/${newest.id}`), { age: 16 });
  await home.call('DELETE', at(form, `/submissions/${(await list(form, 'ending=child')).data[0].id}`));
  await change(form, { endings: [YOUNG] });
  expect(await counted()).toEqual({
    none: 0,
    values: [
      { ...AS_YOUNG, completed: 2 },
      { id: 'child', name: null, completed: 2 },
    ],
  });
});
