import type { JsonObject, JsonValue } from '../../fields/property.ts';
import type { attemptsOf, listAttempts } from './queries.ts';

type AttemptRow = Awaited<ReturnType<typeof attemptsOf>>[number];
type EventRow = Awaited<ReturnType<typeof listAttempts>>[number];

/** An attempt as part of its delivery. */
export function presentAttempt(row: AttemptRow) {
  return { started_at: row.started_at.toISOString(), ...outcome(row) };
}

/** An attempt in the shape of this API family, with additional members. */
export function presentEvent(row: EventRow) {
  const isSuccess = isSuccessful(row);
  return {
    date: row.started_at.toISOString(),
    status: isSuccess ? ('Success' as const) : ('Error' as const),
    data: isSuccess ? {} : problem(row),
    id: `${row.delivery_id}-${row.attempt}`,
    delivery_id: row.delivery_id,
    submission_id: row.submission_id,
    webhook_id: row.webhook_id,
    ...outcome(row),
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  };
}

function outcome(row: AttemptRow) {
  const { attempt, status_code, failure, failure_detail, duration_ms, response_excerpt } = row;
  return { attempt, status_code, failure, failure_detail, duration_ms, response_excerpt };
}

function isSuccessful({ status_code }: AttemptRow): boolean {
  return status_code !== null && status_code >= 200 && status_code < 300;
}

function problem({ status_code, failure_detail, response_excerpt }: AttemptRow): JsonObject {
  if (status_code === null) return { message: failure_detail ?? 'The delivery failed.' };
  const message = `The receiver answered with status ${status_code}.`;
  return { message, response: parsed(response_excerpt), status: status_code };
}

/** The receiver's answer, if it is complete JSON. */
function parsed(text: string | null): JsonValue {
  try {
    return text === null ? null : (JSON.parse(text) as JsonValue);
  } catch {
    return null;
  }
}
