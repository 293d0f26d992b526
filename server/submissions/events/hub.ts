import type { Logger } from 'pino';
import type { Db } from '../../db/database.ts';
import {
  type EventPosition,
  findNews,
  findPosition,
  type SubmissionMark,
  type SubmissionNews,
} from './queries.ts';

/** What a listener is told. */
export interface FormEvent {
  /** Submissions came, changed or were reviewed; only the counters are new; or more happened than can be listed. */
  name: 'submission' | 'counters' | 'reset';
  position: EventPosition;
  data: object;
}

export interface Listener {
  tell(event: FormEvent): void;
  /** The form is gone. */
  end(): void;
}

interface SubmissionEvents {
  /**
   * Tells the counters and, given a position, what happened since it; resolves then. Afterwards tells what happens.
   */
  listen(formId: number, listener: Listener, since: EventPosition | null): Promise<void>;
  leave(formId: number, listener: Listener): void;
}

/** All listeners of a form share one look at the database per second. */
interface Watch {
  /** With the events that each has to be told after those it missed; null once it was told these. */
  listeners: Map<Listener, FormEvent[] | null>;
  latest: Pick<SubmissionNews, 'position' | 'counters'> | null;
  timer: NodeJS.Timeout | undefined;
  started: Promise<void>;
}

/** Between two looks at a form. */
const POLL_MS = 1_000;

/** Looks once a second at each form that somebody listens to. */
export function createSubmissionEvents(db: Db, log: Logger): SubmissionEvents {
  const watches = new Map<number, Watch>();

  async function listen(formId: number, listener: Listener, since: EventPosition | null): Promise<void> {
    const watch = watches.get(formId) ?? watchForm(formId);
    const later: FormEvent[] = [];
    watch.listeners.set(listener, since && later);
    await watch.started;
    const { latest } = watch;
    if (!latest) return listener.end();
    // What happens during this query may be told twice, but nothing is left out.
    const missed = since && (await findNews(db, formId, since));
    if (since && !missed) return listener.end();
    const events = missed ? missedEvents(missed, latest) : [];
    // Whoever loses the connection after the counters resumes from where he was.
    listener.tell({ ...countersOf(latest), ...(since && events.length > 0 && { position: since }) });
    for (const event of [...events, ...later]) listener.tell(event);
    if (watch.listeners.has(listener)) watch.listeners.set(listener, null);
  }

  function leave(formId: number, listener: Listener): void {
    const watch = watches.get(formId);
    watch?.listeners.delete(listener);
    if (watch?.listeners.size !== 0) return;
    clearTimeout(watch.timer);
    watches.delete(formId);
  }

  function watchForm(formId: number): Watch {
    const watch: Watch = { listeners: new Map(), latest: null, timer: undefined, started: Promise.resolve() };
    watches.set(formId, watch);
    watch.started = findPosition(db, formId).then(
      (found) => {
        watch.latest = found;
        wait(formId, watch, POLL_MS);
      },
      (error) => {
        // All listeners may have left meanwhile, and a new watch of the form may have begun.
        if (watches.get(formId) === watch) watches.delete(formId);
        throw error;
      },
    );
    return watch;
  }

  function wait(formId: number, watch: Watch, ms: number): void {
    if (watches.get(formId) !== watch) return;
    watch.timer = setTimeout(() => void look(formId, watch), ms);
  }

  async function look(formId: number, watch: Watch): Promise<void> {
    const { latest } = watch;
    try {
      const news = latest && (await findNews(db, formId, latest.position));
      if (!news) {
        for (const listener of watch.listeners.keys()) listener.end();
        return;
      }
      watch.latest = news;
      if (isNews(latest, news)) tellAll(watch, eventOf(news));
      wait(formId, watch, news.isMore ? 0 : POLL_MS);
    } catch (err) {
      log.warn({ err }, 'the submissions of a form could not be looked at');
      wait(formId, watch, POLL_MS);
    }
  }

  return { listen, leave };
}

function missedEvents(missed: SubmissionNews, latest: NonNullable<Watch['latest']>): FormEvent[] {
  if (missed.isMore) return [{ ...countersOf(latest), name: 'reset' }];
  return isAboutSubmissions(missed) ? [eventOf(missed)] : [];
}

function tellAll({ listeners }: Watch, event: FormEvent): void {
  for (const [listener, later] of listeners) {
    if (later) later.push(event);
    else listener.tell(event);
  }
}

function isNews({ counters }: Pick<SubmissionNews, 'counters'>, news: SubmissionNews): boolean {
  return (
    isAboutSubmissions(news) ||
    counters.completed !== news.counters.completed ||
    counters.partial !== news.counters.partial
  );
}

function isAboutSubmissions({ created, changed, reviewed }: SubmissionNews): boolean {
  return created.length + changed.length + reviewed.length > 0;
}

function eventOf(news: SubmissionNews): FormEvent {
  const { position, counters, created, changed, reviewed } = news;
  if (!isAboutSubmissions(news)) return countersOf(news);
  const data = { created, changed, ...(reviewed.length > 0 && { reviewed }), counters };
  return { name: 'submission', position, data };
}

/** The same event without the public ids of submissions. */
export function withoutPublicIds({ data, ...event }: FormEvent): FormEvent {
  const hidden = (mark: SubmissionMark) => ({ ...mark, submission_id: null });
  const { created, changed } = data as Partial<SubmissionNews>;
  return {
    ...event,
    data: {
      ...data,
      ...(created && { created: created.map(hidden) }),
      ...(changed && { changed: changed.map(hidden) }),
    },
  };
}

function countersOf({ position, counters }: Pick<SubmissionNews, 'position' | 'counters'>): FormEvent {
  return { name: 'counters', position, data: { counters } };
}
