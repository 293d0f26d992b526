import type { Property } from '../../fields/property.ts';
import { readGroup } from '../form-builder/condition-tree.ts';
import { neverReason } from '../form-builder/reachable.ts';
import type { Integration } from './queries.ts';

/**
 * Why no answers can meet an integration's condition; null if some may.
 * @param fields of the form, with its calculations
 */
export function neverSentReason(
  { logic }: Pick<Integration, 'logic'>,
  fields: readonly Property[],
): string | null {
  const conditions = readGroup(logic);
  // Conditions are evaluated after all pages were answered.
  const place = { properties: fields, calculations: new Set<string>(), index: fields.length };
  return conditions && neverReason(conditions, place);
}
