import type { Context } from '../context.ts';
import { linkSeconds, linkSource } from '../files/file-links.ts';
import { findChanges } from '../submissions/changes/queries.ts';
import { findConfirmedAddresses } from '../submissions/confirmation/queries.ts';
import { findEntries, findReviews } from '../submissions/reviews/queries.ts';
import {
  presentDraft,
  presentEarlier,
  presentProof,
  presentReview,
  presentSent,
  presentTheirs,
} from './present-person.ts';
import { readMoney } from './read-money.ts';
import type { PersonRecipient } from './recipient-queries.ts';
import { type Sought, START, search, searchDrafts, searchRecipients, sentBy } from './search.ts';
import {
  findForms,
  findInvites,
  findLinkPolicy,
  findSubmissionsAgain,
  type PersonForm,
  type PersonSubmission,
} from './search-queries.ts';

type Parts = Pick<Context, 'db' | 'secrets' | 'baseUrl' | 'config'>;

/**
 * Everything stored about a person, as the text of one JSON document. It is written during
 * the search, so it may have any length.
 */
export async function* personDocument(
  context: Parts,
  sought: Sought,
  leaving?: AbortSignal,
): AsyncGenerator<string> {
  const { db } = context;
  const { workspaceId, value } = sought;
  const source = linkSource(context);
  const seconds = linkSeconds(workspaceId === null ? null : await findLinkPolicy(db, workspaceId));
  const head = {
    value: value.text,
    exported_at: new Date().toISOString(),
    file_links_expire_at: new Date(Date.now() + seconds * 1000).toISOString(),
  };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "submissions": [`;
  let separator = '\n';
  for await (const { form, hits } of search(db, sought, START, leaving)) {
    const reviewOf = await readReviews(
      db,
      form.id,
      hits.map(({ submission }) => submission.id),
    );
    const proofOf = await readProofs(
      db,
      form.id,
      hits.map(({ submission }) => submission),
    );
    for (const hit of hits) {
      const more = { review: reviewOf(hit.submission.id), ...proofOf(hit.submission) };
      yield separator + indented(presentTheirs(hit, more, source, seconds));
      separator = ',\n';
    }
  }
  yield '\n  ],\n  "drafts": [';
  separator = '\n';
  for await (const drafts of searchDrafts(db, sought, leaving))
    for (const draft of drafts) {
      yield separator + indented(presentDraft(draft));
      separator = ',\n';
    }
  const invites = (await findInvites(db, workspaceId, value)).map(({ created_at, ...invite }) => ({
    ...invite,
    created_at: created_at.toISOString(),
  }));
  yield `\n  ],\n${JSON.stringify({ invites }, null, 2).slice(2, -2)},\n  "recipients": [`;
  separator = '\n';
  for await (const { recipients } of searchRecipients(db, sought, leaving))
    for (const recipient of recipients) {
      yield separator + indented(await withSent(context, recipient, seconds));
      separator = ',\n';
    }
  yield '\n  ]\n}\n';
}

async function withSent(context: Parts, found: PersonRecipient, linkSeconds: number) {
  const { is_person, submission_id, earlier_ids, ...recipient } = found;
  const sent = await readSent(context, recipient.form_id, sentBy(found), linkSeconds);
  const nothing = {
    submission_id,
    answers: null,
    files: [],
    attribution: null,
    earlier_answers: [],
    review: null,
  };
  return {
    ...recipient,
    ...(sent.get(submission_id ?? 0) ?? nothing),
    earlier: earlier_ids.flatMap((id) => sent.get(id) ?? []),
  };
}

/** Submissions by personal links of a form, by their ids. */
async function readSent(context: Parts, formId: number, ids: number[], linkSeconds: number) {
  const { db } = context;
  const [form] = ids.length === 0 ? [] : await findForms(db, null, formId, 1);
  const submissions = form?.id === formId ? await findSubmissionsAgain(db, formId, ids) : [];
  const reviewOf = await readReviews(db, formId, ids);
  const changes = await findChanges(db, formId, ids);
  const proofOf = await readProofs(db, formId, submissions);
  return new Map(
    submissions.map((submission) => {
      const { id } = submission;
      const proof = presentProof(proofOf(submission));
      const hit = { form: form as PersonForm, submission };
      const sent = presentSent(hit, linkSource(context), linkSeconds);
      const ofThis = changes.filter(({ submission_id }) => submission_id === id);
      const earlier_answers = presentEarlier(hit.form, ofThis);
      return [id, { ...sent, ...proof, earlier_answers, review: reviewOf(id) }];
    }),
  );
}

/** What their senders confirmed, and paid. */
async function readProofs(db: Parts['db'], formId: number, submissions: readonly PersonSubmission[]) {
  const publicIds = submissions.map(({ public_id }) => public_id);
  const confirmed = await findConfirmedAddresses(db, formId, publicIds);
  const moneyOf = await readMoney(db, formId, submissions);
  return (submission: PersonSubmission) => ({
    confirmed: confirmed.get(submission.public_id),
    ...moneyOf(submission),
  });
}

/** Reviews and notes of these submissions; null where there are none. */
async function readReviews(db: Parts['db'], formId: number, ids: number[]) {
  const reviews = await findReviews(db, formId, ids);
  const entries = reviews.size > 0 ? await findEntries(db, formId, [...reviews.keys()]) : [];
  const byId = Map.groupBy(entries, (entry) => entry.submission_id);
  return (id: number) => {
    const review = reviews.get(id);
    return review ? presentReview(review, byId.get(id) ?? []) : null;
  };
}

/** Leaves answers as they are: lines of JSON begin with `\n`, while `^` in a regular expression also matches after U+2028. */
function indented(value: unknown): string {
  return `    ${JSON.stringify(value, null, 2).replaceAll('\n', '\n    ')}`;
}
