import type { Property } from '../../../fields/property.ts';
import { readGroup } from './condition-tree.ts';
import { neverReason } from './reachable.ts';

/**
 * Why no answers can meet a condition of an integration or an ending; null if some may, or without a condition.
 * @param fields of the form, with its calculations
 */
export function neverMetReason(conditions: unknown, fields: readonly Property[]): string | null {
  const group = readGroup(conditions);
  // Such conditions are evaluated after all pages were answered.
  const place = {
    properties: fields,
    calculations: new Set<string>(),
    index: fields.length,
    reportsUnsuited: true,
  };
  return group && neverReason(group, place);
}
