// Logic operators by the kind of answer they judge. The `…_in_submissions` pair is about other submissions' answers.

const EMPTINESS = ['is_empty', 'is_not_empty'] as const;
const EQUALITY = ['equals', 'does_not_equal'] as const;
const CONTAINMENT = ['contains', 'does_not_contain'] as const;
const REGEX = ['matches_regex', 'does_not_match_regex'] as const;
const COMPARISON = [
  'greater_than',
  'less_than',
  'greater_than_or_equal_to',
  'less_than_or_equal_to',
] as const;
const TICKS = ['is_checked', 'is_not_checked'] as const;
const PERIODS = ['past_week', 'past_month', 'past_year', 'next_week', 'next_month', 'next_year'] as const;
const CONTENT_LENGTH = [
  'content_length_equals',
  'content_length_does_not_equal',
  'content_length_greater_than',
  'content_length_greater_than_or_equal_to',
  'content_length_less_than',
  'content_length_less_than_or_equal_to',
] as const;

export const EXISTS = 'exists_in_submissions';
export const DOES_NOT_EXIST = 'does_not_exist_in_submissions';

export const TEXT_OPERATORS: readonly string[] = /* @__PURE__ */ together(
  EQUALITY,
  CONTAINMENT,
  ['starts_with', 'ends_with'],
  EMPTINESS,
  REGEX,
  CONTENT_LENGTH,
  [EXISTS, DOES_NOT_EXIST],
);

/** For rating and scale; number and slider add the lookups. */
export const SCORE_OPERATORS: readonly string[] = /* @__PURE__ */ together(
  EQUALITY,
  COMPARISON,
  EMPTINESS,
  CONTENT_LENGTH,
);
export const NUMBER_OPERATORS: readonly string[] = /* @__PURE__ */ together(SCORE_OPERATORS, [
  EXISTS,
  DOES_NOT_EXIST,
]);

/** Older forms use the equality pair for a checkbox. */
export const CHECKBOX_OPERATORS: readonly string[] = /* @__PURE__ */ together(TICKS, EQUALITY);
export const SELECT_OPERATORS: readonly string[] = /* @__PURE__ */ together(EQUALITY, EMPTINESS, [
  EXISTS,
  DOES_NOT_EXIST,
]);
export const MULTI_SELECT_OPERATORS: readonly string[] = /* @__PURE__ */ together(CONTAINMENT, EMPTINESS, [
  EXISTS,
  DOES_NOT_EXIST,
]);
export const MATRIX_OPERATORS: readonly string[] = /* @__PURE__ */ together(EQUALITY, CONTAINMENT, [
  EXISTS,
  DOES_NOT_EXIST,
]);
/** An order begins with its first rank, and ends with its last. */
export const RANKING_OPERATORS: readonly string[] = /* @__PURE__ */ together(
  EQUALITY,
  ['starts_with', 'ends_with'],
  EMPTINESS,
  [EXISTS, DOES_NOT_EXIST],
);

export const DATE_OPERATORS: readonly string[] = /* @__PURE__ */ together(
  [
    'equals',
    'before',
    'after',
    'on_or_before',
    'on_or_after',
    'at_least_x_days_ago',
    'at_least_x_days_from_now',
    'within_past_x_days',
    'within_next_x_days',
  ],
  PERIODS,
  EMPTINESS,
  REGEX,
  [EXISTS, DOES_NOT_EXIST],
);

/** For the number of entries. */
export const REPEAT_OPERATORS: readonly string[] = /* @__PURE__ */ together(EQUALITY, COMPARISON, EMPTINESS);
export const FILES_OPERATORS: readonly string[] = EMPTINESS;
export const LOCATION_OPERATORS: readonly string[] = EMPTINESS;
export const PAYMENT_OPERATORS: readonly string[] = ['paid', 'not_paid'];
export const COMPUTED_OPERATORS: readonly string[] = /* @__PURE__ */ together(
  EQUALITY,
  CONTAINMENT,
  COMPARISON,
  EMPTINESS,
);

/** Operators that judge an answer without a value to compare it with. */
export const OPERATORS_WITHOUT_VALUE: readonly string[] = /* @__PURE__ */ together(
  EMPTINESS,
  TICKS,
  PAYMENT_OPERATORS,
  PERIODS,
  [EXISTS, DOES_NOT_EXIST],
);

/** All operators, for fields of an unknown type. */
export const ALL_OPERATORS: readonly string[] = /* @__PURE__ */ together(
  TEXT_OPERATORS,
  NUMBER_OPERATORS,
  CHECKBOX_OPERATORS,
  DATE_OPERATORS,
  PAYMENT_OPERATORS,
);

/** Joins lists, each operator once. Calls are marked as pure, so that a page's script does not contain unused lists. */
function together(...lists: (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}
