import { serverEngines } from '../../../fields/server-engines.ts';
import type { Context } from '../../context.ts';
import { linkSource } from '../../files/file-links.ts';
import { HttpError } from '../../http/errors.ts';
import { preparePublishedForm } from '../../submissions/published-form/published-form.ts';
import { findSentForm } from '../../submissions/published-form/queries.ts';
import { inVisitorsLanguage } from '../page/page-language.ts';
import type { FindAskedForm, PageRequest } from '../page-request.ts';
import { NO_LIMITS, type VisitedForm } from '../visit/visited-form.ts';

/** A form that somebody pays for. */
export interface PaidForm extends VisitedForm {
  /** It is a draft by now, or in the trash: only who has paid hears of it. */
  isHidden: boolean;
}

/**
 * The form of a link to pay. Whoever comes back from Stripe learns what became of the money also when the form was taken offline meanwhile.
 * @throws HttpError 404
 */
export async function findPaidForm(
  context: Context,
  find: FindAskedForm,
  request: PageRequest,
): Promise<PaidForm> {
  try {
    return { ...(await find(request)), isHidden: false };
  } catch (error) {
    if (!(error instanceof HttpError) || error.statusCode !== 404) throw error;
    const row = await findSentForm(context.db, request.params.form);
    if (row === null) throw error;
    const form = inVisitorsLanguage(preparePublishedForm(row, serverEngines, linkSource(context)), request);
    return { form, isClosed: true, isFull: false, placesLeft: NO_LIMITS, isHidden: true };
  }
}
