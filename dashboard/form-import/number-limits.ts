import type { JsonValue } from '../../fields/property.ts';

/** The options of a number that takes only these; none where no number would do. */
export function numberLimits(min: number | undefined, max: number | undefined): Record<string, JsonValue> {
  if (min !== undefined && max !== undefined && min > max) return {};
  return {
    ...(min !== undefined && { number_min_value: min }),
    ...(max !== undefined && { number_max_value: max }),
  };
}
