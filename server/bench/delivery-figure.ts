import { Pool } from 'undici';
import { CommandError } from '../cli/command.ts';
import { type PublishedSample, publishSample } from './api.ts';
import { awaitDelivered, awaitOnRecord, DELIVERY_LIMIT_MS } from './delivered.ts';
import { type Bench, comparedTo, type Figure, rateFigure } from './figure.ts';
import { countExactly, sampleRows, targetsOf } from './intake-figure.ts';
import { copyDeliveries, countDeliveries } from './queries.ts';
import { TWELVE_FIELDS } from './sample-form.ts';
import type { LoadResult } from './submit-load.ts';

/** One integration is sent five webhooks at a time, so ten forms are fifty. */
const FORMS = 10;
const IN_FLIGHT = 50;
/** Submissions a second. */
const PACE = 1_000;
/** Paced rounds are longer, so that one percent of them is more than a few. */
const PACED_ROUND_FACTOR = 2;
/** Submissions of each form whose deliveries are copied into queues. */
const SEEDS_PER_FORM = 64;
const SEEDING_LIMIT_S = 60;
/** A queue beside which others are sent has to outlast them: for a second that is twice as many as are sent in one. */
const LONG_QUEUE = 20_000;

/** The forms whose webhooks are measured, and what they were given so far. */
interface Sources {
  forms: PublishedSample[];
  url: string;
  acknowledged: number;
  /** Deliveries that were queued without a submission. */
  copied: number;
}

/** How fast webhooks leave: a full outbox, and one by one. */
export async function measureDelivery(bench: Bench): Promise<Figure[]> {
  const { settings } = bench;
  bench.tell('delivery, queues');
  const sources = await publishSources(bench);
  const bodies = sources.forms[0] ? await bodiesOf(bench, sources.forms[0]) : [];
  const [drains, sends]: [number[], number[]] = [[], []];
  // Both are twice as fast once they are compiled.
  await drain(bench, sources);
  await sendBare(bench, bodies);
  for (let round = 0; round < settings.rounds; round++) {
    drains.push(await drain(bench, sources));
    sends.push(await sendBare(bench, bodies));
  }
  const paced = await deliverPaced(bench, sources);
  const beside = await deliverBesideQueue(bench, sources);
  await checkDelivered(bench, sources);
  const floor = rate(`floor: the same posted by undici, ${IN_FLIGHT} at a time`, sends);
  return [
    floor,
    comparedTo(rate(`a queue of ${settings.deliveries.toLocaleString('en')}, drained`, drains), floor),
    rateFigure('delivery', `submission to arrival, ${PACE.toLocaleString('en')} submissions/s`, paced),
    rateFigure('delivery', 'the same beside a queue that drains', beside),
  ];
}

function rate(name: string, values: number[]): Figure {
  return { group: 'delivery', name, unit: '/s', values };
}

/** Each form with a few deliveries behind it, which can be copied. */
async function publishSources(bench: Bench): Promise<Sources> {
  const { scratch, load, receiverUrl: webhookUrl } = bench;
  const { api, url } = await scratch.serve('http,worker');
  const forms: PublishedSample[] = [];
  for (let count = 0; count < FORMS; count++)
    forms.push(await publishSample(api, TWELVE_FIELDS, { webhookUrl }));
  const { acknowledged } = await load.run('submit', {
    targets: targetsOf(url, forms),
    connections: FORMS,
    seconds: SEEDING_LIMIT_S,
    maxCount: FORMS * SEEDS_PER_FORM,
  });
  await awaitOnRecord(bench);
  return { forms, url, acknowledged, copied: 0 };
}

/** @returns deliveries per second, from the first to the last */
async function drain(bench: Bench, sources: Sources): Promise<number> {
  const { deliveries } = bench.settings;
  await bench.load.run('forgetArrivals', null);
  await fillQueue(bench, sources, sources.forms, deliveries);
  const milliseconds = await awaitDelivered(bench, deliveries);
  return (deliveries - 1) / (milliseconds / 1000);
}

/** All become due in the same moment; the service finds them within a second. */
async function fillQueue(
  { scratch }: Bench,
  sources: Sources,
  forms: PublishedSample[],
  count: number,
): Promise<void> {
  const formIds = forms.map(({ id }) => id);
  await copyDeliveries(scratch.connection(), formIds, count);
  sources.copied += count;
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

async function deliverPaced(bench: Bench, sources: Sources): Promise<LoadResult[]> {
  const { settings } = bench;
  bench.tell(`delivery, ${PACE} submissions a second`);
  await paceOnce(bench, sources, settings.seconds);
  const results: LoadResult[] = [];
  for (let round = 0; round < settings.rounds; round++)
    results.push(await paceOnce(bench, sources, settings.seconds * PACED_ROUND_FACTOR));
  return results;
}

/** The first form at its pace while the queue of all others drains. */
async function deliverBesideQueue(bench: Bench, sources: Sources): Promise<LoadResult[]> {
  const { settings, load } = bench;
  bench.tell('delivery, beside a queue');
  const others = sources.forms.slice(1);
  const count = Math.min(settings.deliveries * 2, Math.max(settings.deliveries, LONG_QUEUE));
  const results: LoadResult[] = [];
  for (let round = 0; round < settings.rounds; round++) {
    await load.run('forgetArrivals', null);
    await fillQueue(bench, sources, others, count);
    await load.run('arrivals', { count: 1, limitMs: DELIVERY_LIMIT_MS });
    results.push(await paceOnce(bench, sources, settings.seconds));
    await awaitOnRecord(bench);
  }
  return results;
}

async function paceOnce({ load }: Bench, sources: Sources, seconds: number): Promise<LoadResult> {
  const [target] = targetsOf(sources.url, sources.forms);
  if (!target) throw new CommandError('There is no form to submit to.');
  const pace = { target, perSecond: PACE, limitMs: DELIVERY_LIMIT_MS, seconds };
  const result = await load.run('pace', pace);
  sources.acknowledged += result.acknowledged;
  return result;
}

/** @throws CommandError when not exactly what was acknowledged is stored, and delivered together with the copies */
async function checkDelivered(bench: Bench, { forms, acknowledged, copied }: Sources): Promise<void> {
  await awaitOnRecord(bench);
  const stored = await countExactly(bench.scratch, forms, acknowledged);
  const formIds = forms.map(({ id }) => id);
  const delivered = await countDeliveries(bench.scratch.db(), 'delivered', formIds);
  if (delivered !== stored + copied)
    throw new CommandError(`Of ${stored + copied} deliveries ${delivered} were delivered.`);
  bench.counts.push({ group: 'delivery', acknowledged, stored, copied, delivered });
}
