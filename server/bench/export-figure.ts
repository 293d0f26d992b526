import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../cli/command.ts';
import { publishSample } from './api.ts';
import { type Bench, comparedTo, type Figure, ifPossible, rateFigure } from './figure.ts';
import { targetsOf } from './intake-figure.ts';
import { peakMemory, resetPeakMemory } from './processes.ts';
import { TWELVE_FIELDS, TWENTY_FIELDS } from './sample-form.ts';
import type { RunningService } from './scratch.ts';
import { type SeededForm, seededForm } from './seeded-form.ts';
import type { LoadResult } from './submit-load.ts';

const LOOK_INTERVAL_MS = 20;
/**
 * Looks become rarer by this share of the time so far, by which the rate may then be too low. Fifty a second throughout would
 * add some 15 MB to the memory that is measured.
 */
const LOOK_SHARE = 0.02;
/** How often a browser polls while somebody waits for the file. */
const CALM_INTERVAL_MS = 1000;
const LIMIT_MS = 300_000;
const CONNECTIONS = 128;
const MEGABYTE = 1024 * 1024;

/** Exports the whole form as a CSV file by a job, and measures what that costs other requests. */
export async function measureExport(bench: Bench): Promise<Figure[]> {
  const { scratch, load, settings } = bench;
  const form = await seededForm(bench);
  // Memory used by earlier figures must not count for the export.
  await scratch.stopService();
  const service = await scratch.serve('http,worker');
  bench.tell('export');
  const runs: { rate: number; pauseMs: number }[] = [];
  const copies: number[] = [];
  const [quiet, beside]: [LoadResult[], LoadResult[]] = [[], []];
  const submitted = await publishSample(service.api, TWELVE_FIELDS, { webhookUrl: null });
  const submit = () =>
    load.run('submit', {
      targets: targetsOf(service.url, [submitted]),
      connections: CONNECTIONS,
      seconds: settings.seconds,
    });
  const peaks = await ifPossible(
    { group: 'export', name: 'peak memory of the service (RSS)', unit: 'MB' },
    () => {
      resetPeakMemory(service.pid);
      return [];
    },
  );
  for (let round = 0; round < settings.rounds; round++) {
    const { seconds } = await load.run('copyOut', { connection: scratch.connection(), formId: form.id });
    copies.push(settings.rows / seconds);
    if (!peaks.unavailable) resetPeakMemory(service.pid);
    runs.push(await exportOnce(service, form, settings.rows));
    if (!peaks.unavailable) peaks.values.push(peakMemory(service.pid) / MEGABYTE);
  }
  // The first one only compiles, and does not count.
  await submit();
  for (let round = 0; round < settings.rounds; round++) {
    quiet.push(await submit());
    const exported = exportOnce(service, form, settings.rows, CALM_INTERVAL_MS);
    beside.push(await submit());
    await exported;
  }
  const floor: Figure = {
    group: 'export',
    name: 'floor: raw COPY of the same rows',
    unit: 'rows/s',
    values: copies,
  };
  const name = `${settings.rows.toLocaleString('en')} rows of 20 answers, as a job`;
  const intake = rateFigure('export', `intake of ${CONNECTIONS} connections, no export`, quiet);
  const rates = runs.map(({ rate }) => rate);
  const pauses = runs.map(({ pauseMs }) => pauseMs);
  return [
    floor,
    comparedTo({ group: 'export', name, unit: 'rows/s', values: rates }, floor),
    peaks,
    { group: 'export', name: 'longest pause of the event loop', unit: 'ms', values: pauses },
    intake,
    comparedTo(rateFigure('export', 'intake during an export', beside), intake),
  ];
}

async function exportOnce(
  { api }: RunningService,
  form: SeededForm,
  rows: number,
  intervalMs = LOOK_INTERVAL_MS,
) {
  const path = `/open/forms/${form.id}/submissions/export`;
  const fields = TWENTY_FIELDS.properties.map(({ id }) => [id, true]);
  const columns = { id: true, created_at: true, ...Object.fromEntries(fields) };
  await longestPause(api);
  const startedAt = performance.now();
  const { job_id: jobId } = await api.call('POST', path, { columns });
  if (!jobId) throw new CommandError('The export was not made a job: there are too few rows.');
  for (;;) {
    const job = await api.call('GET', `${path}/status/${jobId}`);
    const milliseconds = performance.now() - startedAt;
    if (job.status === 'completed') {
      if (job.processed_submissions !== rows)
        throw new CommandError(`Of ${rows} submissions ${job.processed_submissions} were exported.`);
      return { rate: rows / (milliseconds / 1000), pauseMs: await longestPause(api) };
    }
    if (job.status === 'failed' || milliseconds > LIMIT_MS)
      throw new CommandError(`The export ended as ${job.status}: ${job.error_message}`);
    await sleep(Math.max(intervalMs, milliseconds * LOOK_SHARE));
  }
}

/** The longest pause of the service's event loop since the last call, in milliseconds, sampled every 10 ms (included). */
async function longestPause({ ask }: RunningService['api']): Promise<number> {
  const { text } = await ask('GET', '/metrics');
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1000;
}
