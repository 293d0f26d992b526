import type { JsonValue } from '../../fields/property.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { endpointChangesInForce } from '../deliveries/endpoints.ts';
import { deleteExportsWith } from '../exports/contained-queries.ts';
import { idsIn } from '../files/claim-files.ts';
import { markUnheld } from '../files/queries.ts';
import { enqueueRemoval } from '../files/remove-files.ts';
import { holdForm } from '../forms/queries.ts';
import { lockFormGate } from '../submissions/change-queries.ts';
import { deleteChanges } from '../submissions/changes/queries.ts';
import { deleteSubmissions } from '../submissions/queries.ts';
import {
  countFiles,
  deleteDeliveriesBefore,
  deleteDrafts,
  deleteInvites,
  deleteRecipients,
  type ErasedCounts,
  insertErasure,
  saveErasedCounts,
} from './erase-queries.ts';
import { valueHash } from './person-value.ts';
import { findRecipientsAgain, type PersonRecipient } from './recipient-queries.ts';
import {
  type Hit,
  hitsAmong,
  type Position,
  recipientsWith,
  type Sought,
  START,
  search,
  searchDrafts,
  searchRecipients,
  writeCursor,
} from './search.ts';
import { findInvites, findSubmissionsAgain, type PersonDraft, type PersonForm } from './search-queries.ts';

interface Erasure {
  /** Id of the record; null when nothing was erased. */
  id: number | null;
  counts: ErasedCounts;
  /** Position to continue from when the time was up; null when all is done. */
  cursor: string | null;
}

const TIME_LIMIT_MS = 8_000;
const NOTHING: ErasedCounts = {
  submissions: 0,
  changes: 0,
  files: 0,
  deliveries: 0,
  exports: 0,
  drafts: 0,
  invites: 0,
  recipients: 0,
};

type Parts = Pick<Context, 'db' | 'secrets'>;

/**
 * Removes everything a workspace stores about a person: submissions with everything made of them, drafts, invites,
 * entries in lists of recipients. Each step commits its removals together with their record, which holds numbers and a
 * keyed hash of the value. Afterwards nothing of it is sent any more, except requests already on the wire.
 * @param limitMs after this time it stops and returns where to continue
 */
export async function erasePerson(
  { db, secrets }: Parts,
  sought: Sought & { workspaceId: number },
  actor: Actor,
  { from = START, limitMs = TIME_LIMIT_MS }: { from?: Position; limitMs?: number } = {},
): Promise<Erasure> {
  const { workspaceId, value } = sought;
  const deadline = performance.now() + limitMs;
  let erasure: Erasure = { id: null, counts: NOTHING, cursor: null };
  await alongWithRecord((trx) => eraseInvites(trx));
  for await (const { formId, recipients } of searchRecipients(db, sought))
    if (recipients.length > 0) await alongWithRecord((trx) => eraseRecipients(trx, formId, recipients));
  for await (const drafts of searchDrafts(db, sought))
    for (const [formId, ofForm] of Map.groupBy(drafts, ({ form_id }) => form_id))
      await alongWithRecord((trx) => eraseDrafts(trx, formId, ofForm));
  for await (const { form, hits, next } of search(db, sought, from)) {
    const ids = hits.map(({ submission }) => submission.id);
    if (ids.length > 0) await alongWithRecord((trx) => eraseSubmissions(trx, form, ids));
    if (performance.now() > deadline) {
      erasure = { ...erasure, cursor: writeCursor(next) };
      break;
    }
  }
  if (erasure.counts.deliveries > 0) await endpointChangesInForce();
  return erasure;

  /** Erases in a transaction that also writes the record: the only place that records an erasure. */
  async function alongWithRecord(erase: (trx: Transaction) => Promise<Partial<ErasedCounts>>): Promise<void> {
    erasure = await db.transaction().execute(async (trx) => {
      const erased = await erase(trx);
      if (Object.values(erased).every((count) => count === 0)) return erasure;
      const counts = sum(erasure.counts, erased);
      const id = erasure.id ?? (await begin(trx));
      await saveErasedCounts(trx, id, counts);
      return { ...erasure, id, counts };
    });
  }

  async function begin(trx: Transaction): Promise<number> {
    const { userId, tokenId } = actor;
    const hash = valueHash(secrets, value);
    const id = await insertErasure(trx, {
      workspaceId,
      valueHash: hash,
      valueKind: value.kind,
      userId,
      tokenId,
    });
    await recordEvent(trx, actor, { verb: 'person.erased', workspaceId, details: { erasure_id: id } });
    return id;
  }

  async function eraseInvites(trx: Transaction): Promise<Partial<ErasedCounts>> {
    const invites = await findInvites(trx, workspaceId, value);
    return { invites: await deleteInvites(trx, idsOf(invites)) };
  }

  /** Searches again under the lock of the form, as somebody may be answering. */
  async function eraseRecipients(
    trx: Transaction,
    formId: number,
    found: PersonRecipient[],
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
  async function eraseDrafts(
    trx: Transaction,
    formId: number,
    drafts: PersonDraft[],
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
  async function eraseSubmissions(
    trx: Transaction,
    form: PersonForm,
    found: number[],
  ): Promise<Partial<ErasedCounts>> {
    const gate = await lockFormGate(trx, form.id);
    // When the form was moved away meanwhile, its new workspace decides.
    if (gate?.workspaceId !== workspaceId) return {};
    const candidates = await findSubmissionsAgain(trx, form.id, found);
    const hits = await hitsAmong(trx, form, candidates, value);
    const holding = hits.filter(({ fields }) => fields.length > 0);
    const corrected = hits.filter(({ fields }) => fields.length === 0);
    const erased = await eraseWithDependents(trx, form.id, submissionIds(holding));
    return sum(sum(NOTHING, erased), await erasePast(trx, form.id, submissionIds(corrected)));
  }

  async function erasePast(trx: Transaction, formId: number, ids: number[]): Promise<Partial<ErasedCounts>> {
    if (ids.length === 0) return {};
    const exports = await deleteExportsWith(trx, formId, ids);
    const deliveries = await deleteDeliveriesBefore(trx, formId, ids, value);
    return { exports, deliveries, changes: await deleteChanges(trx, formId, ids) };
  }
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

function sum(one: ErasedCounts, other: Partial<ErasedCounts>): ErasedCounts {
  const entries = Object.entries(one).map(([kind, count]) => [
    kind,
    count + (other[kind as keyof ErasedCounts] ?? 0),
  ]);
  return Object.fromEntries(entries) as unknown as ErasedCounts;
}
