import { FORM_WRITING, formOf } from '../../access/guard.ts';
import { actorOf } from '../../audit/actor.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { success } from '../../http/schemas/success.ts';
import { importSubmissions } from './import-submissions.ts';
import { importSchema } from './schemas.ts';

export function registerImportRoutes(app: App, context: Context): void {
  app.post(
    '/open/forms/:form/submissions/import',
    { config: FORM_WRITING, schema: importSchema },
    async (request) => {
      const { submissions, check_only: isCheck = false, skip_invalid: skipsInvalid = false } = request.body;
      const { skip_alike: skipsAlike = false } = request.body;
      const how = { isCheck, skipsInvalid, skipsAlike, actor: actorOf(request) };
      const form = formOf(request);
      const { newCount, found, alike, refused } = await importSubmissions(context, form, submissions, how);
      return success(isCheck ? 'Submissions successfully checked.' : 'Submissions successfully imported.', {
        stored: newCount,
        already_there: found.filter(({ isNew }) => !isNew).length,
        submissions: found.map(({ index, id, isNew }) => ({ index, id, is_new: isNew })),
        alike,
        refused,
      });
    },
  );
}
