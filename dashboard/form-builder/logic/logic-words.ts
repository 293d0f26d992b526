import { isOn } from '../../../fields/block-options/options.ts';
import { fieldTypeOf } from '../../../fields/field-types.ts';
import { DOES_NOT_EXIST, EXISTS, OPERATORS_WITHOUT_VALUE } from '../../../fields/logic/operator-names.ts';
import { isJsonObject, type JsonValue, type Property } from '../../../fields/property.ts';
import { isLayoutBlock } from '../../../fields/type-names.ts';
import { isCalculation, kindOfGone, shownName } from '../../calculations/fields.ts';
import { actionsOf, makesDifference } from './logic-actions.ts';

/** Kinds of inputs for the value of a condition. */
export type ValueKind =
  | 'none'
  | 'text'
  | 'pattern'
  | 'number'
  | 'days'
  | 'date'
  | 'choice'
  | 'choices'
  | 'flag'
  | 'order'
  | 'matrix';

const WORDS: Readonly<Record<string, string>> = {
  equals: 'is',
  does_not_equal: 'is not',
  contains: 'contains',
  does_not_contain: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  is_empty: 'is empty',
  is_not_empty: 'is answered',
  matches_regex: 'matches the pattern',
  does_not_match_regex: 'does not match the pattern',
  greater_than: 'is greater than',
  less_than: 'is less than',
  greater_than_or_equal_to: 'is at least',
  less_than_or_equal_to: 'is at most',
  content_length_equals: 'has this many characters:',
  content_length_does_not_equal: 'does not have this many characters:',
  content_length_greater_than: 'has more characters than',
  content_length_greater_than_or_equal_to: 'has at least this many characters:',
  content_length_less_than: 'has fewer characters than',
  content_length_less_than_or_equal_to: 'has at most this many characters:',
  is_checked: 'is ticked',
  is_not_checked: 'is not ticked',
  before: 'is before',
  after: 'is after',
  on_or_before: 'is on or before',
  on_or_after: 'is on or after',
  at_least_x_days_ago: 'is at least this many days ago:',
  at_least_x_days_from_now: 'is at least this many days away:',
  within_past_x_days: 'is within the last days:',
  within_next_x_days: 'is within the next days:',
  past_week: 'is in the last week',
  past_month: 'is in the last month',
  past_year: 'is in the last year',
  next_week: 'is in the next week',
  next_month: 'is in the next month',
  next_year: 'is in the next year',
  [EXISTS]: 'was answered so before',
  [DOES_NOT_EXIST]: 'was never answered so before',
  paid: 'is paid',
  not_paid: 'is not paid',
};
/** Words of operators that have a special meaning for a type. */
const OWN_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  multi_select: { contains: 'includes', does_not_contain: 'does not include' },
  matrix: {
    equals: 'has all of',
    does_not_equal: 'does not have all of',
    contains: 'has any of',
    does_not_contain: 'has none of',
  },
  ranking: {
    equals: 'has exactly this order:',
    does_not_equal: 'does not have this order:',
    starts_with: 'has first',
    ends_with: 'has last',
  },
  repeat: {
    equals: 'has this many entries:',
    does_not_equal: 'does not have this many entries:',
    greater_than: 'has more entries than',
    less_than: 'has fewer entries than',
    greater_than_or_equal_to: 'has at least this many entries:',
    less_than_or_equal_to: 'has at most this many entries:',
    is_empty: 'has no entries',
    is_not_empty: 'has entries',
  },
  files: { is_empty: 'has no file', is_not_empty: 'has a file' },
  computed: { is_empty: 'has no value', is_not_empty: 'has a value' },
};
const COMPARED_BY_SIZE = /^(greater|less)_than/;

export const ACTIONS: Readonly<Record<string, string>> = {
  'show-block': 'Show it',
  'hide-block': 'Hide it',
  'require-answer': 'Require an answer',
  'make-it-optional': 'Make it optional',
  'enable-block': 'Allow changes',
  'disable-block': 'Allow no changes',
};
const ACTION_VERBS: Readonly<Record<string, string>> = {
  'show-block': 'Show',
  'hide-block': 'Hide',
  'require-answer': 'Require',
  'make-it-optional': 'Make optional',
  'enable-block': 'Allow changes',
  'disable-block': 'Allow no changes',
};

/**
 * The operators for a field; those about other submissions work only when a form is sent.
 * @param options.current is offered in any case
 */
export function operatorsFor(
  block: Pick<Property, 'type'>,
  { isValidation = false, current }: { isValidation?: boolean; current?: string } = {},
): string[] {
  const type = fieldTypeOf(block.type);
  return type.operators.filter((operator) => {
    if (operator === current) return true;
    if (operator === EXISTS || operator === DOES_NOT_EXIST) return isValidation;
    if (type.name === 'checkbox') return operator.startsWith('is_');
    return !(type.csvKind === 'number' && operator.startsWith('content_length'));
  });
}

/** The fields that conditions can be about. */
export function askable(blocks: readonly Property[], rule: { isValidation?: boolean } = {}): Property[] {
  return blocks.filter((block) => !isLayoutBlock(block.type) && operatorsFor(block, rule).length > 0);
}

export function operatorWords(operator: string, typeName: string): string {
  return (
    OWN_WORDS[fieldTypeOf(typeName).name]?.[operator] ?? WORDS[operator] ?? operator.replaceAll('_', ' ')
  );
}

export function valueKindOf(block: Pick<Property, 'type'>, operator: string): ValueKind {
  if (OPERATORS_WITHOUT_VALUE.includes(operator)) return 'none';
  if (operator.endsWith('_regex')) return 'pattern';
  if (operator.includes('_x_days')) return 'days';
  if (operator.startsWith('content_length')) return 'number';
  const type = fieldTypeOf(block.type);
  switch (type.name) {
    case 'select':
      return 'choice';
    case 'multi_select':
      return 'choices';
    case 'ranking':
      return operator.endsWith('_with') ? 'choice' : 'order';
    case 'date':
      return 'date';
    case 'matrix':
      return 'matrix';
    case 'checkbox':
      return 'flag';
    case 'computed':
      return COMPARED_BY_SIZE.test(operator) ? 'number' : 'text';
    default:
      return type.csvKind === 'number' || type.csvKind === 'entries' ? 'number' : 'text';
  }
}

/** The initial value of a condition after choosing its operator; null if it has to be entered. */
export function firstValue(kind: ValueKind, operator: string): JsonValue {
  if (kind === 'none') return /^(past|next)_/.test(operator) ? {} : true;
  if (kind === 'flag') return true;
  if (kind === 'matrix') return {};
  return kind === 'choices' || kind === 'order' ? [] : '';
}

/** Including calculations. */
type Blocks = ReadonlyMap<string, Property>;

/** If a block and a calculation have the same id, the block wins, as it does when conditions are evaluated. */
export function fieldsById(blocks: readonly Property[], calculations: readonly Property[]): Blocks {
  return new Map([...calculations, ...blocks].map((field) => [field.id, field]));
}

/**
 * `Show only when Topic is Support and Age is at least 18`; actions without effect are left out. Null for a block without
 * conditions.
 */
export function logicSentence(block: Property, blocks: Blocks): string | null {
  const conditions = block.logic?.conditions;
  if (!isJsonObject(conditions) || !Array.isArray(conditions.children)) return null;
  const actions = actionsOf(block).filter((action) => makesDifference(block, action));
  const verbs = actions
    .map((action) => ACTION_VERBS[action] ?? action)
    .map((verb, index) => (index === 0 ? verb : verb.toLowerCase()))
    .join(' and ');
  const tree = groupSentence(conditions, blocks);
  const when = actions.includes('show-block') ? 'only when' : 'when';
  return `${verbs === '' ? 'Change nothing' : verbs} ${tree === '' ? 'always' : `${when} ${tree}`}`;
}

/** `Valid when …`; null for a block without rules of its own. */
export function validationSentence({ validation }: Property, blocks: Blocks): string | null {
  const conditions = validation?.error_conditions?.conditions;
  if (!isJsonObject(conditions) || !Array.isArray(conditions.children)) return null;
  const tree = groupSentence(conditions, blocks);
  return tree === '' ? null : `Accept only when ${tree}`;
}

function groupSentence(group: { [key: string]: unknown }, blocks: Blocks): string {
  const children = Array.isArray(group.children) ? group.children : [];
  const word = group.operatorIdentifier === 'or' ? ' or ' : ' and ';
  return children
    .map((child) => {
      if (!isJsonObject(child)) return '';
      if (!Array.isArray(child.children)) return conditionSentence(child, blocks);
      const inner = groupSentence(child, blocks);
      return child.children.length > 1 && inner !== '' ? `(${inner})` : inner;
    })
    .filter((part) => part !== '')
    .join(word);
}

function conditionSentence(condition: { [key: string]: unknown }, blocks: Blocks): string {
  const body = isJsonObject(condition.value) ? condition.value : {};
  const block = blocks.get(String(condition.identifier));
  const meta = isJsonObject(body.property_meta) ? body.property_meta : {};
  const type = block?.type ?? String(meta.type ?? 'text');
  const operator = String(body.operator ?? '');
  const subject = block ? shortName(block) : `a deleted ${kindOfGone(String(condition.identifier))}`;
  const words = operatorWords(operator, type);
  if (valueKindOf({ type }, operator) === 'none') return `${subject} ${words}`;
  if (typeof body.value === 'boolean')
    return `${subject} ${words} ${isOn(body.value) ? 'ticked' : 'not ticked'}`;
  return `${subject} ${words} ${valueWords(body.value, blocks)}`;
}

function valueWords(value: unknown, blocks: Blocks): string {
  if (Array.isArray(value)) return value.length === 0 ? '…' : value.map(String).join(', ');
  if (isJsonObject(value)) {
    const rows = Object.entries(value).map(([row, column]) => `${row}: ${String(column)}`);
    return rows.length === 0 ? '…' : rows.join(', ');
  }
  const mention = mentionedField(value);
  if (mention !== null) {
    const field = blocks.get(mention);
    return field ? answerTo(field) : `the answer to a deleted ${kindOfGone(mention)}`;
  }
  return value === '' || value === undefined || value === null ? '…' : String(value);
}

/** The id of the field that a value mentions, or null. */
export function mentionedField(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return /^<span\b[^<>]*\bmention-field-id="([^"]*)"[^<>]*>[^<>]*<\/span>$/.exec(value)?.[1] ?? null;
}

/** A value that stands for another field's answer. */
export function mentionOf(fieldId: string): string {
  return `<span mention="true" mention-field-id="${fieldId}" mention-fallback=""></span>`;
}

const MAX_NAME = 60; // characters
const MAX_PLAIN_WORDS = 3;

/** Names a field's answer as something to compare with. */
export function answerTo(field: Property): string {
  return `the ${isCalculation(field) ? 'result of' : 'answer to'} ${shortName(field)}`;
}

function shortName(field: Property): string {
  const text = shownName(field, 'a');
  const short = text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text;
  // Quoted, since a whole question would run into the words around it.
  return /[?.!:…]$/.test(short) || short.split(/\s+/).length > MAX_PLAIN_WORDS ? `“${short}”` : short;
}
