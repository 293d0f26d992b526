import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';

/** How often the state of an export job is asked for; over a network, 2 to 5 seconds are polite. */
const POLL_MS = 200;
const JOB_TIMEOUT_MS = 120_000;

/**
 * Exports these columns, in this order.
 * @param submissionIds numeric ids; all submissions when absent
 * @returns the CSV file and whether it came by a job, as large ones do
 */
export async function exportCsv(
  owner: Client,
  formPath: string,
  columns: string[],
  submissionIds?: number[],
): Promise<{ csv: string; byJob: boolean }> {
  const { text, body } = await owner.send('POST', `${formPath}/submissions/export`, {
    columns: Object.fromEntries(columns.map((column) => [column, true])),
    ...(submissionIds && { submissionIds }),
  });
  if (body.is_async !== true) return { csv: text, byJob: false };
  const statusPath = `${formPath}/submissions/export/status/${body.job_id}`;
  const deadline = performance.now() + JOB_TIMEOUT_MS;
  for (;;) {
    const { body: job } = await owner.send('GET', statusPath);
    if (job.status === 'completed') {
      const file = await owner.send('GET', String(job.file_url));
      return { csv: file.text, byJob: true };
    }
    if (job.status === 'failed') throw new Error(`The export failed: ${job.error_message}`);
    if (performance.now() > deadline) throw new Error(`The export is still ${job.status}.`);
    await sleep(POLL_MS);
  }
}
