import type { Property } from '../../../fields/property.ts';
import { canonicalTypeName, NUMBER_TYPES } from '../../../fields/type-names.ts';

/** A typed value in the API's form: browsers leave `.5` and `1.` as they are. */
export function comparedValue({ type }: Property, typed: string): string {
  const text = typed.trim();
  const number = Number(text);
  return NUMBER_TYPES.includes(canonicalTypeName(type)) && Number.isFinite(number) ? String(number) : text;
}
