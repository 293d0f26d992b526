/** So many given-up deliveries of an integration, or submissions of a form that are set aside, are counted; there may be more. */
export const MAX_COUNTED = 1_000;
/** Forms, and integrations, that are named at most. */
export const MAX_ROWS = 500;
/** A form that closes by itself within so many days needs attention. */
export const CLOSING_DAYS = 7;
