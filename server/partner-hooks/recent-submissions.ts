import type { JsonObject } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import { deliveryPayload } from '../deliveries/payload.ts';
import { notFound } from '../http/errors.ts';
import { findLatestSubmission, findPayloadForm, PARTNER } from './queries.ts';
import { sampleAnswers } from './sample-answers.ts';

const SAMPLE_SUBMISSION = { id: 1, publicId: '00000000-0000-4000-8000-000000000000', attribution: null };

/** One delivery body, as a hook would get it: of the latest complete submission, or made up while there is none. */
export async function recentSubmissions(context: Context, formId: number): Promise<JsonObject[]> {
  const form = await findPayloadForm(context.db, formId);
  if (!form) throw notFound('Form');
  const latest = await findLatestSubmission(context.db, formId);
  const submission = latest ?? { ...SAMPLE_SUBMISSION, answers: sampleAnswers(form.properties) };
  const { head, tail } = deliveryPayload(form, PARTNER, submission, context.baseUrl());
  return [JSON.parse(`${head}${submission.id}${tail}`) as JsonObject];
}
