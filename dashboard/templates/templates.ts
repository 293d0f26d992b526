import { CONTACT_TEMPLATES } from './contact.ts';
import { EVENT_TEMPLATES } from './events.ts';
import { FEEDBACK_TEMPLATES } from './feedback.ts';
import type { Template } from './template.ts';

/** Keys of the templates, the most popular first. */
const FIRST = ['contact', 'feedback', 'event', 'job', 'nps', 'order', 'quiz', 'rsvp'];

export const TEMPLATES: readonly Template[] = [
  ...CONTACT_TEMPLATES,
  ...EVENT_TEMPLATES,
  ...FEEDBACK_TEMPLATES,
].toSorted((one, other) => rankOf(one) - rankOf(other));

function rankOf({ key }: Template): number {
  const rank = FIRST.indexOf(key);
  return rank < 0 ? FIRST.length : rank;
}
