import { countOf, numberOf, tableOf } from '../json.ts';
import { attribute, codesIn, type LimeQuestion } from './survey.ts';

const OTHER_ANSWERS = (value: string) =>
  `Which of its options or rows were offered depended on the answers to ${value}. Here all are.`;
const ADDED_UP = (words: string) => (value: string) =>
  `What its numbers add up to is left out: ${words} ${value}`;

/** Notes for attributes that are lost; '' if nothing is. */
const LOSSES = tableOf<(value: string, question: LimeQuestion) => string>({
  array_filter: OTHER_ANSWERS,
  array_filter_exclude: OTHER_ANSWERS,
  exclude_all_others: (value, { type, parts: [rows = []] }) => {
    const isKept = (code: string) => /^[MP]$/.test(type) && rows.some((row) => row.code === code);
    const lost = codesIn(value).filter((code) => !isKept(code));
    return lost.length === 0
      ? ''
      : `Choosing ${namesOf(lost, rows)} ruled out the other options. Here it does not.`;
  },
  exclude_all_others_auto: (value) =>
    value === '1' ? 'Choosing all other options chose one of them only. Here it does not.' : '',
  random_group: () => 'It changed places with other questions. Here it stays in its place.',
  time_limit: (value) => `It was shown for ${value} seconds only. Here there is no limit.`,
  min_num_value: ADDED_UP('at least'),
  max_num_value: ADDED_UP('at most'),
  equals_num_value: ADDED_UP('exactly'),
  parent_order: (value) => `Its options appeared in the order of ${value}. Here they stand in their own.`,
  min_answers: howMany('min_answers', 'At least'),
  max_answers: howMany('max_answers', 'At most'),
  other_replace_text: (value, { hasOther }) =>
    hasOther && value !== ''
      ? `The field for an own answer was called “${value}”. Here it has its usual name.`
      : '',
  other_numbers_only: (value, { hasOther }) =>
    hasOther && value === '1' ? 'An own answer had to be a number. Here it may be any text.' : '',
});

/** Notes each attribute that is lost. */
export function tellLimeLosses(question: LimeQuestion, note: (text: string) => void): void {
  for (const [name, tell] of Object.entries(LOSSES)) {
    const value = attribute(question, name).trim();
    const text = value === '' ? '' : tell(value, question);
    if (text !== '') note(text);
  }
  if (question.mandatory === 'S')
    note('People were asked once more before they could leave it open. Here they may leave it open.');
  if (
    question.type === '|' &&
    ['show_title', 'show_comment'].some((name) => attribute(question, name) === '1')
  )
    note('The titles and comments of files are left out.');
}

/** Options to choose are limited here by numbers; other answers are not counted. */
function howMany(name: string, words: string): (value: string, question: LimeQuestion) => string {
  return (value, question) => {
    const isKept = /^[MP]$/.test(question.type) && countOf(value) !== undefined;
    const isRank = question.type === 'R' && name === 'max_answers';
    const isNothing = numberOf(value) === 0;
    return isKept || isRank || isNothing
      ? ''
      : `${words} ${value} of its answers were taken. Here there is no such limit.`;
  };
}

/** The options of these codes, in quotation marks. */
function namesOf(codes: readonly string[], options: readonly LimeQuestion[]): string {
  const named = codes.map((code) => options.find((one) => one.code === code)?.about ?? code);
  return named.map((name) => `“${name}”`).join(' or ');
}
