import { randomBytes } from 'node:crypto';
import { type Client, connect } from './client.ts';
import {
  answerFields,
  compareDeliveries,
  compareExport,
  type DeliveryComparison,
  type ExportComparison,
} from './compare.ts';
import { exportCsv } from './export.ts';
import { publishForm } from './publish.ts';
import { readSurvey } from './read-survey.ts';
import { startReceiver } from './receiver.ts';
import { submitAll } from './submit.ts';

const DELIVERY_TIMEOUT_MS = 120_000;
/** Submissions per page of the list, and pages of which the answers are exported once more, at once. */
const PER_PAGE = 100;
const PAGES = 5;
/** Differences that are printed; all of them count. */
const MAX_PRINTED = 10;

interface ExampleOptions {
  /** Address of the service; it must be allowed to deliver to loopback addresses. */
  url: string;
  /** An access token as `createToken` makes it. */
  token: string;
  log(line: string): void;
}

export interface ExampleReport {
  /** How many submissions there are by each way of counting; all of them should be the number of answers. */
  counts: { answered: number; byForm: number; byList: number; delivered: number };
  deliveries: DeliveryComparison;
  /** The whole survey, by a job where the service makes one. */
  exported: ExportComparison;
  /** The newest answers, exported once more. */
  exportedPart: ExportComparison;
  /** In words; empty when everything arrived unaltered. */
  problems: string[];
}

/** Takes the whole survey through a form of its own and compares what comes out by export and webhook. */
export async function runExample({ url, token, log }: ExampleOptions): Promise<ExampleReport> {
  const survey = readSurvey();
  const total = survey.respondents.length;
  const owner = connect(url, { authorization: `Bearer ${token}` });
  const secret = randomBytes(24).toString('hex');
  const receiver = await startReceiver();
  try {
    const form = await publishForm(owner, survey.form, { url: receiver.url, secret });
    log(`The survey has ${figure(total)} answers of ${survey.columns.length} columns.`);

    const begin = performance.now();
    const submissionIds = await submitAll(connect(url), form.answerPath, survey.respondents);
    log(`Submitted ${figure(submissionIds.size)} answers${rate(submissionIds.size, begin)}.`);
    await receiver.waitFor(total, DELIVERY_TIMEOUT_MS);
    const delivered = receiver.deliveries.size;
    log(`Received ${figure(delivered)} webhooks${rate(delivered, begin, receiver.lastAt)}.`);

    const { byForm, byList, newest } = await countSubmissions(owner, form.path);
    log(`The form counts ${figure(byForm)} submissions, its list ${figure(byList)}.`);

    const exportAndCompare = async (ids: Map<string, string>, numericIds?: number[]) => {
      const columns = ['submission_id', 'status', ...answerFields(survey).map(({ id }) => id)];
      const start = performance.now();
      const { csv, byJob } = await exportCsv(owner, form.path, columns, numericIds);
      const end = performance.now();
      const comparison = compareExport(survey, csv, ids);
      const { rows, cells, equalCells } = comparison;
      log(`Exported ${figure(rows)} rows ${byJob ? 'by a job' : 'at once'}${rate(rows, start, end)}.`);
      log(`  ${figure(equalCells)} of ${figure(cells)} cells are equal to the file.`);
      return comparison;
    };
    const exported = await exportAndCompare(submissionIds);
    const newestIds = new Map([...submissionIds].filter(([, submissionId]) => newest.has(submissionId)));
    const exportedPart = await exportAndCompare(newestIds, [...newest.values()]);

    // Last, so that a delivery too many has had time to arrive.
    const deliveries = compareDeliveries(survey, receiver.deliveries.values(), secret);
    log(`Compared ${figure(receiver.deliveries.size)} webhooks; ${figure(receiver.repeats)} came again.`);
    log(`  ${figure(deliveries.validSignatures)} signatures are valid over the bytes received.`);
    log(`  ${figure(deliveries.equalBodies)} bodies are equal to the file.`);

    const answered = new Set(submissionIds.values()).size;
    const counts = { answered, byForm, byList, delivered: receiver.deliveries.size };
    const problems = [
      ...wrongCounts(counts, total),
      ...exported.differences,
      ...exportedPart.differences,
      ...deliveries.differences,
    ];
    for (const problem of problems.slice(0, MAX_PRINTED)) log(`Wrong: ${problem}`);
    log(problems.length === 0 ? 'Everything arrived unaltered.' : `${figure(problems.length)} problems.`);
    return { counts, deliveries, exported, exportedPart, problems };
  } finally {
    await receiver.stop();
  }
}

/** Both counts of the form's submissions, and the numeric ids of the newest ones by their UUID. */
async function countSubmissions(owner: Client, formPath: string) {
  const { body: form } = await owner.send('GET', formPath);
  const newest = new Map<string, number>();
  let byList = 0;
  for (let page = 1; page <= PAGES; page++) {
    const { body } = await owner.send('GET', `${formPath}/submissions?per_page=${PER_PAGE}&page=${page}`);
    const { data, meta } = body as { data: { id: number; submission_id: string }[]; meta: { total: number } };
    for (const { id, submission_id } of data) newest.set(submission_id, id);
    byList = meta.total;
  }
  return { byForm: Number(form.submissions_count), byList, newest };
}

function wrongCounts(counts: ExampleReport['counts'], total: number): string[] {
  return Object.entries(counts)
    .filter(([, number]) => number !== total)
    .map(([name, number]) => `${name}: ${figure(number)} submissions instead of ${figure(total)}`);
}

function rate(things: number, start: number, end = performance.now()): string {
  const seconds = (end - start) / 1000;
  return ` in ${seconds.toFixed(2)} s, ${figure(Math.round(things / seconds))} per second`;
}

function figure(number: number): string {
  return number.toLocaleString('en');
}
