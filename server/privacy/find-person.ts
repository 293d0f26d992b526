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
  sentUnseen,
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
  const deadline = performance.now() + TIME_LIMIT_MS;
  const submissions: Awaited<ReturnType<typeof present>> = [];
  let cursor: string | null = null;
  for await (const { form, hits, next } of search(db, sought, from, leaving)) {
    submissions.push(...(await present(context, form.id, hits)));
    if (submissions.length < PAGE && performance.now() < deadline) continue;
    cursor = writeCursor(next);
    break;
  }
  const [drafts, invites, { recipients, sent }, erasures] = await Promise.all([
    countDrafts(db, sought, leaving),
    findInvites(db, workspaceId, value),
    findRecipients(context, sought, leaving),
    findErasures(db, workspaceId, valueHash(secrets, value)),
  ]);
  return {
    value_kind: value.kind,
    // Once, so that no call repeats what an earlier one returned.
    submissions: cursor === null ? [...submissions, ...sent] : submissions,
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

/** How many places on lists of recipients are theirs, and what came by the links of these. */
async function findRecipients(context: Parts, sought: Sought, leaving?: AbortSignal) {
  const { db } = context;
  let count = 0;
  const sent: Awaited<ReturnType<typeof present>> = [];
  for await (const { formId, recipients } of searchRecipients(db, sought, leaving)) {
    count += recipients.length;
    const hits = await sentUnseen(db, formId, recipients, sought.value);
    sent.push(...(await present(context, formId, hits, true)));
  }
  return { recipients: count, sent };
}

/** Hits in one form. @param byLink whether they were found by their personal link alone */
async function present(context: Parts, formId: number, hits: readonly Hit[], byLink = false) {
  const moneyOf = await readMoney(
    context.db,
    formId,
    hits.map(({ submission }) => submission),
  );
  const source = linkSource(context);
  return hits.map((hit) => ({
    ...presentHit(hit, source, READING_SECONDS),
    found_by_link: byLink,
    ...presentMoney(moneyOf(hit.submission)),
  }));
}

function presentErasure({ id, erased_at, counts }: Awaited<ReturnType<typeof findErasures>>[number]) {
  return { id, erased_at: erased_at.toISOString(), counts: counts as unknown as Record<string, number> };
}
