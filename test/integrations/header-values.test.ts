import { describe, expect, test } from 'vitest';
import { expectInvalid, useHome } from '../setup/home.ts';
import { changedMeanwhile } from '../setup/meanwhile.ts';
import { aWebhookReceiver } from '../setup/webhook-receiver.ts';

const MASK = '********';
const URL_ONE = 'https://hooks.example.com/one';
const URL_TWO = 'https://other.example.com/two';
const KEY = { 'X-Key': 'k-1', 'X-Team': 't-1' };

const home = useHome();

async function anIntegration(data: object = {}) {
  const form = await home.form();
  const path = `/open/forms/${form.id}/integrations`;
  const made = await home.call('POST', path, {
    integration_id: 'webhook',
    data: { webhook_url: URL_ONE, webhook_headers: KEY, ...data },
  });
  expect(made.status, made.text).toBe(200);
  const own = `${path}/${made.body.form_integration.id}`;
  const put = (data: object) => home.call('PUT', own, { integration_id: 'webhook', data });
  return { form, put, data: async () => (await home.call('GET', own)).body.data };
}

describe('another address', () => {
  test.each<[string, object]>([
    ['no headers named', {}],
    ['all of them masked', { webhook_headers: { 'X-Key': MASK, 'X-Team': MASK } }],
    ['one of them masked', { webhook_headers: { 'X-Key': 'new', 'x-team': MASK } }],
  ])('gets no stored header values: %s', async (_what, more) => {
    const { put, data } = await anIntegration();
    const before = await data();
    for (const webhook_url of [
      URL_TWO,
      'http://hooks.example.com/one',
      'https://hooks.example.com:8443/one',
    ]) {
      const errors = expectInvalid(await put({ webhook_url, ...more }), 'data.webhook_headers');
      expect(errors['data.webhook_headers']?.[0]).toContain('Send the values again');
    }
    expect(await data()).toEqual(before);
  });

  test.each<[string, object, object | undefined]>([
    ['the values sent again', { webhook_headers: { 'X-Key': 'k-2' } }, { 'X-Key': MASK }],
    ['none any more', { webhook_headers: null }, undefined],
  ])('is taken with %s, and the secret stays', async (_what, more, shown) => {
    const { put, data } = await anIntegration({ webhook_secret: 'a secret of some length' });
    const answer = await put({ webhook_url: URL_TWO, ...more });
    expect(answer.status, answer.text).toBe(200);
    expect(await data()).toEqual({
      webhook_url: URL_TWO,
      webhook_secret: MASK,
      ...(shown && { webhook_headers: shown }),
    });
  });

  test('on the same server keeps them, and so does one without headers', async () => {
    const receiver = await aWebhookReceiver();
    const { form, put } = await anIntegration({ webhook_url: receiver.url });
    expect((await put({ webhook_url: `${receiver.url}/other` })).status).toBe(200);
    await home.submit(form, {});
    expect((await receiver.received(1))[0]?.headers).toMatchObject({ 'x-key': 'k-1' });
    const bare = await anIntegration({ webhook_headers: null });
    expect((await bare.put({ webhook_url: URL_TWO })).status).toBe(200);
  });
});

test('a mask that stands for no secret is told as such, whether it is new or was removed', async () => {
  const { form, put } = await anIntegration({ webhook_secret: 'a secret of some length' });
  expect((await put({ webhook_secret: MASK })).status).toBe(200);
  expect((await put({ webhook_secret: null })).status).toBe(200);
  const body = { integration_id: 'webhook', data: { webhook_url: URL_ONE, webhook_secret: MASK } };
  const message = 'The Webhook Secret has no stored value that ******** could stand for.';
  for (const answer of [
    await put({ webhook_secret: MASK }),
    await home.call('POST', `/open/forms/${form.id}/integrations`, body),
  ])
    expect(expectInvalid(answer, 'data.webhook_secret')).toEqual({ 'data.webhook_secret': [message] });
});

test('a mask whose value is removed meanwhile is refused, not stored', async () => {
  const { form, put, data } = await anIntegration();
  const answer = await changedMeanwhile(
    home.service.context.pool,
    form.id,
    () => put({ webhook_headers: { 'X-Key': MASK } }),
    (client) =>
      client.query('update integrations set secrets_encrypted = null where form_id = $1', [form.id]),
  );
  const errors = expectInvalid(answer, 'data.webhook_headers');
  expect(errors['data.webhook_headers']?.[0]).toContain("'X-Key' has no stored value");
  expect(await data()).toEqual({ webhook_url: URL_ONE });
});
