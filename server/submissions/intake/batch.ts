import type { ArrayWriter } from '../../db/array-writer.ts';
import type { NewDelivery } from '../../deliveries/payload.ts';
import type { Idempotency } from '../acceptance/replay.ts';
import type { Outgoing } from './outgoing.ts';

/** A complete, checked submission on its way into the database. */
export interface NewSubmission {
  formId: number;
  /** The revision of the form it was checked against. */
  formRevision: number;
  publicId: string;
  /** The answers as JSON text. */
  data: string;
  /** As JSON text, or null. */
  attribution: string | null;
  /** Seconds. */
  completionTime: number | null;
  idempotency: Pick<Idempotency, 'key' | 'bodyHash'> | null;
  /** Whether its answers may choose options with a limit. */
  takesPlaces: boolean;
  /** Id of the ending that it reaches; null for none. */
  ending: string | null;
  deliveries: NewDelivery[];
}

/** The submissions of a batch that were checked against the same revision of a form: if the form refuses one, it refuses all. */
interface Group {
  formId: number;
  revision: number;
  size: number;
}

/** The number of a submission's group, and its number within that group; both from 1, as in PostgreSQL. */
interface Place {
  group: number;
  rank: number;
}

export interface GroupedBatch {
  submissions: readonly NewSubmission[];
  /** Sorted by form, so that all batches lock forms in the same order. */
  groups: Group[];
  /** One per submission, in their order. */
  places: Place[];
}

export function groupBatch(submissions: readonly NewSubmission[]): GroupedBatch {
  const byForm = new Map<string, Group>();
  const groupOf = ({ formId, formRevision: revision }: NewSubmission) => {
    const name = `${formId} ${revision}`;
    const group = byForm.get(name) ?? { formId, revision, size: 0 };
    byForm.set(name, group);
    return group;
  };
  const ranked = submissions.map((submission) => {
    const group = groupOf(submission);
    return { group, rank: ++group.size };
  });
  const groups = [...byForm.values()].sort((one, other) => one.formId - other.formId);
  const places = ranked.map(({ group, rank }) => ({ group: groups.indexOf(group) + 1, rank }));
  return { submissions, groups, places };
}

/** $1 to $13 of the statement that stores the batch. */
export function batchParameters(
  { submissions, groups, places }: GroupedBatch,
  outgoing: readonly Outgoing[],
  write: ArrayWriter,
): Buffer[] {
  write.reset();
  return [
    write.int8(groups.map(({ formId }) => formId)),
    write.int8(groups.map(({ revision }) => revision)),
    write.int4(places.map(({ group }) => group)),
    write.text(submissions.map(({ publicId }) => publicId)),
    write.jsonb(submissions.map(({ data }) => data)),
    write.jsonb(submissions.map(({ attribution }) => attribution)),
    write.float8(submissions.map(({ completionTime }) => completionTime)),
    // PostgreSQL counts from 1.
    write.int4(outgoing.map(({ n }) => n + 1)),
    write.int8(outgoing.map(({ integrationId }) => integrationId)),
    write.text(outgoing.map(({ webhookId }) => webhookId)),
    write.bool(outgoing.map(({ isTaken }) => isTaken)),
    write.text(outgoing.map(({ head }) => head)),
    write.text(outgoing.map(({ tail }) => tail)),
  ];
}

/** $14, after `batchParameters`, where a submission can be refused by its form only. */
export function rankParameters({ places }: GroupedBatch, write: ArrayWriter): Buffer[] {
  return [write.int4(places.map(({ rank }) => rank))];
}

/** The last one, only where a submission of the batch reaches an ending. */
export function endingParameters({ submissions }: GroupedBatch, write: ArrayWriter): Buffer[] {
  return [write.text(submissions.map(({ ending }) => ending))];
}

/** $14 and $15, after `batchParameters`, where each submission is judged by itself: the Idempotency-Keys. */
export function keyParameters({ submissions }: GroupedBatch, write: ArrayWriter): Buffer[] {
  return [
    write.text(submissions.map(({ idempotency }) => idempotency?.key ?? null)),
    write.bytea(submissions.map(({ idempotency }) => idempotency?.bodyHash ?? null)),
  ];
}
