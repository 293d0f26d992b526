import type { FastifyRequest } from 'fastify';
import type { Property } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import { invalid, publicFormNotFound } from '../http/errors.ts';
import { inVisitorsLanguage } from '../public-pages/page/page-language.ts';
import { checkFormPassword, refuseIfClosed } from '../submissions/acceptance/form-access.ts';
import type { PublishedForm } from '../submissions/published-form/published-form.ts';

/**
 * The form that a request sends a file to, in the sender's language. Not an outdated one from the cache: a file for that might be
 * refused later.
 * @throws HttpError 403 when it is closed or the password is wrong, 404, 429 after too many wrong passwords
 */
export async function formOfUpload(context: Context, request: FastifyRequest): Promise<PublishedForm> {
  const { form: ref } = request.params as { form: string };
  const current = await context.publishedForms.findCurrent(ref);
  if (!current) throw publicFormNotFound();
  const form = inVisitorsLanguage(current, request);
  refuseIfClosed(form);
  await checkFormPassword(context, form, request.headers['form-password'] as string | undefined, request.ip);
  return form;
}

/** @throws HttpError 422 on `field` unless that field accepts files */
export function fieldOfUpload(form: PublishedForm, id: string | undefined): Property {
  if (id === undefined || id === '') throw invalid({ field: ['The field field is required.'] });
  const field = form.properties.find((property) => property.id === id);
  if (!field || !form.compiled.fileFieldIds.includes(id))
    throw invalid({ field: ['The selected field is invalid.'] });
  return field;
}
