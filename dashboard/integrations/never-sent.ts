import type { Property } from '../../fields/property.ts';
import { readGroup } from '../form-builder/condition-tree.ts';
import { neverReason } from '../form-builder/reachable.ts';
import type { Integration } from './queries.ts';

/**
 * Why no answer can meet the condition of an integration; null where one may.
 * @param fields those of the form, and its calculations
 */
export function neverSentReason(
  { logic }: Pick<Integration, 'logic'>,
  fields: readonly Property[],
): string | null {
  const conditions = readGroup(logic);
  // It is asked when all pages were answered.
  const place = { properties: fields, calculations: new Set<string>(), index: fields.length };
  return conditions && neverReason(conditions, place);
}
