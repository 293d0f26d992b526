import { isDeepStrictEqual } from 'node:util';
import { countConditions, withPatternLimit } from '../../fields/check-properties.ts';
import type { FieldEngines } from '../../fields/engines.ts';
import { checkConditions } from '../../fields/logic/check-logic.ts';
import {
  addError,
  type ErrorBag,
  emptyErrorBag,
  isJsonObject,
  type Property,
} from '../../fields/property.ts';
import { checkWebhookUrl } from '../deliveries/webhook-url.ts';
import { isMailKind } from '../mail/mail-kinds.ts';
import type { AllowedNetworks } from '../outbound/address.ts';
import { checkChat } from './check-chat.ts';
import { MAIL_MEMBERS } from './check-mail.ts';
import { checkMembers, flag, type MemberChanges, type MemberRules } from './check-members.ts';
import { checkCustomHeaders } from './custom-headers.ts';
import { MASK, unfoundedMask } from './integration-data.ts';
import { MAX_SECRET_LENGTH, MIN_SECRET_LENGTH } from './schemas.ts';
import type { IntegrationSecrets } from './secrets.ts';

/** The changes one call asks for. Undefined members stay as they are; null removes. */
export interface IntegrationChanges {
  webhookUrl: string | undefined;
  providerUrl: string | null | undefined;
  secret: string | null | undefined;
  /** A mask as value stands for the stored value. */
  headers: Record<string, string> | null | undefined;
  logic: unknown;
  /** Members of mails and chat messages, and whether edits are sent. */
  members?: MemberChanges;
}

export interface IntegrationRules {
  /** The stored integration; null for a new one. Members that were read can be sent back, whatever the form has become. */
  stored: { data: unknown; logic: unknown } | null;
  allowedNetworks: AllowedNetworks;
  properties: readonly Property[];
  engines: FieldEngines;
}

const WEBHOOK_MEMBERS: MemberRules = { members: { sends_edits: flag }, required: [] };
const UNCHANGED = { webhookUrl: undefined, providerUrl: undefined, secret: undefined, headers: undefined };
const MAX_URL_LENGTH = 2048;
const NO_SECRET_TO_KEEP = `The Webhook Secret has no stored value that ${MASK} could stand for.`;
/**
 * Comparisons in one condition, and patterns among them: every submission is compared with the conditions of all
 * integrations.
 */
const MAX_CONDITIONS = 100;
const MAX_PATTERNS = 5;
const WEB_ADDRESS = /^https?:\/\//i;

/**
 * Checks `data` and `logic` of a new integration (`stored` is null) or a change. Every problem is added to `errors`,
 * keyed `data.webhook_url`, `data.webhook_secret`, `data.webhook_headers`, `data.provider_url`, `data.sends_edits` or
 * `logic`, or as in `checkChat`. For mails, `MAIL_MEMBERS` says what `data` may have.
 */
export function checkIntegration(
  body: { integration_id?: unknown; data?: unknown; logic?: unknown },
  stored: IntegrationSecrets | null,
  rules: IntegrationRules,
): { changes: IntegrationChanges; errors: ErrorBag } {
  const errors = emptyErrorBag();
  const data = isJsonObject(body.data) ? body.data : null;
  if (isMailKind(body.integration_id)) {
    const members =
      data &&
      checkMembers(MAIL_MEMBERS[body.integration_id], { data, isNew: stored === null }, rules, errors);
    const changes = {
      ...UNCHANGED,
      logic: checkLogic(body.logic, rules, errors),
      ...(members && { members }),
    };
    return { changes, errors };
  }
  const changes: IntegrationChanges = {
    webhookUrl: data === null ? undefined : checkUrl(data.webhook_url, stored === null, rules, errors),
    providerUrl: checkProviderUrl(data?.provider_url, errors),
    secret: checkSecret(data?.webhook_secret, stored?.webhook_secret ?? null, errors),
    headers: checkHeaders(data?.webhook_headers, stored?.webhook_headers ?? null, errors),
    logic: checkLogic(body.logic, rules, errors),
    ...(data && {
      members: {
        ...checkChat(body.integration_id, data, rules, errors),
        ...checkMembers(WEBHOOK_MEMBERS, { data, isNew: stored === null }, rules, errors),
      },
    }),
  };
  return { changes, errors };
}

function checkUrl(
  raw: unknown,
  isNew: boolean,
  { allowedNetworks }: IntegrationRules,
  errors: ErrorBag,
): string | undefined {
  if (raw === undefined && !isNew) return undefined;
  if (raw === undefined || raw === null || raw === '') {
    addError(errors, 'data.webhook_url', 'The Webhook Url field is required.');
    return undefined;
  }
  const checked = checkWebhookUrl(raw, allowedNetworks);
  if ('url' in checked) return checked.url;
  addError(errors, 'data.webhook_url', checked.problem);
  return undefined;
}

function checkProviderUrl(raw: unknown, errors: ErrorBag): string | null | undefined {
  if (raw === undefined || raw === null) return raw;
  if (raw === '') return null;
  const url =
    typeof raw === 'string' && raw.length <= MAX_URL_LENGTH && WEB_ADDRESS.test(raw) ? URL.parse(raw) : null;
  if (url !== null) return url.href;
  addError(errors, 'data.provider_url', 'The Provider Url format is invalid.');
  return undefined;
}

function checkSecret(raw: unknown, stored: string | null, errors: ErrorBag): string | null | undefined {
  if (raw === undefined || raw === null) return raw;
  if (raw === MASK && stored !== null) return undefined;
  const problem = raw === MASK ? NO_SECRET_TO_KEEP : secretProblem(raw);
  if (problem === null) return raw as string;
  addError(errors, 'data.webhook_secret', problem);
  return undefined;
}

/** Why a text cannot be the secret of a webhook; null when it can. */
export function secretProblem(raw: unknown): string | null {
  if (typeof raw !== 'string') return 'The Webhook Secret must be a valid text.';
  const length = [...raw].length;
  if (length < MIN_SECRET_LENGTH)
    return `The Webhook Secret must be at least ${MIN_SECRET_LENGTH} characters.`;
  if (length > MAX_SECRET_LENGTH)
    return `The Webhook Secret may not be greater than ${MAX_SECRET_LENGTH} characters.`;
  return null;
}

function checkHeaders(
  raw: unknown,
  stored: Record<string, string> | null,
  errors: ErrorBag,
): Record<string, string> | null | undefined {
  if (raw === undefined || raw === null) return raw;
  const problem = checkCustomHeaders(raw) ?? unfoundedMask(raw as Record<string, string>, stored);
  if (problem === null) return Object.keys(raw).length > 0 ? (raw as Record<string, string>) : null;
  addError(errors, 'data.webhook_headers', problem);
  return undefined;
}

function checkLogic(
  logic: unknown,
  { stored, properties, engines }: IntegrationRules,
  errors: ErrorBag,
): unknown {
  if (logic === undefined || (stored && isDeepStrictEqual(logic, stored.logic))) return undefined;
  if (logic === null || (typeof logic === 'object' && Object.keys(logic).length === 0)) return null;
  if (countConditions(logic) > MAX_CONDITIONS) {
    addError(errors, 'logic', `An integration may not have more than ${MAX_CONDITIONS} conditions.`);
    return undefined;
  }
  const problems = isJsonObject(logic)
    ? checkConditions(logic, properties, withPatternLimit(engines, MAX_PATTERNS))
    : ['wrong sub-condition type'];
  if (problems.length === 0) return logic;
  addError(errors, 'logic', `The logic conditions are not complete. Error detail(s): ${problems.join(', ')}`);
  return undefined;
}
