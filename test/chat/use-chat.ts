import { expect } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import type { Home } from '../setup/home.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';

export const FORMATS = ['slack', 'discord', 'teams', 'google_chat', 'mattermost', 'telegram'];
export const NAME_MENTION = `<span mention="true" mention-field-id="${TEXT_FIELD_ID}" mention-fallback="nobody">Name</span>`;

/** The content of a webhook, and the number of its submission. */
interface Told {
  body: any;
  raw: string;
  id: number;
}

/** A receiver in place of a chat, and short functions for what tests do most often. The test sets `form`. */
export function useChat(home: Home) {
  const chat = {
    receiver: useWebhookReceiver(),
    form: undefined as any,
    integrations: (method: string, body?: unknown, rest = '') =>
      home.call(method, `/open/forms/${chat.form.id}/integrations${rest}`, body),
    /** The address of the receiver for this chat. */
    address: (format: string) => chat.receiver.url + (format === 'telegram' ? '?chat_id=-1001' : ''),
    async add(format: string, data: object = {}, more: object = {}): Promise<any> {
      const all = { webhook_url: chat.address(format), format, ...data };
      const answer = await chat.integrations('POST', { integration_id: 'webhook', data: all, ...more });
      expect(answer.status, answer.text).toBe(200);
      return answer.body.form_integration;
    },
    async submit(answers: Record<string, unknown>): Promise<Told> {
      const answer = await home.submit(chat.form, answers);
      expect(answer.status, answer.text).toBe(200);
      return chat.received();
    },
    /** The next request, whatever caused it. */
    async received(): Promise<Told> {
      seen += 1;
      const raw = (await chat.receiver.received(seen))[seen - 1]!.body.toString();
      const [latest] = await home.records(chat.form);
      return { body: JSON.parse(raw), raw, id: Number(latest?.id) };
    },
    linkTo: (id: number | string, workspaceId = home.workspaceId) =>
      `${home.service.url}/workspaces/${workspaceId}/forms/${chat.form.id}/responses/${id}`,
  };
  let seen = 0;
  return chat;
}
