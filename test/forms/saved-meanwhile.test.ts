import { beforeAll, expect, test } from 'vitest';
import { CLI } from '../../server/audit/actor.ts';
import { applyDefinition } from '../../server/forms/saving/apply-definition.ts';
import { aField, type TestUser } from '../setup/factories.ts';
import { expectRefused, useHome } from '../setup/home.ts';
import { inLine } from '../setup/meanwhile.ts';

/** Two calls that both have read the form when neither has saved it: the later one goes by what the earlier one has saved. */
const home = useHome({ env: { ROLES: 'http' } });
const NAME = aField('01', 'text', 'Name');
const CODE = { custom_code: '<script>track()</script>' };

let user: TestUser;
beforeAll(async () => {
  user = await home.member('user');
});

const pathOf = (form: { id: number }, rest = '') => `/open/forms/${form.id}${rest}`;
const read = async (form: { id: number }) => (await home.call('GET', pathOf(form))).body;
const save = (form: { id: number }, body: object) => home.call('PUT', pathOf(form), body);
const bothOf = <First, Second>(
  form: { id: number },
  first: () => Promise<First>,
  second: () => Promise<Second>,
) =>
  inLine<[First, Second]>(
    home.service.context.pool,
    (client) => client.query('select from forms where id = $1 for update', [form.id]),
    [first, second],
  );

test('another number of the retention has the unit that somebody just chose', async () => {
  const form = await home.form({ submission_retention_value: 30, submission_retention_unit: 'day' });
  const answers = await bothOf(
    form,
    () => save(form, { submission_retention_value: 2, submission_retention_unit: 'year' }),
    () => save(form, { submission_retention_value: 5 }),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const kept = { submission_retention_value: 5, submission_retention_unit: 'year' };
  expect(await read(form)).toMatchObject(kept);
});

test('a unit of a retention that somebody just ended is refused', async () => {
  const form = await home.form({ submission_retention_value: 30, submission_retention_unit: 'day' });
  const [, answer] = await bothOf(
    form,
    () => save(form, { submission_retention_value: null }),
    () => save(form, { submission_retention_unit: 'year' }),
  );
  expect(Object.keys(answer.body.errors)).toEqual(['submission_retention_value']);
});

test('code that an admin just took out does not come back by whoever may not add it', async () => {
  const form = await home.form(CODE);
  const [, answer] = await bothOf(
    form,
    () => save(form, { custom_code: null }),
    () => home.call('PUT', pathOf(form), { ...CODE, title: 'Mine' }, user.token),
  );
  expectRefused(answer, 403);
  expect(await read(form)).toMatchObject({ custom_code: null, title: 'Feedback' });
});

test('nor by an earlier version', async () => {
  const form = await home.form({ ...CODE, properties: [NAME] });
  await save(form, { title: 'Other' });
  const [, answer] = await bothOf(
    form,
    () => save(form, { custom_code: null }),
    () => home.call('POST', pathOf(form, '/versions/1/restore'), {}, user.token),
  );
  expectRefused(answer, 403);
  expect(await read(form)).toMatchObject({ custom_code: null, title: 'Other' });
});

test('an earlier version leaves the retention of a field that somebody just set', async () => {
  const form = await home.form({ properties: [NAME] });
  await save(form, { title: 'Other' });
  const [, answer] = await bothOf(
    form,
    () => save(form, { properties: [{ ...NAME, retention_days: 30 }] }),
    () => home.call('POST', pathOf(form, '/versions/1/restore'), {}),
  );
  expect(answer.status).toBe(200);
  expect(await read(form)).toMatchObject({ title: 'Feedback', properties: [{ retention_days: 30 }] });
});

test('a copy has what somebody just published, and not only what was there before', async () => {
  const form = await home.form({ properties: [NAME] });
  await home.call('PUT', pathOf(form, '/draft'), { title: 'Published' });
  const [, copy] = await bothOf(
    form,
    () => home.call('POST', pathOf(form, '/draft/publish'), {}),
    () => home.call('POST', pathOf(form, '/duplicate')),
  );
  expect(copy.body.new_form.title).toBe('Copy of Published');
});

test('a file does not bring back the link that somebody just replaced', async () => {
  const form = await home.form({ slug: 'a-link', properties: [NAME] });
  const body = { slug: 'a-link', title: 'From a file' };
  const [, answer] = await bothOf(
    form,
    () => home.call('PUT', pathOf(form, '/regenerate-link/uuid')),
    () =>
      applyDefinition(home.service.context, {
        body,
        workspaceId: home.workspaceId,
        actor: CLI,
        isPlan: false,
      }).catch((error) => error),
  );
  const message = 'The form a-link was changed a moment ago. Please apply again.';
  expect(answer).toMatchObject({ statusCode: 409, message });
  expect(await read(form)).toMatchObject({ title: 'Feedback' });
  expect((await read(form)).slug).not.toBe('a-link');
});
