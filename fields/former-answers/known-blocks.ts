import type { Property } from '../property.ts';

interface FormBlocks {
  properties: readonly object[];
  removed_properties: readonly object[];
}

/** The blocks of a form as it is published, deleted ones first: one that comes back has its past answers, and its options their names. */
export function knownBlocks({ properties, removed_properties: removed }: FormBlocks): Property[] {
  return [...removed, ...properties] as Property[];
}
