import { isBlank, isOn } from '../../../fields/block-options/options.ts';
import { exclusiveNames } from '../../../fields/choices/exclusive-options.ts';
import { fieldTypeOf } from '../../../fields/field-types.ts';
import type { ComputedVariable } from '../../../fields/formulas/variables.ts';
import type { Html } from '../../../fields/html/html.ts';
import type { PageTexts } from '../../../fields/languages/language.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import { conditionalBreaks } from '../../../fields/logic/logic.ts';
import type { JsonObject, JsonValue, Property } from '../../../fields/property.ts';
import { questionsOf } from '../../../fields/repeated-questions.ts';
import type { MessageTemplates } from '../../../fields/texts/messages.ts';
import type { InputType } from '../../../fields/type-names.ts';
import { withoutIdleLimits } from '../../../fields/types/text.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import type { FormPage } from './form-page.ts';
import { mentionedIds } from './mentioned.ts';
import { takesWaiting, worksOffline } from './offline.ts';
import { needsOf, type ScriptNeed } from './script-needs.ts';
import { messageKeysOf, textKeysOf } from './script-texts.ts';

/** JSON for the page's script; every byte is sent with every page. */
export interface ScriptData {
  slug: string;
  /** Name under which answers are kept on the device. */
  uuid: string;
  language: string;
  /** Only with the members that decide what is shown and which answers are valid. */
  properties: Property[];
  /** Computed variables, if a condition or a text of a block refers to one. */
  variables?: ComputedVariable[];
  messages: Partial<MessageTemplates>;
  texts: Partial<PageTexts>;
  /** Parts of the rules beyond the common ones. */
  needs?: ScriptNeed[];
  /** Some elements can be made nicer; see browser/controls.ts. */
  nicer?: true;
  /** Absent means off. */
  focused?: true;
  /** Keep the answers on the device. */
  autoSave?: true;
  /** Keep the answers here as a partial submission. */
  partial?: true;
  autoFocus?: true;
  autoNext?: true;
  arrows?: true;
  /** The form can be filled in without a network; see browser/offline/. */
  offline?: {
    /** Text of the button that shows the form again, if any. */
    fillAgain?: string;
    /** It asks for money by now: what waits is sent, and nothing else is kept. */
    onlySends?: true;
  };
  /** Answers sent earlier in this visit fill it in: they count more than those kept on the device. */
  drafted?: true;
  /** A submission is edited: nothing is kept. */
  editing?: true;
  /** Whoever knows the id of a submission can edit it. */
  editable?: true;
}

/** Elements that the parts of browser/controls.ts enhance. */
const NICER = new RegExp(
  ` data-(?:${[
    ...[
      'search',
      'exclusive',
      'mask',
      'counter',
      'secret',
      'rich',
      'phone',
      'slider',
      'ranking',
      'files',
      'signature',
    ],
    ...['repeat', 'decoders', 'locate', 'embed', 'closes', 'mention', 'due', 'captcha'],
  ].join('|')})\\b`,
);

/** A number in an input, written with a decimal comma. */
const COMMA_NUMBER = / value="-?\d*,\d+"/;

/** Members of every block that the page's rules read; `name` is used in messages. */
const COMMON = ['id', 'type', 'name', 'hidden', 'required', 'disabled', 'logic', 'validation'];
/** Further members by type. Options are left out where the control cannot give any other answer. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  'nf-page-break': ['previous_btn_text'],
  text: ['max_char_limit', 'input_mask', 'generates_uuid'],
  rich_text: ['max_char_limit'],
  number: ['max_char_limit', 'number_min_value', 'number_max_value', 'whole_number'],
  email: ['max_char_limit'],
  url: ['max_char_limit'],
  barcode: ['max_char_limit'],
  rating: ['rating_max_value'],
  scale: ['scale_min_value', 'scale_max_value', 'scale_step_value'],
  slider: ['slider_min_value', 'slider_max_value', 'slider_step_value'],
  select: ['allow_creation'],
  multi_select: ['allow_creation', 'min_selection', 'max_selection'],
  checkbox: [],
  date: ['with_time', 'date_range', 'prefill_today', 'disable_past_dates', 'disable_future_dates'],
  phone_number: ['unavailable_countries', 'use_simple_text_input', 'max_char_limit', 'input_mask'],
  matrix: ['rows', 'columns', 'labels'],
  ranking: ['ranking', 'options', 'labels'],
  repeat: ['questions', 'entry_name', 'min_entries', 'max_entries'],
  files: ['multiple', 'max_file_size', 'allowed_file_types'],
  signature: ['max_file_size'],
  location: [],
  payment: [],
  computed: [],
} satisfies Record<InputType | 'nf-page-break', readonly string[]>;

export function scriptData(
  { form, visit, isDraft }: Pick<FormPage, 'form' | 'visit' | 'isDraft'>,
  main: Html,
): ScriptData {
  const { presentation, properties } = form;
  const { messages, page: texts, code } = languageFor(presentation.language);
  const { settings } = presentation;
  const breaks = conditionalBreaks(properties);
  const mentioned = mentionedIds(properties);
  const rules = properties.map((property) =>
    rulesOf(property, breaks.has(property.id), mentioned.has(property.id)),
  );
  const variables = variablesFor(form);
  const needs = [
    ...needsOf(rules),
    ...(variables.length > 0 ? (['formulas'] as const) : []),
    ...(COMMA_NUMBER.test(main.markup) ? (['numbers'] as const) : []),
  ];
  const isFocused = presentation.presentation_style === 'focused';
  const isEditing = visit.submissionId !== null;
  const mayWait = takesWaiting(form) && !isEditing && visit.personal === null;
  return {
    slug: form.slug,
    // A recipient must not get what others have begun on the same device.
    uuid: visit.personal === null ? form.uuid : `${form.uuid} ${visit.personal}`,
    language: code,
    properties: rules,
    ...(variables.length > 0 && { variables }),
    messages: pick(messages, messageKeysOf(properties)),
    texts: pick(texts, textKeysOf(form, mentioned)),
    ...(needs.length > 0 && { needs }),
    ...onlyTrue({
      nicer: mayWait || NICER.test(main.markup),
      focused: isFocused,
      // Not with a personal link: others who use the device have links of their own.
      autoSave: presentation.auto_save && !isEditing && visit.personal === null,
      partial: form.takesPartials && !isEditing,
      autoFocus: presentation.auto_focus,
      autoNext: settings.auto_next === true && isFocused,
      arrows: settings.navigation_arrows === true,
    }),
    ...(mayWait && { offline: offlineOf(form, texts) }),
    ...onlyTrue({ drafted: isDraft, editing: isEditing, editable: form.isEditable }),
  };
}

function offlineOf(form: PublishedForm, texts: PageTexts): NonNullable<ScriptData['offline']> {
  if (!worksOffline(form)) return { onlySends: true };
  const { re_fillable, re_fill_button_text } = form.presentation;
  return re_fillable ? { fillAgain: re_fill_button_text ?? texts.fillAgain } : {};
}

/** All variables of a form, because they may refer to each other; none if its blocks refer to none. */
function variablesFor({ properties, presentation }: PublishedForm): ComputedVariable[] {
  const variables = presentation.computed_variables;
  const text = variables.length > 0 ? JSON.stringify(properties) : '';
  return variables.some(({ id }) => text.includes(id)) ? variables : [];
}

/**
 * A block as the script needs it, without unset members, which mean the same.
 * @param isSaid whether texts mention its answer, which then needs the names of options
 * @param isPartFilled it is a question whose answer may be prefilled with those around it
 */
function rulesOf(
  property: Property,
  isOnHidingPage: boolean,
  isSaid: boolean,
  isPartFilled = false,
): Property {
  const type = fieldTypeOf(property.type).name;
  const keys = [...COMMON, ...(OWN[type] ?? [])];
  // Even while hidden, a field's prefilled value counts in the conditions of others.
  const mayBeHidden = isOn(property.hidden) || property.logic || isOnHidingPage;
  const mayBeFilled = isPartFilled || (mayBeHidden && !isBlank(property.prefill));
  if (mayBeFilled) keys.push('prefill');
  const exclusive = exclusiveNames(property);
  if (isSaid || exclusive.size > 0) keys.push('labels');
  if (mayBeFilled || (type === 'select' && isOn(property.allow_creation))) keys.push(type, 'options');
  const asked = type === 'text' ? withoutIdleLimits(property) : property;
  const kept = keys.flatMap((key) => {
    const value = asked[key as keyof Property] as JsonValue | undefined;
    const isUnset = isBlank(value) || (value === false && key !== 'prefill');
    return isUnset ? [] : [[key, value] as const];
  });
  const rules = Object.fromEntries(kept) as Property;
  if (exclusive.size > 0) rules.exclusive = [...exclusive];
  if (type === 'repeat')
    rules.questions = questionsOf(property).map(
      (question) => rulesOf(question, false, isSaid, mayBeFilled) as JsonObject,
    ) as JsonValue;
  // The name of a layout block is never shown.
  return type.startsWith('nf-') ? { ...rules, name: '' } : rules;
}

function pick<From extends object>(from: From, keys: readonly (keyof From)[]): Partial<From> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Partial<From>;
}

function onlyTrue<Flag extends string>(flags: Record<Flag, boolean>): Partial<Record<Flag, true>> {
  const set = (Object.keys(flags) as Flag[]).filter((flag) => flags[flag]);
  return Object.fromEntries(set.map((flag) => [flag, true])) as Partial<Record<Flag, true>>;
}
