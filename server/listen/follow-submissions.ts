import { CommandError } from '../cli/command.ts';
import { parseId } from '../http/schemas/ids.ts';
import type { RemoteForm, RemoteSubmission } from './remote-form.ts';

export const EVENTS = ['created', 'updated'] as const;
export type EventName = (typeof EVENTS)[number];

/** What a webhook would be told of. */
export interface Told {
  event: EventName;
  formId: number;
  /** Number of the submission. */
  id: number;
  /** Number of the change; null for a new submission. */
  change: number | null;
  body: string;
}

/** What is kept of a submission until its turn comes. */
type Mark = Pick<RemoteSubmission, 'id' | 'form_id' | 'status' | 'created_at' | 'updated_at'>;

/** Where to begin in the past: at a submission or a moment, included. */
export type Since = { submission: string } | { moment: Date };

/** The submission at which a replay begins; without a moment when there is none of that number. */
type Start = { id: number; created_at: string | null };

interface Following {
  told: AsyncGenerator<Told>;
  /** Above the numbers of all submissions dealt with; null before, and during a replay from a moment, which is not in their order. */
  nextId(): number | null;
}

/** Submissions per request: mostly few are new. Then the most that the interface gives. */
const FIRST_PAGE = { per_page: 10 };
const NEXT_PAGE = { per_page: 100 };
/** Submissions that are told in one go; of what is newer only the beginnings of such parts are kept. */
const PART = 1_000;
/** Wait before events are asked for again: after a stream has ended, and when there was none to be had. */
const REST_MS = 1_000;
const REST_WITHOUT_EVENTS_MS = 5_000;
const BY_CHANGE = { sort: 'updated_at', order: 'desc' };

/**
 * Follows a form by the lists of its API: new submissions by their numbers, changed ones by the time of the change. Both only
 * grow, so nothing is missed or told twice, however often the connection is lost. Live events only say when to look.
 * @param onBegin called once it is known where to begin
 */
export function followSubmissions(
  form: RemoteForm,
  since: Since | null,
  events: ReadonlySet<EventName>,
  onBegin: () => void,
): Following {
  /** The highest number that was dealt with. */
  let lastId = 0;
  /** The highest number when listening began: up to here it is a replay. */
  let lastOldId = 0;
  let isInOrder = false;
  /** Changes after this moment are told. */
  let changesAfter = '';
  /** Everything that changed before this moment was dealt with. */
  let changesReadTo = '';
  /** Submissions that were partial when last seen: their next change may be their completion. */
  const partials = new Set<number>();
  /** The latest change of a submission that was dealt with. */
  const lastChanges = new Map<number, number>();

  async function* told(): AsyncGenerator<Told> {
    const start = since && 'submission' in since ? await findStart(since.submission) : null;
    await begin();
    onBegin();
    if (start) beginAt(start);
    if (since && 'moment' in since) yield* createdSince(since.moment);
    isInOrder = true;
    for (;;) {
      const rings = await form.openRings();
      yield* news();
      for await (const _ of rings ?? []) yield* news();
      await form.pause(rings ? REST_MS : REST_WITHOUT_EVENTS_MS);
    }
  }

  /** There need not be a submission of that number; the replay then begins at the next one. */
  async function findStart(submission: string): Promise<Start> {
    const found = await form.find(submission);
    if (found) return found;
    const id = parseId(submission);
    if (id === null) throw new CommandError(`There is no submission ${submission}.`);
    return { id, created_at: null };
  }

  function beginAt({ id, created_at: createdAt }: Start): void {
    lastId = id - 1;
    if (createdAt !== null) setChangesAfter(createdAt);
  }

  /** Takes everything that is there as known. The order matters: what happens meanwhile is found by `news`. */
  async function begin(): Promise<void> {
    const [changed] = (await form.list({ ...BY_CHANGE, per_page: 1 })).data;
    setChangesAfter(changed?.updated_at ?? '');
    const [newest] = (await form.list({ per_page: 1 })).data;
    lastId = lastOldId = newest?.id ?? 0;
    for await (const { id } of newestFirst({ status: 'partial' })) partials.add(id);
  }

  function setChangesAfter(moment: string): void {
    changesAfter = changesReadTo = moment;
  }

  async function* createdSince(moment: Date): AsyncGenerator<Told> {
    setChangesAfter(new Date(moment.getTime() - 1).toISOString());
    const query = { from: moment.toISOString(), sort: 'created_at', order: 'asc', status: 'completed' };
    for await (const row of byCursor(query)) if (row.id <= lastId) yield* created(row, true);
  }

  async function* news(): AsyncGenerator<Told> {
    yield* newSubmissions();
    if (partials.size > 0 || events.has('updated')) yield* changedSubmissions();
  }

  /** The list begins with the newest, but the oldest is told first. So of a long one only the beginnings of its parts are kept meanwhile. */
  async function* newSubmissions(): AsyncGenerator<Told> {
    const beginnings: number[] = [];
    let part: Mark[] = [];
    for await (const row of newestFirst({})) {
      if (row.id <= lastId) break;
      if (part.length === PART) {
        beginnings.push((part[0] as Mark).id);
        part = [];
      }
      part.push(markOf(row));
    }
    yield* tellNew(part.reverse());
    for (const beginning of beginnings.reverse()) yield* tellNew(await partFrom(beginning));
  }

  function partFrom(newest: number): Promise<Mark[]> {
    const rows = newestFirst({}, { ...NEXT_PAGE, before: newest + 1 });
    return readBack(rows, ({ id }) => id <= lastId);
  }

  async function* tellNew(rows: readonly Mark[]): AsyncGenerator<Told> {
    for (const row of rows) {
      if (row.status === 'partial') partials.add(row.id);
      else yield* created(row, row.id <= lastOldId);
      lastId = row.id;
    }
  }

  async function* changedSubmissions(): AsyncGenerator<Told> {
    const isKnown = ({ updated_at: at }: RemoteSubmission) => at < changesReadTo;
    for (const row of await readBack(byCursor(BY_CHANGE), isKnown)) {
      // What is newer than the last look at new submissions is found by the next.
      if (row.id > lastId) continue;
      if (row.status !== 'partial') {
        if (partials.has(row.id)) yield* created(row, true);
        else if (events.has('updated') && isChanged(row)) yield* changesOf(row);
      }
      changesReadTo = row.updated_at;
    }
  }

  /** @param isCertain it was there before, so that webhooks heard of it however it has arrived now */
  async function* created(row: Mark, isCertain: boolean): AsyncGenerator<Told> {
    partials.delete(row.id);
    // The body has these changes already. Read before it: what changes in between is told once more rather than not at all.
    if (events.has('updated') && isChanged(row)) await skipChanges(row.id);
    if (!events.has('created')) return;
    const found = await form.bodyOf(row.id);
    if (!found || found.arrival === 'imported' || (found.arrival === 'restored' && !isCertain)) return;
    yield { event: 'created', formId: row.form_id, id: row.id, change: null, body: found.body };
  }

  async function skipChanges(id: number): Promise<void> {
    const [latest] = await form.changesOf(id);
    if (latest) lastChanges.set(id, latest.id);
  }

  async function* changesOf({ id, form_id: formId }: Mark): AsyncGenerator<Told> {
    const last = lastChanges.get(id) ?? 0;
    const changes = (await form.changesOf(id)).filter(
      (change) => change.id > last && change.changed_at > changesAfter,
    );
    for (const change of changes.reverse()) {
      const found = await form.bodyOf(id, change.id);
      if (found) yield { event: 'updated', formId, id, change: change.id, body: found.body };
      lastChanges.set(id, change.id);
    }
  }

  async function* newestFirst(
    query: Record<string, string>,
    firstPage: object = FIRST_PAGE,
  ): AsyncGenerator<RemoteSubmission> {
    for (let page = firstPage; ; ) {
      const { data, links } = await form.list({ ...query, ...page });
      yield* data;
      const last = data.at(-1);
      if (!last || links.next === null) return;
      page = { ...NEXT_PAGE, before: last.id };
    }
  }

  async function* byCursor(query: Record<string, string>): AsyncGenerator<RemoteSubmission> {
    for (let page: object = FIRST_PAGE; ; ) {
      const { data, meta } = await form.list({ ...query, ...page });
      yield* data;
      if (!meta.next_cursor) return;
      page = { ...NEXT_PAGE, cursor: meta.next_cursor };
    }
  }

  return { told: told(), nextId: () => (isInOrder ? lastId + 1 : null) };
}

/** Reads the list back to what is known. @returns what came after that, the oldest first */
async function readBack(
  rows: AsyncIterable<RemoteSubmission>,
  isKnown: (row: RemoteSubmission) => boolean,
): Promise<Mark[]> {
  const found: Mark[] = [];
  for await (const row of rows) {
    if (isKnown(row)) break;
    found.push(markOf(row));
  }
  return found.reverse();
}

function isChanged({ created_at, updated_at }: Mark): boolean {
  return updated_at > created_at;
}

/** Without the answers, which may be long. */
function markOf({ id, form_id, status, created_at, updated_at }: RemoteSubmission): Mark {
  return { id, form_id, status, created_at, updated_at };
}
