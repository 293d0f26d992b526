import { randomBytes } from 'node:crypto';
import { type Access, callerOf, FORM_WRITING, formOf } from '../access/guard.ts';
import { hashToken } from '../access/token-format.ts';
import { actorOf } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import { holdFormIn, lockFormIn } from '../forms/lock-form.ts';
import type { App } from '../http/app-type.ts';
import { invalid, notFound } from '../http/errors.ts';
import { requireId } from '../http/schemas/ids.ts';
import { success } from '../http/schemas/success.ts';
import { serviceRoot } from './odata/links.ts';
import { deleteLiveTable, insertLiveTable, listLiveTables } from './queries.ts';
import { registerReading } from './read-table.ts';
import { createSchema, deleteSchema, listSchema, MAX_LIVE_TABLES } from './schemas.ts';

const TOKEN_BYTES = 32;

const reading: Access = { kind: 'form', ability: 'forms-read', role: 'user', in: 'path' };
/** The link can read every answer, longer than a token may live. */
const making: Access = { ...FORM_WRITING.access, and: 'forms-read' };

export function registerLiveTableRoutes(app: App, context: Context): void {
  const { db } = context;

  app.get(
    '/open/forms/:form/live-tables',
    { config: { access: reading }, schema: listSchema },
    async (request) => {
      const tables = await listLiveTables(db, formOf(request).id);
      return tables.map(({ created_at, last_read_at, ...table }) => ({
        ...table,
        created_at: created_at.toISOString(),
        last_read_at: last_read_at?.toISOString() ?? null,
      }));
    },
  );

  app.post(
    '/open/forms/:form/live-tables',
    { config: { access: making }, schema: createSchema },
    async (request) => {
      const name = request.body.name.trim();
      const form = formOf(request);
      const token = randomBytes(TOKEN_BYTES).toString('hex');
      const { userId } = callerOf(request);
      const id = await db.transaction().execute(async (trx) => {
        await lockFormIn(trx, form);
        if ((await listLiveTables(trx, form.id)).length >= MAX_LIVE_TABLES)
          throw invalid({ name: [`A form may not have more than ${MAX_LIVE_TABLES} live tables.`] });
        const made = await insertLiveTable(trx, form.id, { name, tokenHash: hashToken(token), userId });
        const event = { verb: 'live_table.created', formId: form.id, target: { id: made, name } } as const;
        await recordEvent(trx, actorOf(request), event);
        return made;
      });
      const base = context.baseUrl();
      const addresses = { url: `${base}/live-tables/${token}.csv`, odata_url: serviceRoot(base, token) };
      return success('Live table successfully created.', { id, ...addresses });
    },
  );

  app.delete(
    '/open/forms/:form/live-tables/:tableId',
    { config: FORM_WRITING, schema: deleteSchema },
    async (request) => {
      const form = formOf(request);
      const id = requireId(request.params.tableId, 'Live table');
      await db.transaction().execute(async (trx) => {
        await holdFormIn(trx, form);
        const name = await deleteLiveTable(trx, form.id, id);
        if (name === null) throw notFound('Live table');
        await recordEvent(trx, actorOf(request), {
          verb: 'live_table.deleted',
          formId: form.id,
          target: { id, name },
        });
      });
      return success('Live table successfully deleted.');
    },
  );

  registerReading(app, context);
}
