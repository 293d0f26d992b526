import { isBlank } from '../../../fields/block-options/options.ts';
import { fieldTypeOf } from '../../../fields/field-types.ts';
import { type Condition, isJsonObject, type JsonValue, type Property } from '../../../fields/property.ts';
import { CHOICE_TYPES, canonicalTypeName, isLayoutBlock, OPTION_TYPES } from '../../../fields/type-names.ts';
import type { Members } from '../edits.ts';
import { isExclusive, optionName, optionsOf, withMember, withOptions } from '../lists/choice-list.ts';
import { valueKindOf } from '../logic/logic-words.ts';
import { contentOptions, stateOptions } from '../options/block-options.ts';
import { ownOptions } from '../options/own-options.ts';
import { KINDS, type Kind, startOf } from './kinds.ts';

/** The kinds that a question can be turned into: all that ask something. */
export const QUESTION_KINDS = KINDS.filter(({ type }) => !isLayoutBlock(type));
/** Options that define a block's kind, so they are no settings that could be lost. */
const KIND_FLAGS = new Set(KINDS.flatMap(({ options }) => Object.keys(options ?? {})));
/** Operators about one option, for a single choice and for several. */
const AS_SEVERAL: Readonly<Record<string, string>> = {
  equals: 'contains',
  does_not_equal: 'does_not_contain',
};
const AS_ONE: Readonly<Record<string, string>> = {
  contains: 'equals',
  does_not_contain: 'does_not_equal',
};

/** The members to change besides the type, and the names of settings that are lost. */
export function turnedInto(block: Property, kind: Kind): { members: Members; lost: string[] } {
  const type = canonicalTypeName(block.type);
  const isSameType = type === kind.type;
  const known = new Set(ownOptions(kind.type).map(({ key }) => key));
  const gone = isSameType ? [] : ownOptions(type).filter(({ key }) => !known.has(key));
  const members: Members = {
    ...Object.fromEntries(gone.map(({ key }) => [key, undefined])),
    ...Object.fromEntries(otherFlags(kind).map((key) => [key, undefined])),
    ...kind.options,
    ...choicesFor(block, kind),
  };
  const next = { ...block, ...members, type: kind.type } as Property;
  const lost = gone.filter(({ key }) => !KIND_FLAGS.has(key) && isSet(block, key)).map(({ label }) => label);
  if (isSet(block, 'placeholder') && !contentOptions(next).some(({ key }) => key === 'placeholder')) {
    members.placeholder = undefined;
    lost.push('Placeholder');
  }
  if (kind.type !== 'multi_select' && optionsOf(next).some(isExclusive)) {
    const options = optionsOf(next).map((option) => withMember(option, 'exclusive', undefined));
    Object.assign(members, withOptions(next, options));
    lost.push('An option rules out the others');
  }
  const takesPrefill = stateOptions(next).some(({ key }) => key === 'prefill');
  if (
    isSet(block, 'prefill') &&
    (!takesPrefill || valueKindOf(block, 'equals') !== valueKindOf(next, 'equals'))
  ) {
    members.prefill = undefined;
    lost.push('Filled in with');
  }
  return { members, lost };
}

/** Flags of other kinds with the same type. */
function otherFlags(kind: Kind): string[] {
  return KINDS.filter(({ type }) => type === kind.type)
    .flatMap(({ options }) => Object.keys(options ?? {}))
    .filter((key) => kind.options?.[key] === undefined);
}

/** Options move from choice to choice; a block without any gets those of a new one. */
function choicesFor(block: Property, kind: Kind): Members {
  const type = canonicalTypeName(block.type);
  const hasOptions = OPTION_TYPES.includes(type);
  const isStill = hasOptions && OPTION_TYPES.includes(kind.type) && optionsOf(block).length > 0;
  if (!isStill) return { ...(hasOptions && { [type]: undefined, options: undefined }), ...startOf(kind) };
  return type === kind.type || block[type] === undefined
    ? {}
    : { [type]: undefined, [kind.type]: block[type] };
}

function isSet(block: Property, key: string): boolean {
  const value = key === 'options' ? optionsOf(block).map(optionName) : block[key];
  return !isBlank(value) && value !== false;
}

/** A condition adapted to the field's new type. One that this type does not support stays, to be corrected. */
export function conditionAbout(condition: Condition, type: string): Condition {
  const { value: body } = condition;
  const before = isJsonObject(body.property_meta) ? canonicalTypeName(String(body.property_meta.type)) : type;
  const next = { ...body, property_meta: { ...body.property_meta, type } };
  const canBeAsked = fieldTypeOf(type).operators.includes(body.operator);
  if (canBeAsked || ![before, type].every((name) => CHOICE_TYPES.includes(name)))
    return { ...condition, value: next };
  const operator = (type === 'select' ? AS_ONE : AS_SEVERAL)[body.operator];
  const value = type === 'select' ? onlyItem(body.value) : body.value;
  if (operator === undefined || value === undefined) return { ...condition, value: next };
  return { ...condition, value: { ...next, operator, value } };
}

/** A list with one item can become a single value, a longer one cannot. */
function onlyItem(value: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(value)) return value;
  return value.length === 1 ? value[0] : undefined;
}
