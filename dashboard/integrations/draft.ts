import type { ConditionGroup } from '../../fields/property.ts';
import type { Body } from '../api/client.ts';
import { readGroup } from '../form-builder/logic/condition-tree.ts';
import { newId } from '../form-builder/new-id.ts';
import { type ChatId, chatOf } from './chats.ts';
import type { ProviderId } from './providers.ts';
import type { Integration } from './queries.ts';

/** Stands in responses for a stored value that is not shown; sent back it means "unchanged". */
export const MASK = '********';

export interface Header {
  /** Only identifies the row. */
  key: string;
  name: string;
  value: string;
}

/** An integration as it is being edited. */
export interface Draft {
  url: string;
  /** The chat that gets the messages; null for our own JSON. */
  format: ChatId | null;
  /** A line above the answers, with mentions as markup. */
  message: string;
  hasAnswers: boolean;
  providerUrl: string;
  /** `MASK` for a stored secret; null for none. */
  secret: string | null;
  headers: readonly Header[];
  conditions: ConditionGroup | null;
  /** Whether edited submissions are sent too. */
  sendsEdits: boolean;
}

const SECRET_BYTES = 24;

/** @param format chats need no signature */
export function newDraft(format: ChatId | null = null): Draft {
  const secret = format === null ? newSecret() : null;
  const message = { format, message: '', hasAnswers: true };
  return { url: '', ...message, providerUrl: '', secret, headers: [], conditions: null, sendsEdits: false };
}

export function draftOf(integration: Integration): Draft {
  const { data, logic } = integration;
  const { webhook_url: url, provider_url: providerUrl, webhook_secret: secret, webhook_headers } = data;
  return {
    url: String(url ?? ''),
    format: chatOf(integration)?.id ?? null,
    message: String(data.message ?? ''),
    hasAnswers: data.include_answers !== false,
    providerUrl: String(providerUrl ?? ''),
    secret: typeof secret === 'string' ? MASK : null,
    headers: Object.keys(webhook_headers ?? {}).map((name) => newHeader(name, MASK)),
    conditions: readGroup(logic),
    sendsEdits: data.sends_edits === true,
  };
}

export function newHeader(name = '', value = ''): Header {
  return { key: newId(), name, value };
}

/** A secret as Standard Webhooks 1.0 defines it: 24 random bytes. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** A problem found before sending: an object cannot contain a name twice. */
export function headerProblem({ headers }: Draft): string | null {
  const names = headers.map(({ name }) => name.trim());
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  return twice === undefined ? null : `Header '${twice}' is given more than once.`;
}

type IntegrationBody = Body<'/open/forms/{form}/integrations/{integrationId}', 'put'>;

export function bodyOf(draft: Draft, provider: ProviderId): IntegrationBody {
  const filled = draft.headers.filter(({ name, value }) => name.trim() !== '' || value !== '');
  const address = {
    webhook_url: draft.url.trim(),
    webhook_headers:
      filled.length > 0 ? Object.fromEntries(filled.map(({ name, value }) => [name.trim(), value])) : null,
    sends_edits: draft.sendsEdits || null,
  };
  const logic = conditionsToSave(draft.conditions);
  if (draft.format !== null) {
    const message = draft.message.trim() || null;
    const data = { ...address, format: draft.format, message, include_answers: draft.hasAnswers };
    return { integration_id: provider, data, logic };
  }
  return {
    integration_id: provider,
    data: {
      ...address,
      webhook_secret: draft.secret,
      ...(provider === 'webhook' ? { format: null } : { provider_url: draft.providerUrl.trim() || null }),
    },
    logic,
  };
}

/** The members that differ from the original, so that others' changes to the rest stay. */
export function changesOf(
  first: IntegrationBody,
  { integration_id, data, logic }: IntegrationBody,
): IntegrationBody {
  const before: Record<string, unknown> = first.data;
  const changed = Object.entries(data).filter(([member, value]) => !isSame(value, before[member]));
  return {
    integration_id,
    data: Object.fromEntries(changed),
    ...(!isSame(logic, first.logic) && { logic }),
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A group without conditions is saved as none. */
export function conditionsToSave(conditions: ConditionGroup | null) {
  return conditions && conditions.children.length > 0 ? { ...conditions } : null;
}
