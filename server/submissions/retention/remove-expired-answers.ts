import type { Db, Transaction } from '../../db/database.ts';
import { deleteExportsWith } from '../../exports/jobs/contained-queries.ts';
import { idsIn } from '../../files/claim-files.ts';
import { enqueueRemoval } from '../../files/remove-files.ts';
import { eachForm } from '../../jobs/go-on.ts';
import { noteRemovedDeliveries } from '../queries.ts';
import { lockFormGate } from '../store-queries.ts';
import {
  type AnswerRetention,
  findAnswerRetentions,
  findAnswers,
  findFormsWithAnswerRetention,
  findHolding,
  findNextToRemove,
  markUnnamed,
  removeAnswers,
  saveMark,
} from './expired-answers-queries.ts';

/**
 * Removes answers from submissions, partial ones too, whose last change is at least as old as their field's retention.
 * @param options.now instead of the database's clock, for tests
 * @param options.stopping ends it after the submissions at hand; the next scheduled run goes on
 * @throws FormsFailed when statements of some forms failed, after the others
 */
export async function removeExpiredAnswers(
  db: Db,
  { now = null, stopping }: { now?: Date | null; stopping?: AbortSignal } = {},
): Promise<void> {
  await eachForm(await findFormsWithAnswerRetention(db), async ({ id }) => {
    const removeNext = () => db.transaction().execute((trx) => removeNextAnswers(trx, id, now));
    while (!stopping?.aborted && (await removeNext()));
  });
}

/**
 * Works on the next submissions of one form. Everything is read under the lock that edits, the trash and other processes take too, so
 * nothing passes by.
 * @returns false when nothing was due
 */
async function removeNextAnswers(trx: Transaction, formId: number, now: Date | null): Promise<boolean> {
  if (!(await lockFormGate(trx, formId))) return false;
  for (const retentions of together(await findAnswerRetentions(trx, formId))) {
    const [{ mark, days }] = retentions;
    const next = await findNextToRemove(trx, formId, { mark, days }, now);
    if (!next) continue;
    await removeFrom(trx, formId, next.ids, retentions);
    await saveMark(trx, formId, idsOf(retentions), next.mark);
    return true;
  }
  return false;
}

/** Fields that are equally far are done together, so that submissions are written once. */
function together(retentions: readonly AnswerRetention[]): [AnswerRetention, ...AnswerRetention[]][] {
  const groups = Map.groupBy(retentions, ({ days, mark }) => `${days} ${mark.id} ${mark.moment}`);
  return [...groups.values()] as [AnswerRetention, ...AnswerRetention[]][];
}

async function removeFrom(
  trx: Transaction,
  formId: number,
  ids: number[],
  retentions: readonly AnswerRetention[],
): Promise<void> {
  const fields = idsOf(retentions);
  const holding = await findHolding(trx, formId, ids, fields);
  if (holding.length === 0) return;
  // Whatever the fields are now: they may have held files.
  const removed = await findAnswers(trx, formId, holding, fields);
  const unsent = await removeAnswers(trx, formId, holding, fields);
  if (unsent > 0) await noteRemovedDeliveries(trx, formId);
  // An export must not outlive the answers it contains.
  await deleteExportsWith(trx, formId, holding);
  const fileIds = idsIn(removed.flat().filter((text) => typeof text === 'string'));
  if (fileIds.length === 0) return;
  if ((await markUnnamed(trx, formId, holding, fileIds)) > 0) await enqueueRemoval(trx, formId);
}

function idsOf(retentions: readonly AnswerRetention[]): string[] {
  return retentions.map(({ field }) => field);
}
