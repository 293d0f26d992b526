import { formatNumber } from '../lib/format.ts';

/** As many days as a range has, right before it. */
export interface DaysBefore {
  /** `the 7 days before` */
  name: string;
  /** `in the 7 days before` */
  when: string;
}

export function daysBefore(days: number): DaysBefore {
  if (days === 1) return { name: 'the day before', when: 'on the day before' };
  const name = `the ${formatNumber(days)} days before`;
  return { name, when: `in ${name}` };
}
