/** What became of a submission. */
export type IntakeOutcome =
  /** Committed, with its counters, deliveries and idempotency key. */
  | { kind: 'stored'; isFirst: boolean }
  /** The form changed or went away since the submission was checked, or an option it chooses has no place left: look again. */
  | { kind: 'stale' }
  /** The form has all the submissions it takes. */
  | { kind: 'full' }
  /** The Idempotency-Key has been used. */
  | { kind: 'used_key' };

/** The same in a batch that does not wait for locks: the form is locked, or gone. */
export type BatchOutcome = IntakeOutcome | { kind: 'locked' };

/** What became of a batch. */
export interface StoredBatch {
  /** In the order of the batch. */
  outcomes: BatchOutcome[];
  /** The same; 0 for what was not stored. */
  submissionIds: number[];
  /** In the order of the deliveries; 0 for those of what was not stored. */
  deliveryIds: number[];
}
