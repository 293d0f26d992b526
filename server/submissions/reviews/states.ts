/** What a team has decided about a submission; `received` until it decides otherwise. */
export const REVIEW_STATES = ['received', 'has_issues', 'approved', 'rejected'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];
