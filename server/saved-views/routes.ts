import { isDeepStrictEqual } from 'node:util';
import { callerOf, FORM_READING, FORM_WRITING, formOf } from '../access/guard.ts';
import { actorOf } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { holdFormIn, lockFormIn } from '../forms/lock-form.ts';
import type { App } from '../http/app-type.ts';
import { invalid, notFound } from '../http/errors.ts';
import { saveNamed } from '../http/save-named.ts';
import { requireId } from '../http/schemas/ids.ts';
import { success } from '../http/schemas/success.ts';
import { findListFields } from '../submissions/lists/queries.ts';
import { completeDefinition, type Fields, fieldsOf, fitDefinition, problemsOf } from './definition.ts';
import {
  countSavedViews,
  deleteSavedView,
  findSavedView,
  insertSavedView,
  listSavedViews,
  NAME_INDEX,
  type SavedViewRow,
  updateSavedView,
} from './queries.ts';
import {
  createSchema,
  type Definition,
  type DefinitionBody,
  deleteSchema,
  listSchema,
  MAX_SAVED_VIEWS,
  type SavedView,
  updateSchema,
} from './schemas.ts';

const UNIQUE_NAME = { noun: 'saved view', index: NAME_INDEX };

export function registerSavedViewRoutes(app: App, { db }: Context): void {
  app.get('/open/forms/:form/saved-views', { config: FORM_READING, schema: listSchema }, async (request) => {
    const { id } = formOf(request);
    const [views, properties] = await Promise.all([listSavedViews(db, id), findListFields(db, id)]);
    const fields = fieldsOf(properties);
    return views.map((view) => presentSavedView(view, fields));
  });

  app.post(
    '/open/forms/:form/saved-views',
    { config: FORM_WRITING, schema: createSchema },
    async (request) => {
      const form = formOf(request);
      const name = request.body.name.trim();
      const view = await saveNamed(db, UNIQUE_NAME, async (trx) => {
        const fields = fieldsIn(await lockFormIn(trx, form));
        if ((await countSavedViews(trx, form.id)) >= MAX_SAVED_VIEWS)
          throw invalid({ name: [`A form may not have more than ${MAX_SAVED_VIEWS} saved views.`] });
        const definition = checked(request.body.definition, fields);
        const { userId } = callerOf(request);
        const id = await insertSavedView(trx, form.id, { name, definition, userId });
        const event = { verb: 'saved_view.created', formId: form.id, target: { id, name } } as const;
        await recordEvent(trx, actorOf(request), event);
        return presentSavedView(await savedViewIn(trx, form.id, id), fields);
      });
      return success('Saved view successfully created.', { view });
    },
  );

  app.put(
    '/open/forms/:form/saved-views/:viewId',
    { config: FORM_WRITING, schema: updateSchema },
    async (request) => {
      const form = formOf(request);
      const id = requireId(request.params.viewId, 'Saved view');
      const { body } = request;
      const view = await saveNamed(db, UNIQUE_NAME, async (trx) => {
        const fields = fieldsIn(await lockFormIn(trx, form));
        const before = await savedViewIn(trx, form.id, id);
        const after = {
          name: body.name?.trim() ?? before.name,
          definition: body.definition ? checked(body.definition, fields) : before.definition,
        };
        const changed = (['name', 'definition'] as const).filter(
          (member) => !isDeepStrictEqual(after[member], before[member]),
        );
        if (changed.length > 0) {
          await updateSavedView(trx, id, after);
          const target = { id, name: after.name };
          const event = { verb: 'saved_view.changed', formId: form.id, target } as const;
          await recordEvent(trx, actorOf(request), { ...event, details: { fields: changed } });
        }
        return presentSavedView(await savedViewIn(trx, form.id, id), fields);
      });
      return success('Saved view successfully updated.', { view });
    },
  );

  app.delete(
    '/open/forms/:form/saved-views/:viewId',
    { config: FORM_WRITING, schema: deleteSchema },
    async (request) => {
      const form = formOf(request);
      const id = requireId(request.params.viewId, 'Saved view');
      await db.transaction().execute(async (trx) => {
        await holdFormIn(trx, form);
        const name = await deleteSavedView(trx, form.id, id);
        if (name === null) throw notFound('Saved view');
        const event = { verb: 'saved_view.deleted', formId: form.id, target: { id, name } } as const;
        await recordEvent(trx, actorOf(request), event);
      });
      return success('Saved view successfully deleted.');
    },
  );
}

async function savedViewIn(trx: Transaction, formId: number, id: number): Promise<SavedViewRow> {
  const row = await findSavedView(trx, formId, id);
  if (!row) throw notFound('Saved view');
  return row;
}

function fieldsIn({ properties, removed_properties }: Awaited<ReturnType<typeof lockFormIn>>): Fields {
  return fieldsOf([...properties, ...removed_properties]);
}

/** @throws HttpError 422 with all problems */
function checked(body: DefinitionBody, fields: Fields): Definition {
  const definition = completeDefinition(body);
  const problems = problemsOf(definition, fields);
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return definition;
}

function presentSavedView(row: SavedViewRow, fields: Fields): SavedView {
  const { id, name, created_at, created_by, updated_at } = row;
  return {
    id,
    name,
    ...fitDefinition(row.definition, fields),
    created_at: created_at.toISOString(),
    created_by,
    updated_at: updated_at.toISOString(),
  };
}
