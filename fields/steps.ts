import { fieldTypeOf } from './field-types.ts';
import type { Property } from './property.ts';

/** Blocks that are shown together. */
export interface Step {
  blocks: Property[];
  /** The page break that ends the step, with the texts of its buttons; null for the last step. */
  end: Property | null;
}

/**
 * Divides a form into steps: at its page breaks, or (`focused`) after every field, a field keeping the texts and
 * pictures above it. At least one step, which may be empty.
 */
export function stepsOf(properties: readonly Property[], style: 'classic' | 'focused'): Step[] {
  const steps: Step[] = [];
  let blocks: Property[] = [];
  const close = (end: Property | null) => {
    steps.push({ blocks, end });
    blocks = [];
  };
  for (const property of properties) {
    const { name, kind } = fieldTypeOf(property.type);
    if (name === 'nf-page-break') {
      if (style === 'classic' || blocks.length > 0) close(property);
    } else {
      blocks.push(property);
      if (style === 'focused' && kind === 'input') close(null);
    }
  }
  if (blocks.length > 0 || steps.length === 0) close(null);
  return steps;
}
