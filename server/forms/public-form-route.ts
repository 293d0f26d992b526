import Type from 'typebox';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { publicFormNotFound } from '../http/errors.ts';
import { knowsFormPassword } from './form-password.ts';
import { presentPublicForm } from './present-form.ts';
import { findPublicForm } from './queries.ts';
import { PublicFormObject } from './response-schemas.ts';

/** Reading a form counts nothing and tells nothing of its owner. */
export function registerPublicFormRoute(app: App, context: Context): void {
  app.get(
    '/forms/:form',
    {
      config: { access: { kind: 'public' } },
      schema: {
        tags: ['Public'],
        summary: 'Read a published form',
        description:
          'A protected form shows its fields to the header `form-password`: the password or its lower-case SHA-256 hex.',
        params: Type.Object({ form: Type.String({ description: 'Slug or UUID' }) }),
        response: { 200: PublicFormObject },
      },
    },
    async (request) => {
      const form = await findPublicForm(context.db, request.params.form);
      if (!form) throw publicFormNotFound();
      const { id, password_hash: passwordHash } = form;
      const presented = request.headers['form-password'];
      const isLocked = !(await knowsFormPassword(context.db, { id, passwordHash }, presented, request.ip));
      return presentPublicForm(form, isLocked, { baseUrl: context.baseUrl(), now: new Date() });
    },
  );
}
