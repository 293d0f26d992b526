import { isOneOf } from '../../../fields/block-options/options.ts';
import { callerOf, FORM_READING, FORM_WRITING, formOf } from '../../access/guard.ts';
import { actorOf } from '../../audit/actor.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { wholePage } from '../../http/response/long-answers.ts';
import { parseId, requireId } from '../../http/schemas/ids.ts';
import { pageOf } from '../../http/schemas/pagination.ts';
import { success } from '../../http/schemas/success.ts';
import { presentAwaitedPayment } from '../../payments/present-payment.ts';
import { presentSubmission, type SubmissionView } from '../present-submission.ts';
import { viewOf } from '../submission-view.ts';
import { countSetAside, findOneSetAside, findSetAside, type Reasons, type SetAsideRow } from './queries.ts';
import { endOfWaiting, REASON_CODES, REASONS, type Reason } from './reasons.ts';
import { releaseSubmission } from './release-submission.ts';
import { listSchema, readSchema, releaseSchema } from './schemas.ts';

/** Suspected spam, and what waits for its sender to confirm an address or to pay: apart from the submissions, so that nothing counts it. */
export function registerSetAsideRoutes(app: App, context: Context): void {
  const { db } = context;
  const ALL = '/open/forms/:form/submissions/set-aside';

  app.get(ALL, { config: FORM_READING, schema: listSchema }, async (request, reply) => {
    const form = formOf(request);
    const { cursor, per_page, reason } = request.query;
    const reasons = readReasons(reason);
    const { limit } = pageOf({ page: 1, per_page });
    const beforeId = cursor === undefined ? null : parseId(cursor);
    if (cursor !== undefined && beforeId === null) throw invalid({ cursor: ['The cursor is invalid.'] });
    const find = (isWhole: boolean) => findSetAside(db, form.id, { limit, beforeId, reasons }, isWhole);
    const [{ rows }, total, view] = await Promise.all([
      wholePage(reply, callerOf(request).userId, find),
      countSetAside(db, form.id, reasons),
      viewOf(context, form, [], { showsReviews: false }),
    ]);
    const nextCursor = rows.length < limit ? null : String(rows.at(-1)?.id);
    return {
      data: rows.map((row) => present(form.id, row, view)),
      meta: { per_page: limit, total, next_cursor: nextCursor },
    };
  });

  app.get(`${ALL}/:setAsideId`, { config: FORM_READING, schema: readSchema }, async (request) => {
    const form = formOf(request);
    const row = await findOneSetAside(db, form.id, requireId(request.params.setAsideId, 'Submission'));
    if (!row) throw notFound('Submission');
    return present(form.id, row, await viewOf(context, form, [], { showsReviews: false }));
  });

  app.post(`${ALL}/:setAsideId/release`, { config: FORM_WRITING, schema: releaseSchema }, async (request) => {
    const setAsideId = requireId(request.params.setAsideId, 'Submission');
    const id = await releaseSubmission(context, formOf(request), setAsideId, { actor: actorOf(request) });
    return success('Submission successfully released.', { data: { id } });
  });
}

/** Codes between commas. @returns null for all @throws HttpError 422 */
function readReasons(asked: string | undefined): Reasons {
  const codes = asked?.split(',').map((code) => code.trim()) ?? [];
  if (codes.join('') === '') return null;
  const unknown = codes.filter((code) => !isOneOf(REASON_CODES, code));
  if (unknown.length > 0)
    throw invalid({
      reason: [`The reason must be one or more of ${REASON_CODES.join(', ')}, separated by commas.`],
    });
  return codes as Reason[];
}

/** null while somebody may be paying, and for what is paid. */
function deletedAt({ created_at, reasons, checkout }: SetAsideRow): Date | null {
  return checkout && checkout.state !== 'closed' ? null : endOfWaiting(created_at, reasons);
}

function present(formId: number, row: SetAsideRow, view: SubmissionView) {
  const status = 'set_aside' as const;
  return {
    ...presentSubmission(formId, { ...row, status, updated_at: row.created_at, ending: null }, view),
    status,
    reasons: row.reasons.map((code) => ({ code, message: REASONS[code] })),
    unconfirmed_email: row.unconfirmed_address,
    ...presentAwaitedPayment(row),
    deleted_at: deletedAt(row)?.toISOString() ?? null,
  };
}
