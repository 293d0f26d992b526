import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Context } from '../context.ts';
import { publicFormNotFound } from '../http/errors.ts';
import { Refusal } from '../http/schemas/problem.ts';
import { linkHolderOf } from '../recipients/personal-link.ts';
import { knowsFormPassword } from './form-password.ts';
import { currentView, presentPublicForm } from './present-form.ts';
import { findPublicForm } from './queries.ts';
import { PublicFormObject } from './response-schemas.ts';

/** Describes reading a published form; browsers get its page at the same address. */
export const publicFormSchema = {
  tags: ['Public'],
  summary: 'Read a published form',
  description:
    'JSON, or the page of the form when the request accepts `text/html`. A protected form shows its fields when the ' +
    'header `form-password` holds the password or its lower-case SHA-256 hex; one that is answered by personal link only, when ' +
    '`personal` is the code of one; one that opens later, from then on.',
  params: Type.Object({ form: Type.String({ description: 'Slug or UUID' }) }),
  querystring: Type.Object({
    personal: Type.Optional(Type.String({ description: 'Code in the address of a personal link.' })),
  }),
  headers: Type.Object({
    'form-password': Type.Optional(
      Type.String({ description: 'Password of a protected form, or its SHA-256 in hex.' }),
    ),
  }),
  response: { 200: PublicFormObject, 404: Refusal('`form_not_found`') },
};

/**
 * The form object for anybody. Reading it is not counted as a view, and reveals nothing about its owner. Who would not see the questions
 * on the page does not see them here either; those of a closed form are shown, as to existing clients.
 */
export async function showPublicForm(context: Context, request: FastifyRequest, ref: string) {
  const form = await findPublicForm(context.db, ref);
  if (!form) throw publicFormNotFound();
  const view = currentView(context);
  const { id, password_hash: passwordHash, opens_at: opensAt } = form;
  const presented = request.headers['form-password'];
  const isLocked =
    !(await knowsFormPassword(context.db, { id, passwordHash }, presented, request.ip)) ||
    (opensAt !== null && view.now < opensAt) ||
    (await lacksPersonalLink(context, form, (request.query as { personal?: unknown }).personal));
  return presentPublicForm(form, isLocked, view);
}

async function lacksPersonalLink(
  context: Context,
  { uuid }: { uuid: string },
  code: unknown,
): Promise<boolean> {
  const form = await context.publishedForms.findCurrent(uuid);
  if (!form?.personalLinks?.required) return false;
  return (await linkHolderOf(context, form, code)) === null;
}
