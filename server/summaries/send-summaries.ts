import { isAtLeast } from '../access/abilities.ts';
import { readAttention } from '../attention/present-attention.ts';
import type { Context } from '../context.ts';
import { mailInLongRun } from '../mail/mail-turns.ts';
import { type Mail, type Mailer, refusalIn } from '../mail/mailer.ts';
import { readWorkspaceStatistics } from '../statistics/present-workspace.ts';
import { daysUntil } from '../statistics/range.ts';
import { type DueSummary, findDueSummaries, giveBackSummary, takeDueSummary } from './queries.ts';
import { writeSummary } from './write-summary.ts';

const DAYS = { day: 1, week: 7 } as const;

type Parts = Pick<Context, 'db' | 'mailerOf' | 'baseUrl' | 'log'>;
/** What became of a summary: `later` = its server does not take this one now, `away` = it takes none now. */
type Outcome = 'done' | 'later' | 'away';

/**
 * The job: mails every member the summary that is due, one after the other. What was not sent is tried again at the next turn. If a mail
 * server cannot be used, so are all others for it: one that hangs must not hold up the job for long. A process that dies meanwhile leaves
 * at most one summary untold.
 */
export function sendSummaries(context: Parts, stopping: AbortSignal): Promise<void> {
  return mailInLongRun(context, () => sendAll(context, stopping));
}

async function sendAll(parts: Parts, stopping: AbortSignal): Promise<void> {
  /** Workspaces whose server takes no mails now; null is the installation's. */
  const away = new Set<number | null>();
  for (const member of await findDueSummaries(parts.db)) {
    if (stopping.aborted) return;
    const due = await takeDueSummary(parts.db, member);
    if (due === null) continue;
    const mailer = parts.mailerOf(due.server);
    const isUsable = mailer.isConfigured && !away.has(mailer.workspaceId);
    const outcome = isUsable ? await tell(parts, due, mailer) : 'away';
    if (outcome === 'away') away.add(mailer.workspaceId);
    if (outcome !== 'done') await giveBackSummary(parts.db, due);
  }
}

/** Never throws: what keeps one summary from being told may not keep back those of others. */
async function tell(parts: Parts, due: DueSummary, mailer: Mailer): Promise<Outcome> {
  const { workspaceId } = due;
  try {
    const mail = await write(parts, due);
    if (mail === null) return 'done';
    return await mailer.send(mail).then(
      () => 'done',
      (err) => {
        parts.log.warn({ err, workspaceId }, 'a summary could not be mailed');
        return outcomeOf(err);
      },
    );
  } catch (err) {
    parts.log.warn({ err, workspaceId }, 'a summary could not be written');
    return 'later';
  }
}

async function write({ db, baseUrl }: Parts, due: DueSummary): Promise<Mail | null> {
  const { workspaceId, every, role } = due;
  const statistics = await readWorkspaceStatistics(db, workspaceId, daysUntil(due.to, DAYS[every]));
  const attention = await readAttention(db, workspaceId, { seesIntegrations: isAtLeast(role, 'user') });
  return writeSummary(due, statistics, attention, `${baseUrl()}/workspaces/${workspaceId}/overview`);
}

/** An address that is refused for good is told nothing of this day or week; the next one is tried again. */
function outcomeOf(error: unknown): Outcome {
  const refusal = refusalIn(error);
  // An address that cannot be written to at all.
  if (refusal === null && (error as NodeJS.ErrnoException).code === 'EENVELOPE') return 'done';
  if (refusal === null) return 'away';
  return refusal.isFinal ? 'done' : 'later';
}
