import { hashKey } from '@tanstack/react-query';

/** Whether two values are the same as JSON. Ignores the order of members in objects, which the service does not keep everywhere. */
export function isSame(one: unknown, other: unknown): boolean {
  return hashKey([one]) === hashKey([other]);
}
