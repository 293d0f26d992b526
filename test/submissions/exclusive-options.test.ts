import { describe, expect, test } from 'vitest';
import { aField } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';

/** An option of several choices that rules out the others. */
const home = useHome();

const NONE = { id: 'n', name: 'None of these', exclusive: true };
const UNSURE = { id: 'u', name: 'Not sure', exclusive: true };
const PETS = aField('1', 'multi_select', 'Pets');
const REFUSED = 'The None of these option cannot be selected together with others.';

const pets = (members: object = {}) => ({
  ...PETS,
  multi_select: { options: [{ id: 'd', name: 'Dog' }, 'Cat', 'Fish', NONE, UNSURE] },
  ...members,
});
const aForm = (members: object = {}, overrides = {}) =>
  home.form({ properties: [pets(members)], ...overrides });
const send = (form: any, answer: unknown, more = {}) => home.submit(form, { [PETS.id]: answer, ...more });

async function expectRefusal(answer: Awaited<ReturnType<typeof send>>, ...messages: string[]) {
  expect(expectInvalid(answer, PETS.id)[PETS.id]).toEqual(messages);
}

test('it is taken alone, and refused beside any other, wherever it stands', async () => {
  const form = await aForm();
  for (const answer of [['None of these'], ['Not sure'], ['Dog', 'Cat'], ['Dog'], []])
    expect((await send(form, answer)).status).toBe(200);
  await expectRefusal(await send(form, ['None of these', 'Dog']), REFUSED);
  await expectRefusal(await send(form, ['Dog', 'Cat', 'None of these']), REFUSED);
  await expectRefusal(await send(form, ['None of these', 'Not sure']), REFUSED);
  await expectRefusal(
    await send(form, ['None of these', 'None of these']),
    REFUSED,
    'The selected Pets is invalid.',
  );
  expect((await home.records(form))[1].data[PETS.id]).toEqual(['Dog']);
});

test('an option of their own counts as another', async () => {
  const form = await aForm({ allow_creation: true });
  await expectRefusal(await send(form, ['Snake', 'None of these']), REFUSED);
  expect((await send(form, ['Snake', 'Dog'])).status).toBe(200);
});

test('alone it is enough, whatever the smallest number of choices', async () => {
  const form = await aForm({ min_selection: 2, required: true });
  expect((await send(form, ['None of these'])).status).toBe(200);
  await expectRefusal(await send(form, ['Dog']), 'Please select at least 2 options');
  await expectRefusal(await send(form, []), 'The Pets field is required.');
  await expectRefusal(await send(form, ['Dog', 'None of these']), REFUSED);
  expect((await send(form, ['Dog', 'Cat'])).status).toBe(200);
});

test('parts of an answer, corrections, edits by members and imports are judged alike', async () => {
  const form = await aForm({}, { editable_submissions: true, enable_partial_submissions: true });
  const both = { [PETS.id]: ['None of these', 'Dog'] };
  await expectRefusal(await home.submit(form, { ...both, is_partial: true }), REFUSED);
  const { body } = await send(form, ['Dog']);
  await expectRefusal(await home.submit(form, { ...both, submission_id: body.submission_id }), REFUSED);
  const [record] = await home.records(form);
  const path = `/open/forms/${form.id}/submissions`;
  await expectRefusal(await home.call('PUT', `${path}/${record.id}`, both), REFUSED);
  const submissions = [{ answers: both }, { answers: { [PETS.id]: ['None of these'] } }];
  const imported = await home.call('POST', `${path}/import`, { submissions, skip_invalid: true });
  expect(imported.body.refused).toEqual([{ index: 0, errors: { [PETS.id]: [REFUSED] } }]);
  expect(imported.body.stored).toBe(1);
});

test('within repeated questions each entry is judged by itself', async () => {
  const { id } = aField('2', 'repeat', 'People');
  const properties = [{ id, type: 'repeat', name: 'People', questions: [{ ...pets({}), id: 'pets' }] }];
  const form = await home.form({ properties });
  const entries = (...answers: string[][]) => home.submit(form, { [id]: answers.map((pets) => ({ pets })) });
  expect((await entries(['None of these'], ['Dog'])).status).toBe(200);
  const refused = await entries(['Dog'], ['Dog', 'None of these']);
  expect(JSON.stringify(refused.body.errors)).toContain(REFUSED);
});

test('a hidden default that breaks the rule is not filled in', async () => {
  const form = await aForm({ hidden: true, prefill: ['Dog', 'None of these'] });
  expect((await home.submit(form, {})).status).toBe(200);
  expect((await home.records(form))[0].data[PETS.id]).toBeUndefined();
});

test('other types do not know it', async () => {
  const select = { options: ['Dog', NONE] };
  const form = await home.form({ properties: [{ ...PETS, type: 'select', select }] });
  expect((await send(form, 'None of these')).status).toBe(200);
});

describe('what may be saved', () => {
  const save = (property: object) =>
    home.call('POST', '/open/forms', { title: 'A', workspace_id: home.workspaceId, properties: [property] });

  test('a flag, stored as it was sent', async () => {
    const options = [true, 1, '1', 'true', false, null].map((exclusive, n) => ({ name: `${n}`, exclusive }));
    const answer = await save(pets({ multi_select: { options } }));
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body.properties[0].multi_select.options).toEqual(options);
    const refused = await save(pets({ multi_select: { options: ['A', { name: 'B', exclusive: 'yes' }] } }));
    const errors = expectInvalid(refused, 'properties', 'properties.0.multi_select.options.1.exclusive');
    expect(errors['properties.0.multi_select.options.1.exclusive']).toEqual([
      'The exclusive field must be a boolean.',
    ]);
  });

  test('no smallest number that only they could reach', async () => {
    expect((await save(pets({ min_selection: 3 }))).status).toBe(201);
    const errors = expectInvalid(
      await save(pets({ min_selection: 4 })),
      'properties',
      'properties.0.min_selection',
    );
    expect(errors['properties.0.min_selection']).toEqual([
      'At least 4 options have to be chosen, but there are only 3 beside those that rule out the others.',
    ]);
  });
});

test('the types of answers tell it', async () => {
  const form = await aForm({ min_selection: 2 });
  const path = `/open/forms/${form.id}/answer-schema`;
  const types = await home.call('GET', `${path}?format=typescript`);
  expect(types.text).toContain('Array<"Dog" | "Cat" | "Fish"> | Array<"None of these" | "Not sure">');
});
