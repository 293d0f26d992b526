import { beforeEach, describe, expect, test } from 'vitest';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { inLine } from '../setup/meanwhile.ts';
import { expectCheap } from '../setup/processor-time.ts';

const home = useHome();

const when = (id: string, type: string, operator: string, value: unknown) => ({
  operatorIdentifier: 'and',
  children: [{ identifier: id, value: { operator, property_meta: { id, type }, value } }],
});
const AGE = { id: 'age', type: 'number', name: 'Age', required: true };
const MAIL = { id: 'mail', type: 'email', name: 'Mail' };
/** Asked of whoever is of age. */
const CODE = {
  id: 'code',
  type: 'text',
  name: 'Code',
  hidden: true,
  logic: {
    conditions: when('age', 'number', 'greater_than_or_equal_to', 18),
    actions: ['show-block', 'require-answer'],
  },
};
const YOUNG = { id: 'young', name: 'Too young', conditions: when('age', 'number', 'less_than', 18) };
const CLUB = {
  properties: [AGE, MAIL, CODE],
  computed_variables: [{ id: 'cv_twice', name: 'Twice', formula: '{age} * 2', result_type: 'number' }],
  endings: [YOUNG],
};
const ADULT = { age: 40, mail: 'ada@example.com', code: 'x1' };
const AS_ADULT = {
  outcome: 'accepted',
  errors: [],
  shown: ['code'],
  hidden: [],
  computed: { cv_twice: 80 },
  ending: 'none',
};
const CHILD = { age: 7, code: 'left over' };
const AS_CHILD = {
  ...AS_ADULT,
  shown: [],
  hidden: ['code'],
  computed: { cv_twice: 14 },
  ending: 'young',
};

let form: { id: number; slug: string };
beforeEach(async () => {
  form = await home.form(CLUB);
});
const path = (rest = '', of = form) => `/open/forms/${of.id}/scenarios${rest}`;
const save = (body: object) => home.call('POST', path(), { name: 'Adult', answers: ADULT, ...body });
async function aScenario(body: object = {}): Promise<any> {
  const answer = await save(body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.scenario;
}
async function run(body: object = {}): Promise<any> {
  const answer = await home.call('POST', path('/run'), body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
/** What differed in the only scenario, as `about: message`. */
async function differences(body: object = {}): Promise<string[]> {
  const { results } = await run(body);
  return results[0].differences.map((one: any) => `${one.about} ${one.id}: ${one.message}`);
}
const draft = (body: object) => home.call('PUT', `/open/forms/${form.id}/draft`, body);
const publish = () => home.call('POST', `/open/forms/${form.id}/draft/publish`, {});
const put = (body: object) => home.call('PUT', `/open/forms/${form.id}`, body);
const read = async () => (await home.call('GET', `/open/forms/${form.id}`)).body;
async function done(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer;
  expect(status, text).toBe(200);
}

describe('a scenario', () => {
  test('without an expectation expects what comes of its answers now', async () => {
    const adult = await aScenario();
    expect(adult).toMatchObject({
      name: 'Adult',
      answers: ADULT,
      expected: AS_ADULT,
      blocks_publishing: false,
      created_by: 'Ada',
    });
    // Answers to fields that logic hides do not count, as on the page.
    expect((await aScenario({ name: 'Child', answers: CHILD })).expected).toEqual(AS_CHILD);
    const refused = await aScenario({ name: 'Nothing', answers: { mail: 'ada' } });
    expect(refused.expected).toEqual({
      ...AS_CHILD,
      outcome: 'refused',
      errors: ['age', 'mail'],
      computed: { cv_twice: 0 },
      ending: null,
    });
    const { token } = await home.member('readonly');
    const listed = await home.call('GET', path(), undefined, token);
    expect(listed.body.map(({ name }: any) => name)).toEqual(['Adult', 'Child', 'Nothing']);
    expect(await home.call('POST', path('/run'), undefined, token)).toMatchObject({
      status: 200,
      body: { against: 'published', passed: true },
    });
  });

  test('is changed in parts, and deleted', async () => {
    const { id } = await aScenario();
    const changed = await home.call('PUT', path(`/${id}`), { name: ' Grown-up ', blocks_publishing: true });
    expect(changed.body.scenario).toMatchObject({
      name: 'Grown-up',
      answers: ADULT,
      blocks_publishing: true,
    });
    const other = await home.call('PUT', path(`/${id}`), { expected: { outcome: 'refused' } });
    expect(other.body.scenario.expected).toEqual({
      ...AS_ADULT,
      outcome: 'refused',
      shown: [],
      computed: {},
      ending: null,
    });
    await done(home.call('DELETE', path(`/${id}`)));
    expectRefused(await home.call('DELETE', path(`/${id}`)), 404);
    expectRefused(await home.call('PUT', path('/none'), { name: 'x' }), 404);
    const log = await home.call(
      'GET',
      `/open/workspaces/${home.workspaceId}/audit-log?form_id=${form.id}&limit=4`,
    );
    expect(
      log.body.slice(0, 4).map(({ verb, target, details }: any) => [verb, target.name, details]),
    ).toEqual([
      ['scenario.deleted', 'Grown-up', {}],
      ['scenario.changed', 'Grown-up', { fields: ['expected'] }],
      ['scenario.changed', 'Grown-up', { fields: ['name', 'blocks_publishing'] }],
      ['scenario.created', 'Adult', {}],
    ]);
  });

  test('is copied with its form, and gone with it', async () => {
    await aScenario({ blocks_publishing: true });
    const copy = (await home.call('POST', `/open/forms/${form.id}/duplicate`)).body.new_form;
    expect((await home.call('GET', path('', copy))).body).toMatchObject([
      { name: 'Adult', answers: ADULT, expected: AS_ADULT, blocks_publishing: true },
    ]);
    await home.call('DELETE', `/open/forms/${copy.id}`);
    await home.call('DELETE', `/open/forms/${copy.id}/trash`);
    const { pool } = home.service.context;
    const left = await pool.query('select from form_scenarios where form_id = $1', [copy.id]);
    const forms = await pool.query('select from forms where id = $1', [copy.id]);
    expect(left.rowCount).toBe(forms.rowCount);
  });

  test('says what is wrong with it', async () => {
    expectInvalid(await save({ answers: undefined }), 'answers');
    expectInvalid(await save({ name: ' ' }), 'name');
    expectInvalid(await save({ answers: { age: 'x'.repeat(100_001) } }), 'answers');
    const wrong = { outcome: 'accepted', errors: ['age'], shown: ['code'], hidden: ['code'] };
    expectInvalid(await save({ expected: wrong }), 'expected.errors', 'expected.hidden');
    expectInvalid(await save({ expected: { outcome: 'refused', ending: 'none' } }), 'expected.ending');
    expect((await save({ expected: { outcome: 'perhaps' } })).status).toBe(422);
    expect((await save({ expected: { outcome: 'accepted', more: 1 } })).status).toBe(422);
    await aScenario();
    expectInvalid(await save({ name: 'ADULT' }), 'name');
    await home.service.context.pool.query(
      `insert into form_scenarios (form_id, name, answers, expected)
       select form_id, 'n' || number, answers, expected from form_scenarios, generate_series(2, 50) as number where form_id = $1`,
      [form.id],
    );
    expectInvalid(await save({ name: 'One more' }), 'name');
    expectInvalid(await home.call('POST', path('/run'), { scenarios: [999_999_999] }), 'scenarios');
  });

  test('is refused when all of a form are too long together', async () => {
    const one = { expected: { outcome: 'accepted' } };
    for (let index = 0; index < 10; index++)
      await aScenario({ ...one, name: `Long ${index}`, answers: { code: 'x'.repeat(99_000) } });
    expectInvalid(await save({ ...one, answers: { code: 'x'.repeat(10_000) } }), 'answers');
    const { id } = await aScenario({ ...one, answers: {} });
    expectInvalid(
      await home.call('PUT', path(`/${id}`), { answers: { code: 'x'.repeat(10_000) } }),
      'answers',
    );
    expect((await home.call('GET', path())).body).toHaveLength(11);
  });
});

describe('a run', () => {
  test('tells in words what differs', async () => {
    await aScenario({
      expected: { ...AS_ADULT, shown: [], hidden: ['code'], computed: { cv_twice: 81 }, ending: 'young' },
    });
    expect(await differences()).toEqual([
      'hidden code: “Code” should be hidden, but is shown.',
      'computed cv_twice: “Twice” should be 81, but is 80.',
      'ending young: The ending “Too young” should be reached, but the usual end of the form is.',
    ]);
  });

  test('takes an empty text for no value', async () => {
    const text = { id: 'cv_code', name: 'Said', formula: '{code}', result_type: 'text' };
    await done(draft({ ...CLUB, computed_variables: [text] }));
    await aScenario({ answers: { age: 40 }, expected: { outcome: 'refused', computed: { cv_code: null } } });
    await aScenario({
      name: 'Text',
      answers: { age: 40 },
      expected: { outcome: 'refused', computed: { cv_code: '' } },
    });
    expect((await run()).passed).toBe(true);
  });

  test('gives generated ids the same value in every run', async () => {
    const ticket = { id: 'ticket', type: 'text', name: 'Ticket', hidden: true, generates_uuid: true };
    const text = { id: 'cv_ticket', name: 'Told', formula: '{ticket}', result_type: 'text' };
    await done(draft({ properties: [AGE, ticket], computed_variables: [text], endings: [] }));
    const { expected } = await aScenario({ answers: { age: 40 } });
    expect(expected.computed.cv_ticket).toMatch(/^0{8}-/);
    expect((await run()).passed).toBe(true);
  });

  test('is not gone around by a published copy of a draft', async () => {
    await done(home.call('PUT', `/open/forms/${form.id}`, { visibility: 'draft' }));
    const { id } = await aScenario({ expected: { outcome: 'refused' }, blocks_publishing: true });
    const copyAs = (visibility: string) =>
      home.call('POST', `/open/forms/${form.id}/duplicate?visibility=${visibility}`);
    expectInvalid(await copyAs('public'), `scenarios.${id}`);
    await done(copyAs('draft'));
  });

  test('tells of refusals and their fields', async () => {
    const { id } = await aScenario({ answers: { age: 40, mail: 'ada' }, expected: { outcome: 'accepted' } });
    expect(await differences()).toEqual([
      'outcome null: The answers should be accepted, but are refused: The Mail must be a valid email address. The Code field is required.',
    ]);
    await home.call('PUT', path(`/${id}`), { expected: { outcome: 'refused', errors: ['age', 'mail'] } });
    expect(await differences()).toEqual([
      'errors age: “Age” should have a problem, but has none.',
      'errors code: “Code” should have no problem, but has one: The Code field is required.',
    ]);
    await home.call('PUT', path(`/${id}`), { expected: { outcome: 'refused' } });
    expect((await run()).passed).toBe(true);
    await home.call('PUT', path(`/${id}`), { answers: ADULT });
    expect(await differences()).toEqual(['outcome null: The answers should be refused, but are accepted.']);
  });

  test('tries the draft, or the published form', async () => {
    await aScenario();
    await done(draft({ properties: [AGE, MAIL, { ...CODE, name: 'Key', logic: {} }] }));
    expect(await run()).toMatchObject({ against: 'draft', passed: false });
    expect(await differences()).toEqual(['shown code: “Key” should be shown, but is hidden.']);
    expect(await run({ against: 'published' })).toMatchObject({ against: 'published', passed: true });
    expect(await run({ scenarios: [] })).toEqual({ against: 'draft', passed: true, results: [] });
  });

  test('names what is no longer in the form', async () => {
    await aScenario();
    await done(put({ properties: [AGE, MAIL], computed_variables: [] }));
    expect((await run()).results[0]).toMatchObject({ unknown_answers: ['code'], observed: { shown: [] } });
    expect(await differences()).toEqual([
      'shown code: “Code” is not in the form any more.',
      'computed cv_twice: “cv_twice” is not in the form any more.',
    ]);
  });

  test('stores and counts nothing, whatever the form asks for, and whatever others have sent', async () => {
    const once = {
      ...MAIL,
      validation: {
        error_conditions: { conditions: when('mail', 'email', 'does_not_exist_in_submissions', {}) },
        error_message: 'Already there.',
      },
    };
    const number = { id: 'number', type: 'text', name: 'Number', generates_auto_increment_id: true };
    await done(put({ properties: [AGE, once, CODE, number], password: 'sesame', use_captcha: true }));
    await done(put({ visibility: 'closed', max_submissions_count: 1 }));
    await aScenario();
    const before = await read();
    expect(await run()).toMatchObject({ passed: true });
    // In words, which change as time passes.
    expect(await read()).toEqual({ ...before, last_edited_human: expect.any(String) });
    expect(await home.records(form)).toEqual([]);
  });

  test('has an end, however costly the formulas of the form are', async () => {
    const formula = `SUM(${'{age},'.repeat(200)}1)`;
    const computed_variables = Array.from({ length: Math.floor(49_000 / formula.length) }, (_, index) => ({
      id: `cv_${index}`,
      name: `${index}`,
      formula,
    }));
    await done(put({ computed_variables }));
    await aScenario({ expected: { outcome: 'accepted' } });
    await home.service.context.pool.query(
      `insert into form_scenarios (form_id, name, answers, expected)
       select form_id, 'n' || number, answers, expected from form_scenarios, generate_series(2, 50) as number where form_id = $1`,
      [form.id],
    );
    await expectCheap(8_000, async () => {
      expect((await run()).results).toHaveLength(50);
    });
  });
});

describe('a scenario that blocks publishing', () => {
  const broken = { properties: [AGE, MAIL, { ...CODE, hidden: false, logic: {}, required: true }] };
  const WHY =
    'The scenario “Child” fails. The answers should be accepted, but are refused: The Code field is required.';
  const child = () => aScenario({ name: 'Child', answers: { age: 7 }, blocks_publishing: true });

  test('keeps a draft that fails it from being published; nothing is lost', async () => {
    const { id } = await child();
    await done(draft(broken));
    const errors = expectInvalid(await publish(), `scenarios.${id}`);
    expect(errors[`scenarios.${id}`]?.join(' ')).toContain(WHY);
    expect((await read()).properties).toHaveLength(3);
    expect((await home.call('GET', `/open/forms/${form.id}/draft`)).body.definition).toMatchObject(broken);
    await done(home.call('PUT', path(`/${id}`), { blocks_publishing: false }));
    await done(publish());
  });

  test('keeps a form from being changed in any other way', async () => {
    const { id } = await child();
    const key = `scenarios.${id}`;
    expectInvalid(await put(broken), key);
    expectInvalid(await put({ endings: [] }), key);
    expectInvalid(await put({ computed_variables: [] }), key);
    expect((await read()).properties.map(({ hidden }: any) => hidden)).toEqual([undefined, undefined, true]);
    // What does not matter to answers may always be saved, whether the form passes or not.
    await home.call('PUT', path(`/${id}`), { blocks_publishing: false });
    await done(put(broken));
    await home.call('PUT', path(`/${id}`), { blocks_publishing: true });
    await done(put({ ...(await read()), title: 'Club', visibility: 'closed' }));
    const versions = await home.call('GET', `/open/forms/${form.id}/versions`);
    const former = versions.body.at(-1).version;
    await done(home.call('POST', `/open/forms/${form.id}/versions/${former}/restore`));
    expectInvalid(await home.call('POST', `/open/forms/${form.id}/versions/${former + 1}/restore`), key);
  });

  test('keeps a form from being published for the first time', async () => {
    form = await home.form({ ...CLUB, visibility: 'draft' });
    const { id } = await child();
    await done(put(broken));
    expectInvalid(await put({ visibility: 'public' }), `scenarios.${id}`);
    await done(put(CLUB));
    await done(put({ visibility: 'public' }));
  });

  test('also when one save publishes it while another one changes it', async () => {
    form = await home.form({ ...CLUB, visibility: 'draft' });
    const { id } = await child();
    const calls = [() => put({ visibility: 'public' }), () => put(broken)];
    for (const inThisOrder of [calls, calls.toReversed()]) {
      const answers = await inLine(
        home.service.context.pool,
        (client) => client.query('select from forms where id = $1 for update', [form.id]),
        inThisOrder,
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 422]);
      expectInvalid(answers[1]!, `scenarios.${id}`);
      await done(put({ ...CLUB, visibility: 'draft' }));
    }
  });
});
