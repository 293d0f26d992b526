import { isBlank, isOn } from '../../../fields/block-options/options.ts';
import { fieldTypeOf } from '../../../fields/field-types.ts';
import {
  type Condition,
  type ConditionGroup,
  isJsonObject,
  type JsonValue,
  type Property,
} from '../../../fields/property.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import { kindOfGone } from '../../calculations/fields.ts';
import { type ConditionNode, isGroup } from './condition-tree.ts';
import { mentionedField } from './logic-words.ts';
import { type Missing, missingIn } from './missing-names.ts';

export interface Place {
  properties: readonly Property[];
  /** Ids of calculations, whose results may be anything. */
  calculations: ReadonlySet<string>;
  /** Index of the block with the conditions. */
  index: number;
  /** Whether a comparison that does not suit its field is reported here; those of blocks are refused by the service. */
  reportsUnsuited?: boolean;
}

/** Operators that are met by an unanswered field. */
const HOLDS_EMPTY = new Set([
  'is_empty',
  'is_not_checked',
  'does_not_equal',
  'does_not_contain',
  'does_not_match_regex',
]);

/** Why a tree can never be met by any answers; null if it may be. Reports only what is certain. */
export function neverReason(node: ConditionNode, place: Place): string | null {
  if (!isGroup(node)) return conditionReason(node, place);
  const reasons = node.children.map((child) => neverReason(child, place));
  if (node.operatorIdentifier === 'or') {
    if (reasons.length === 0) return 'it has no conditions.';
    return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null;
  }
  return reasons.find((reason) => reason !== null) ?? contradiction(node);
}

function conditionReason({ identifier, value: { operator, value } }: Condition, place: Place): string | null {
  const asked = place.properties.find(({ id }) => id === identifier);
  if (place.reportsUnsuited && asked && !fieldTypeOf(asked.type).operators.includes(operator))
    return `“${asked.name}” was turned into another kind of question.`;
  if (HOLDS_EMPTY.has(operator)) return null;
  if (place.calculations.has(identifier)) return null;
  const at = place.properties.findIndex(({ id }) => id === identifier);
  const field = place.properties[at];
  if (!field) return `it asks about a ${kindOfGone(identifier)} that was deleted.`;
  if (isAlwaysEmpty(field)) return `“${field.name}” is always hidden and empty.`;
  if (pageOf(place.properties, at) > pageOf(place.properties, place.index))
    return `“${field.name}” is asked on a later page.`;
  const missing = missingFor(field, operator, value);
  return missing && `“${field.name}” has no ${missing.kind} “${missing.name}”.`;
}

function isAlwaysEmpty(field: Property): boolean {
  const isHidden = isOn(field.hidden) && !(field.logic?.actions ?? []).includes('show-block');
  const isFilled =
    !isBlank(field.prefill) ||
    isOn(field.prefill_today) ||
    isOn(field.generates_uuid) ||
    isOn(field.generates_auto_increment_id);
  // The address of the page may fill in a hidden field, so only fields without prefill are never answered.
  return isHidden && !isFilled && /^(files|signature)$/.test(canonicalTypeName(field.type));
}

/** An option, a row or a column that the condition needs but the field does not have. */
function missingFor(field: Property, operator: string, value: JsonValue | undefined): Missing | null {
  if (!['equals', 'contains', 'starts_with', 'ends_with'].includes(operator)) return null;
  const missing = missingIn(field, value);
  // Of a matrix it has any of several answers: one that can be given is enough.
  const isAnyOf = operator === 'contains' && isJsonObject(value);
  if (isAnyOf && missing.length < Object.keys(value).length) return null;
  return missing[0] ?? null;
}

/** Whether one field would need two different values at once. */
function contradiction({ children }: ConditionGroup): string | null {
  const wanted = new Map<string, JsonValue | undefined>();
  for (const child of children) {
    if (isGroup(child) || child.value.operator !== 'equals') continue;
    const { identifier, value } = child;
    if (typeof value.value !== 'string' || mentionedField(value.value) !== null) continue;
    if (wanted.has(identifier) && wanted.get(identifier) !== value.value)
      return `one answer cannot be both “${String(wanted.get(identifier))}” and “${value.value}”.`;
    wanted.set(identifier, value.value);
  }
  return null;
}

function pageOf(properties: readonly Property[], index: number): number {
  return properties.slice(0, index).filter(({ type }) => canonicalTypeName(type) === 'nf-page-break').length;
}
