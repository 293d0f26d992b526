import { addError, type ErrorBag, type JsonObject, type JsonValue } from '../../fields/property.ts';
import { CHAT_FORMATS, CHAT_KIND } from '../chat/chat-settings.ts';
import { namesChat } from '../chat/telegram.ts';
import type { IntegrationRules } from './check-integration.ts';
import {
  checkMembers,
  flag,
  line,
  type MemberChanges,
  type MemberRules,
  type Rule,
} from './check-members.ts';
import { MAX_CHAT_MESSAGE } from './schemas.ts';

/** The service's own JSON: the same as no format, and stored as none. */
const OWN_FORMAT = 'json';

const CHAT_MEMBERS: MemberRules = {
  members: { format, message: line(MAX_CHAT_MESSAGE), include_answers: flag },
  required: [],
};
const NONE: MemberChanges = { format: null, message: null, include_answers: null };

/**
 * Checks the members of `data` about chat messages. Platforms get only the service's own JSON; chat settings are removed
 * for them.
 */
export function checkChat(
  kind: unknown,
  data: JsonObject,
  rules: IntegrationRules,
  errors: ErrorBag,
): MemberChanges {
  if (kind === CHAT_KIND) {
    checkAddress({ ...(rules.stored?.data as JsonObject | undefined), ...data }, errors);
    return checkMembers(CHAT_MEMBERS, { data, isNew: false }, rules, errors);
  }
  const { format: wanted = null } = data;
  if (wanted !== null && wanted !== '' && wanted !== OWN_FORMAT)
    addError(errors, 'data.format', `The Format can only be chosen for the integration ${CHAT_KIND}.`);
  return NONE;
}

/** Only Telegram takes from the address what no message contains: the chat. */
function checkAddress({ format: wanted, webhook_url: url }: JsonObject, errors: ErrorBag): void {
  if (wanted !== 'telegram' || typeof url !== 'string' || errors['data.webhook_url'] || namesChat(url))
    return;
  addError(
    errors,
    'data.webhook_url',
    'The Webhook Url must say which chat is told, as in …/sendMessage?chat_id=-1001234567890.',
  );
}

function format(value: JsonValue): ReturnType<Rule> {
  if (value === OWN_FORMAT) return null;
  const isKnown = CHAT_FORMATS.some((known) => known === value);
  return isKnown ? value : { problem: `must be one of ${[OWN_FORMAT, ...CHAT_FORMATS].join(', ')}.` };
}
