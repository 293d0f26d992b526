/** `warn`: it works, but not as it should. `fail`: something does not work, or could lose answers. */
type Status = 'ok' | 'warn' | 'fail';

export interface Verdict {
  status: Status;
  /** The finding, in one line. */
  found: string;
  /** What to write or do; null when all is well. */
  mend: string | null;
}

/** One line of the report. */
export interface Finding extends Verdict {
  check: string;
}

export interface Check {
  name: string;
  /** What to do when the check throws or gets no answer. */
  mend: string;
  examine(): Verdict | Promise<Verdict>;
}

/** No check takes longer than this many milliseconds. */
const CHECK_LIMIT_MS = 5_000;
/** For a request of a check: less, so that the check can report why it failed. */
export const REQUEST_LIMIT_MS = 4_500;

/** A check got no answer in time; its work may still be under way. */
export class CheckTimeout extends Error {}

export function ok(found: string): Verdict {
  return { status: 'ok', found, mend: null };
}

export function warn(found: string, mend: string): Verdict {
  return { status: 'warn', found, mend };
}

export function fail(found: string, mend: string): Verdict {
  return { status: 'fail', found, mend };
}

/** Runs one check, and never throws or hangs. @param explain puts an error into one line without secrets */
export async function runCheck(
  { name, mend, examine }: Check,
  explain: (error: unknown) => string,
  limitMs = CHECK_LIMIT_MS,
): Promise<Finding> {
  try {
    return { check: name, ...(await withinLimit(examine, limitMs)) };
  } catch (error) {
    return { check: name, ...fail(explain(error), mend) };
  }
}

async function withinLimit(examine: Check['examine'], limitMs: number): Promise<Verdict> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new CheckTimeout(`no answer within ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([(async () => examine())(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
