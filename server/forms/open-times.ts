/** What decides whether people can answer a form now, but for how many have done so. */
export interface OpenTimes {
  visibility: string;
  opensAt: Date | null;
  closesAt: Date | null;
}

/** Closed by hand, not open yet, or past its time. In SQL the same is STATUS in queries.ts. */
export function isClosedAt(times: OpenTimes, now: Date): boolean {
  return isOver(times, now) || isAhead(times, now);
}

/** When it opens by itself, if it waits for that; null for all others. */
export function opensAfter(times: OpenTimes, now: Date): Date | null {
  return isAhead(times, now) && !isOver(times, now) ? times.opensAt : null;
}

function isOver({ visibility, closesAt }: OpenTimes, now: Date): boolean {
  return visibility === 'closed' || (closesAt !== null && closesAt <= now);
}

function isAhead({ opensAt }: OpenTimes, now: Date): boolean {
  return opensAt !== null && now < opensAt;
}
