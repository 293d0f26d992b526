import type { NamedForm } from '../access/queries.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import { endpointChangesInForce } from '../deliveries/endpoints.ts';
import { checkWebhookUrl, readWebhookUrl } from '../deliveries/webhook-url.ts';
import { invalid } from '../http/errors.ts';
import { deleteIntegration } from '../integrations/delete-integration.ts';
import { insertIntegration } from '../integrations/queries.ts';
import { changeIntegrations, refuseTooMany, targetOf } from '../integrations/save-integration.ts';
import { activateHook, findHooks, PARTNER } from './queries.ts';

/**
 * Subscribes `hookUrl` to the new submissions of a form. Asking twice makes one hook; asking again restarts a hook that
 * the service had stopped.
 * @throws HttpError 409 when the form was moved meanwhile, 422 on `hookUrl`, or on `form_id` when the form has the
 * maximum of integrations
 */
export async function subscribe(
  context: Context,
  form: NamedForm,
  hookUrl: string,
  actor: Actor,
): Promise<void> {
  const { id: formId } = form;
  const checked = checkWebhookUrl(hookUrl, context.config.webhookAllowedNetworks);
  if ('problem' in checked) throw invalid({ hookUrl: [checked.problem] });
  await changeIntegrations(context, form, async (trx) => {
    const [hook] = await findHooks(trx, formId, checked.url);
    if (hook?.status === 'active') return;
    const host = new URL(checked.url).host;
    if (hook) {
      await activateHook(trx, formId, hook.id);
      const details = { fields: ['status'], status: 'active', host };
      return recordEvent(trx, actor, {
        verb: 'integration.changed',
        formId,
        target: targetOf(hook),
        details,
      });
    }
    await refuseTooMany(trx, formId, 'form_id');
    const row = await insertIntegration(trx, formId, {
      kind: PARTNER,
      status: 'active',
      data: { webhook_url: checked.url },
      secretsEncrypted: null,
      logic: null,
    });
    const details = { status: row.status, host };
    await recordEvent(trx, actor, { verb: 'integration.created', formId, target: targetOf(row), details });
  });
}

/**
 * Removes every hook of `hookUrl` from a form; a missing hook or form is fine. Only the format of the URL is checked: the
 * allowed networks may have changed since it was subscribed.
 * @throws HttpError 422 on `hookUrl`
 */
export async function unsubscribe(
  context: Context,
  form: NamedForm | null,
  hookUrl: string,
  actor: Actor,
): Promise<void> {
  const read = readWebhookUrl(hookUrl);
  if ('problem' in read && !URL.canParse(hookUrl)) throw invalid({ hookUrl: [read.problem] });
  // A URL that could not be subscribed has no hook.
  if (form === null || 'problem' in read) return;
  const { id: formId } = form;
  await changeIntegrations(context, form, async (trx) => {
    for (const hook of await findHooks(trx, formId, read.url.href)) {
      await deleteIntegration(trx, formId, hook.id);
      await recordEvent(trx, actor, { verb: 'integration.deleted', formId, target: targetOf(hook) });
    }
  });
  await endpointChangesInForce();
}
