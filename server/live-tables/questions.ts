import { fieldTypeOf } from '../../fields/field-types.ts';
import type { Property } from '../../fields/property.ts';

/** The ids of the questions that a form has now, in its order. */
export function questionIds(properties: readonly Property[]): string[] {
  return properties.filter(({ type }) => fieldTypeOf(type).kind === 'input').map(({ id }) => id);
}
