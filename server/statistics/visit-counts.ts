import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import { addVisitCounts } from './queries.ts';

/**
 * Kinds of counts of visits; see form_days in migrations/0006_visits.sql for the places. Newer kinds, by field id: visits
 * that reported the time of a field (`timed`), and the sum of the logarithms of these times (`log_time`, thousandths).
 */
type VisitKind = 'view' | 'referrer' | 'start' | 'step' | 'left' | 'field' | 'timed' | 'log_time';

/** How often something happened to a form on a day. */
export interface VisitCount {
  formId: number;
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  kind: VisitKind;
  place: string;
  count: number;
}

export interface VisitCounts {
  /** Counts an event of this moment; costs no query and never fails. */
  add(formId: number, kind: VisitKind, place: string, count?: number): void;
  /** Writes the counts; tries again later when the database does not take them. */
  flush(): Promise<void>;
  /** Writes the remaining counts. */
  stop(): Promise<void>;
}

/** A process that dies loses at most the counts of this time. */
const INTERVAL_MS = 1_000;
/** Different counters kept until the next flush. While the database is away, further ones are not counted. */
const MAX_NUMBERS = 50_000;

/** Counts in memory and writes everything in one statement a second. */
export function createVisitCounts(db: Db, log: Logger): VisitCounts {
  let counts = new Map<string, VisitCount>();
  let timer: NodeJS.Timeout | null = null;
  let writing = Promise.resolve();
  let isFailing = false;

  function put({ formId, day, kind, place, count }: VisitCount): void {
    const key = `${formId} ${day} ${kind} ${place}`;
    const known = counts.get(key);
    if (known) known.count += count;
    else if (counts.size < MAX_NUMBERS) counts.set(key, { formId, day, kind, place, count });
    timer ??= setTimeout(() => void flush(), INTERVAL_MS).unref();
  }

  async function write(): Promise<void> {
    const taken = [...counts.values()];
    counts = new Map();
    if (timer) clearTimeout(timer);
    timer = null;
    if (taken.length === 0) return;
    try {
      await addVisitCounts(db, taken);
      isFailing = false;
    } catch (err) {
      for (const count of taken) put(count);
      if (!isFailing) log.warn({ err }, 'views could not be counted yet');
      isFailing = true;
    }
  }

  /** One statement at a time; `write` never throws. */
  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  return {
    add(formId, kind, place, count = 1) {
      put({ formId, day: new Date().toISOString().slice(0, 10), kind, place, count });
    },
    flush,
    async stop() {
      await flush();
      if (timer) clearTimeout(timer);
    },
  };
}
