import { FORM_READING, formOf } from '../../access/guard.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { readWebhookBody } from './read-webhook-body.ts';
import { webhookBodySchema } from './schemas.ts';

export function registerWebhookBodyRoute(app: App, context: Context): void {
  app.get(
    '/open/forms/:form/submissions/:submissionId/webhook-body',
    { config: FORM_READING, schema: webhookBodySchema },
    (request) => readWebhookBody(context, formOf(request), request.params.submissionId, request.query.change),
  );
}
