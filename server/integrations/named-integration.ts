import type { FastifyRequest } from 'fastify';
import { formOf } from '../access/guard.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { requireId } from '../http/schemas/ids.ts';
import { findIntegration, type IntegrationRow } from './queries.ts';

/** The integration named in the path of a guarded route, below its form. @throws HttpError 404 */
export async function integrationOf(context: Context, request: FastifyRequest): Promise<IntegrationRow> {
  const id = requireId((request.params as { integrationId: string }).integrationId, 'Integration');
  const found = await findIntegration(context.db, formOf(request).id, id);
  if (!found) throw notFound('Integration');
  return found;
}
