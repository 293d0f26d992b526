import type { listDeliveries } from './queries.ts';

type DeliveryRow = Awaited<ReturnType<typeof listDeliveries>>[number];

/** A delivery as the log of its integration shows it. */
export function presentDelivery(row: DeliveryRow) {
  return {
    id: row.id,
    integration_id: row.integration_id,
    submission_id: row.submission_id,
    webhook_id: row.webhook_id,
    state: row.state,
    attempts: row.attempts,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    last_attempt: row.started_at && {
      started_at: row.started_at.toISOString(),
      status_code: row.status_code,
      failure: row.failure,
      duration_ms: row.duration_ms ?? 0,
    },
  };
}
