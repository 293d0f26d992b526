import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { workspaceOf } from '../access/guard.ts';
import { actorOf } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { invalid } from '../http/errors.ts';
import { success } from '../http/success.ts';
import { limitConcurrency } from '../limit-concurrency.ts';
import { erasePerson } from './erase-person.ts';
import { personDocument } from './export-person.ts';
import { findPerson } from './find-person.ts';
import { personValue } from './person-value.ts';
import { EraseBody, ErasedPerson, ExportBody, FoundPerson, PersonParams, PersonQuery } from './schemas.ts';
import { type Position, readCursor } from './search.ts';

const tags = ['People'];
const PATH = '/open/workspaces/:workspaceId/people';
/** Searches read every submission of a workspace: of a process, so many at a time and so many that wait. */
const SEARCHES = 1;
const WAITING = 4;

const RULE =
  'An e-mail address is found in any letter case, every other value exactly; in any answer, also inside lists and matrices, of complete and partial submissions.';

export function registerPeopleRoutes(app: App, context: Context): void {
  const reading = { kind: 'workspace', ability: 'forms-read', role: 'admin', in: 'path' } as const;
  const erasing = { kind: 'workspace', ability: 'forms-write', role: 'admin', in: 'path' } as const;
  const inTurn = limitConcurrency(SEARCHES, WAITING);

  app.get(
    PATH,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'Find a person in all forms of a workspace',
        description: RULE,
        params: PersonParams,
        querystring: PersonQuery,
        response: { 200: FoundPerson },
      },
    },
    async (request) => {
      const value = personValue(request.query.value);
      const from = positionOf(request.query.cursor);
      const { id } = workspaceOf(request);
      return inTurn(() => findPerson(context, id, value, from));
    },
  );

  app.post(
    `${PATH}/export`,
    {
      config: { access: reading },
      schema: {
        tags,
        summary: 'Export everything that is stored of a person',
        description: `A JSON file. ${RULE}`,
        params: PersonParams,
        body: ExportBody,
        response: { 200: { content: { 'application/json': { schema: Type.Unknown() } } } },
      },
    },
    async (request, reply) => {
      const value = personValue(request.body.value);
      const { id } = workspaceOf(request);
      await noteExport(context, request, id);
      reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="person.json"')
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'no-store');
      const document = Readable.from(personDocument(context, id, value), { objectMode: false });
      return reply.send(document);
    },
  );

  app.post(
    `${PATH}/erase`,
    {
      config: { access: erasing },
      schema: {
        tags,
        summary: 'Erase everything that is stored of a person',
        description: `For good, with a record that does not hold the value. ${RULE}`,
        params: PersonParams,
        body: EraseBody,
        response: { 200: ErasedPerson },
      },
    },
    async (request) => {
      const value = personValue(request.body.value);
      const from = positionOf(request.body.cursor);
      const { id: workspaceId } = workspaceOf(request);
      const actor = actorOf(request);
      const { id, counts, cursor } = await inTurn(() =>
        erasePerson(context, workspaceId, value, actor, { from }),
      );
      const message = cursor === null ? 'The person was erased.' : 'There is more to look through.';
      return success(message, { erasure_id: id, erased: { ...counts }, cursor });
    },
  );
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
