import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { linkSource } from '../files/file-links.ts';
import { notFound } from '../http/errors.ts';
import { MASK } from '../integrations/integration-data.ts';
import type { IntegrationRow } from '../integrations/queries.ts';
import { isMailKind } from '../mail/mail-kinds.ts';
import { findMailServerOfForm } from '../mail/queries.ts';
import { findDeliveredForm } from '../submissions/published-form/published-form.ts';
import { isDelivered } from './attempt.ts';
import { prepareRequest, send } from './deliver.ts';
import { openEndpoint } from './endpoints.ts';
import { wholeBody } from './payload.ts';
import { sampleSubmission } from './sample-submission.ts';
import { sendTestMail } from './test-mail.ts';
import { compileWebPayload } from './web-payload.ts';

/**
 * Sends made-up answers to the integration's receiver at once, even if it is inactive. The log of deliveries does not show it.
 * @returns what was sent, with masked values of custom headers, and what came back
 */
export async function sendTestDelivery(context: Context, integration: IntegrationRow, userId: number | null) {
  const form = await findDeliveredForm(context.db, integration.form_id);
  if (form === null) throw notFound('Form');
  const submission = sampleSubmission(form);
  const mail_server = isMailKind(integration.integration_id)
    ? await findMailServerOfForm(context.db, form.id)
    : null;
  const endpoint = openEndpoint({ ...integration, mail_server }, context);
  if (endpoint.kind !== 'web')
    return sendTestMail(context, endpoint, { form, submission, integration, userId });
  const writePayload = compileWebPayload(form, integration, linkSource(context));
  const body = wholeBody(writePayload(submission), submission.id);
  const request = prepareRequest(endpoint, { webhookId: randomUUID(), body });
  const result = await send(context.outbound, request);

  const custom = new Set(Object.keys(endpoint.headers));
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, custom.has(name) ? MASK : value]),
  );
  const { durationMs: duration_ms } = result;
  return {
    type: isDelivered(result) ? ('success' as const) : ('error' as const),
    message: result.ok ? `The receiver answered with status ${result.status}.` : result.detail,
    request: { url: request.url, headers, body },
    response: result.ok ? { status: result.status, excerpt: result.bodyExcerpt, duration_ms } : null,
    failure: result.ok ? null : { reason: result.reason, detail: result.detail, duration_ms },
  };
}
