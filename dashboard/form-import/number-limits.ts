import type { JsonValue } from '../../fields/property.ts';

/** Options for a number's limits; none if no number would be valid. */
export function numberLimits(min: number | undefined, max: number | undefined): Record<string, JsonValue> {
  if (min !== undefined && max !== undefined && min > max) return {};
  return {
    ...(min !== undefined && { number_min_value: min }),
    ...(max !== undefined && { number_max_value: max }),
  };
}
