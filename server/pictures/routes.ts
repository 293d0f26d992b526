import { SizedCache } from '../../fields/sized-cache.ts';
import { type Access, WORKSPACE_READING, workspaceOf } from '../access/guard.ts';
import { actorOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { HttpError, invalid, notFound } from '../http/errors.ts';
import { FOR_EVER } from '../http/response/static-file.ts';
import { success } from '../http/schemas/success.ts';
import { addPicture, MAX_SIZE } from './add-picture.ts';
import { contentTypeOf, PICTURE_TYPES } from './picture-kind.ts';
import { findPicture, listPictures, type Picture } from './queries.ts';
import { removePicture } from './remove-picture.ts';
import { addPictureSchema, listPicturesSchema, removePictureSchema, showPictureSchema } from './schemas.ts';

const writing: Access = { kind: 'workspace', ability: 'forms-write', role: 'user', in: 'path' };

/** Limits for a picture opened by itself: nothing runs in an SVG, and it loads nothing. */
const PICTURE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
/** Bytes of recently requested pictures that a process keeps. */
const REMEMBERED = 16 * 1024 * 1024;
/** Longest time that a picture removed by another process is still shown. */
const REMEMBERED_MS = 60_000;

/** Pictures of forms. They are public: whoever may see a form may see them. */
export function registerPictureRoutes(app: App, context: Context): void {
  const { db } = context;
  const remembered = new SizedCache<string, { content: Buffer; until: number }>(REMEMBERED);

  app.get(
    '/open/workspaces/:workspaceId/pictures',
    { config: WORKSPACE_READING, schema: listPicturesSchema },
    async (request) => (await listPictures(db, workspaceOf(request).id)).map(presentPicture),
  );

  // In a scope of its own: all other routes refuse the content types of pictures.
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    // The access is checked before the body.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(
      '/open/workspaces/:workspaceId/pictures',
      {
        config: { access: writing, checksOwnBody: true },
        schema: addPictureSchema,
        bodyLimit: MAX_SIZE,
      },
      async (request, reply) => {
        const { body, headers } = request;
        if (!PICTURE_TYPES.includes(headers['content-type'] ?? ''))
          throw new HttpError(415, `The content type must be ${PICTURE_TYPES.join(' or ')}.`);
        if (!Buffer.isBuffer(body) || body.length === 0)
          throw invalid({ picture: ['The body must be a picture.'] });
        const added = await addPicture(db, workspaceOf(request).id, body, actorOf(request));
        return reply.code(201).send(presentPicture(added));
      },
    );
  });

  app.delete(
    '/open/workspaces/:workspaceId/pictures/:picture',
    { config: { access: writing }, schema: removePictureSchema },
    async (request) => {
      const { id } = workspaceOf(request);
      const { picture: name } = request.params;
      if (contentTypeOf(name) === undefined) throw notFound('Picture');
      await removePicture(db, id, name, actorOf(request));
      remembered.delete(name);
      return success('Picture removed.');
    },
  );

  app.get(
    '/pictures/:picture',
    { config: { access: { kind: 'public' } }, schema: showPictureSchema },
    async ({ params: { picture: name } }, reply) => {
      const contentType = contentTypeOf(name);
      const content = contentType && (await read(name));
      if (!content) throw notFound('Picture');
      return reply
        .type(contentType)
        .headers({
          'cache-control': FOR_EVER,
          'content-security-policy': PICTURE_POLICY,
          'cross-origin-resource-policy': 'cross-origin',
        })
        .send(content);
    },
  );

  async function read(name: string): Promise<Buffer | null> {
    const known = remembered.get(name);
    if (known && known.until > Date.now()) return known.content;
    const content = await findPicture(db, name);
    remembered.delete(name);
    if (content) remembered.set(name, { content, until: Date.now() + REMEMBERED_MS }, content.length);
    return content;
  }
}

function presentPicture({ name, size, created_at: createdAt }: Picture) {
  return { name, url: `/pictures/${name}`, size, created_at: createdAt.toISOString() };
}
