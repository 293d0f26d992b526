import type { Tone } from '../ui/badge.tsx';
import type { RecipientStatus } from './queries.ts';

/** A recipient's status: its name and its tone. */
export const STATUSES: Record<RecipientStatus, [name: string, tone: Tone]> = {
  answered: ['Answered', 'good'],
  started: ['Started', 'accent'],
  opened: ['Opened', 'accent'],
  mailed: ['Invited', 'neutral'],
  queued: ['Mail waits', 'neutral'],
  failed: ['Mail failed', 'bad'],
  declined: ['Wants no mails', 'warn'],
  new: ['Not invited', 'neutral'],
};

export type MailKind = 'invitation' | 'reminder';

/** Default texts of mails. */
export const FIRST_TEXTS: Record<MailKind, { subject: string; text: string }> = {
  invitation: {
    subject: 'Please answer: {form}',
    text: 'Hello {name},\n\nplease take a moment for this form:\n{link}\n\nThe link is yours alone and counts once.\n\nThank you!',
  },
  reminder: {
    subject: 'A reminder: {form}',
    text: 'Hello {name},\n\nwe have not heard from you yet. Your link still works:\n{link}\n\nThank you!',
  },
};
