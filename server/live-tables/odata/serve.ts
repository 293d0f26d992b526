import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken } from '../../access/token-format.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { createFileLinks, linkSeconds, linkSource } from '../../files/file-links.ts';
import type { App } from '../../http/app-type.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import { untilSent } from '../../http/response/long-answers.ts';
import { sendCompressed } from '../../http/response/send-compressed.ts';
import { limitConcurrency } from '../../limit-concurrency.ts';
import { findLinkedTable, type LinkedTable, noteRead } from '../queries.ts';
import { type Addressed, addressedIn } from './address.ts';
import { readFilter } from './filter.ts';
import { contextUrl, nextLink, serviceRoot } from './links.ts';
import { metadataDocument } from './metadata.ts';
import { entitySetsOf } from './model.ts';
import { optionIn, type Query, readOptions, readSelect, refuseOthers } from './options.ts';
import { notImplemented, refusalInOData } from './problems.ts';
import { MAX_PAGE, readCount, readEntity, readPage } from './read-page.ts';
import { jsonFor, type MetadataLevel, pageSizeFor, refuseOtherFormat } from './representation.ts';
import { countSchema, metadataSchema, rootSchema, setSchema } from './schemas.ts';
import { entityText, pageStream } from './write-page.ts';

const VERSION = '4.0';
/** Parts of addresses that are no sets. Routes know them as they are; where a client encodes the `$`, other routes find them. */
const METADATA = '$metadata';
const COUNT = '$count';
const TOKEN = /^[0-9a-f]{64}$/;
/** Answers that a process reads and sends at a time, as a page is in memory and each takes a connection; at most 50 readers wait. */
const inTurn = limitConcurrency(2, 50);
/** An answer that is not read in this time is given up, as others wait. */
const READ_MS = 60_000;

/** A request under the secret part of a link. */
type Read = FastifyRequest<{ Params: { token: string }; Querystring: Query }>;

/** The table that a request reads, and where. */
interface Reading {
  request: Read;
  reply: FastifyReply;
  table: LinkedTable;
  root: string;
}

/**
 * The same submissions as an OData 4.0 service, for programs that page and filter. Whoever has the link needs nothing else.
 * @param db statements may take longer than those of people who wait
 */
export function registerOData(app: App, context: Context, db: Db): void {
  const common = {
    config: { access: { kind: 'public' }, errorAs: refusalInOData } as const,
    onRequest: (_request: unknown, reply: FastifyReply, done: () => void) => {
      reply.header('odata-version', VERSION);
      done();
    },
  };

  async function openTable(request: Read, reply: FastifyReply): Promise<Reading> {
    const { token } = request.params;
    const table = TOKEN.test(token) ? await findLinkedTable(context.db, hashToken(token)) : null;
    if (!table) throw notFound('Service');
    if (request.method !== 'HEAD') await noteRead(context.db, table.id);
    return { request, reply, table, root: serviceRoot(context.baseUrl(), token) };
  }

  for (const path of ['/live-tables/:token/odata', '/live-tables/:token/odata/'])
    app.get(
      path,
      { ...common, schema: { ...rootSchema, ...(!path.endsWith('/') && { hide: true }) } },
      async (request, reply) => {
        const { table, root } = await openTable(request as Read, reply);
        refuseOthers(request.query as Query, ['$format']);
        const level = jsonFor(request);
        const value = entitySetsOf(table.properties).map(({ name }) => ({
          name,
          kind: 'EntitySet',
          url: encodeURIComponent(name),
        }));
        const context = level === 'none' ? {} : { '@odata.context': `${root}$metadata` };
        return asJson(reply, level).send(JSON.stringify({ ...context, value }));
      },
    );

  app.get(
    '/live-tables/:token/odata/$metadata',
    { ...common, schema: metadataSchema },
    async (request, reply) => sendMetadata(await openTable(request as Read, reply)),
  );

  app.get('/live-tables/:token/odata/:set', { ...common, schema: setSchema }, async (request, reply) => {
    const reading = await openTable(request as Read, reply);
    if (request.params.set === METADATA) return sendMetadata(reading);
    const addressed = addressedIn(entitySetsOf(reading.table.properties), request.params.set);
    return addressed.key ? sendEntity(reading, addressed) : sendPage(reading, addressed);
  });

  app.get(
    '/live-tables/:token/odata/:set/$count',
    { ...common, schema: countSchema },
    async (request, reply) => sendCount(await openTable(request as Read, reply), request.params.set),
  );

  app.get('/live-tables/:token/odata/*', { ...common, schema: { hide: true } }, async (request, reply) => {
    const reading = await openTable(request as Read, reply);
    const [set = '', last, ...others] = (request.params as { '*': string })['*'].split('/');
    if (last === COUNT && others.length === 0) return sendCount(reading, set);
    throw notImplemented('This service has entity sets, their entities and $count only.');
  });

  async function sendCount({ request, reply, table }: Reading, segment: string) {
    const { set, key } = addressedIn(entitySetsOf(table.properties), segment);
    if (key) throw notImplemented('Only whole sets are counted.');
    refuseOthers(request.query, ['$filter', '$format']);
    const filter = optionIn(request.query, '$filter');
    const condition = filter === null ? null : readFilter(filter, set);
    refuseOtherFormat(request, 'text/plain');
    const source = { db, formId: table.formId, set };
    const count = isHead(request) ? '' : await whenItsTurn(reply, () => readCount(source, condition));
    return reply.type('text/plain; charset=utf-8').send(String(count));
  }

  async function sendEntity({ request, reply, table, root }: Reading, addressed: Addressed) {
    const { set, key } = addressed;
    refuseOthers(request.query, ['$select', '$format']);
    const select = readSelect(optionIn(request.query, '$select'), set);
    const level = jsonFor(request);
    const source = { db, formId: table.formId, set };
    const row = key && (await whenItsTurn(reply, () => readEntity(source, key)));
    if (!row) throw new HttpError(404, `${set.name} has no such entity.`);
    const url = level === 'none' ? null : contextUrl(root, addressed, select);
    return asJson(reply, level).send(entityText(row, { set, select, urlOf: linksOf(table) }, url));
  }

  async function sendPage({ request, reply, table, root }: Reading, addressed: Addressed) {
    const { set } = addressed;
    const options = readOptions(request.query, set);
    const level = jsonFor(request);
    const size = pageSizeFor(request, reply, MAX_PAGE);
    asJson(reply, level).header('vary', 'Accept, Accept-Encoding, Prefer');
    if (isHead(request)) return reply.send('');
    const source = { db, formId: table.formId, set };
    const { rows, count, next } = await whenItsTurn(reply, () => readPage(source, options, size));
    const { select } = options;
    const page = pageStream(
      rows,
      { set, select, urlOf: linksOf(table) },
      {
        context: level === 'none' ? null : contextUrl(root, addressed, select),
        count,
        nextLink: nextLink(root, addressed, request.query, next),
      },
    );
    return sendCompressed(request, reply, page);
  }

  function linksOf({ formId, linkHours }: LinkedTable): (name: string) => string {
    return createFileLinks(linkSource(context), formId, linkSeconds(linkHours)).urlOf;
  }
}

/** @throws HttpError 503 when too many wait; 499 when the client leaves first */
function whenItsTurn<Result>(reply: FastifyReply, read: () => Promise<Result>): Promise<Result> {
  return untilSent(reply, inTurn, read, READ_MS);
}

function sendMetadata({ request, reply, table }: Reading): FastifyReply {
  refuseOthers(request.query, ['$format']);
  refuseOtherFormat(request, 'application/xml');
  return reply.type('application/xml; charset=utf-8').send(metadataDocument(entitySetsOf(table.properties)));
}

function isHead({ method }: FastifyRequest): boolean {
  return method === 'HEAD';
}

function asJson(reply: FastifyReply, level: MetadataLevel): FastifyReply {
  return reply.type(`application/json; odata.metadata=${level}; charset=utf-8`);
}
