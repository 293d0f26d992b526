import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { callerOf, workspaceOf } from '../access/guard.ts';
import { WorkspaceParams } from '../access/path-params.ts';
import { actorOf } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { invalid } from '../http/errors.ts';
import { whenClientLeaves } from '../http/response/client-left.ts';
import { success } from '../http/schemas/success.ts';
import { type Limiter, limitConcurrencyFairly } from '../limit-concurrency.ts';
import { erasePerson } from './erase-person.ts';
import { personDocument } from './export-person.ts';
import { findPerson } from './find-person.ts';
import { personValue } from './person-value.ts';
import { ErasedPerson, ExportBody, FoundPerson, PersonBody } from './schemas.ts';
import { type Position, readCursor } from './search.ts';

const tags = ['People'];
const PATH = '/open/workspaces/:workspaceId/people';
/** Searches per process that run and that wait: each reads every submission of a workspace. */
const SEARCHES = 1;
const WAITING = 4;
/** A document that is not read for this long is given up, as others wait for their turn, */
const STALLED_MS = 60_000;
/** and so is one that is read a little now and then, when it is not over after this long. */
const DOCUMENT_MS = 15 * 60_000;

const RULE =
  'An e-mail address matches in any letter case, every other value exactly. Complete and partial submissions are searched: every answer, also inside lists and matrices.';

export function registerPeopleRoutes(app: App, context: Context): void {
  const reading = { kind: 'workspace', ability: 'forms-read', role: 'admin', in: 'path' } as const;
  const erasing = { kind: 'workspace', ability: 'forms-write', role: 'admin', in: 'path' } as const;
  // Whoever asks for many gives way to others who ask.
  const searches = limitConcurrencyFairly(SEARCHES, WAITING);
  const documents = limitConcurrencyFairly(SEARCHES, WAITING);
  const by =
    (line: typeof searches, request: FastifyRequest): Limiter =>
    (work, leaving) =>
      line(`${callerOf(request).userId}`, work, leaving);

  // Not a GET: proxies and browsers keep addresses, which would contain the value.
  app.post(
    `${PATH}/find`,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'Find a person in all forms of a workspace',
        description: RULE,
        params: WorkspaceParams,
        body: PersonBody,
        response: { 200: FoundPerson },
      },
    },
    async (request, reply) => {
      const leaving = whenClientLeaves(reply);
      const value = personValue(request.body.value);
      const from = positionOf(request.body.cursor);
      const { id } = workspaceOf(request);
      const inTurn = by(searches, request);
      return inTurn(() => findPerson(context, { workspaceId: id, value }, from, leaving), leaving);
    },
  );

  app.post(
    `${PATH}/export`,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'Export everything that is stored about a person',
        description: `Answers a JSON file. ${RULE}`,
        params: WorkspaceParams,
        body: ExportBody,
        response: { 200: { content: { 'application/json': { schema: Type.Unknown() } } } },
      },
    },
    async (request, reply) => {
      const leaving = whenClientLeaves(reply);
      const value = personValue(request.body.value);
      const { id } = workspaceOf(request);
      await noteExport(context, request, id);
      reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
      reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="person.json"')
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'no-store');
      return reply.send(
        await streamInTurn(
          by(documents, request),
          () => personDocument(context, { workspaceId: id, value }, leaving),
          leaving,
        ),
      );
    },
  );

  app.post(
    `${PATH}/erase`,
    {
      config: { access: erasing },
      schema: {
        tags,
        summary: 'Erase everything that is stored about a person',
        description: `Erases for good, and keeps a record without the value. ${RULE}`,
        params: WorkspaceParams,
        body: PersonBody,
        response: { 200: ErasedPerson },
      },
    },
    async (request, reply) => {
      const value = personValue(request.body.value);
      const from = positionOf(request.body.cursor);
      const { id: workspaceId } = workspaceOf(request);
      const actor = actorOf(request);
      // Once begun it continues without the client: it was asked for, and takes only seconds.
      const { id, counts, cursor } = await by(searches, request)(
        () => erasePerson(context, { workspaceId, value }, actor, { from }),
        whenClientLeaves(reply),
      );
      const isFirst = request.body.cursor === undefined;
      const atEnd = id === null && isFirst ? 'Nothing was found.' : 'The person was erased.';
      return success(cursor === null ? atEnd : 'There is more to search.', {
        erasure_id: id,
        erased: { ...counts },
        cursor,
      });
    },
  );
}

/** A stream that keeps its turn until it is closed. @throws HttpError 503, the reason of `leaving` */
function streamInTurn(
  inTurn: Limiter,
  write: () => AsyncGenerator<string>,
  leaving: AbortSignal,
): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const writing = async () => {
      const stream = Readable.from(write(), { objectMode: false });
      resolve(stream);
      // Errors are reported to the reader of the stream.
      await finished(stream, { signal: AbortSignal.timeout(DOCUMENT_MS) }).catch(() => stream.destroy());
    };
    inTurn(writing, leaving).catch(reject);
  });
}

/** @throws HttpError 422 on `cursor` */
function positionOf(text: string | undefined): Position {
  const position = readCursor(text);
  if (!position) throw invalid({ cursor: ['The cursor format is invalid.'] });
  return position;
}

async function noteExport({ db }: Context, request: FastifyRequest, workspaceId: number): Promise<void> {
  const event = { verb: 'person.exported', workspaceId } as const;
  await db.transaction().execute((trx) => recordEvent(trx, actorOf(request), event));
}
