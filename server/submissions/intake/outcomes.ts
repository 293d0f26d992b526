export type IntakeOutcome =
  /** Committed, with its counters, deliveries and idempotency key. */
  | { kind: 'stored'; isFirst: boolean }
  /** The form changed or was deleted since the submission was checked, or an option it chooses has no place left: check it again. */
  | { kind: 'stale' }
  /** The form has reached its maximum number of submissions. */
  | { kind: 'full' }
  /** The Idempotency-Key has been used. */
  | { kind: 'used_key' };

/** `locked` comes only from a batch that does not wait for locks: the form is locked, or gone. */
export type BatchOutcome = IntakeOutcome | { kind: 'locked' };

export interface StoredBatch {
  /** In the order of the batch. */
  outcomes: BatchOutcome[];
  /** In the order of the batch; 0 where the submission was not stored. */
  submissionIds: number[];
  /** In the order of the deliveries; 0 where their submission was not stored. */
  deliveryIds: number[];
}
