import { isAtLeast } from '../access/abilities.ts';
import { readAttention } from '../attention/present-attention.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { Mailer } from '../mail/mailer.ts';
import { readWorkspaceStatistics } from '../statistics/present-workspace.ts';
import { daysUntil } from '../statistics/range.ts';
import { type DueSummary, findDueSummaries, giveBackSummary, takeDueSummary } from './queries.ts';
import { writeSummary } from './write-summary.ts';

const DAYS = { day: 1, week: 7 } as const;

type Parts = Pick<Context, 'mailerOf' | 'baseUrl' | 'log'>;

/**
 * The job: mails every member the summary that is due, one after the other. What a mail server does not take is tried again at the next
 * turn, and so are all others for that server: one that hangs must not hold up the job for long. A process that dies meanwhile leaves at
 * most one summary untold.
 */
export async function sendSummaries(parts: Parts, db: Db, stopping: AbortSignal): Promise<void> {
  /** Workspaces whose server takes no mails now; null is the installation's. */
  const away = new Set<number | null>();
  for (const member of await findDueSummaries(db)) {
    if (stopping.aborted) return;
    const due = await takeDueSummary(db, member);
    if (due === null) continue;
    const mailer = parts.mailerOf(due.server);
    const isSent =
      mailer.isConfigured && !away.has(mailer.workspaceId) && (await send(parts, db, due, mailer));
    if (isSent) continue;
    away.add(mailer.workspaceId);
    await giveBackSummary(db, due);
  }
}

/** @returns whether it is done: sent, or nothing to tell */
async function send(parts: Parts, db: Db, due: DueSummary, mailer: Mailer): Promise<boolean> {
  const { workspaceId, every, role } = due;
  const statistics = await readWorkspaceStatistics(db, workspaceId, daysUntil(due.to, DAYS[every]));
  const attention = await readAttention(db, workspaceId, { seesIntegrations: isAtLeast(role, 'user') });
  const mail = writeSummary(
    due,
    statistics,
    attention,
    `${parts.baseUrl()}/workspaces/${workspaceId}/overview`,
  );
  if (mail === null) return true;
  try {
    await mailer.send(mail);
    return true;
  } catch (err) {
    parts.log.warn({ err, workspaceId }, 'a summary could not be mailed');
    return false;
  }
}
