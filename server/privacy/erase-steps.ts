import type { JsonValue } from '../../fields/property.ts';
import type { Transaction } from '../db/database.ts';
import { deleteExportsWith } from '../exports/jobs/contained-queries.ts';
import { idsIn } from '../files/claim-files.ts';
import { markUnheld } from '../files/queries.ts';
import { enqueueRemoval } from '../files/remove-files.ts';
import { holdForm } from '../forms/queries.ts';
import { deleteChanges } from '../submissions/changes/queries.ts';
import { deleteSubmissions } from '../submissions/queries.ts';
import { lockFormGate } from '../submissions/store-queries.ts';
import {
  countFiles,
  deleteDeliveriesBefore,
  deleteDrafts,
  deleteInvites,
  deleteRecipients,
  type ErasedCounts,
} from './erase-queries.ts';
import { addCounts, NOTHING } from './erasure-record.ts';
import { findRecipientsAgain, type PersonRecipient } from './recipient-queries.ts';
import { type Hit, hitsAmong, recipientsWith, type Sought } from './search.ts';
import { findInvites, findSubmissionsAgain, type PersonDraft, type PersonForm } from './search-queries.ts';

// Each erases one kind of what a workspace stores about a person, in the caller's transaction, and tells how much it was.

/** Who is erased, and by which workspace. */
export type Whose = Pick<Sought, 'value'> & { workspaceId: number };

export async function eraseInvites(
  trx: Transaction,
  { workspaceId, value }: Whose,
): Promise<Partial<ErasedCounts>> {
  const invites = await findInvites(trx, workspaceId, value);
  return { invites: await deleteInvites(trx, idsOf(invites)) };
}

/** Searches again under the lock of the form, as somebody may be answering. */
export async function eraseRecipients(
  trx: Transaction,
  { workspaceId, value }: Whose,
  { formId, found }: { formId: number; found: PersonRecipient[] },
): Promise<Partial<ErasedCounts>> {
  const gate = await lockFormGate(trx, formId);
  if (gate?.workspaceId !== workspaceId) return {};
  const current = recipientsWith(value, await findRecipientsAgain(trx, formId, idsOf(found), value));
  const sent = await eraseSentBy(trx, formId, current);
  return { ...sent, recipients: await deleteRecipients(trx, idsOf(current)) };
}

/** Submissions by the person's links are the person's, whatever they say. */
async function eraseSentBy(
  trx: Transaction,
  formId: number,
  recipients: PersonRecipient[],
): Promise<Partial<ErasedCounts>> {
  const ids = recipients
    .filter(({ is_person }) => is_person)
    .flatMap(({ submission_id, earlier_ids }) => [submission_id ?? [], earlier_ids].flat());
  return eraseWithDependents(trx, formId, ids);
}

/** With the files that were uploaded for them and not sent. */
export async function eraseDrafts(
  trx: Transaction,
  { workspaceId }: Whose,
  { formId, drafts }: { formId: number; drafts: PersonDraft[] },
): Promise<Partial<ErasedCounts>> {
  if ((await holdForm(trx, formId)) !== workspaceId) return {};
  // All files come before the queue, as for whoever takes one of them at this moment.
  const files = await markUnheld(trx, formId, idsIn(drafts.flatMap(({ answers }) => textsIn(answers))));
  if (files > 0) await enqueueRemoval(trx, formId);
  return { files, drafts: await deleteDrafts(trx, drafts) };
}

/**
 * Decides again under the lock that edits take too: an answer may have been corrected meanwhile. Where only a former
 * answer has the value, the submission may be somebody else's: it stays, without its former answers.
 */
export async function eraseSubmissions(
  trx: Transaction,
  { workspaceId, value }: Whose,
  { form, found }: { form: PersonForm; found: number[] },
): Promise<Partial<ErasedCounts>> {
  const gate = await lockFormGate(trx, form.id);
  // When the form was moved away meanwhile, its new workspace decides.
  if (gate?.workspaceId !== workspaceId) return {};
  const candidates = await findSubmissionsAgain(trx, form.id, found);
  const hits = await hitsAmong(trx, form, candidates, value);
  const holding = hits.filter(({ fields }) => fields.length > 0);
  const corrected = hits.filter(({ fields }) => fields.length === 0);
  const erased = await eraseWithDependents(trx, form.id, submissionIds(holding));
  return addCounts(addCounts(NOTHING, erased), await erasePast(trx, form, submissionIds(corrected), value));
}

async function erasePast(
  trx: Transaction,
  form: PersonForm,
  ids: number[],
  value: Whose['value'],
): Promise<Partial<ErasedCounts>> {
  if (ids.length === 0) return {};
  const exports = await deleteExportsWith(trx, form.id, ids);
  const deliveries = await deleteDeliveriesBefore(trx, form, ids, value);
  return { exports, deliveries, changes: await deleteChanges(trx, form.id, ids) };
}

async function eraseWithDependents(
  trx: Transaction,
  formId: number,
  ids: number[],
): Promise<Partial<ErasedCounts>> {
  if (ids.length === 0) return {};
  const files = await countFiles(trx, formId, ids);
  const exports = await deleteExportsWith(trx, formId, ids);
  return { files, exports, ...(await deleteSubmissions(trx, formId, ids)) };
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}

function submissionIds(hits: readonly Hit[]): number[] {
  return hits.map(({ submission }) => submission.id);
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}
