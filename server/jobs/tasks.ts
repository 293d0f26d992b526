import type { TaskList } from 'graphile-worker';
import { mailEmailChanged, mailEmailLink } from '../accounts/email-link.ts';
import { mailPasswordLink } from '../accounts/password-link.ts';
import { makeNightlyBackup } from '../backup/nightly.ts';
import type { Context } from '../context.ts';
import type { Database, Db } from '../db/database.ts';
import { buildExport, resumeExports } from '../exports/jobs/build-export.ts';
import { purgeExpiredExports } from '../exports/jobs/purge-expired.ts';
import { purgeFiles, removeFiles } from '../files/remove-files.ts';
import { purgeForm } from '../forms/saving/delete-form.ts';
import { emptyTrash } from '../forms/trash/trash-form.ts';
import { cancelRemaining } from '../integrations/delete-integration.ts';
import { sendInvite } from '../members/send-invite.ts';
import { settlePayments } from '../payments/settle-payments.ts';
import { forgetTraces } from '../recipients/forget-queries.ts';
import { sendRecipientMails } from '../recipients/send-mails.ts';
import { countAnswers } from '../statistics/count-answers.ts';
import { countSubmissions } from '../statistics/count-submissions.ts';
import { mailConfirmation } from '../submissions/confirmation/mail-confirmation.ts';
import { purgeExpiredSubmissions } from '../submissions/retention/purge-expired.ts';
import { purgeOverdue } from '../submissions/retention/purge-overdue.ts';
import { removeExpiredAnswers } from '../submissions/retention/remove-expired-answers.ts';
import { fillSearchBlocks } from '../submissions/search/fill-blocks.ts';
import { OVERDUE_ASIDE } from '../submissions/set-aside/queries.ts';
import { OVERDUE_IN_TRASH } from '../submissions/trash/queries.ts';
import { sendSummaries } from '../summaries/send-summaries.ts';
import { eachStep } from './go-on.ts';
import type { JobPayloads } from './payloads.ts';
import {
  deleteFailedJobs,
  deleteFailedMails,
  purgeAuditLog,
  purgeDeliveryLog,
  purgeDrafts,
  purgeFailedGuesses,
  purgeIdempotencyKeys,
  purgeInvites,
  purgeMailCounts,
  purgeSessions,
  purgeSpentChallenges,
} from './queries.ts';
import { isScheduled, takesUp } from './schedule.ts';

type Tasks = {
  [Name in keyof JobPayloads]: (payload: JobPayloads[Name], stopping: AbortSignal) => Promise<unknown>;
};

/**
 * All background work. A job may run more than once: a worker can die after the work, before it reports. A job told to
 * stop ends after its present step, and makes sure that the next worker or turn continues.
 * @param long a database for long statements; each job uses one of its connections at a time
 */
export function createTasks(context: Context, long: Database): TaskList {
  const { db, pool } = long;
  const tasks: Tasks = {
    build_export: ({ jobId }, stopping) => buildExport(context, pool, jobId, stopping),
    resume_exports: () => resumeExports(context),
    purge_exports: (_payload, stopping) => purgeExpiredExports(context, stopping),
    purge_submissions: (_payload, stopping) =>
      eachStep(
        () => purgeExpiredSubmissions(db, { stopping }),
        () => removeExpiredAnswers(db, { stopping }),
        () => purgeOverdue(db, OVERDUE_ASIDE, stopping),
      ),
    purge_idempotency_keys: (_payload, stopping) => purgeIdempotencyKeys(db, stopping),
    purge_delivery_log: (_payload, stopping) =>
      eachStep(
        () => purgeDeliveryLog(db, stopping),
        () => purgeMailCounts(db, stopping),
      ),
    purge_files: (_payload, stopping) => purgeFiles(context, db, stopping),
    remove_files: ({ formId }, stopping) => removeFiles(context, db, formId, stopping),
    purge_invites: (_payload, stopping) =>
      eachStep(
        () => purgeInvites(db, stopping),
        () => deleteFailedMails(db),
      ),
    purge_sessions: (_payload, stopping) => purgeSessions(db, stopping),
    purge_failed_guesses: (_payload, stopping) => purgeFailedGuesses(db, stopping),
    purge_drafts: (_payload, stopping) => purgeDrafts(db, stopping),
    empty_trash: (_payload, stopping) =>
      eachStep(
        () => purgeOverdue(db, OVERDUE_IN_TRASH, stopping),
        () => emptyTrash(context, stopping),
      ),
    purge_spent_challenges: (_payload, stopping) => purgeSpentChallenges(db, stopping),
    purge_audit_log: (_payload, stopping) => purgeAuditLog(db, stopping),
    count_submissions: (_payload, stopping) => countSubmissions(db, { stopping }),
    count_answers: (_payload, stopping) =>
      countAnswers(db, { stopping, isUnderPressure: context.isUnderPressure }),
    fill_search_blocks: (_payload, stopping) =>
      fillSearchBlocks(db, { stopping, isUnderPressure: context.isUnderPressure }),
    send_recipient_mails: (_payload, stopping) => sendRecipientMails(context, stopping),
    forget_traces: () => forgetTraces(db),
    send_summaries: (_payload, stopping) => sendSummaries(context, stopping),
    settle_payments: (_payload, stopping) => settlePayments(context, stopping),
    make_backup: (_payload, stopping) => makeNightlyBackup(context, pool, stopping),
    cancel_deliveries: ({ integrationId }, stopping) => cancelRemaining(db, integrationId, stopping),
    purge_form: ({ formId }, stopping) => purgeForm(db, formId, stopping),
    send_invite: ({ inviteId }) => sendInvite(context, inviteId),
    mail_password_link: ({ userId }) => mailPasswordLink(context, userId),
    mail_email_link: ({ userId, email }) => mailEmailLink(context, userId, email),
    mail_confirmation: (payload) => mailConfirmation(context, payload),
    mail_email_changed: ({ userId, former }) => mailEmailChanged(context, userId, former),
  };
  return asTaskList(tasks, context, db);
}

/** The queue returns payloads as enqueued, and only `enqueue` adds them, with these types. */
function asTaskList(tasks: Tasks, { config }: Context, db: Db): TaskList {
  const taken = Object.entries(tasks).filter(([name]) => takesUp(config, name));
  return Object.fromEntries(
    taken.map(([name, run]) => [
      name,
      async (payload: unknown, { abortSignal }: { abortSignal: AbortSignal }) => {
        await run(payload as never, abortSignal);
        // Forgets earlier failures: this run has made up for them.
        if (isScheduled(name)) await deleteFailedJobs(db, name);
      },
    ]),
  );
}
