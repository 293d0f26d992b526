/** What decides whether people can answer a form now, apart from its maximum number of submissions. */
interface OpenTimes {
  visibility: string;
  opensAt: Date | null;
  closesAt: Date | null;
}

/** Whether it is closed by hand, not open yet, or past its time. STATUS in queries.ts is the same in SQL. */
export function isClosedAt(times: OpenTimes, now: Date): boolean {
  return isOver(times, now) || isAhead(times, now);
}

/** When it will open by itself; null if it will not. */
export function opensAfter(times: OpenTimes, now: Date): Date | null {
  return isAhead(times, now) && !isOver(times, now) ? times.opensAt : null;
}

function isOver({ visibility, closesAt }: OpenTimes, now: Date): boolean {
  return visibility === 'closed' || (closesAt !== null && closesAt <= now);
}

function isAhead({ opensAt }: OpenTimes, now: Date): boolean {
  return opensAt !== null && now < opensAt;
}
