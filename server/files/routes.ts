import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileIdOf } from '../../fields/file-reference.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { HttpError, invalid, notFound } from '../http/errors.ts';
import { asMultipartError, installMultipart, ONE_FILE } from '../http/request/multipart.ts';
import { takeTime } from '../http/request/slow-uploads.ts';
import { parseId } from '../http/schemas/ids.ts';
import { isGoodLink, isOutlived } from './file-links.ts';
import { type Download, findDownload } from './queries.ts';
import { readFile } from './read-file.ts';
import { type ReceivedUpload, receiveUpload } from './receive-upload.ts';
import { downloadSchema, uploadSchema } from './schemas.ts';
import { fieldOfUpload, formOfUpload } from './upload-target.ts';

/** A download is aborted when the client reads nothing for this long. */
const STALLED_MS = 60_000;
/** If a browser opens a file instead of saving it, the file runs no scripts and loads nothing. */
const FILE_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

export function registerFileRoutes(app: App, context: Context): void {
  // A separate scope, because all other routes refuse multipart.
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    await installMultipart(scope);
    scope.post(
      '/forms/:form/files',
      { config: { access: { kind: 'public' } }, schema: uploadSchema },
      async (request, reply) => {
        const giveUp = takeTime(request);
        try {
          return reply.code(201).send(await upload(context, request, request.query.field));
        } catch (error) {
          giveUp();
          throw asMultipartError(error);
        }
      },
    );
  });

  app.get(
    '/open/forms/:form/submissions/file/:name',
    { config: { access: { kind: 'public' } }, schema: downloadSchema },
    async (request, reply) => {
      const formId = parseId(request.params.form);
      const fileId = fileIdOf(request.params.name);
      if (formId === null || fileId === null) throw notFound('File');
      const { signature = '' } = request.query;
      const expires = parseId(request.query.expires) ?? 0;
      const issued = parseId(request.query.issued);
      if (!isGoodLink(context, { formId, fileId, expires, issued, signature })) throw invalidLink();
      const found = await findDownload(context.db, formId, fileId, issued ?? 0);
      if (found && isOutlived(issued, found.hours)) throw invalidLink();
      return sendFile(context, reply, found);
    },
  );
}

function invalidLink(): HttpError {
  return new HttpError(403, 'This link is not valid any more.');
}

async function upload(
  context: Context,
  request: FastifyRequest,
  fieldInQuery: string | undefined,
): Promise<ReceivedUpload> {
  const form = await formOfUpload(context, request);
  if (!request.isMultipart()) throw new HttpError(415, 'The content type must be multipart/form-data.');
  if (fieldInQuery !== undefined) fieldOfUpload(form, fieldInQuery);
  const file = await request.file({ limits: ONE_FILE });
  if (!file) throw invalid({ file: ['The file field is required.'] });
  try {
    const property = fieldOfUpload(form, fieldInQuery ?? textPart(file, 'field'));
    const { file: content, filename: fileName = '' } = file;
    return await receiveUpload(context, { form, property, content, fileName, request });
  } finally {
    // The rest is read, so that the connection can be used again.
    file.file.resume();
  }
}

/** The text of a part sent before the file. */
function textPart({ fields }: MultipartFile, name: string): string | undefined {
  const part = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const first = Array.isArray(part) ? part[0] : part;
  return first?.type === 'field' && typeof first.value === 'string' ? first.value : undefined;
}

async function sendFile(
  context: Context,
  reply: FastifyReply,
  found: Download | null,
): Promise<FastifyReply> {
  const content = found && (await readFile(context, found.store_name));
  if (!found || !content) throw notFound('File');
  reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
  return reply
    .type(found.content_type)
    .headers({
      'content-length': String(found.size),
      'content-disposition': contentDisposition(found.name),
      'content-security-policy': FILE_POLICY,
      'cross-origin-resource-policy': 'cross-origin',
    })
    .send(content);
}

/** Makes browsers save the file; its name is in ASCII for old clients, and complete (RFC 6266, RFC 8187). */
function contentDisposition(name: string): string {
  const ascii = name.normalize('NFKD').replace(/[^\x20-\x7e]|["\\%]/g, '');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
