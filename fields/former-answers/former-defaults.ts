import { hasDefault, withoutDefault } from '../block-options/prefill.ts';
import type { CompiledField } from '../compile-field.ts';
import { type Answers, ownMember, type Property } from '../property.ts';
import { canonicalTypeName } from '../type-names.ts';

/**
 * The blocks as they apply to a change of these answers by whoever gave them: a field that was hidden with them keeps its answer, or
 * stays empty if it had none. Null when there is no such field.
 */
export function withFormerDefaults(
  properties: readonly Property[],
  fields: readonly CompiledField[],
  stored: Answers,
): Property[] | null {
  const known = new Map(fields.map((field) => [field.id, field]));
  const wasFilledIn = (property: Property) =>
    hasDefault(property, canonicalTypeName(property.type)) &&
    known.get(property.id)?.stateFor(stored, {}).hidden === true;
  if (!properties.some(wasFilledIn)) return null;
  return properties.map((property) =>
    wasFilledIn(property)
      ? { ...withoutDefault(property), prefill: ownMember(stored, property.id) ?? null }
      : property,
  );
}
