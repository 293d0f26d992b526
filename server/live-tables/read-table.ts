import { Readable } from 'node:stream';
import { hashToken } from '../access/token-format.ts';
import type { Context } from '../context.ts';
import { databaseOn, openPool } from '../db/database.ts';
import { resolveColumns } from '../exports/columns/columns.ts';
import { giveWay } from '../exports/give-way.ts';
import { EXPORT_SETTINGS, openExport } from '../exports/open-export.ts';
import { sendExport } from '../exports/send-export.ts';
import { createFileLinks, linkSeconds, linkSource } from '../files/file-links.ts';
import type { App } from '../http/app-type.ts';
import { notFound } from '../http/errors.ts';
import { whenClientLeaves } from '../http/response/client-left.ts';
import { registerOData } from './odata/serve.ts';
import { findLinkedTable, type LinkedTable, noteRead } from './queries.ts';
import { questionIds } from './questions.ts';
import { readSchema } from './schemas.ts';

/** Tables that a process writes at a time; others wait for their turn. */
const CONNECTIONS = 2;
/** Spreadsheets often ask in the same minute, and not again for an hour. */
const WAIT_MS = 60_000;
/** After this time a slow reading ends if others wait: its reader could keep them waiting for ever. */
const TURN_MS = 30_000;
const FILE = /^([0-9a-f]{64})\.csv$/;

/** Reading needs only the link: spreadsheets send no credentials. */
export function registerReading(app: App, context: Context): void {
  const { db, log } = context;
  const pool = openPool(context.connection, (err) => log.warn({ err }, 'live table connection lost'), {
    max: CONNECTIONS,
    connectionTimeoutMillis: WAIT_MS,
    statement_timeout: 0,
    settings: EXPORT_SETTINGS,
  });
  app.addHook('onClose', () => pool.end());

  app.get(
    '/live-tables/:file',
    { config: { access: { kind: 'public' } }, schema: readSchema },
    async (request, reply) => {
      const leaving = whenClientLeaves(reply);
      const [, token] = FILE.exec(request.params.file) ?? [];
      const table = token === undefined ? null : await findLinkedTable(db, hashToken(token));
      if (!table) throw notFound('File');
      const { formId, slug } = table;
      if (request.method === 'HEAD')
        return sendExport(request, reply, { file: Readable.from([]), format: 'csv', slug });
      await noteRead(db, table.id);
      const fileLinks = createFileLinks(linkSource(context), formId, linkSeconds(table.linkHours));
      const order = {
        formId,
        columns: columnsOf(table),
        entriesOf: null,
        submissionIds: null,
        fileLinks,
        bom: false,
      };
      const { file } = await openExport(
        pool,
        { ...order, format: 'csv' },
        { givesWay: context.isUnderPressure, leaving },
      );
      giveWay(file, pool, TURN_MS);
      return sendExport(request, reply, { file, format: 'csv', slug });
    },
  );
  registerOData(app, context, databaseOn(pool).db);
}

/** Number, time and all present questions; also the status where submissions may be partial. */
function columnsOf({ properties, takesPartials }: LinkedTable) {
  const own = ['id', 'created_at', ...(takesPartials ? ['status'] : [])];
  const names = [...new Set([...own, ...questionIds(properties)])];
  return resolveColumns(names, Object.fromEntries(names.map((name) => [name, true])), {
    properties,
    endings: [],
  });
}
