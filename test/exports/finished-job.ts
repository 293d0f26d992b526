import type { Home } from '../setup/home.ts';
import { until } from '../setup/until.ts';

interface FinishedJob {
  /** The link to the file. */
  file_url: string;
  processed_submissions: number;
}

/** What the API says of the job that this response has started, as soon as it is completed. */
export async function finishedJob(home: Home, form: { id: number }, started: Response): Promise<FinishedJob> {
  const { job_id } = (await started.json()) as { job_id: string };
  const path = `/open/forms/${form.id}/submissions/export/status/${job_id}`;
  return until(
    async () => {
      const { body } = await home.call('GET', path);
      return body.status === 'completed' && (body as FinishedJob);
    },
    { what: 'the export' },
  );
}
