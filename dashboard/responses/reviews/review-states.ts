import type { Tone } from '../../ui/badge.tsx';

/** The review states, in their usual sequence. */
export const REVIEW_STATES = ['received', 'has_issues', 'approved', 'rejected'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

export const STATE_NAMES: Record<ReviewState, string> = {
  received: 'Received',
  has_issues: 'Has issues',
  approved: 'Approved',
  rejected: 'Rejected',
};

export const STATE_TONES: Record<ReviewState, Tone> = {
  received: 'neutral',
  has_issues: 'warn',
  approved: 'good',
  rejected: 'bad',
};

/** What somebody did, following their name. */
export const STATE_WORDS: Record<ReviewState, string> = {
  received: 'set this back to received',
  has_issues: 'found issues',
  approved: 'approved this',
  rejected: 'rejected this',
};

export function isReviewState(value: unknown): value is ReviewState {
  return (REVIEW_STATES as readonly unknown[]).includes(value);
}
