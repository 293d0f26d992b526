import { useEffect, useRef, useState } from 'react';
import { ApiError, api, isPassing, postForFile } from '../../api/client.ts';
import type { Form } from '../../api/queries.ts';
import { parametersOf } from '../queries.ts';
import type { ResponsesSearch } from '../search.ts';
import type { ExportFormat } from './export-formats.ts';

/** Milliseconds between two checks of a large export. */
const ASK_MS = 2_000;

type State =
  | { step: 'idle' }
  /** `progress` from 0 to 1; null if unknown. */
  | { step: 'running'; progress: number | null; total: number | null }
  | { step: 'done'; url: string; name: string }
  | { step: 'failed'; message: string };

interface ExportOrder {
  /** Names of the columns, in order. */
  columns: string[];
  format: ExportFormat;
  /** Id of the repeated questions whose entries are the rows; null if responses are. */
  entriesOf: string | null;
  /** Whether each option of several, and each row of a matrix, has a column. */
  isSplit: boolean;
  /** Ids of the responses; null for no such limit. */
  ids: readonly number[] | null;
  /** Filter of the responses; null for all. */
  filter: ResponsesSearch | null;
}

/** Exports responses: a small export is returned at once, a large one runs as a job until its file is ready. */
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
    const isCurrent = () => mine === run.current;
    const tell = (next: State) => isCurrent() && setState(next);
    tell({ step: 'running', progress: null, total: null });
    const name = `${form.slug}-submissions.${order.format}`;
    try {
      const answer = await postForFile(
        '/open/forms/{form}/submissions/export',
        { form: form.id },
        exportBody(order),
        order.filter ? narrowedBy(order.filter) : {},
      );
      let url: string | null;
      if ('file' in answer) {
        url = URL.createObjectURL(answer.file);
        urls.current.push(url);
      } else {
        const { job_id: jobId } = answer.content as { job_id: string };
        url = await fileOfJob({ form: form.id, jobId }, isCurrent, tell);
      }
      if (url === null) return;
      save(url, name);
      tell({ step: 'done', url, name });
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

/** The address of a job's file once it is ready; null if the job is no longer of interest. */
async function fileOfJob(
  path: JobPath,
  isCurrent: () => boolean,
  tell: (state: State) => void,
): Promise<string | null> {
  while (isCurrent()) {
    const job = await jobAt(path);
    if (job?.status === 'failed') throw new ApiError(0, job.error_message ?? 'The export failed.');
    // Only the path, because the link contains the public address, which may not be the one used here.
    if (job?.file_url) return isCurrent() ? new URL(job.file_url).pathname : null;
    if (job) tell({ step: 'running', progress: job.progress / 100, total: job.total_submissions });
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
  return null;
}

interface JobPath {
  form: number;
  jobId: string;
}

/** @returns null if the check may be repeated: the job continues anyway */
async function jobAt(path: JobPath) {
  try {
    return await api.get('/open/forms/{form}/submissions/export/status/{jobId}', { path });
  } catch (error) {
    if (isPassing(error)) return null;
    throw error;
  }
}

/** Written by hand, because the order of members decides the order of columns. */
function exportBody({ columns, format, entriesOf, isSplit, ids }: ExportOrder): string {
  const members = columns.map((name) => `${JSON.stringify(name)}:true`).join(',');
  const rest = JSON.stringify({
    format,
    entries_of: entriesOf,
    split_answers: isSplit,
    submissionIds: ids,
  }).slice(1);
  return `{"columns":{${members}},${rest}`;
}

/** Without the table's sorting: files have the newest first. */
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
