import type { FastifyRequest } from 'fastify';
import { formOf } from '../access/guard.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { currentView, presentForm } from './present-form.ts';
import { type FormRow, findForm } from './queries.ts';

/** The form that a guarded request names, as it is now. @throws HttpError 404 when it has been deleted meanwhile */
export function namedForm(db: Db, request: FastifyRequest): Promise<FormRow> {
  return formById(db, formOf(request).id);
}

/** @throws HttpError 404 */
export async function formById(db: Db, id: number): Promise<FormRow> {
  const form = await findForm(db, id);
  if (!form) throw notFound('Form');
  return form;
}

/** The form of `namedForm` as its caller may read it, for the response after a change. */
export async function presentNamedForm(context: Context, request: FastifyRequest) {
  const form = await namedForm(context.db, request);
  return presentForm(form, formOf(request).role, currentView(context));
}
