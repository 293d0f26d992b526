/** The payloads of background jobs: ids, and facts stored nowhere else. Jobs read the rest when they run. */
export interface JobPayloads {
  build_export: { jobId: string };
  cancel_deliveries: { integrationId: number };
  purge_form: { formId: number };
  remove_files: { formId: number };
  send_invite: { inviteId: number };
  /** null = mails nobody, see `schedulePasswordLink`. */
  mail_password_link: { userId: number | null };
  /** Mails an address that the account does not have yet. */
  mail_email_link: { userId: number; email: string };
  /** Mails an address that the account had before. */
  mail_email_changed: { userId: number; former: string };
  /**
   * Asks a sender to confirm an address: public id of the submission, language of the mail, and a mark that tells this mail from earlier
   * ones. `form` is the UUID that the form had then; jobs of earlier versions have no `formId`.
   */
  mail_confirmation: { formId?: number; form: string; publicId: string; language: string; mark: string };
  // Run by the clock, see schedule.ts
  resume_exports: Scheduled;
  purge_exports: Scheduled;
  purge_submissions: Scheduled;
  purge_idempotency_keys: Scheduled;
  purge_delivery_log: Scheduled;
  purge_files: Scheduled;
  purge_invites: Scheduled;
  purge_sessions: Scheduled;
  purge_failed_guesses: Scheduled;
  purge_spent_challenges: Scheduled;
  purge_audit_log: Scheduled;
  purge_drafts: Scheduled;
  empty_trash: Scheduled;
  count_submissions: Scheduled;
  count_answers: Scheduled;
  fill_search_blocks: Scheduled;
  send_recipient_mails: Scheduled;
  forget_traces: Scheduled;
  make_backup: Scheduled;
  send_summaries: Scheduled;
  settle_payments: Scheduled;
}

type Scheduled = Record<string, unknown>;

/** Jobs that send something outside, as deliveries do. */
export const MAILING_JOBS = [
  'send_invite',
  'mail_password_link',
  'mail_email_link',
  'mail_email_changed',
  'mail_confirmation',
] as const satisfies (keyof JobPayloads)[];
