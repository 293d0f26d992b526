import type { JsonObject } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import { compilePayload, wholeBody } from '../deliveries/payload.ts';
import { sampleSubmission } from '../deliveries/sample-submission.ts';
import { linkSource } from '../files/file-links.ts';
import { notFound } from '../http/errors.ts';
import { findDeliveredForm } from '../submissions/published-form/published-form.ts';
import { findProofs } from '../submissions/webhook-body/find-proofs.ts';
import { findLatestSubmission, PARTNER } from './queries.ts';

/** One delivery body as a hook gets it: of the latest complete submission, or made up when there is none. */
export async function recentSubmissions(context: Context, formId: number): Promise<JsonObject[]> {
  const form = await findDeliveredForm(context.db, formId);
  if (!form) throw notFound('Form');
  const latest = await findLatestSubmission(context.db, formId);
  const submission = latest
    ? { ...latest, ...(await findProofs(context.db, formId, latest.publicId)) }
    : sampleSubmission(form);
  const writePayload = compilePayload(form, PARTNER, linkSource(context));
  return [JSON.parse(wholeBody(writePayload(submission), submission.id)) as JsonObject];
}
