import { askTogether } from '../../fields/logic/shared-work.ts';
import type { PublishedForm } from '../submissions/published-form/published-form.ts';
import type { Edit, NewDelivery, PayloadSubmission } from './payload.ts';

/**
 * The outbox rows of a complete submission: one per active integration whose condition is met, with its final body. They must be
 * stored in the transaction that stores the submission. A respondent gets one confirmation only, the first whose condition is met.
 */
export function scheduleDeliveries(
  form: Pick<PublishedForm, 'integrations'>,
  submission: PayloadSubmission,
): NewDelivery[] {
  return askTogether(() => {
    const deliveries: NewDelivery[] = [];
    let isConfirmed = false;
    for (const { id, isMail, isConfirmation, isWanted, writePayload } of form.integrations) {
      if ((isConfirmation && isConfirmed) || !isWanted(submission.answers)) continue;
      if (isConfirmation) isConfirmed = true;
      deliveries.push({ integrationId: id, isMail, ...writePayload(submission) });
    }
    return deliveries;
  });
}

/** Deliveries for the edit of a complete submission: one row per integration that is told of edits. */
export function scheduleEdit(
  form: Pick<PublishedForm, 'integrations'>,
  submission: PayloadSubmission & { edit: Edit },
): NewDelivery[] {
  return scheduleDeliveries({ integrations: hearingOfEdits(form) }, submission);
}

export function hearingOfEdits({ integrations }: Pick<PublishedForm, 'integrations'>) {
  return integrations.filter(({ sendsEdits }) => sendsEdits);
}
