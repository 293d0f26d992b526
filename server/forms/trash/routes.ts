import { FORM_WRITING, formOf } from '../../access/guard.ts';
import { FormParams } from '../../access/path-params.ts';
import { actorOf } from '../../audit/actor.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { success } from '../../http/schemas/success.ts';
import { TRASH_DAYS } from '../../trash-time.ts';
import { presentNamedForm } from '../named-form.ts';
import { FormAnswer } from '../response-schemas.ts';
import { takeOutOfTrash, trashForm } from './trash-form.ts';

const response = { 200: FormAnswer };

/** A form can go into the trash before it is deleted, so that a wrong click loses no answers. */
export function registerTrashRoutes(app: App, context: Context): void {
  app.post(
    '/open/forms/:form/trash',
    {
      config: FORM_WRITING,
      schema: {
        tags: ['Forms'],
        summary: 'Put a form into the trash',
        description:
          `Takes the form offline like a draft; only \`?status=trash\` lists it. After ${TRASH_DAYS} days it is deleted with all its ` +
          'answers. Repeating the call changes nothing.',
        params: FormParams,
        response,
      },
    },
    async (request) => {
      await trashForm(context, formOf(request), actorOf(request));
      return success('The form is in the trash.', { form: await presentNamedForm(context, request) });
    },
  );

  app.delete(
    '/open/forms/:form/trash',
    {
      config: FORM_WRITING,
      schema: {
        tags: ['Forms'],
        summary: 'Take a form out of the trash',
        description:
          'The form is again what it was: open, closed or a draft. Repeating the call changes nothing.',
        params: FormParams,
        response,
      },
    },
    async (request) => {
      await takeOutOfTrash(context, formOf(request), actorOf(request));
      return success('The form is back.', { form: await presentNamedForm(context, request) });
    },
  );
}
