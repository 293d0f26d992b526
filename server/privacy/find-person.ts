import type { Context } from '../context.ts';
import { linkSource, READING_SECONDS } from '../files/file-links.ts';
import { valueHash } from './person-value.ts';
import { presentHit, presentMoney } from './present-person.ts';
import { readMoney } from './read-money.ts';
import {
  type Hit,
  type Position,
  type Sought,
  search,
  searchDrafts,
  searchRecipients,
  writeCursor,
} from './search.ts';
import { findErasures, findInvites } from './search-queries.ts';

/** After this many submissions, or too long a time, a search stops and returns where to continue. */
const PAGE = 100;
const TIME_LIMIT_MS = 8_000;

type Parts = Pick<Context, 'db' | 'secrets' | 'baseUrl' | 'config'>;

/** One page of everything stored about a person. */
export async function findPerson(context: Parts, sought: Sought, from: Position, leaving?: AbortSignal) {
  const { db, secrets } = context;
  const { workspaceId, value } = sought;
  const source = linkSource(context);
  const deadline = performance.now() + TIME_LIMIT_MS;
  const submissions: (ReturnType<typeof presentHit> & ReturnType<typeof presentMoney>)[] = [];
  let cursor: string | null = null;
  for await (const { form, hits, next } of search(db, sought, from, leaving)) {
    const moneyOf = await readMoney(
      db,
      form.id,
      hits.map(({ submission }) => submission),
    );
    const present = (hit: Hit) => ({
      ...presentHit(hit, source, READING_SECONDS),
      ...presentMoney(moneyOf(hit.submission)),
    });
    submissions.push(...hits.map(present));
    if (submissions.length < PAGE && performance.now() < deadline) continue;
    cursor = writeCursor(next);
    break;
  }
  const [drafts, invites, recipients, erasures] = await Promise.all([
    countDrafts(db, sought, leaving),
    findInvites(db, workspaceId, value),
    countRecipients(db, sought, leaving),
    findErasures(db, workspaceId, valueHash(secrets, value)),
  ]);
  return {
    value_kind: value.kind,
    submissions,
    drafts,
    invites: invites.length,
    recipients,
    erasures: erasures.map(presentErasure),
    cursor,
  };
}

async function countDrafts(...search: Parameters<typeof searchDrafts>): Promise<number> {
  let count = 0;
  for await (const drafts of searchDrafts(...search)) count += drafts.length;
  return count;
}

async function countRecipients(...search: Parameters<typeof searchRecipients>): Promise<number> {
  let count = 0;
  for await (const { recipients } of searchRecipients(...search)) count += recipients.length;
  return count;
}

function presentErasure({ id, erased_at, counts }: Awaited<ReturnType<typeof findErasures>>[number]) {
  return { id, erased_at: erased_at.toISOString(), counts: counts as unknown as Record<string, number> };
}
