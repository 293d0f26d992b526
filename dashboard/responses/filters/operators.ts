import type { Property } from '../../../fields/property.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import type { FieldFilter } from '../search.ts';

const EMPTINESS = ['is_empty', 'is_not_empty'];
const EQUALITY = ['equals', 'does_not_equal'];
const CONTAINMENT = ['contains', 'does_not_contain'];
const NUMBER = [
  ...EQUALITY,
  'greater_than',
  'less_than',
  'greater_than_or_equal_to',
  'less_than_or_equal_to',
];
const DATE = [...EQUALITY, 'after', 'before', 'on_or_after', 'on_or_before'];

const NAMES: Record<string, string> = {
  equals: 'is',
  does_not_equal: 'is not',
  contains: 'contains',
  does_not_contain: 'does not contain',
  starts_with: 'has first',
  ends_with: 'has last',
  is_empty: 'has no answer',
  is_not_empty: 'has an answer',
  greater_than: 'is more than',
  less_than: 'is less than',
  greater_than_or_equal_to: 'is at least',
  less_than_or_equal_to: 'is at most',
  after: 'is after',
  before: 'is before',
  on_or_after: 'is on or after',
  on_or_before: 'is on or before',
};

/** The comparisons that the list supports for a field, the usual one first. */
export function operatorsOf(property: Property): string[] {
  switch (canonicalTypeName(property.type)) {
    case 'number':
    case 'rating':
    case 'scale':
    case 'slider':
      return [...NUMBER, ...EMPTINESS];
    case 'date':
      return [...DATE, ...EMPTINESS];
    case 'checkbox':
      return [...EQUALITY, ...EMPTINESS];
    case 'select':
    case 'multi_select':
      return [...EQUALITY, ...CONTAINMENT, ...EMPTINESS];
    case 'ranking':
      return ['starts_with', 'ends_with', ...EMPTINESS];
    case 'repeat':
      return [...CONTAINMENT, ...EMPTINESS];
    case 'files':
    case 'signature':
    case 'payment':
      return [...EMPTINESS].reverse();
    default:
      return [...CONTAINMENT, ...EQUALITY, ...EMPTINESS];
  }
}

export function operatorName(operator: string): string {
  return NAMES[operator] ?? operator;
}

/** Adds a comparison, and removes those that no answer could meet together with it: a number has one value only. */
export function withFilter(
  filters: readonly FieldFilter[],
  added: FieldFilter,
  property: Property,
): FieldFilter[] {
  const { id, operator, value } = added;
  const isOfMany = canonicalTypeName(property.type) === 'multi_select' && operator === 'equals';
  const mayHoldBeside = isOfMany || operator === 'contains' || operator.startsWith('does_not_');
  const others = filters.filter(
    (other) => other.id !== id || other.operator !== operator || (mayHoldBeside && other.value !== value),
  );
  return [...others, added];
}

/** Whether an operator needs a value. */
export function takesValue(operator: string): boolean {
  return !EMPTINESS.includes(operator);
}
