import { FORM_READING, FORM_WRITING, formOf } from '../../access/guard.ts';
import { actorOf } from '../../audit/actor.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { notFound } from '../../http/errors.ts';
import { success } from '../../http/schemas/success.ts';
import { presentNamedForm } from '../named-form.ts';
import { presentVersion, presentWholeVersion } from './present-version.ts';
import { findVersion, listVersions } from './queries.ts';
import { restoreVersion } from './restore-version.ts';
import { listVersionsSchema, readVersionSchema, restoreVersionSchema } from './schemas.ts';

/** Former versions of a form, to look at and to restore. */
export function registerFormVersionRoutes(app: App, context: Context): void {
  const { db } = context;

  app.get(
    '/open/forms/:form/versions',
    { config: FORM_READING, schema: listVersionsSchema },
    async (request) => (await listVersions(db, formOf(request).id)).map(presentVersion),
  );

  app.get(
    '/open/forms/:form/versions/:version',
    { config: FORM_READING, schema: readVersionSchema },
    async (request) => {
      const found = await findVersion(db, formOf(request).id, numbered(request.params.version));
      if (!found) throw notFound('Version');
      return presentWholeVersion(found);
    },
  );

  app.post(
    '/open/forms/:form/versions/:version/restore',
    { config: FORM_WRITING, schema: restoreVersionSchema },
    async (request) => {
      const version = numbered(request.params.version);
      const { over = null } = request.query;
      const restoring = { version, over, actor: actorOf(request) };
      const newest = await restoreVersion(context, formOf(request), restoring);
      return success(`The form is what it was as version ${version}.`, {
        version: newest,
        form: await presentNamedForm(context, request),
      });
    },
  );
}

/** @throws HttpError 404 if the text cannot be a version */
function numbered(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound('Version');
  return Number(text);
}
