import { describe, expect, test } from 'vitest';
import { aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';

const home = useHome();

const KEYS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_id',
  'utm_term',
  'utm_content',
  'utm_source_platform',
  'utm_creative_format',
  'utm_marketing_tactic',
  'gclid',
  'gbraid',
  'wbraid',
  'dclid',
  'fbclid',
  'ttclid',
  'msclkid',
];

const attributionOf = async (form: { id: number }) => (await home.records(form))[0].meta?.attribution;

describe('tracking_parameters', () => {
  test('all sixteen keys are kept as they come', async () => {
    const form = await home.form();
    const tracking_parameters = Object.fromEntries(KEYS.map((key, index) => [key, `value ${index} é`]));
    expect((await home.submit(form, { tracking_parameters })).status).toBe(200);
    expect(await attributionOf(form)).toEqual(tracking_parameters);
  });

  test.each(KEYS)('%s may stand alone, with 1 to 2048 characters', async (key) => {
    const form = await home.form();
    for (const value of ['x', ' ', '😀'.repeat(2048)]) {
      const answer = await home.submit(form, { tracking_parameters: { [key]: value } });
      expect(answer.status, answer.text).toBe(200);
      expect(await attributionOf(form)).toEqual({ [key]: value });
    }
    const tooLong = await home.submit(form, { tracking_parameters: { [key]: 'x'.repeat(2049) } });
    expectInvalid(tooLong, `tracking_parameters.${key}`);
  });

  test.each([[''], [null], [7], [true], [['x']], [{}]])('the value %j is rejected', async (value) => {
    const form = await home.form();
    const answer = await home.submit(form, { tracking_parameters: { utm_source: value } });
    expectInvalid(answer, 'tracking_parameters.utm_source');
    expect(await home.records(form)).toEqual([]);
  });

  test.each(['referrer', 'utm_sourcE', 'UTM_SOURCE', 'constructor', ''])(
    'the unsupported key %j is rejected',
    async (key) => {
      const form = await home.form();
      const answer = await home.submit(
        form,
        `{"tracking_parameters":{"utm_source":"ok",${JSON.stringify(key)}:"x"}}`,
      );
      expect(answer.status, answer.text).toBe(422);
      for (const name of Object.keys(answer.body.errors)) expect(name).toMatch(/^tracking_parameters/);
      expect(await home.records(form)).toEqual([]);
    },
  );

  test('several unsupported keys are told once, beside what is wrong with values', async () => {
    const tracking_parameters = { referrer: 'x', campaign: 'x', gclid: '' };
    const answer = await home.submit(await home.form(), { tracking_parameters });
    const errors = expectInvalid(answer, 'tracking_parameters', 'tracking_parameters.gclid');
    expect(errors.tracking_parameters).toHaveLength(1);
  });

  test('the key __proto__ is rejected before it is even read', async () => {
    const form = await home.form();
    const answer = await home.submit(form, '{"tracking_parameters":{"__proto__":"x"}}');
    expectRefused(answer, 400);
    expect(await home.records(form)).toEqual([]);
  });

  test.each([['text'], [7], [['utm_source']], [true]])('%j is not an object', async (tracking_parameters) => {
    expectInvalid(await home.submit(await home.form(), { tracking_parameters }), 'tracking_parameters');
  });

  test('none, null, an empty object and an empty list mean no attribution at all', async () => {
    const form = await home.form();
    for (const tracking_parameters of [undefined, null, {}, []]) {
      const body = { tracking_parameters };
      expect((await home.submit(form, body)).status).toBe(200);
      expect((await home.records(form))[0]).not.toHaveProperty('meta');
    }
  });

  test('is stored apart from the answers', async () => {
    const form = await home.form();
    await home.submit(form, { [TEXT_FIELD_ID]: 'x', tracking_parameters: { utm_source: 'news' } });
    const [record] = await home.records(form);
    expect(record.data).not.toHaveProperty('tracking_parameters');
    expect(JSON.stringify(record.data)).not.toContain('news');
  });

  test('cannot be changed after creation, neither by completing nor by a member', async () => {
    const form = await home.form({ enable_partial_submissions: true });
    const half = await home.submit(form, {
      [TEXT_FIELD_ID]: 'half',
      is_partial: true,
      tracking_parameters: { utm_source: 'first' },
    });
    const { submission_hash } = half.body;
    const later = { tracking_parameters: { utm_source: 'second', gclid: 'late' } };
    await home.submit(form, { [TEXT_FIELD_ID]: 'more', is_partial: true, submission_hash, ...later });
    await home.submit(form, { [TEXT_FIELD_ID]: 'whole', submission_hash, ...later });
    expect(await attributionOf(form)).toEqual({ utm_source: 'first' });
    const [record] = await home.records(form);
    await home.call('PUT', `/open/forms/${form.id}/submissions/${record.id}`, {
      [TEXT_FIELD_ID]: 'by hand',
      ...later,
    });
    expect(await attributionOf(form)).toEqual({ utm_source: 'first' });
  });

  test('a partial without attribution gets none at its completion', async () => {
    const form = await home.form({ enable_partial_submissions: true });
    const half = await home.submit(form, { [TEXT_FIELD_ID]: 'half', is_partial: true });
    await home.submit(form, {
      [TEXT_FIELD_ID]: 'whole',
      submission_hash: half.body.submission_hash,
      tracking_parameters: { utm_source: 'late' },
    });
    expect(await attributionOf(form)).toBeUndefined();
  });

  test('its problems are reported together with those of the answers', async () => {
    const form = await home.form({ properties: [aTextField({ required: true })] });
    const answer = await home.submit(form, { tracking_parameters: { utm_source: '' } });
    expectInvalid(answer, TEXT_FIELD_ID, 'tracking_parameters.utm_source');
  });
});
