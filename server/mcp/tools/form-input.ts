import Type, { type TSchema } from 'typebox';
import { MAX_REPEATED_QUESTIONS, REPEATABLE_TYPES } from '../../../fields/repeated-questions.ts';
import { INPUT_TYPES } from '../../../fields/type-names.ts';
import { FIELDS_WITHOUT_DEFAULTS } from '../../forms/schemas.ts';

/**
 * Members of a form that an assistant may set. Those that could do harm are left out, since an answer it has read may
 * have talked it into something: code, where respondents are led, the password, and how long answers are kept.
 */
const SETTABLE = [
  ...([
    'title',
    'description',
    'language',
    'visibility',
    'tags',
    'opens_at',
    'closes_at',
    'max_submissions_count',
  ] as const),
  ...(['submit_button_text', 'submitted_text', 'closed_text', 'max_submissions_reached_text'] as const),
  ...(['re_fillable', 're_fill_button_text', 'show_progress_bar', 'confetti_on_submission'] as const),
  ...(['theme', 'presentation_style', 'width', 'size', 'border_radius', 'dark_mode', 'color'] as const),
  ...(['uppercase_labels', 'layout_rtl', 'computed_variables', 'translations'] as const),
];

const BLOCK_GUIDE =
  'The blocks of the form in order, a list of objects with "id" (short, unique, stays the same), "type", "name" (the ' +
  'question), and as needed "required", "help", "placeholder", "hidden", "width" ("full" or "1/2"). Types that ask: ' +
  `${INPUT_TYPES.filter((type) => type !== 'payment' && type !== 'computed').join(', ')}. Types that ask nothing: nf-text ` +
  '("content", HTML), nf-page-break (a new page begins), nf-divider, nf-image. What types take besides: select, ' +
  'multi_select and ranking {"select": {"options": [{"id": "a", "name": "Red"}]}} under the name of the type, select ' +
  'and multi_select "without_dropdown": true to show all options at once, multi_select "min_selection" and ' +
  '"max_selection", and "exclusive": true in an option, such as None, that cannot be chosen with others; text "multi_lines", "max_char_limit", "autocomplete" (a name of HTML such as "given-name", where visitors are asked about themselves); number "number_min_value", "number_max_value", "whole_number"; rating "rating_max_value"; scale and slider ' +
  '"scale_min_value", "scale_max_value", "scale_step_value" ("slider_…"); matrix "rows" and "columns", lists of texts; ' +
  'date "with_time", "date_range"; repeat, which asks the same for each of several entries, "questions", a list of at most ' +
  `${MAX_REPEATED_QUESTIONS} like blocks without conditions, of the types ${REPEATABLE_TYPES.join(', ')}, "entry_name" ("Person"), ` +
  '"min_entries", "max_entries". To show a block only when an answer is given: "hidden": true with "logic": ' +
  '{"conditions": {"operatorIdentifier": "and", "children": [{"identifier": "<id>", "value": {"operator": "equals", ' +
  '"property_meta": {"id": "<id>", "type": "select"}, "value": "Red"}}]}, "actions": ["show-block"]}.';

/** Schemas of these members; the API checks their values. */
export const FORM_SETTINGS: Record<string, TSchema> = Object.fromEntries(
  SETTABLE.map((key) => [key, Type.Optional(FIELDS_WITHOUT_DEFAULTS[key] as TSchema)]),
);

export const Blocks = blocks(BLOCK_GUIDE);
/** Without the long description: one tool with it is enough. */
export const BlocksInShort = blocks(
  'All blocks of the form, written as for create_form. What is left out is removed from the form.',
);

function blocks(description: string) {
  return Type.Optional(Type.Unsafe<unknown[]>({ ...FIELDS_WITHOUT_DEFAULTS.properties, description }));
}
