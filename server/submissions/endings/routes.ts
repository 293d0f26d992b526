import { FORM_READING, formOf } from '../../access/guard.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { findKnownEndings } from './queries.ts';
import { endingsSchema } from './schemas.ts';

export function registerEndingRoutes(app: App, context: Context): void {
  app.get('/open/forms/:form/endings', { config: FORM_READING, schema: endingsSchema }, async (request) => ({
    data: await findKnownEndings(context.db, formOf(request).id),
  }));
}
