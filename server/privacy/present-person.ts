import { inOrder } from '../../fields/in-order.ts';
import { reachedEnding } from '../../fields/logic/endings.ts';
import type { Answers, Property } from '../../fields/property.ts';
import { holdsFiles } from '../../fields/type-names.ts';
import { createFileLinks, type FileLinks, fileNamesIn, type LinkSource } from '../files/file-links.ts';
import type { AwaitedPayment, ReceivedPayment } from '../payments/checkout.ts';
import { presentAwaitedPayment, presentPayment } from '../payments/present-payment.ts';
import type { SubmissionChange } from '../submissions/changes/queries.ts';
import { presentConfirmed } from '../submissions/confirmation/present-confirmed.ts';
import type { ConfirmedAddress } from '../submissions/confirmation/queries.ts';
import type { Review, ReviewEntry } from '../submissions/reviews/queries.ts';
import type { Hit } from './search.ts';
import type { PersonDraft, PersonForm } from './search-queries.ts';

/** A submission as shown to people who search for a person. @param linkSeconds lifetime of links to its files */
export function presentHit(
  { form, submission, fields, changes, earlierFields }: Hit,
  source: LinkSource,
  linkSeconds: number,
) {
  const { id, public_id, status, data, attribution, completion_time, created_at, updated_at, trashed_at } =
    submission;
  return {
    form: { id: form.id, slug: form.slug, title: form.title, workspace_id: form.workspace_id },
    id,
    submission_id: public_id,
    status,
    /** Where the value was found. */
    found_in: fields,
    /** Fields that held the value before a change. */
    found_earlier_in: earlierFields,
    answers: namedAnswers(form, data),
    earlier_answers: presentEarlier(form, changes),
    files: filesOf(form, data, createFileLinks(source, form.id, linkSeconds)),
    attribution,
    completion_time,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    ending: submission.ending === null ? null : reachedEnding(form.endings, submission.ending),
    trashed_at: trashed_at?.toISOString() ?? null,
  };
}

/**
 * A hit as shown to the person: where only a former answer held the value, the submission may be somebody else's, so its
 * present answers are left out.
 */
export function presentTheirs(
  hit: Hit,
  { review, ...proof }: { review: object | null } & Proof,
  source: LinkSource,
  linkSeconds: number,
) {
  const shown = presentHit(hit, source, linkSeconds);
  if (hit.fields.length > 0) return { ...shown, ...presentProof(proof), review };
  const hidden = {
    answers: [],
    files: [],
    attribution: null,
    completion_time: null,
    ending: null,
    review: null,
  };
  return { ...shown, ...hidden };
}

/** What is known of a submission besides its answers. */
interface Proof extends Money {
  confirmed: ConfirmedAddress | undefined;
}

/** What was paid for a submission, or has to be before it counts. */
interface Money {
  payment: ReceivedPayment | undefined;
  waiting: AwaitedPayment | undefined;
}

/** The address that they confirmed, and what they paid or still have to. */
export function presentProof({ confirmed, ...money }: Proof) {
  return { ...(confirmed && { confirmed_email: presentConfirmed(confirmed) }), ...presentMoney(money) };
}

export function presentMoney({ payment, waiting }: Money) {
  return {
    ...(payment && { payment: presentPayment(payment) }),
    ...(waiting && presentAwaitedPayment(waiting)),
  };
}

/** Former answers, latest first. Their authors are left out: they are no data of the person. */
export function presentEarlier(form: PersonForm, changes: readonly SubmissionChange[]) {
  return changes.map(({ changed_at, answers }) => ({
    changed_at: changed_at.toISOString(),
    answers: namedAnswers(form, answers),
  }));
}

/** A submission by somebody's personal link; the recipient beside it shows that it is the person's. */
export function presentSent(
  { form, submission: { id, data, attribution } }: Pick<Hit, 'form' | 'submission'>,
  source: LinkSource,
  linkSeconds: number,
) {
  const files = filesOf(form, data, createFileLinks(source, form.id, linkSeconds));
  return { submission_id: id, answers: data, files, attribution };
}

function filesOf({ properties }: PersonForm, data: Answers, links: FileLinks) {
  return Object.entries(data)
    .flatMap(([field, answer]) => (mayNameFiles(properties, field) ? fileNamesIn(answer) : []))
    .map((name) => ({ file_name: name, file_url: links.urlOf(name) }));
}

/** The author is left out: it is no data of the person. */
export function presentReview({ state }: Review, entries: ReviewEntry[]) {
  const history = entries.map(({ created_at, state, note }) => ({
    created_at: created_at.toISOString(),
    state,
    note,
  }));
  return { state, history };
}

export function presentDraft({ form_id, answers, updated_at }: PersonDraft) {
  return { form_id, answers, updated_at: updated_at.toISOString() };
}

function namedAnswers({ properties }: PersonForm, answers: Answers) {
  const ids = properties.map(({ id }) => id);
  return inOrder(answers, ids).map(([field, value]) => ({ ...nameOf(properties, field), value }));
}

/** The type of a long removed field is unknown. */
function mayNameFiles(properties: Property[], id: string): boolean {
  const { type } = nameOf(properties, id);
  return type === null || holdsFiles(type);
}

/** The name of a long removed field may be missing. */
function nameOf(properties: Property[], id: string) {
  const property = properties.find((property) => property.id === id);
  return { id, name: property?.name ?? null, type: property?.type ?? null };
}
