import { useEffect, useRef, useState } from 'react';
import { ApiError, api, isPassing, postForFile } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import { parametersOf } from './queries.ts';
import type { ResponsesSearch } from './search.ts';

/** How often to ask how far a large export is. */
const ASK_MS = 2_000;

type State =
  | { step: 'idle' }
  /** `progress` from 0 to 1; null while it is not known. */
  | { step: 'running'; progress: number | null; total: number | null }
  | { step: 'done'; url: string; name: string; isSaved: boolean }
  | { step: 'failed'; message: string };

/** `zip` is a CSV file with the files that it names, `sav` one of SPSS, `jsonl` has an object on each line, `sqlite` is a database. */
export type ExportFormat = 'xlsx' | 'csv' | 'sav' | 'jsonl' | 'sqlite' | 'zip' | 'geojson';

export interface ExportOrder {
  /** Names of the columns, in order. */
  columns: string[];
  format: ExportFormat;
  /** Id of the repeated questions whose every entry has a line; null where every response has one. */
  entriesOf: string | null;
  /** Only these responses; null for no such list. */
  ids: readonly number[] | null;
  /** Only those that fit; null for all. */
  filter: ResponsesSearch | null;
}

/** Runs an export: small ones are a file at once, large ones a job that is watched until its file is there. */
export function useExport(form: Pick<Form, 'id' | 'slug'>) {
  const [state, setState] = useState<State>({ step: 'idle' });
  const run = useRef(0);
  const urls = useRef<string[]>([]);
  useEffect(
    () => () => {
      run.current += 1;
      for (const url of urls.current) URL.revokeObjectURL(url);
    },
    [],
  );

  const start = async (order: ExportOrder) => {
    run.current += 1;
    const mine = run.current;
    const tell = (next: State) => mine === run.current && setState(next);
    tell({ step: 'running', progress: null, total: null });
    const name = `${form.slug}-submissions.${order.format}`;
    try {
      const answer = await postForFile(
        '/open/forms/{form}/submissions/export',
        { form: form.id },
        exportBody(order),
        order.filter ? narrowedBy(order.filter) : {},
      );
      if ('file' in answer) {
        const url = URL.createObjectURL(answer.file);
        urls.current.push(url);
        save(url, name);
        tell({ step: 'done', url, name, isSaved: true });
        return;
      }
      const { job_id: jobId } = answer.content as { job_id: string };
      while (mine === run.current) {
        const job = await jobOf(form.id, jobId);
        if (job?.status === 'failed') throw new ApiError(0, job.error_message ?? 'The export failed.');
        if (job?.file_url) {
          // Its path: the link names the address of the service, which may not be the one used here.
          const url = new URL(job.file_url).pathname;
          if (mine === run.current) save(url, name);
          tell({ step: 'done', url, name, isSaved: true });
          return;
        }
        if (job) tell({ step: 'running', progress: job.progress / 100, total: job.total_submissions });
        await new Promise((resolve) => setTimeout(resolve, ASK_MS));
      }
    } catch (error) {
      tell({ step: 'failed', message: error instanceof Error ? error.message : 'The export failed.' });
    }
  };
  return {
    state,
    start: (order: ExportOrder) => void start(order),
    reset: () => setState({ step: 'idle' }),
  };
}

/** @returns null where asking again may help: the job goes on all the same. */
async function jobOf(form: number, jobId: string) {
  try {
    return await api.get('/open/forms/{form}/submissions/export/status/{jobId}', { path: { form, jobId } });
  } catch (error) {
    if (isPassing(error)) return null;
    throw error;
  }
}

/** Written by hand: the file has the columns in the order of the members. */
function exportBody({ columns, format, entriesOf, ids }: ExportOrder): string {
  const members = columns.map((name) => `${JSON.stringify(name)}:true`).join(',');
  const rest = JSON.stringify({ format, entries_of: entriesOf, submissionIds: ids }).slice(1);
  return `{"columns":{${members}},${rest}`;
}

/** In the order of the table or not, the file has the newest first. */
function narrowedBy(filter: ResponsesSearch): Record<string, unknown> {
  const { sort: _, order: __, ...narrowing } = parametersOf(filter);
  return narrowing;
}

function save(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
