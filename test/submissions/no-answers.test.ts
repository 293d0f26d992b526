import { describe, expect, test } from 'vitest';
import { expectInvalid, useHome } from '../setup/home.ts';

const home = useHome();

function formOf(type: string, options: Record<string, unknown> = {}) {
  return home.form({ properties: [{ id: 'x', type, name: 'X', ...options }] });
}

async function storedBy(form: { id: number; slug: string }, x: unknown): Promise<unknown> {
  const answer = await home.submit(form, { x });
  expect(answer.status, answer.text).toBe(200);
  return (await home.records(form))[0].data.x;
}

describe('rich text without a visible text', () => {
  const REQUIRED = { x: ['The X field is required.'] };
  const NOTHING = [
    '<p></p>',
    '<p><br></p>',
    '<p>&nbsp;</p>',
    '<h1><b> \n</b></h1>',
    '<ul><li></li></ul>',
    '<p>&#8203;\ufeff</p>',
    '<p style="color: red"><a href="https://a.example"></a></p>',
    '<img src="https://a.example/a.png">',
  ];

  test.each(NOTHING)('%j answers nothing', async (html) => {
    expect(
      expectInvalid(await home.submit(await formOf('rich_text', { required: true }), { x: html }), 'x'),
    ).toEqual(REQUIRED);
    expect(await storedBy(await formOf('rich_text'), html)).toBeUndefined();
  });

  test.each(['<p>0</p>', '<p>&lt;</p>', '<ul><li>·</li></ul>'])('%j answers something', async (html) => {
    expect(await storedBy(await formOf('rich_text', { required: true }), html)).toBe(html);
  });

  test('is_empty holds for it', async () => {
    const property_meta = { id: 'x', type: 'rich_text' };
    const condition = { identifier: 'x', value: { operator: 'is_empty', property_meta, value: true } };
    const conditions = { operatorIdentifier: 'and', children: [condition] };
    const why = { id: 'y', type: 'text', name: 'Y', logic: { conditions, actions: ['require-answer'] } };
    const form = await home.form({ properties: [{ id: 'x', type: 'rich_text', name: 'X' }, why] });
    expectInvalid(await home.submit(form, { x: '<p></p>' }), 'y');
    expect((await home.submit(form, { x: '<p>a</p>' })).status).toBe(200);
  });
});

test('options of nothing but blanks answer no required question, and are kept where it is optional', async () => {
  const open = { allow_creation: true };
  const required = await formOf('multi_select', { ...open, required: true });
  for (const x of [[' '], [' ', '\n']]) {
    expectInvalid(await home.submit(required, { x }), 'x');
    expect(await storedBy(await formOf('multi_select', open), x)).toEqual(x);
  }
  expect(await storedBy(required, [' ', 'a'])).toEqual([' ', 'a']);
});

describe('of a phone number', () => {
  test.each(['+33', 'FR+33', 'fr+33', '+1', 'CA+1', '+351'])(
    'the calling code %s answers nothing',
    async (code) => {
      expectInvalid(await home.submit(await formOf('phone_number', { required: true }), { x: code }), 'x');
      expect(await storedBy(await formOf('phone_number'), code)).toBeUndefined();
    },
  );

  test.each([
    ['+331', 'The X must be at least 6 characters.'],
    ['+12', 'The X must be at least 6 characters.'],
    ['+999', 'The X must be at least 6 characters.'],
    ['DE+33', 'The X must be at least 6 characters.'],
    ['FR+330', 'The X is too short.'],
    ['ZZ+999', 'The X does not have a valid country code.'],
  ])('what was typed of %s is not lost', async (x, message) => {
    const answer = await home.submit(await formOf('phone_number'), { x });
    expect(expectInvalid(answer, 'x')).toEqual({ x: [message] });
  });

  test('its country may be unavailable, whether the number is assigned or not', async () => {
    const form = await formOf('phone_number', { unavailable_countries: ['US'] });
    for (const x of ['US+15555550100', 'us+15555550100', 'US+12025550100', '+12025550100'])
      expectInvalid(await home.submit(form, { x }), 'x');
    for (const x of ['FR+33749119783', 'CA+16135550100', 'US+33749119783'])
      expect(await storedBy(form, x)).toBe(x.slice(2));
  });
});
