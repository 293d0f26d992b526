import { askTogether } from '../../fields/shared-work.ts';
import type { NewDelivery } from '../submissions/intake/outgoing.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';
import type { Edit, PayloadSubmission } from './payload.ts';

/**
 * The outbox rows of one complete submission: one per active integration whose condition is met, with its body
 * frozen. They are stored by the statement that stores the submission. Of confirmations to the respondent only the first
 * that is wanted: one submission sends one.
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

/** The same of one that was complete and has been changed: for the integrations that want to hear of it. */
export function scheduleEdit(
  form: Pick<PublishedForm, 'integrations'>,
  submission: PayloadSubmission & { edit: Edit },
): NewDelivery[] {
  return scheduleDeliveries({ integrations: hearingOfEdits(form) }, submission);
}

export function hearingOfEdits({ integrations }: Pick<PublishedForm, 'integrations'>) {
  return integrations.filter(({ sendsEdits }) => sendsEdits);
}
