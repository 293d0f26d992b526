import type { SubmissionRow } from './queries.ts';

/** A submission as its owner reads it. */
export function presentSubmission(formId: number, row: SubmissionRow) {
  const about = {
    status: row.status,
    created_at: row.created_at.toISOString(),
    id: row.id,
    submission_id: row.public_id,
  };
  return {
    id: row.id,
    submission_id: row.public_id,
    form_id: formId,
    status: row.status,
    // Existing clients read these members beside the answers.
    data: { ...row.data, ...about },
    completion_time: row.completion_time,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    ...(row.attribution !== null && { meta: { attribution: row.attribution as Record<string, string> } }),
  };
}
