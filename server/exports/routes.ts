import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { FORM_READING, formOf } from '../access/guard.ts';
import { FormParams } from '../access/path-params.ts';
import { hashToken } from '../access/token-format.ts';
import { actorOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import { openPool } from '../db/database.ts';
import { NoRoom } from '../files/no-room.ts';
import { readFile } from '../files/read-file.ts';
import type { App } from '../http/app-type.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { jsonParser, jsonText } from '../http/request/json-body.ts';
import { whenClientLeaves } from '../http/response/client-left.ts';
import { compileDropEmpty } from '../http/schemas/validators.ts';
import { NarrowingQuery } from '../submissions/schemas.ts';
import { keysOfColumns } from './columns/key-order.ts';
import type { ExportRequest } from './export-request.ts';
import { EXPORT_FORMATS, type ExportFormat, FORMATS } from './formats.ts';
import { giveWay } from './give-way.ts';
import { tokenPurpose } from './jobs/build-export.ts';
import { failureMessage } from './jobs/failure-message.ts';
import { isJobId, recordExport, startExport } from './jobs/start-export.ts';
import { EXPORT_SETTINGS, openExport } from './open-export.ts';
import { findExportFile, findExportJob, hasMoreSubmissionsThan } from './queries.ts';
import { MAX_FILTERED, readOrder } from './read-order.ts';
import {
  ExportBody,
  ExportJob,
  ExportStarted,
  type ExportStatus,
  JobParams,
  TokenParams,
} from './schemas.ts';
import { sendExport } from './send-export.ts';
import { type Scratch, scratchOf } from './sqlite/scratch.ts';

/** Exports that are sent at once, at a time; others wait for a moment. */
const CONNECTIONS = 3;
/** After this time a slow reading ends if others wait. */
const TURN_MS = 180_000;
/** Files by media type, for the API description. An archive is never sent at once. */
const FILES = describedFiles(EXPORT_FORMATS);
const FILES_AT_ONCE = describedFiles(EXPORT_FORMATS.filter((format) => format !== 'zip'));

function describedFiles(formats: readonly ExportFormat[]) {
  const mediaTypes = formats.map((format) => FORMATS[format].contentType.replace(/;.*/, ''));
  return Object.fromEntries(mediaTypes.map((type) => [type, { schema: Type.String() }]));
}

export function registerExportRoutes(app: App, context: Context): void {
  registerStart(app, context);
  registerStatus(app, context);
  registerDownload(app, context);
}

/** In a scope of its own, whose parser remembers the order of the keys in the body. */
function registerStart(app: App, context: Context): void {
  const { db, log } = context;
  const scratch = scratchOf(context);
  const pool = openPool(context.connection, (err) => log.warn({ err }, 'export connection lost'), {
    max: CONNECTIONS,
    statement_timeout: 0,
    settings: EXPORT_SETTINGS,
  });
  app.addHook('onClose', () => pool.end());

  app.register(async (scope: App) => {
    const keysInOrder = keepKeyOrder(scope);
    const dropEmpty = compileDropEmpty(NarrowingQuery);
    scope.post(
      '/open/forms/:form/submissions/export',
      {
        config: FORM_READING,
        // It reads, although its method is that of a write.
        preValidation: async ({ query }) => dropEmpty(query),
        attachValidation: true,
        schema: {
          tags: ['Exports'],
          summary:
            'Export submissions as a CSV, Excel, GeoJSON, SPSS, JSON Lines, SQLite or Parquet file, or with their files',
          description:
            'Answers the file at once. A job makes it for more than EXPORT_SYNC_LIMIT submissions, 1,000 by default, and for every `zip`. Exports all ' +
            'submissions, those in `submissionIds`, or those that the parameters select as in a list of submissions: at most ' +
            `${MAX_FILTERED.toLocaleString('en')} then, as of the call.`,
          params: FormParams,
          querystring: NarrowingQuery,
          body: ExportBody,
          response: { 200: { content: { ...FILES_AT_ONCE, 'application/json': { schema: ExportStarted } } } },
        },
      },
      async (request, reply) => {
        const leaving = whenClientLeaves(reply);
        const form = formOf(request);
        const actor = actorOf(request);
        const { order, slug } = await readOrder(context, request, keysInOrder(request), leaving);
        if (order.format === 'zip' || (await isLarge(context, order))) {
          const jobId = await startExport(context, form, order, actor);
          const message = 'Export started. Large export will be processed in the background.';
          return reply.send({ type: 'success', message, job_id: jobId, is_async: true });
        }
        if (order.format === 'sqlite') await needRoomNow(scratch);
        await db.transaction().execute((trx) => recordExport(trx, form, order, { jobId: null, actor }));
        const { file } = await openExport(pool, order, { scratch, leaving });
        giveWay(file, pool, TURN_MS);
        context.metrics.exportFinished('streamed');
        return sendExport(request, reply, { file, format: order.format, slug });
      },
    );
  });
}

/** Parses JSON bodies as everywhere else and remembers the order of the columns. */
function keepKeyOrder(scope: App): (request: FastifyRequest) => string[] {
  const orders = new WeakMap<FastifyRequest, string[]>();
  const parse = jsonParser(scope);
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    parse(request, bytes, (error, body) => {
      if (!error && body !== null && typeof body === 'object')
        orders.set(request, keysOfColumns(jsonText(bytes)));
      done(error, body);
    });
  });
  return (request) => orders.get(request) ?? [];
}

/** Only databases need it: all other files that are sent at once are not written to a disk. @throws HttpError 503 */
async function needRoomNow(scratch: Scratch): Promise<void> {
  await scratch.needRoom().catch((error: unknown) => {
    throw error instanceof NoRoom ? new HttpError(503, failureMessage(error)) : error;
  });
}

async function isLarge({ db, config }: Context, { formId, submissionIds }: ExportRequest): Promise<boolean> {
  const limit = config.exportSyncLimit;
  return submissionIds ? submissionIds.length > limit : hasMoreSubmissionsThan(db, formId, limit);
}

function registerStatus(app: App, context: Context): void {
  app.get(
    '/open/forms/:form/submissions/export/status/:jobId',
    {
      config: FORM_READING,
      schema: {
        tags: ['Exports'],
        summary: 'Read the state of an export job',
        description:
          'Poll every 2 to 5 seconds. `file_url` needs no credentials and works until `expires_at`.',
        params: JobParams,
        response: { 200: ExportJob },
      },
    },
    async (request) => {
      const { jobId } = request.params;
      const job = isJobId(jobId) ? await findExportJob(context.db, formOf(request).id, jobId) : null;
      if (!job) throw new HttpError(404, 'Export job not found or has expired.');
      return {
        job_id: job.job_id,
        status: job.status as ExportStatus,
        progress: job.progress,
        processed_submissions: job.processed_submissions,
        total_submissions: job.total_submissions,
        file_url: fileUrl(context, job.job_id, job.file_token_encrypted),
        expires_at: job.ends_at?.toISOString() ?? null,
        error_message: job.error_message,
        created_at: job.created_at.toISOString(),
        updated_at: job.updated_at.toISOString(),
      };
    },
  );
}

function fileUrl({ baseUrl, secrets }: Context, jobId: string, token: Buffer | null): string | null {
  const secret = token && secrets.decrypt(token, tokenPurpose(jobId));
  return secret && `${baseUrl()}/exports/${secret}`;
}

function registerDownload(app: App, context: Context): void {
  app.get(
    '/exports/:token',
    {
      config: { access: { kind: 'public' } },
      schema: {
        tags: ['Exports'],
        summary: 'Download the file of an export job',
        params: TokenParams,
        response: { 200: { content: FILES } },
      },
    },
    async (request, reply) => {
      const found = await findExportFile(context.db, hashToken(request.params.token));
      const file = found?.file_name ? await readFile(context, found.file_name) : null;
      if (!found?.file_name || !file) throw notFound('File');
      return sendExport(request, reply, { file, format: formatOf(found.file_name), slug: found.slug });
    },
  );
}

/** The format by the ending, which every file of a job has. */
function formatOf(fileName: string): ExportFormat {
  return EXPORT_FORMATS.find((format) => fileName.endsWith(`.${format}`)) ?? 'csv';
}
