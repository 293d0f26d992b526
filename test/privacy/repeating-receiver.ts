import { startWebhookReceiver, type WebhookReceiver } from '../setup/webhook-receiver.ts';

/** A receiver that answers with what it was sent; the log of attempts keeps the start of that. */
export async function startRepeatingReceiver(): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver();
  receiver.script([], (response, { body }) => response.end(body));
  return receiver;
}
