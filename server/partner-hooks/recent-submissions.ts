import type { JsonObject } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import { deliveryPayload } from '../deliveries/payload.ts';
import { findPayloadForm } from '../deliveries/queries.ts';
import { sampleSubmission } from '../deliveries/sample-submission.ts';
import { linkSource } from '../files/file-links.ts';
import { notFound } from '../http/errors.ts';
import { findLatestSubmission, PARTNER } from './queries.ts';

/** One delivery body as a hook gets it: of the latest complete submission, or made up when there is none. */
export async function recentSubmissions(context: Context, formId: number): Promise<JsonObject[]> {
  const form = await findPayloadForm(context.db, formId);
  if (!form) throw notFound('Form');
  const submission = (await findLatestSubmission(context.db, formId)) ?? sampleSubmission(form.properties);
  return [JSON.parse(deliveryPayload(form, PARTNER, submission, linkSource(context))) as JsonObject];
}
