import { Pool } from 'undici';
import { CommandError } from '../cli/command.ts';
import { type PublishedSample, publishSample } from './api.ts';
import { awaitDelivered, awaitOnRecord, DELIVERY_LIMIT_MS } from './delivered.ts';
import { type Bench, comparedTo, type Figure, rateFigure } from './figure.ts';
import { sampleRows, targetsOf } from './intake-figure.ts';
import { countDeliveries, forgetDeliveries } from './queries.ts';
import { TWELVE_FIELDS } from './sample-form.ts';
import type { LoadResult } from './submit-load.ts';

/** One integration is sent five webhooks at a time, so ten forms are fifty. */
const FORMS = 10;
const IN_FLIGHT = 50;
/** Submissions a second. */
const PACE = 1_000;
/** Paced rounds are longer, so that one percent of them is more than a few. */
const PACED_ROUND_FACTOR = 3;
const QUEUEING_CONNECTIONS = 128;
const QUEUEING_LIMIT_S = 60;

/** How fast webhooks leave: a full outbox, and one by one. */
export async function measureDelivery(bench: Bench): Promise<Figure[]> {
  const { scratch, settings, receiverUrl: webhookUrl } = bench;
  const { api } = await scratch.serve('http');
  const forms: PublishedSample[] = [];
  for (let count = 0; count < FORMS; count++)
    forms.push(await publishSample(api, TWELVE_FIELDS, { webhookUrl }));
  const bodies = forms[0] ? await bodiesOf(bench, forms[0]) : [];
  const [drains, sends]: [number[], number[]] = [[], []];
  // Twice as fast once it is compiled.
  await sendBare(bench, bodies);
  for (let round = 1; round <= settings.rounds; round++) {
    bench.tell(`delivery, round ${round} of ${settings.rounds}`);
    drains.push(await drain(bench, forms));
    sends.push(await sendBare(bench, bodies));
  }
  const paced = await deliverPaced(bench, forms);
  const beside = await deliverBesideQueue(bench, forms);
  const floor = rate(`floor: the same posted by undici, ${IN_FLIGHT} at a time`, sends);
  const queued = settings.deliveries.toLocaleString('en');
  return [
    floor,
    comparedTo(rate(`a queue of ${queued}, drained`, drains), floor),
    rateFigure('delivery', `submission to arrival, ${PACE.toLocaleString('en')} submissions/s`, paced),
    rateFigure('delivery', `the same beside a queue of ${queued} that drains`, beside),
  ];
}

function rate(name: string, values: number[]): Figure {
  return { group: 'delivery', name, unit: '/s', values };
}

/** Fills the outbox while no worker runs, then starts one. @returns deliveries per second, from the first to the last */
async function drain(bench: Bench, forms: PublishedSample[]): Promise<number> {
  const { scratch } = bench;
  const queued = await fillQueue(bench, forms);
  await scratch.serve('http,worker');
  const milliseconds = await awaitDelivered(bench, queued);
  await checkDelivered(bench, queued);
  return (queued - 1) / (milliseconds / 1000);
}

/** @returns how many deliveries wait, for a worker that does not run yet */
async function fillQueue({ scratch, load, settings }: Bench, forms: PublishedSample[]): Promise<number> {
  const { url } = await scratch.serve('http');
  await forgetDeliveries(scratch.db());
  await load.run('forgetArrivals', null);
  const { acknowledged } = await load.run('submit', {
    targets: targetsOf(url, forms),
    connections: QUEUEING_CONNECTIONS,
    seconds: QUEUEING_LIMIT_S,
    maxCount: settings.deliveries,
  });
  const stored = await countDeliveries(scratch.db(), 'pending');
  if (stored !== acknowledged) throw new CommandError(`Of ${acknowledged} deliveries ${stored} were stored.`);
  return acknowledged;
}

async function checkDelivered({ scratch, counts }: Bench, acknowledged: number): Promise<void> {
  const delivered = await countDeliveries(scratch.db(), 'delivered');
  if (delivered !== acknowledged)
    throw new CommandError(`Of ${acknowledged} deliveries ${delivered} were delivered.`);
  counts.push({ group: 'delivery', acknowledged, stored: acknowledged, delivered });
}

async function bodiesOf(bench: Bench, form: PublishedSample): Promise<string[]> {
  const deliveries = (await sampleRows(bench, form)).flatMap((row) => row.deliveries);
  return deliveries.map(({ head, tail }, index) => head + index + tail);
}

/** The floor: the same bodies, neither claimed, nor signed, nor put on record. */
async function sendBare({ receiverUrl, settings }: Bench, bodies: string[]): Promise<number> {
  const { origin, pathname: path } = new URL(receiverUrl);
  const pool = new Pool(origin, { connections: IN_FLIGHT });
  let left = settings.deliveries;
  async function keepSending(): Promise<void> {
    while (left-- > 0) {
      const body = bodies[left % bodies.length] ?? '';
      const answer = await pool.request({ path, method: 'POST', body });
      await answer.body.dump();
    }
  }
  try {
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: IN_FLIGHT }, keepSending));
    return settings.deliveries / ((performance.now() - startedAt) / 1000);
  } finally {
    await pool.close();
  }
}

async function deliverPaced(bench: Bench, forms: PublishedSample[]): Promise<LoadResult[]> {
  const { settings } = bench;
  bench.tell(`delivery, ${PACE} submissions a second`);
  await paceOnce(bench, forms, settings.seconds);
  const results: LoadResult[] = [];
  for (let round = 0; round < settings.rounds; round++)
    results.push(await paceOnce(bench, forms, settings.seconds * PACED_ROUND_FACTOR));
  return results;
}

/** The first form at its pace while the queue of all others drains. Filling it takes longest, so it is done once. */
async function deliverBesideQueue(bench: Bench, forms: PublishedSample[]): Promise<LoadResult[]> {
  const { settings } = bench;
  bench.tell('delivery, beside a queue');
  const queued = await fillQueue(bench, forms.slice(1));
  const result = await paceOnce(bench, forms, settings.seconds * PACED_ROUND_FACTOR);
  await awaitOnRecord(bench);
  await checkDelivered(bench, queued + result.acknowledged);
  return [result];
}

async function paceOnce(
  { scratch, load }: Bench,
  forms: PublishedSample[],
  seconds: number,
): Promise<LoadResult> {
  const { url } = await scratch.serve('http,worker');
  const [target] = targetsOf(url, forms);
  if (!target) throw new CommandError('There is no form to submit to.');
  return load.run('pace', { target, perSecond: PACE, limitMs: DELIVERY_LIMIT_MS, seconds });
}
