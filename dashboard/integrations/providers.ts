import type { Property } from '../../fields/property.ts';
import type { Body } from '../api/client.ts';
import { chatOf } from './chats.ts';
import type { MailId } from './mail-draft.ts';
import type { Integration } from './queries.ts';

export type ProviderId = Body<'/open/forms/{form}/integrations', 'post'>['integration_id'];

interface Provider {
  id: ProviderId;
  name: string;
  about: string;
}

/** Receivers of answers. All are webhooks; those for a platform also know the address of their scenario. */
export const PROVIDERS: readonly Provider[] = [
  { id: 'webhook', name: 'Webhook', about: 'A signed request to an address of your own.' },
  { id: 'zapier', name: 'Zapier', about: 'The “Catch Hook” address of a Zap.' },
  { id: 'make', name: 'Make', about: 'The address of a custom webhook in a scenario.' },
  { id: 'n8n', name: 'n8n', about: 'The production address of a Webhook node.' },
  { id: 'activepieces', name: 'Activepieces', about: 'The address of a Webhook trigger.' },
  { id: 'pabbly', name: 'Pabbly Connect', about: 'The webhook address of a workflow.' },
  { id: 'albato', name: 'Albato', about: 'The webhook address of an automation.' },
];

/** Integrations that send mail. */
export const MAILS: readonly (Provider & { id: MailId })[] = [
  { id: 'email', name: 'Mail to owners', about: 'Tells you and others about every new response.' },
  {
    id: 'email_confirmation',
    name: 'Confirmation by mail',
    about: 'Writes to whoever filled in the form, at the address in one of its answers.',
  },
];

export function isMail(id: string): id is MailId {
  return MAILS.some((mail) => mail.id === id);
}

/** The name of an integration: the chat it writes to, or its provider. */
export function integrationName(integration: Pick<Integration, 'integration_id' | 'data'>): string {
  return chatOf(integration)?.name ?? providerName(integration.integration_id);
}

/** The name of a provider; for unknown ones the id. */
export function providerName(id: string): string {
  return [...PROVIDERS, ...MAILS].find((provider) => provider.id === id)?.name ?? id;
}

/** Its address without the path, which may contain a secret. */
export function destinationOf(
  { integration_id: id, data }: Pick<Integration, 'integration_id' | 'data'>,
  properties: readonly Property[],
): string {
  if (id === 'email') return Array.isArray(data.recipients) ? data.recipients.join(', ') : 'nobody';
  if (id === 'email_confirmation') {
    const field = properties.find((property) => property.id === data.recipient_field);
    return field ? `to the answer to “${field.name}”` : 'to a deleted field';
  }
  return hostOf(data);
}

/** The word to type before it is deleted. */
export function wordToDelete({ integration_id: id, data }: Integration): string {
  return isMail(id) ? providerName(id) : hostOf(data);
}

function hostOf({ webhook_url: url }: Integration['data']): string {
  return (typeof url === 'string' && URL.parse(url)?.host) || 'no address';
}
