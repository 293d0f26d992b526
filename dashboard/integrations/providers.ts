import type { Body } from '../api/client.ts';
import type { Integration } from './queries.ts';

export type ProviderId = Body<'/open/forms/{form}/integrations', 'post'>['integration_id'];

export interface Provider {
  id: ProviderId;
  name: string;
  about: string;
}

/** Where answers can be sent. All are webhooks; those of a platform also know where their scenario is. */
export const PROVIDERS: readonly Provider[] = [
  { id: 'webhook', name: 'Webhook', about: 'A signed request to an address of your own.' },
  { id: 'zapier', name: 'Zapier', about: 'The “Catch Hook” address of a Zap.' },
  { id: 'make', name: 'Make', about: 'The address of a custom webhook in a scenario.' },
  { id: 'n8n', name: 'n8n', about: 'The production address of a Webhook node.' },
  { id: 'activepieces', name: 'Activepieces', about: 'The address of a Webhook trigger.' },
  { id: 'pabbly', name: 'Pabbly Connect', about: 'The webhook address of a workflow.' },
  { id: 'albato', name: 'Albato', about: 'The webhook address of an automation.' },
];

/** Mail is set up through the API. */
const MAILS: Readonly<Record<string, string>> = {
  email: 'Mail to owners',
  email_confirmation: 'Confirmation by mail',
};

export function isMail(id: string): boolean {
  return Object.hasOwn(MAILS, id);
}

/** The name of what an integration is of; its id for those made elsewhere. */
export function providerName(id: string): string {
  return PROVIDERS.find((provider) => provider.id === id)?.name ?? MAILS[id] ?? id;
}

/** Where it leads, without what may be a secret in the path. */
export function hostOf({ data }: Pick<Integration, 'data'>): string {
  const { webhook_url: url, recipients, subject } = data as Record<string, unknown>;
  if (Array.isArray(recipients)) return recipients.join(', ');
  if (typeof subject === 'string') return subject;
  return (typeof url === 'string' && URL.parse(url)?.host) || 'no address';
}
