import type { JsonObject } from '../../fields/property.ts';

/** Integrations that send mail: to the owners of a form, and to whoever filled it in. */
export const MAIL_KINDS = ['email', 'email_confirmation'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** What the integration of a mail is set to; every member may be missing. */
export interface MailSettings {
  /** `email`: addresses. */
  recipients?: string[];
  /** `email_confirmation`: id of the e-mail field that has the address. */
  recipient_field?: string;
  /** One line with mentions. The title of the form when there is none. */
  subject?: string;
  /** `email_confirmation`: HTML that was sanitised, with mentions. */
  text?: string;
  /** `email`: id of the e-mail field whose answer is answered to. */
  reply_to_field?: string;
  /** `email_confirmation`: the address that answers go to. */
  reply_to?: string;
  /** Ids of the fields whose answers are shown; all when it is missing, in a confirmation without hidden ones. */
  fields?: string[];
  /** `email_confirmation`: whether answers are shown. */
  include_answers?: boolean;
  /** `email_confirmation`: whether it has the link to change the answers, where the form lets people do so. */
  edit_link?: boolean;
}

export function isMailKind(integrationId: unknown): integrationId is MailKind {
  return MAIL_KINDS.some((kind) => kind === integrationId);
}

/** The settings in `data` of an integration that was checked when it was saved. */
export function mailSettings(data: unknown): MailSettings {
  return data as JsonObject as MailSettings;
}
