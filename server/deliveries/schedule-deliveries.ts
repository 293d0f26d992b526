import type { Answers } from '../../fields/property.ts';
import type { NewDelivery } from '../submissions/intake.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';

/**
 * The outbox rows of one complete submission: one per active integration whose condition is met, with its body
 * frozen. They are stored by the statement that stores the submission.
 */
export function scheduleDeliveries(
  form: PublishedForm,
  submission: { publicId: string; answers: Answers; attribution: Record<string, string> | null },
): NewDelivery[] {
  const deliveries: NewDelivery[] = [];
  for (const { id, isWanted, writePayload } of form.integrations) {
    if (isWanted(submission.answers)) deliveries.push({ integrationId: id, ...writePayload(submission) });
  }
  return deliveries;
}
