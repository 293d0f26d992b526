import { beforeAll } from 'vitest';
import { useWebhookReceiver, type WebhookReceiver } from '../setup/webhook-receiver.ts';

/** A receiver that answers with what it was sent; the log of attempts keeps the start of that. */
export function useRepeatingReceiver(): WebhookReceiver {
  const receiver = useWebhookReceiver();
  beforeAll(() => receiver.script([], (response, { body }) => response.end(body)));
  return receiver;
}
