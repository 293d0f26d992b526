import type { Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { scaleSteps } from '../../fields/types/stepped.ts';
import type { FieldFigures } from './queries.ts';

/** How many people would recommend something, and how many would not. */
export interface NetPromoter {
  /** From -100 to 100. */
  score: number;
  /** Answers 9 and 10. */
  promoters: number;
  /** Answers 7 and 8. */
  passives: number;
  /** Answers 0 to 6. */
  detractors: number;
  all: number;
}

/**
 * The Net Promoter Score of a scale from 0 to 10: the percentage of promoters minus that of detractors. Null for any other
 * question.
 */
export function netPromoterOf(
  property: Property,
  values: NonNullable<FieldFigures['values']>,
): NetPromoter | null {
  if (canonicalTypeName(property.type) !== 'scale') return null;
  const { min, max, step } = scaleSteps(property);
  if (min !== 0 || max !== 10 || step !== 1) return null;
  const between = (low: number, high: number) =>
    values
      .filter(({ value }) => Number(value) >= low && Number(value) <= high)
      .reduce((sum, { count }) => sum + count, 0);
  const [promoters, passives, detractors] = [between(9, 10), between(7, 8), between(0, 6)];
  const all = promoters + passives + detractors;
  if (all === 0) return null;
  // `|| 0` turns a rounded -0 into 0, since -0 would be shown as such.
  const score = Math.round(((promoters - detractors) / all) * 100) || 0;
  return { score, promoters, passives, detractors, all };
}
