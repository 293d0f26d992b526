import { isRemoved } from '../../../fields/block-options/answer-retention.ts';
import { askedAnswers, unaskedAnswers, withGoneRows } from '../../../fields/former-answers/unseen-answers.ts';
import { type Answers, emptyErrorBag, ownMember } from '../../../fields/property.ts';
import { serverEngines } from '../../../fields/server-engines.ts';
import type { Actor } from '../../audit/actor.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { dropFiles } from '../../files/claim-files.ts';
import { linkSource } from '../../files/file-links.ts';
import { refuseMoved } from '../../forms/lock-form.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import { isUnderWay, type ReceivedPayment, receivedFor } from '../../payments/checkout.ts';
import { judgeAnswers, numberAnswers } from '../acceptance/judge-answers.ts';
import { insertConfirmedAddress } from '../confirmation/queries.ts';
import { formForRelease } from '../form-for-change.ts';
import { lookAtForm } from '../look-at-form.ts';
import { withPresentNames } from '../option-places-queries.ts';
import { type PublishedForm, preparePublishedForm } from '../published-form/published-form.ts';
import { findOwnForm } from '../published-form/queries.ts';
import { findSubmission } from '../queries.ts';
import { storeChange } from '../store-change.ts';
import { lockFormGate } from '../store-queries.ts';
import { findOneSetAside, type SetAsideRow, takeSetAside } from './queries.ts';

/** How something is released. */
interface Releasing {
  /** Who does it; null = its sender, who has confirmed the address or paid. */
  actor: Actor | null;
  /** What was paid for it; by default what is known of it, as for what was paid but refused. */
  payment?: ReceivedPayment | null;
}

/**
 * Stores what was set aside as if it arrived now: it is checked against the form as it is, numbered, counted and delivered. It stays
 * aside if it is refused. It keeps the moment at which it came, and its public id. What was to complete a partial submission completes it.
 * @param named.workspaceId null if it does not matter where the form is
 * @param how who releases it, and what was paid for it
 * @returns its numeric id
 * @throws HttpError 404 when it is not there any more, 409 when the form is full or was moved or somebody is paying just now, 422 when the answers do not fit it
 */
export function releaseSubmission(
  context: Context,
  named: { id: number; workspaceId: number | null },
  id: number,
  how: Releasing,
): Promise<number> {
  return lookAtForm(
    context.db,
    () => named.id,
    async () => {
      const held = await findOneSetAside(context.db, named.id, id);
      const row = held && (await findOwnForm(context.db, named.id));
      if (!row) throw notFound('Submission');
      if (named.workspaceId !== null) refuseMoved(row.workspaceId, named.workspaceId);
      const form = preparePublishedForm(row, serverEngines, linkSource(context));
      return releaseOnce(context, form, held, how);
    },
  );
}

/** @returns null when the form, or what was set aside, has changed since it was read: try again */
async function releaseOnce(
  context: Context,
  form: PublishedForm,
  held: SetAsideRow,
  { actor, payment = receivedFor(held) }: Releasing,
): Promise<number | null> {
  const { db } = context;
  if (payment === null && isUnderWay(held.checkout)) throw beingPaid();
  const { public_id: publicId, attribution, completion_time: completionTime } = held;
  const begun = await findSubmission(db, form.id, { public_id: publicId });
  // A member has completed it meanwhile: what its sender had sent was there before.
  if (begun?.status === 'completed') {
    if (payment !== null) throw answeredOtherwise();
    return (await dropSetAside(db, form, held, actor)) ? begun.id : null;
  }
  const { data, answers, lookedAt, fields } = await judgeHeld(db, form, held);
  await numberAnswers(db, form, answers);
  const given = { sent: data, now: answers };
  const outcome = await storeChange(context, form, {
    kind: begun ? 'complete' : 'new',
    publicId,
    answers: {
      ...withoutField(form, data),
      ...answers,
      ...unaskedAnswers(fields, data, given),
      ...withGoneRows(fields, data, given),
      ...referenceOf(form, payment),
    },
    lookedAt,
    attribution: attribution as Record<string, string> | null,
    completionTime,
    idempotency: null,
    linkHolder: null,
    released: { held, actor, payment },
  });
  switch (outcome.kind) {
    case 'stored':
      return (await findSubmission(db, form.id, { public_id: publicId }))?.id ?? null;
    case 'full':
      throw new HttpError(
        409,
        'The form has received all the submissions it takes. Raise its limit, then release this one again.',
        { error: 'form_full' },
      );
    default:
      return null;
  }
}

/** Checks what was set aside against the form as it is. @throws HttpError 422 */
async function judgeHeld(db: Db, form: PublishedForm, held: SetAsideRow) {
  const data = await withPresentNames(db, form, held.data);
  const rules = formForRelease(form, data);
  const { fields } = rules.compiled;
  const asked = askedAnswers(fields, data, data);
  const judged = await judgeAnswers(db, rules, asked, emptyErrorBag(), {
    partial: false,
    ownPublicId: null,
    publicId: held.public_id,
    before: null,
    now: held.created_at,
  });
  return { data, fields, ...judged };
}

/** Why releasing this now would be refused for its answers; null when it would not. */
export async function wouldRefuse(context: Context, formId: number, id: number): Promise<HttpError | null> {
  const held = await findOneSetAside(context.db, formId, id);
  const row = held && (await findOwnForm(context.db, formId));
  if (!row) return null;
  const form = preparePublishedForm(row, serverEngines, linkSource(context));
  const refusal = await judgeHeld(context.db, form, held).catch((error: unknown) => error);
  if (refusal instanceof HttpError) return refusal;
  if (refusal instanceof Error) throw refusal;
  return null;
}

/** The answer to the payment block is the reference of the payment. */
function referenceOf({ payment: block }: PublishedForm, payment: ReceivedPayment | null): Answers {
  return block && payment ? { [block.id]: payment.reference } : {};
}

/** Told to members who would let in, or delete, what may be being paid. */
export function beingPaid(): HttpError {
  return new HttpError(409, 'Its sender may be paying for it just now. Please try again later.', {
    error: 'payment_open',
  });
}

function answeredOtherwise(): HttpError {
  return new HttpError(409, 'The same submission has been completed otherwise meanwhile.', {
    error: 'already_answered',
  });
}

/** What its sender has confirmed is noted where the answers still have the address. @returns false when it is not there any more */
function dropSetAside(
  db: Db,
  { id: formId, confirmsEmail }: PublishedForm,
  held: SetAsideRow,
  actor: Actor | null,
): Promise<boolean> {
  const { public_id: publicId, unconfirmed_address: address, unconfirmed_field: kept } = held;
  const fieldId = kept ?? confirmsEmail;
  return db.transaction().execute(async (trx) => {
    await lockFormGate(trx, formId);
    if (!(await takeSetAside(trx, formId, held))) return false;
    const live = await findSubmission(trx, formId, { public_id: publicId });
    // Moved to the trash meanwhile, it keeps its files: it may come back.
    if (!live) return true;
    const { data } = live;
    await dropFiles(trx, formId, publicId, data);
    if (actor === null && address !== null && fieldId !== null && ownMember(data, fieldId) === address)
      await insertConfirmedAddress(trx, formId, publicId, { address, fieldId, at: new Date() });
    return true;
  });
}

/** Answers to fields that the form no longer has, and the marks of those that their fields' retention removed. */
function withoutField({ compiled }: PublishedForm, data: Answers): Answers {
  const present = new Set(compiled.fields.map(({ id }) => id));
  return Object.fromEntries(Object.entries(data).filter(([id]) => !present.has(id) || isRemoved(data, id)));
}
