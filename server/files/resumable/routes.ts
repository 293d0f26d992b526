import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { HttpError } from '../../http/errors.ts';
import { takeTime } from '../../http/request/slow-uploads.ts';
import { parseUuid } from '../../http/schemas/ids.ts';
import { explainRefusal } from '../awaited-file.ts';
import { fieldOfUpload, formOfUpload } from '../upload-target.ts';
import { inTurn } from '../upload-turns.ts';
import { appendPart } from './append-part.ts';
import { joinParts } from './join-parts.ts';
import { checkMetadata, valueIn } from './metadata.ts';
import { beginUpload, giveUp, type ResumableUpload, requireResumable } from './resumable-upload.ts';
import { appendSchema, beginSchema, endSchema, stateSchema } from './schemas.ts';

const VERSION = '1.0.0';
const PART_TYPE = 'application/offset+octet-stream';
const NEW = '/forms/:form/uploads';
const ONE = '/forms/:form/uploads/:upload';
const BYTES = /^\d{1,15}$/;

/** Uploads in parts by tus 1.0 (https://tus.io/protocols/resumable-upload): arrived bytes are not sent again. */
export function registerResumableRoutes(app: App, context: Context): void {
  const config = { access: { kind: 'public' as const } };
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    // Not parsed here: the body is streamed into the file store.
    scope.addContentTypeParser(PART_TYPE, (_request, _content, done) => done(null, undefined));
    scope.addHook('onRequest', async ({ headers }, reply) => {
      reply.header('tus-resumable', VERSION);
      if (headers['tus-resumable'] !== VERSION)
        throw new HttpError(412, `Only tus ${VERSION} is spoken here.`, {}, { 'tus-version': VERSION });
    });

    scope.post(NEW, { config, schema: beginSchema }, async (request, reply) => {
      const form = await formOfUpload(context, request);
      const metadata = checkMetadata(textOf(request, 'upload-metadata'));
      const length = bytesIn(request, 'upload-length');
      const property = fieldOfUpload(form, request.query.field ?? valueIn(metadata, 'field'));
      const field = { form, property };
      try {
        const file = await beginUpload(context, { ...field, length, metadata, address: request.ip });
        const { uuid, shownName: file_name, reference } = file;
        const place = `/forms/${encodeURIComponent(request.params.form)}/uploads/${uuid}`;
        return reply.code(201).header('location', place).send({ uuid, file_name, reference });
      } catch (error) {
        throw explainRefusal(error, field);
      }
    });

    const described = { ...config, swagger: { exposeHeadRoute: true } };
    scope.head(ONE, { config: described, schema: stateSchema }, async (request, reply) => {
      const { upload, attempt } = await sentUpload(context, request);
      // The process that was to join the parts may have been interrupted.
      if (upload.received === upload.length && !upload.isComplete)
        await attempt(() => joinParts(context, upload));
      const { metadata } = upload;
      return tellState(reply, upload)
        .headers({ 'upload-length': upload.length, ...(metadata !== '' && { 'upload-metadata': metadata }) })
        .send();
    });

    scope.patch(ONE, { config, schema: appendSchema }, async (request, reply) => {
      if (request.headers['content-type'] !== PART_TYPE)
        throw new HttpError(415, `The content type must be ${PART_TYPE}.`);
      const giveUpWaiting = takeTime(request);
      try {
        const { upload, attempt } = await sentUpload(context, request);
        const received = await attempt(() => receive(context, upload, request));
        return tellState(reply, { ...upload, received })
          .code(204)
          .send();
      } catch (error) {
        giveUpWaiting();
        // The rest is read, so that the sender gets to read the response.
        request.raw.resume();
        throw error;
      }
    });

    scope.delete(ONE, { config, schema: endSchema }, async (request, reply) => {
      const { upload } = await sentUpload(context, request);
      await giveUp(context, upload);
      return reply.code(204).send(null);
    });
  });
}

/** The upload of a request, and `attempt`, which runs work on it and turns a refusal of the file into a response. */
async function sentUpload(context: Context, request: FastifyRequest) {
  const form = await formOfUpload(context, request);
  const { upload: id } = request.params as { upload: string };
  const upload = await requireResumable(context, form.id, parseUuid(id));
  const property = fieldOfUpload(form, upload.propertyId);
  return {
    upload,
    async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
      try {
        return await inTurn(request, work);
      } catch (error) {
        throw explainRefusal(error, { form, property });
      }
    },
  };
}

/** @returns how many bytes have arrived by now */
async function receive(context: Context, upload: ResumableUpload, request: FastifyRequest): Promise<number> {
  const start = bytesIn(request, 'upload-offset');
  const content = request.raw;
  // It can fail at any moment, even while nothing reads it.
  content.on('error', () => {});
  // The last part was sent again although it had arrived.
  if (upload.isComplete && start === upload.length) return start;
  const length = request.headers['content-length'];
  const announced = length === undefined ? null : Number(length);
  const part = { start, content, announced, address: request.ip };
  const isEmpty = announced === 0 && start === upload.received;
  const received = isEmpty ? start : await appendPart(context, upload, part);
  if (received === upload.length) await joinParts(context, upload);
  return received;
}

function tellState(reply: FastifyReply, { received }: ResumableUpload): FastifyReply {
  return reply.header('upload-offset', received);
}

/** @throws HttpError 400 unless the header is a number of bytes */
function bytesIn(request: FastifyRequest, header: string): number {
  const text = textOf(request, header);
  if (!BYTES.test(text)) throw new HttpError(400, `The ${header} header must be a number of bytes.`);
  return Number(text);
}

function textOf({ headers }: FastifyRequest, header: string): string {
  return String(headers[header] ?? '');
}
