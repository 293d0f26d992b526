import type { ConditionGroup, Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import type { Body } from '../api/client.ts';
import { readGroup } from '../form-builder/logic/condition-tree.ts';
import { conditionsToSave } from './draft.ts';
import type { Integration } from './queries.ts';

export type MailId = 'email' | 'email_confirmation';

/** A mail as it is being edited. */
export interface MailDraft {
  /** As typed: addresses separated by commas or line breaks. */
  recipients: string;
  replyToField: string | null;
  recipientField: string;
  replyTo: string;
  /** One line, with mentions as markup. */
  subject: string;
  /** HTML with mentions. */
  text: string;
  answers: 'all' | 'chosen' | 'none';
  fields: readonly string[];
  /** Whether a confirmation contains the link to edit the answers, if the form allows editing. */
  hasEditLink: boolean;
  conditions: ConditionGroup | null;
}

const FIRST_TEXT = '<p>Thank you. We have received your answer.</p>';

/** @param owner default address for notifications */
export function newMailDraft(id: MailId, owner: string, properties: readonly Property[]): MailDraft {
  const [address] = emailFields(properties);
  return {
    recipients: owner,
    replyToField: address?.id ?? null,
    recipientField: address?.id ?? '',
    replyTo: '',
    subject: '',
    text: FIRST_TEXT,
    answers: id === 'email' ? 'all' : 'none',
    fields: [],
    hasEditLink: true,
    conditions: null,
  };
}

export function mailDraftOf({ integration_id: id, data, logic }: Integration): MailDraft {
  const text = (member: string) => (typeof data[member] === 'string' ? data[member] : '');
  const list = (member: string) => (Array.isArray(data[member]) ? data[member].map(String) : []);
  const areShown = id === 'email' || data.include_answers === true;
  return {
    recipients: list('recipients').join(', '),
    replyToField: text('reply_to_field') || null,
    recipientField: text('recipient_field'),
    replyTo: text('reply_to'),
    subject: text('subject'),
    text: text('text'),
    answers: !areShown ? 'none' : Array.isArray(data.fields) ? 'chosen' : 'all',
    fields: list('fields'),
    hasEditLink: data.edit_link === true,
    conditions: readGroup(logic),
  };
}

export function mailBodyOf(
  draft: MailDraft,
  id: MailId,
): Body<'/open/forms/{form}/integrations/{integrationId}', 'put'> {
  const common = {
    subject: draft.subject.trim() || null,
    fields: draft.answers === 'chosen' ? [...draft.fields] : null,
  };
  const data =
    id === 'email'
      ? { recipients: addressesIn(draft.recipients), reply_to_field: draft.replyToField, ...common }
      : {
          recipient_field: draft.recipientField,
          text: draft.text,
          reply_to: draft.replyTo.trim() || null,
          include_answers: draft.answers !== 'none',
          edit_link: draft.hasEditLink,
          ...common,
        };
  return { integration_id: id, data, logic: conditionsToSave(draft.conditions) };
}

/** Fields whose answers are mail addresses. */
export function emailFields(properties: readonly Property[]): Property[] {
  return properties.filter(({ type }) => canonicalTypeName(type) === 'email');
}

/** null if there is none: then something is missing, not wrong. */
function addressesIn(typed: string): string[] | null {
  const addresses = typed.split(/[\s,;]+/).filter(Boolean);
  return addresses.length > 0 ? addresses : null;
}
