import { Pool } from 'undici';
import { CommandError } from '../cli/command.ts';
import { type PublishedSample, publishSample } from './api.ts';
import { awaitDelivered, DELIVERY_LIMIT_MS } from './delivered.ts';
import { type Bench, comparedTo, type Figure } from './figure.ts';
import { sampleRows, targetsOf } from './intake-figure.ts';
import { countDeliveries, forgetDeliveries } from './queries.ts';
import { TWELVE_FIELDS } from './sample-form.ts';
import type { LoadResult } from './submit-load.ts';

/** One integration is sent five webhooks at a time, so ten forms are fifty. */
const FORMS = 10;
const IN_FLIGHT = 50;
const PACE = 200;
/** Paced rounds are longer, so that one percent of them is more than a few. */
const PACED_ROUND_FACTOR = 3;
const QUEUEING_CONNECTIONS = 32;
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
  const floor = rate(`floor: the same posted by undici, ${IN_FLIGHT} at a time`, sends);
  const queued = settings.deliveries.toLocaleString('en');
  return [
    floor,
    comparedTo(rate(`a queue of ${queued}, drained`, drains), floor),
    {
      group: 'delivery',
      name: `submission to arrival, ${PACE} submissions/s`,
      unit: '/s',
      values: paced.map(({ acknowledged, seconds }) => acknowledged / seconds),
      latency: paced.map(({ latency }) => latency),
    },
  ];
}

function rate(name: string, values: number[]): Figure {
  return { group: 'delivery', name, unit: '/s', values };
}

/** Fills the outbox while no worker runs, then starts one. @returns deliveries per second, from the first to the last */
async function drain(bench: Bench, forms: PublishedSample[]): Promise<number> {
  const { scratch, load, settings, counts } = bench;
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
  await scratch.serve('http,worker');
  const milliseconds = await awaitDelivered(bench, acknowledged);
  const delivered = await countDeliveries(scratch.db(), 'delivered');
  if (stored !== acknowledged || delivered !== acknowledged)
    throw new CommandError(`Of ${acknowledged} deliveries ${stored} were stored and ${delivered} delivered.`);
  counts.push({ group: 'delivery', acknowledged, stored, delivered });
  return (acknowledged - 1) / (milliseconds / 1000);
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
  const { scratch, load, settings } = bench;
  bench.tell(`delivery, ${PACE} submissions a second`);
  const { url } = await scratch.serve('http,worker');
  const [target] = targetsOf(url, forms);
  if (!target) return [];
  const input = { target, perSecond: PACE, limitMs: DELIVERY_LIMIT_MS };
  await load.run('pace', { ...input, seconds: settings.seconds });
  const results: LoadResult[] = [];
  for (let round = 0; round < settings.rounds; round++)
    results.push(await load.run('pace', { ...input, seconds: settings.seconds * PACED_ROUND_FACTOR }));
  return results;
}
