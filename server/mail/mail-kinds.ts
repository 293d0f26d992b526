import type { JsonObject } from '../../fields/property.ts';

/** Integrations that send mail: to the owners of a form, and to its respondents. */
export const MAIL_KINDS = ['email', 'email_confirmation'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Settings of a mail integration; every member may be absent. */
export interface MailSettings {
  /** `email`: addresses. */
  recipients?: string[];
  /** `email_confirmation`: id of the e-mail field with the address. */
  recipient_field?: string;
  /** One line with mentions. When absent, the title of the form. */
  subject?: string;
  /** `email_confirmation`: sanitised HTML with mentions. */
  text?: string;
  /** `email`: id of the e-mail field whose answer becomes Reply-To. */
  reply_to_field?: string;
  /** `email_confirmation`: address for replies. */
  reply_to?: string;
  /** Ids of the fields to show; when absent all, in a confirmation without hidden ones. */
  fields?: string[];
  /** `email_confirmation`: whether to show the answers. */
  include_answers?: boolean;
  /** `email_confirmation`: whether to include the link that changes the answers, where the form allows changes. */
  edit_link?: boolean;
}

export function isMailKind(integrationId: unknown): integrationId is MailKind {
  return MAIL_KINDS.some((kind) => kind === integrationId);
}

/** The settings in `data` of an integration, checked when it was saved. */
export function mailSettings(data: unknown): MailSettings {
  return data as JsonObject as MailSettings;
}
