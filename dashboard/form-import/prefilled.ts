import type { JsonValue } from '../../fields/property.ts';

/** The member of a block for its initial answer; none if there is no such answer. */
export function prefilled(prefill: JsonValue | undefined): Record<string, JsonValue> {
  return prefill === undefined ? {} : { prefill };
}
