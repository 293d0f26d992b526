import { expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';

const home = useHome();
const CHECK = { precognition: 'true' };
const only = (...ids: string[]) => ({ ...CHECK, 'precognition-validate-only': ids.join(', ') });

const mail = aField('2', 'email', 'Mail', { required: true });
const colours = aField('3', 'multi_select', 'Colours', { multi_select: { options: ['red', 'blue'] } });
const aStrictForm = (overrides = {}) =>
  home.form({ properties: [aTextField({ required: true }), mail, colours], ...overrides });

test('with `Precognition: true` answers are checked, and nothing is stored', async () => {
  const form = await aStrictForm();
  const good = await home.submit(form, { [TEXT_FIELD_ID]: 'Ada', [mail.id]: 'ada@example.org' }, CHECK);
  expect([good.status, good.text]).toEqual([204, '']);
  expect(good.headers.get('precognition-success')).toBe('true');
  expectInvalid(await home.submit(form, { [mail.id]: 'ada' }, CHECK), TEXT_FIELD_ID, mail.id);
  expect(await home.records(form)).toEqual([]);
});

test('only the fields that are named are told of, with what is in them', async () => {
  const form = await aStrictForm();
  const body = { [mail.id]: 'ada', [colours.id]: ['red', 'green'] };
  expectInvalid(await home.submit(form, body, only(mail.id)), mail.id);
  expectInvalid(await home.submit(form, body, only(colours.id)), colours.id);
  expectInvalid(await home.submit(form, body, only(mail.id, TEXT_FIELD_ID)), mail.id, TEXT_FIELD_ID);
  const fine = await home.submit(form, { [mail.id]: 'ada@example.org' }, only(mail.id));
  expect(fine.status).toBe(204);
});

test('a form that takes nothing, or asks for its password, says so', async () => {
  const closed = await aStrictForm({ visibility: 'closed' });
  expectRefused(await home.submit(closed, {}, CHECK), 403);
  const secret = await aStrictForm({ password: 'sesame' });
  expectRefused(await home.submit(secret, {}, CHECK), 403);
  expect((await home.submit(secret, {}, { ...CHECK, 'form-password': 'sesame' })).status).toBe(422);
  expectRefused(await home.submit({ slug: 'nobody-knows' }, {}, CHECK), 404);
});

test('neither a captcha nor an Idempotency-Key nor a number is spent', async () => {
  const number = aField('4', 'text', 'Number', { generates_auto_increment_id: true });
  const form = await home.form({ properties: [aTextField(), number] });
  const key = { 'idempotency-key': 'once' };
  const body = { [TEXT_FIELD_ID]: 'Ada' };
  expect((await home.submit(form, body, { ...CHECK, ...key })).status).toBe(204);
  const stored = await home.submit(form, body, key);
  expect([stored.status, stored.headers.get('idempotent-replayed')]).toEqual([200, null]);
  expect((await home.records(form))[0].data[number.id]).toBe('1');
  const guarded = await home.form({ use_captcha: true });
  expect((await home.submit(guarded, body, CHECK)).status).toBe(204);
});
