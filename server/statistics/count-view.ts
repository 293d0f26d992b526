import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { PublishedForm } from '../submissions/published-form/published-form.ts';
import { countProgress, hasStep } from './progress.ts';
import { firstTime } from './visit-memory.ts';
import { deviceOf, isPerson, referrerHost } from './visitor.ts';

type Parts = Pick<Context, 'visits'>;

/**
 * Counts a form's page shown to a person: the first page as a view. A further page of the same visit, which only browsers
 * without our script request, counts as a step.
 */
export function countPage(
  parts: Parts,
  form: PublishedForm,
  request: FastifyRequest,
  { visitId, step }: { visitId: string | null; step: number },
): void {
  if (visitId === null) countView(parts, form, request);
  // A step that the form does not have would be remembered and never counted.
  else if (step > 0 && hasStep(form, step) && isPerson(request) && firstTime(visitId, `step ${step}`))
    countProgress(parts, form, { steps: [step] });
}

/** Counts the beginning of a visit, except for programs and for pages loaded ahead of a visit that may never come. */
export function countView({ visits }: Parts, form: PublishedForm, request: FastifyRequest): void {
  if (request.method === 'HEAD' || !isPerson(request)) return;
  const host = referrerHost(request);
  visits.add(form.id, 'view', deviceOf(request));
  if (host !== null) visits.add(form.id, 'referrer', host);
}
