import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { MemberRole } from '../../access/abilities.ts';
import { authenticate } from '../../access/authenticate.ts';
import { callerOf, FORM_READING, formOf } from '../../access/guard.ts';
import { FormParams } from '../../access/path-params.ts';
import { findFormAccess } from '../../access/queries.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { HttpError, unavailable } from '../../http/errors.ts';
import { seesPublicIds } from '../public-ids.ts';
import { createSubmissionEvents, type Listener, withoutPublicIds } from './hub.ts';
import { type EventStream, openEventStream, readPosition } from './stream.ts';

/** Open streams per person, and of all people together; both per process. Tests lower them. */
export const MAX_STREAMS = { own: 20, all: 1_000 };
/** When a refused client may ask again. */
const AGAIN = { 'retry-after': '30' };
const MAX_WAIT_SECONDS = 3_600;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Asks proxies that buffer responses not to.
  'x-accel-buffering': 'no',
};

const eventsSchema = {
  tags: ['Submissions'],
  summary: 'Follow the submissions of a form',
  description:
    'Server-sent events. First comes `counters`. Then, within about a second, comes `submission` with `created` and ' +
    '`changed` (`id`, `submission_id`, `status`; no answers), with `reviewed` (`id`, `state`, `notes`; absent when ' +
    'empty) and with the counters; `counters` alone after deletions. `Last-Event-ID` resumes a stream; when too much ' +
    'has happened since, `reset` means: read the list anew. An event may come twice. The stream ends with the ' +
    'session, token or role that opened it.',
  params: FormParams,
  querystring: Type.Object({
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_WAIT_SECONDS,
        description:
          'Seconds after which the stream ends; 0 for what is known now. Without it, the stream does not end.',
      }),
    ),
    last_event_id: Type.Optional(
      Type.String({
        description:
          'As the header `Last-Event-ID`, which a new EventSource cannot send; the header comes first.',
      }),
    ),
  }),
  headers: Type.Object({ 'last-event-id': Type.Optional(Type.String()) }),
  response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } } },
};

export function registerSubmissionEventRoutes(app: App, context: Context): void {
  const events = createSubmissionEvents(context.db, context.log);
  const streams = new Map<EventStream, number>();
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
    for (const stream of streams.keys()) stream.end();
  });

  app.get(
    '/open/forms/:form/submissions/events',
    {
      config: FORM_READING,
      schema: eventsSchema,
    },
    async (request, reply) => {
      const form = formOf(request);
      const { userId } = callerOf(request);
      if (request.method === 'HEAD') return reply.headers(HEADERS).send('');
      let showsPublicIds = await seesPublicIds(context.db, form);
      refuseTooMany(userId);
      const stream = openEventStream(
        async () => {
          const role = await roleNow(context, request, form.id);
          if (role !== null) showsPublicIds = await seesPublicIds(context.db, { ...form, role });
          return role !== null;
        },
        () => {
          streams.delete(stream);
          clearTimeout(timer);
          events.leave(form.id, listener);
        },
      );
      const listener: Listener = {
        tell: (event) => stream.tell(showsPublicIds ? event : withoutPublicIds(event)),
        end: stream.end,
      };
      const { wait, last_event_id: since } = request.query;
      const timer = wait ? setTimeout(stream.end, wait * 1000) : undefined;
      streams.set(stream, userId);
      reply.raw.once('close', () => stream.body.destroy());
      await events
        .listen(form.id, listener, readPosition(request.headers['last-event-id'] ?? since))
        .catch((error: unknown) => {
          stream.body.destroy();
          throw error;
        });
      if (wait === 0) stream.end();
      return reply.headers(HEADERS).send(stream.body as never);
    },
  );

  /** @throws HttpError 429 or 503 */
  function refuseTooMany(userId: number): void {
    if (isStopping) throw unavailable();
    if (streams.size >= MAX_STREAMS.all)
      throw new HttpError(503, 'Too many streams of all people are open already.', {}, AGAIN);
    const own = [...streams.values()].filter((id) => id === userId).length;
    if (own >= MAX_STREAMS.own) throw new HttpError(429, 'Too many streams are open already.', {}, AGAIN);
  }
}

/** The role that the credentials of the stream give now; null when they no longer give the right to it. */
async function roleNow(
  context: Context,
  request: FastifyRequest,
  formId: number,
): Promise<MemberRole | null> {
  const caller = await authenticate(context, request);
  if (!caller?.abilities.has('forms-read')) return null;
  const found = await findFormAccess(context.db, String(formId), caller.userId);
  return found?.role ?? null;
}
