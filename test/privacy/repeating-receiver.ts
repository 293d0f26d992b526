import { startWebhookReceiver, type WebhookReceiver } from '../setup/webhook-receiver.ts';

/** A receiver that repeats what it was sent, which the log of attempts keeps the beginning of. */
export async function startRepeatingReceiver(): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver();
  receiver.script([], (response, { body }) => response.end(body));
  return receiver;
}
