import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { formOf } from '../access/guard.ts';
import type { Context } from '../context.ts';
import { createFileLinks, linkSeconds, linkSource } from '../files/file-links.ts';
import { invalid, notFound } from '../http/errors.ts';
import { isClearOf } from '../http/schemas/validation-messages.ts';
import { findIds } from '../submissions/lists/find-ids.ts';
import { isNarrowing } from '../submissions/lists/read-filter.ts';
import type { NarrowingQuery } from '../submissions/schemas.ts';
import { requireIds } from '../submissions/submission-key.ts';
import { refuseColumns } from './columns/refuse-columns.ts';
import type { ExportRequest } from './export-request.ts';
import { collectInto, judgeBody } from './judge-body.ts';
import { findExportForm, hasMoreSubmissionsThan } from './queries.ts';
import { MAX_SUBMISSIONS } from './xlsx/sheet.ts';

/** Submissions that a filter may find, as the job stores their ids. */
export const MAX_FILTERED = 200_000;
const NAMED_TWICE = 'The submission ids and a filter cannot be combined.';
const TOO_MANY_FOR_A_SHEET = `An Excel file holds ${MAX_SUBMISSIONS.toLocaleString('en')} submissions at most.`;

interface Order {
  order: ExportRequest;
  /** Of the form. */
  slug: string;
}

/**
 * Reads which submissions to export, and how, from a request whose schema has been checked. All problems of the body are told at once.
 * @param names the keys of `columns` in the order of the request
 * @param leaving aborts when the client has disconnected
 * @throws HttpError 403 for columns that the caller must not see, 404 or 422
 */
export async function readOrder(
  context: Context,
  request: FastifyRequest<{ Querystring: Static<typeof NarrowingQuery> }>,
  names: string[],
  leaving: AbortSignal,
): Promise<Order> {
  const { db } = context;
  const { query } = request;
  const { id: formId } = formOf(request);
  const form = await findExportForm(db, formId);
  if (!form) throw notFound('Form');
  const { body, columns, errors } = judgeBody(request, names, form);
  const { format = 'csv', bom = false, submissionIds: named = null, entries_of: entriesOf = null } = body;
  if (columns) await refuseColumns(db, formOf(request), columns);
  const isFiltered = isNarrowing(query);
  let chosen = named;
  if (named && isClearOf(errors, 'submissionIds')) {
    if (isFiltered) errors.submissionIds = [NAMED_TWICE];
    else chosen = await requireIds(db, formId, named).catch(collectInto(errors));
  }
  if (!columns || Object.keys(errors).length > 0) throw invalid(errors);
  const submissionIds = isFiltered
    ? await findIds(db, formId, query, { most: MAX_FILTERED, leaving })
    : chosen && [...new Set(chosen)];
  // The number of entries is not known in advance.
  const isWholeSheet = format === 'xlsx' && submissionIds === null && entriesOf === null;
  if (isWholeSheet && (await hasMoreSubmissionsThan(db, formId, MAX_SUBMISSIONS)))
    throw invalid({ format: [TOO_MANY_FOR_A_SHEET] });
  const fileLinks = createFileLinks(linkSource(context), formId, linkSeconds(form.linkHours));
  return { order: { formId, columns, entriesOf, submissionIds, format, bom, fileLinks }, slug: form.slug };
}
