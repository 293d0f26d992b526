import { fieldTypeOf } from '../../fields/field-types.ts';
import type { JsonValue } from '../../fields/property.ts';
import { isEmailAddress } from '../../fields/types/email.ts';
import type { MailKind } from '../mail/mail-kinds.ts';
import type { IntegrationRules } from './check-integration.ts';
import { flag, line, type MemberRules, type Rule } from './check-members.ts';
import { MAX_MAIL_FIELDS, MAX_MAIL_RECIPIENTS, MAX_MAIL_SUBJECT, MAX_MAIL_TEXT } from './schemas.ts';

const subject = line(MAX_MAIL_SUBJECT);

/** What `data` of an integration that sends mail may have. */
export const MAIL_MEMBERS: Record<MailKind, MemberRules> = {
  email: {
    required: ['recipients'],
    members: { recipients, subject, reply_to_field: emailField, fields },
  },
  email_confirmation: {
    required: ['recipient_field', 'text'],
    members: {
      recipient_field: emailField,
      subject,
      text,
      reply_to: address,
      fields,
      include_answers: flag,
      edit_link: flag,
    },
  },
};

function recipients(value: JsonValue): ReturnType<Rule> {
  if (!Array.isArray(value) || value.length === 0) return { problem: 'must be a list of e-mail addresses.' };
  if (value.length > MAX_MAIL_RECIPIENTS)
    return { problem: `may not have more than ${MAX_MAIL_RECIPIENTS} items.` };
  const addresses = value.map((item) => (typeof item === 'string' ? item.trim() : ''));
  if (!addresses.every(isEmailAddress)) return { problem: 'must all be valid e-mail addresses.' };
  return [...new Set(addresses)];
}

function text(value: JsonValue, { engines }: IntegrationRules): ReturnType<Rule> {
  if (typeof value !== 'string') return { problem: 'must be a text.' };
  if ([...value].length > MAX_MAIL_TEXT)
    return { problem: `may not be greater than ${MAX_MAIL_TEXT} characters.` };
  const safe = engines.sanitiseHtml(value).trim();
  return safe === '' ? { problem: 'field is required.' } : safe;
}

function emailField(value: JsonValue, { properties }: IntegrationRules): ReturnType<Rule> {
  const property = properties.find(({ id }) => id === value);
  const isEmail = property !== undefined && fieldTypeOf(property.type).name === 'email';
  return isEmail ? property.id : { problem: 'must be the id of an e-mail field of this form.' };
}

function address(value: JsonValue): ReturnType<Rule> {
  const given = typeof value === 'string' ? value.trim() : '';
  return isEmailAddress(given) ? given : { problem: 'must be a valid e-mail address.' };
}

/** Ids of removed fields are allowed: settings that were read can be sent back. */
function fields(value: JsonValue): ReturnType<Rule> {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    return { problem: 'must be a list of ids of fields.' };
  if (value.length > MAX_MAIL_FIELDS) return { problem: `may not have more than ${MAX_MAIL_FIELDS} items.` };
  return value;
}
