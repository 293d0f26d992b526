import { randomUUID } from 'node:crypto';
import { isNeverAnswered } from '../../../fields/former-answers/unmendable.ts';
import { type Answers, addError, emptyErrorBag } from '../../../fields/property.ts';
import type { Context } from '../../context.ts';
import { invalid } from '../../http/errors.ts';
import { dueFor, refuseUnpaidChange } from '../../payments/due.ts';
import { formForChange, formForGoingOn } from '../form-for-change.ts';
import type { PublishedForm } from '../published-form/published-form.ts';
import { findSubmission } from '../queries.ts';
import type { Change } from '../store-change.ts';
import { type Envelope, readEnvelope } from './envelope.ts';
import { judgeAnswers } from './judge-answers.ts';
import { openSubmissionHash } from './submission-hash.ts';

/**
 * Reads what a request asks for, and checks its answers against the form.
 * @param request.pageLanguage problems are told as the form's page in this language words them
 * @returns the change to be made, with the answers to store
 * @throws HttpError 422 with every problem at once
 */
export async function judgeSubmission(
  context: Context,
  form: PublishedForm,
  { body, pageLanguage }: { body: Answers; pageLanguage?: string | undefined },
) {
  const errors = emptyErrorBag();
  const envelope = readEnvelope(body, errors);
  if (envelope.isPartial && !form.takesPartials)
    addError(errors, 'is_partial', 'This form does not take partial submissions.');
  const change = readChange(context, form, envelope);
  if (!change) addError(errors, 'submission_hash', 'The selected submission hash is invalid.');
  if (change?.kind === 'new_partial' && form.isEditable && envelope.submissionId !== null)
    addError(errors, 'is_partial', 'A completed submission cannot become partial.');
  const before = change && (await answersBefore(context, form, change));
  const rules =
    change?.kind === 'edit' ? formForChange(form, before, body) : formForGoingOn(form, before ?? null);
  const judged = await judgeAnswers(context.db, rules, body, errors, {
    partial: envelope.isPartial,
    ownPublicId: change?.kind === 'edit' ? change.publicId : null,
    publicId: change?.publicId ?? randomUUID(),
    before,
    wasComplete: change?.kind === 'edit',
    ...(pageLanguage !== undefined && { rulesToTell: rules.inLanguage(pageLanguage).pageRules }),
  });
  if (!change) throw invalid(errors);
  if (envelope.isPartial && Object.keys(judged.answers).length === 0)
    throw invalid({ is_partial: ['At least one field must have a value for partial submissions.'] });
  const { answers, lookedAt } = judged;
  const how = { pageLanguage, existsInSubmissions: judged.existsInSubmissions ?? undefined };
  const { publicId } = change;
  if (change.kind === 'edit') await refuseUnpaidChange(context, form, { publicId, before, answers }, how);
  const isComplete = change.kind === 'new' || change.kind === 'complete';
  const due = isComplete ? dueFor(form, answers, how) : null;
  return { ...change, answers, lookedAt, due };
}

/**
 * The stored answers of the submission that is changed, where they matter: in them answers may be removed, or generated and to stay, or
 * stay although they no longer fit.
 */
async function answersBefore(
  { db }: Context,
  { id, compiled, properties }: PublishedForm,
  { kind, publicId }: { kind: Change['kind']; publicId: string },
): Promise<Answers | null> {
  if (kind === 'new' || kind === 'new_partial') return null;
  const isOfInterest =
    kind === 'edit' || compiled.generatedIds.length > 0 || properties.some(isNeverAnswered);
  if (!isOfInterest) return null;
  return (await findSubmission(db, id, { public_id: publicId }))?.data ?? null;
}

/** @returns null for a `submission_hash` that was not made for this form. */
function readChange(context: Context, form: PublishedForm, envelope: Envelope) {
  const { isPartial, completionTime, attribution } = envelope;
  const common = { completionTime, attribution };
  if (envelope.submissionHash !== null) {
    const publicId = openSubmissionHash(context.secrets, form.id, envelope.submissionHash);
    if (publicId === null) return null;
    return { kind: isPartial ? ('update_partial' as const) : ('complete' as const), publicId, ...common };
  }
  if (isPartial) return { kind: 'new_partial' as const, publicId: randomUUID() as string, ...common };
  if (envelope.submissionId !== null && form.isEditable)
    return { kind: 'edit' as const, publicId: envelope.submissionId, ...common };
  return { kind: 'new' as const, publicId: randomUUID() as string, ...common };
}
