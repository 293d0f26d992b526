import type { Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';

/** A calculation as stored in a form's `computed_variables`. */
export interface Calculation {
  /** Begins with `cv_`. */
  id: string;
  name: string;
  formula: string;
  result_type?: 'number' | 'text' | 'auto';
}

interface FormParts {
  properties: readonly { [member: string]: unknown }[];
  computed_variables: readonly Calculation[];
}

/** Everything that conditions and texts may refer to: the blocks of a form, and its calculations as if they were fields. */
export function fieldsOf({ properties, computed_variables: calculations }: FormParts): Property[] {
  return [...(properties as unknown as readonly Property[]), ...asFields(calculations)];
}

export function asFields(calculations: readonly Calculation[]): Property[] {
  return calculations.map(({ id, name }) => ({ id, name, type: 'computed' }));
}

export function isCalculation({ id, type }: Pick<Property, 'id' | 'type'>): boolean {
  return canonicalTypeName(type) === 'computed' && isCalculationId(id);
}

function isCalculationId(id: string): boolean {
  return id.startsWith('cv_');
}

/** The word for a deleted field or calculation, by its id. */
export function kindOfGone(id: string): 'calculation' | 'field' {
  return isCalculationId(id) ? 'calculation' : 'field';
}

export function shownName(field: Property, article: 'A' | 'a' = 'A'): string {
  return field.name.trim() || `${article} ${isCalculation(field) ? 'calculation' : 'field'} without a name`;
}
