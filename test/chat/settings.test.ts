import { beforeEach, describe, expect, test } from 'vitest';
import { aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import type { Answer } from '../setup/service.ts';
import { NAME_MENTION, useChat } from './use-chat.ts';

const home = useHome();
const chat = useChat(home);
beforeEach(async () => {
  chat.form = await home.form();
});

describe('what an integration is set to', () => {
  const put = (id: number, data: object, integration_id = 'webhook') =>
    chat.integrations('PUT', { integration_id, data }, `/${id}`);

  test('is kept where it is not named, and removed by null', async () => {
    const { id, data } = await chat.add('slack', { message: '  Hi  ', include_answers: false });
    expect(data).toEqual({
      webhook_url: chat.receiver.url,
      format: 'slack',
      message: 'Hi',
      include_answers: false,
    });
    const changed = await put(id, { format: 'discord' });
    expect(changed.body.form_integration.data).toEqual({ ...data, format: 'discord' });
    const cleared = await put(id, { message: null, include_answers: null });
    expect(cleared.body.form_integration.data).toEqual({ webhook_url: chat.receiver.url, format: 'discord' });
    const own = await put(id, { format: 'json' });
    expect(own.body.form_integration.data).toEqual({ webhook_url: chat.receiver.url });
    const { body } = await chat.submit({ [TEXT_FIELD_ID]: 'Ada' });
    expect(body).toMatchObject({ form_id: chat.form.id, data: {}, submission: { Name: 'Ada' } });
  });

  test('is refused when it is nothing we know', async () => {
    const body = {
      webhook_url: chat.receiver.url,
      format: 'irc',
      message: 'x'.repeat(1_001),
      include_answers: 'yes',
    };
    const answer = await chat.integrations('POST', { integration_id: 'webhook', data: body });
    const errors = expectInvalid(answer, 'data.format', 'data.message', 'data.include_answers');
    expect(errors['data.format']).toEqual([
      'The Format must be one of json, slack, discord, teams, google_chat, mattermost, telegram.',
    ]);
    expect(errors['data.message']).toEqual(['The Message may not be greater than 1000 characters.']);
    expect(errors['data.include_answers']).toEqual(['The Include Answers must be true or false.']);
    for (const format of [1, {}, [], true])
      expectInvalid(
        await chat.integrations('POST', {
          integration_id: 'webhook',
          data: { webhook_url: chat.receiver.url, format },
        }),
        'data.format',
      );
  });

  test('is for webhooks alone: a platform gets our own JSON', async () => {
    const data = { webhook_url: chat.receiver.url, format: 'slack' };
    const errors = expectInvalid(
      await chat.integrations('POST', { integration_id: 'zapier', data }),
      'data.format',
    );
    expect(errors['data.format']).toEqual(['The Format can only be chosen for the integration webhook.']);
    const { id } = await chat.add('slack', { message: 'Hi' });
    const changed = await put(id, {}, 'zapier');
    expect(changed.body.form_integration.data).toEqual({ webhook_url: chat.receiver.url });
    expect((await chat.submit({ [TEXT_FIELD_ID]: 'Ada' })).body).toMatchObject({ form_id: chat.form.id });
  });

  test('names the chat of Telegram by its address, whichever of both is changed', async () => {
    const refuse = async (answer: Answer) => {
      const errors = expectInvalid(answer, 'data.webhook_url');
      expect(errors['data.webhook_url']).toEqual([
        'The Webhook Url must say which chat is told, as in …/sendMessage?chat_id=-1001234567890.',
      ]);
    };
    const { url: withoutChat } = chat.receiver;
    const data = { webhook_url: withoutChat, format: 'telegram' };
    await refuse(await chat.integrations('POST', { integration_id: 'webhook', data }));
    const { id } = await chat.add('slack');
    await refuse(await put(id, { format: 'telegram' }));
    const url = `${withoutChat}?chat_id=@guests&message_thread_id=7`;
    const named = await put(id, { format: 'telegram', webhook_url: url });
    expect(named.status, named.text).toBe(200);
    await refuse(await put(id, { webhook_url: `${withoutChat}?chat_id=` }));
    await chat.submit({ [TEXT_FIELD_ID]: 'Ada' });
    expect(chat.receiver.requests.at(-1)!.path).toBe('/hook?chat_id=@guests&message_thread_id=7');
    expect((await put(id, { webhook_url: withoutChat, format: 'json' })).status).toBe(200);
  });

  test('is in the audit log by name, its address by host alone', async () => {
    const { id } = await chat.add('slack', { webhook_url: 'https://hooks.slack.com/services/T0/B0/secret' });
    await put(id, { format: 'discord', message: 'Hi' });
    const log = await home.call('GET', `/open/workspaces/${home.workspaceId}/audit-log`);
    expect(log.status, log.text).toBe(200);
    expect(log.text).toContain('"fields":["format","message"]');
    expect(log.text).toContain('hooks.slack.com');
    expect(log.text).not.toContain('/services/');
  });
});

test('its condition holds, and what was accepted is sent again as it was, under the same id', async () => {
  const value = { operator: 'equals', property_meta: { id: TEXT_FIELD_ID, type: 'text' }, value: 'Ada' };
  const logic = { operatorIdentifier: 'and', children: [{ identifier: TEXT_FIELD_ID, value }] };
  const { id } = await chat.add('slack', { message: 'First' }, { logic });
  await home.submit(chat.form, { [TEXT_FIELD_ID]: 'Grace' });
  const first = await chat.submit({ [TEXT_FIELD_ID]: 'Ada' });
  expect(first.body.text).toBe('First');
  const data = { format: 'discord', message: 'Second' };
  await chat.integrations('PUT', { integration_id: 'webhook', data }, `/${id}`);
  const { body: deliveries } = await chat.integrations('GET', undefined, `/${id}/deliveries`);
  expect(deliveries).toHaveLength(1);
  const one = await chat.integrations('GET', undefined, `/${id}/deliveries/${deliveries[0].id}`);
  expect(one.body.body).toBe(first.raw);
  await chat.integrations('POST', undefined, `/${id}/deliveries/${deliveries[0].id}/replay`);
  const again = await chat.received();
  expect(again.raw).toBe(first.raw);
  const ids = chat.receiver.requests.slice(-2).map(({ headers }) => headers['webhook-id']);
  expect(ids[0]).toBe(ids[1]);
});

test('a test sends a message with made-up answers', async () => {
  const { id } = await chat.add('mattermost', { message: `Hi ${NAME_MENTION}` });
  const answer = await chat.integrations('POST', undefined, `/${id}/test`);
  expect(answer.body).toMatchObject({ type: 'success', response: { status: 200 } });
  const { raw, body } = await chat.received();
  expect(answer.body.request.body).toBe(raw);
  expect(body.text).toContain('Hi Sample text');
  expect(body.text).toContain(chat.linkTo(1));
});

test('a form that moved is linked to where it is', async () => {
  await chat.add('slack');
  await chat.submit({ [TEXT_FIELD_ID]: 'Ada' });
  const workspaceId = await aWorkspace(home.service, home.ada, 'Other');
  const moved = await home.call('POST', `/open/forms/${chat.form.id}/move`, { workspace_id: workspaceId });
  expect(moved.status, moved.text).toBe(200);
  const { raw, id } = await chat.submit({ [TEXT_FIELD_ID]: 'Ada' });
  expect(raw).toContain(chat.linkTo(id, workspaceId));
});
