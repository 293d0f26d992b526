import { describe, expect, test } from 'vitest';
import type { ConditionGroup, JsonValue, Property } from '../../fields/property.ts';
import { checkAll, compile, TODAY } from './forms.ts';

const field = (id: string, type: string, options: Partial<Property> = {}): Property => ({
  id,
  name: id.toUpperCase(),
  type,
  ...options,
});

/** Conditions that compare the answer to `id` with `value`. */
const when = (id: string, value: JsonValue, operator = 'equals') => ({
  operatorIdentifier: 'and' as const,
  children: [{ identifier: id, value: { operator, property_meta: { id, type: 'text' }, value } }],
});

test('every error of every field, in the order of the form', () => {
  const properties = [
    field('a', 'text', { required: true }),
    field('b', 'email'),
    field('c', 'text', { required: true }),
  ];
  const { errors } = checkAll(properties, { b: 'nope' });
  expect(Object.entries(errors ?? {})).toEqual([
    ['a', ['The A field is required.']],
    ['b', ['The B must be a valid email address.']],
    ['c', ['The C field is required.']],
  ]);
});

test('blanks answer no required question and are kept where they are optional', () => {
  const properties = [field('a', 'text', { required: true }), field('b', 'text')];
  expect(checkAll(properties, { a: ' \n\t', b: '  ' }).errors).toEqual({ a: ['The A field is required.'] });
  expect(checkAll(properties, { a: ' x ', b: '  ' })).toMatchObject({
    answers: { a: ' x ', b: '  ' },
    errors: null,
  });
});

test('unknown keys and layout blocks are not stored', () => {
  const properties = [field('a', 'text'), field('b', 'nf-text', { required: true })];
  expect(checkAll(properties, { a: '1', b: '2', c: '3' })).toMatchObject({
    answers: { a: '1' },
    errors: null,
  });
});

test('field ids that are members of every object are ordinary ids', () => {
  const properties = ['__proto__', 'constructor', 'toString'].map((id) =>
    field(id, 'text', { required: true }),
  );
  const form = compile(properties);
  expect(Object.keys(form.check({}).errors ?? {})).toEqual(['__proto__', 'constructor', 'toString']);
  const sent = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}');
  const { answers, errors } = form.check(sent);
  expect(errors).toBeNull();
  expect(JSON.stringify(answers)).toBe('{"__proto__":"a","constructor":"b","toString":"c"}');
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
});

describe('partial', () => {
  const properties = [
    field('a', 'text', { required: true }),
    field('b', 'email'),
    field('c', 'multi_select', { min_selection: 2 }),
    field('d', 'checkbox', { required: true }),
    field('e', 'text', { validation: { error_conditions: { conditions: when('e', 'right') } } }),
    field('f', 'text', { hidden: true, prefill: 'later' }),
  ];

  test('asks for nothing to be complete', () => {
    const { answers, errors } = checkAll(properties, { c: ['x'], d: false, e: 'wrong' }, { partial: true });
    expect(errors).toBeNull();
    expect(answers).toEqual({ c: ['x'], d: false, e: 'wrong' });
  });

  test('checks types', () => {
    expect(checkAll(properties, { b: 'nope' }, { partial: true }).errors).toEqual({
      b: ['The B must be a valid email address.'],
    });
  });
});

describe('logic', () => {
  const asked = field('b', 'text', { logic: { conditions: when('a', 'yes'), actions: ['require-answer'] } });
  const hides = field('b', 'email', {
    required: true,
    logic: { conditions: when('a', 'no'), actions: ['hide-block'] },
  });
  const shows = field('b', 'text', {
    hidden: true,
    required: true,
    logic: { conditions: when('a', 'yes'), actions: ['show-block'] },
  });

  test('requires an answer when its conditions hold', () => {
    expect(checkAll([field('a', 'text'), asked], { a: 'yes' }).errors).toEqual({
      b: ['The B field is required.'],
    });
    expect(checkAll([field('a', 'text'), asked], { a: 'no' }).errors).toBeNull();
  });

  test('a field hidden by logic is not required, but what is sent for it is checked and stored', () => {
    const properties = [field('a', 'text'), hides];
    expect(checkAll(properties, { a: 'no' }).errors).toBeNull();
    expect(checkAll(properties, { a: 'no', b: 'bad' }).errors).toEqual({
      b: ['The B must be a valid email address.'],
    });
    expect(checkAll(properties, { a: 'no', b: 'b@c.de' }).answers).toEqual({ a: 'no', b: 'b@c.de' });
    expect(checkAll(properties, { a: 'maybe' }).errors).toEqual({ b: ['The B field is required.'] });
  });

  test('a hidden field is required once it is shown', () => {
    expect(checkAll([field('a', 'text'), shows], {}).errors).toBeNull();
    expect(checkAll([field('a', 'text'), shows], { a: 'yes' }).errors).toEqual({
      b: ['The B field is required.'],
    });
  });

  test('judges the values that will be stored, not the spelling that was sent', () => {
    const wants = field('b', 'text', {
      logic: { conditions: when('a', true, 'is_checked'), actions: ['require-answer'] },
    });
    expect(checkAll([field('a', 'checkbox'), wants], { a: '1' }).errors).toEqual({
      b: ['The B field is required.'],
    });
  });
});

describe('own rules', () => {
  const rule = (message?: string, options: Partial<Property> = {}) =>
    field('a', 'text', {
      validation: {
        error_conditions: { conditions: when('a', 'right') },
        ...(message && { error_message: message }),
      },
      ...options,
    });

  test('the answer is valid when the conditions hold', () => {
    expect(checkAll([rule()], { a: 'right' }).errors).toBeNull();
    expect(checkAll([rule()], { a: 'wrong' }).errors).toEqual({ a: ['Invalid input'] });
    expect(checkAll([rule('Try again')], { a: 'wrong' }).errors).toEqual({ a: ['Try again'] });
  });

  test('an empty field is judged too, before required; a hidden one is not', () => {
    expect(checkAll([rule('No', { required: true })], {}).errors).toEqual({
      a: ['No', 'The A field is required.'],
    });
    expect(checkAll([rule('No', { hidden: true })], { a: 'wrong' }).errors).toBeNull();
  });

  test('a rule may ask what others answered', () => {
    const unique = field('a', 'number', {
      validation: {
        error_conditions: { conditions: when('a', true, 'does_not_exist_in_submissions') },
        error_message: 'Taken',
      },
    });
    const form = compile([unique]);
    expect(form.lookups({ a: '7' })).toEqual([{ propertyId: 'a', value: 7 }]);
    expect(form.lookups({})).toEqual([]);
    expect(form.lookups({ a: 'seven' })).toEqual([]);
    const taken = form.check(
      { a: '7' },
      { existsInSubmissions: ({ propertyId, value }) => propertyId === 'a' && value === 7 },
    );
    expect({ ...taken.errors }).toEqual({ a: ['Taken'] });
    expect(form.check({ a: '8' }, { existsInSubmissions: ({ value }) => value === 7 }).errors).toBeNull();
  });
});

describe('filled in by the server', () => {
  const UUID = '3700d380-197b-4a55-9f36-2ac6c8ab8b5f';
  const makeUuid = () => UUID;

  test('hidden fields get their prefill unless answered, visible ones do not', () => {
    const hidden = field('a', 'number', { hidden: true, prefill: '5' });
    expect(checkAll([hidden], {}).answers).toEqual({ a: 5 });
    expect(checkAll([hidden], { a: 6 }).answers).toEqual({ a: 6 });
    expect(checkAll([{ ...hidden, hidden: false }], {}).answers).toEqual({});
    expect(checkAll([{ ...hidden, prefill: 'five' }], {})).toMatchObject({ answers: {}, errors: null });
  });

  test('prefill counts in the logic of other fields', () => {
    const hidden = field('a', 'text', { hidden: true, prefill: 'yes' });
    const asked = field('b', 'text', {
      logic: { conditions: when('a', 'yes'), actions: ['require-answer'] },
    });
    expect(checkAll([hidden, asked], {}).errors).toEqual({ b: ['The B field is required.'] });
  });

  test('today', () => {
    const hidden = field('a', 'date', { hidden: true, prefill_today: true });
    expect(checkAll([hidden], {}, { now: TODAY }).answers).toEqual({ a: '2026-05-01' });
    expect(checkAll([{ ...hidden, with_time: true }], {}).answers).toEqual({ a: '2026-05-01 12:00' });
  });

  test('ids made for the submission', () => {
    const id = field('a', 'text', { generates_uuid: true });
    const own = '0f8fad5b-d9cb-469f-a165-70867728950e';
    expect(checkAll([id], { a: own }, { makeUuid }).answers).toEqual({ a: own });
    expect(checkAll([id], { a: 'mine' }, { makeUuid }).answers).toEqual({ a: UUID });
    expect(checkAll([id], {}, { makeUuid }).answers).toEqual({});
    expect(checkAll([{ ...id, hidden: true }], {}, { makeUuid }).answers).toEqual({ a: UUID });
    expect(checkAll([{ ...id, hidden: true }], {}, { makeUuid, partial: true }).answers).toEqual({});
  });

  test('fields that take the next number are named', () => {
    const properties = [field('a', 'text', { generates_auto_increment_id: true }), field('b', 'text')];
    expect(compile(properties).autoIncrementIds).toEqual(['a']);
  });
});

test('an empty rule is no rule', () => {
  const validation = { error_conditions: { conditions: {} as ConditionGroup } };
  expect(checkAll([field('a', 'text', { validation })], { a: 'x' }).errors).toBeNull();
});
