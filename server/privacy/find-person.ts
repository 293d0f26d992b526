import type { Context } from '../context.ts';
import { linkSource, READING_SECONDS } from '../files/file-links.ts';
import { fieldsWith, type PersonValue, valueHash } from './person-value.ts';
import { presentHit } from './present-person.ts';
import { type Position, START, search, writeCursor } from './search.ts';
import {
  findDraftCandidates,
  findErasures,
  findInvites,
  findRecipientCandidates,
  type PersonDraft,
  type PersonRecipient,
} from './search-queries.ts';

/** A search that has found so many submissions, or lasted so long, stops and says where to go on. */
const PAGE = 100;
const TIME_LIMIT_MS = 8_000;

type Parts = Pick<Context, 'db' | 'secrets' | 'baseUrl'>;

/** One page of what is stored of a person in a workspace; null = in all of them. */
export async function findPerson(
  context: Parts,
  workspaceId: number | null,
  value: PersonValue,
  from: Position = START,
  leaving?: AbortSignal,
) {
  const { db, secrets } = context;
  const source = linkSource(context);
  const deadline = performance.now() + TIME_LIMIT_MS;
  const submissions: ReturnType<typeof presentHit>[] = [];
  let cursor: string | null = null;
  for await (const { hits, next } of search(db, workspaceId, value, from, leaving)) {
    submissions.push(...hits.map((hit) => presentHit(hit, source, READING_SECONDS)));
    if (submissions.length < PAGE && performance.now() < deadline) continue;
    cursor = writeCursor(next);
    break;
  }
  const [drafts, invites, recipients, erasures] = await Promise.all([
    findDrafts(db, workspaceId, value),
    findInvites(db, workspaceId, value),
    findRecipients(db, workspaceId, value),
    findErasures(db, workspaceId, valueHash(secrets, value)),
  ]);
  return {
    value_kind: value.kind,
    submissions,
    drafts: drafts.length,
    invites: invites.length,
    recipients: recipients.length,
    erasures: erasures.map(presentErasure),
    cursor,
  };
}

/** What visitors have typed and not sent. */
export async function findDrafts(
  db: Context['db'],
  workspaceId: number | null,
  value: PersonValue,
): Promise<PersonDraft[]> {
  const candidates = await findDraftCandidates(db, workspaceId, value);
  return candidates.filter(({ answers }) => fieldsWith(value, answers).length > 0);
}

/** Whom forms were sent to, and for whom they are filled in with the value. */
export async function findRecipients(
  db: Context['db'],
  workspaceId: number | null,
  value: PersonValue,
): Promise<PersonRecipient[]> {
  const candidates = await findRecipientCandidates(db, workspaceId, value);
  return candidates.filter(
    ({ is_person, prefill }) => is_person || fieldsWith(value, prefill ?? {}).length > 0,
  );
}

function presentErasure({ id, erased_at, counts }: Awaited<ReturnType<typeof findErasures>>[number]) {
  return { id, erased_at: erased_at.toISOString(), counts: counts as unknown as Record<string, number> };
}
