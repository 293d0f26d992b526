import { randomBytes, randomUUID } from 'node:crypto';
import type { Answers } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { CommandError } from '../cli/command.ts';
import { readConfig } from '../config.ts';
import { scheduleDeliveries } from '../deliveries/schedule-deliveries.ts';
import { createSecretBox } from '../secret-box.ts';
import type { NewSubmission } from '../submissions/intake/batch.ts';
import { createPublishedForms } from '../submissions/published-form/cache.ts';
import { type Api, type PublishedSample, publishSample } from './api.ts';
import { awaitDelivered } from './delivered.ts';
import { type Bench, comparedTo, type Figure, rateFigure } from './figure.ts';
import { databasePids, processorTime } from './processor-time.ts';
import { countDeliveries, countStored, forgetDeliveries } from './queries.ts';
import { TWELVE_FIELDS, withPlaces } from './sample-form.ts';
import type { Scratch } from './scratch.ts';
import type { LoadResult, Target } from './submit-load.ts';

/** Different answers that are sent in turn. */
const SAMPLES = 64;
const MANY_FORMS = 100;
/** Never reached: only the cost of watching it is measured. */
const CAP = 1_000_000_000;
/** Connections; for the floors, submissions that wait at a time. */
const LEVELS = [1, 32, 128];
const MOST = 128;
/** A new service is slower for a few seconds, while its code is compiled. */
const WARM_UP_ROUNDS = 5;
/** The cores of the smallest machines. */
const PROCESSES = 2;

interface Scenario {
  name: string;
  connections: number;
  results: LoadResult[];
  run(seconds: number): Promise<LoadResult>;
}

/** Durable submissions per second: without a worker, and while their own webhooks go out. */
export async function measureIntake(bench: Bench): Promise<Figure[]> {
  const { alone, floors, processorTimes } = await withoutWorker(bench);
  const several = await asSeveralProcesses(bench);
  const floorFigures = new Map(
    floors.map((floor) => [floor.connections, rateFigure('intake', floor.name, floor.results)]),
  );
  const compared = (scenario: Scenario) => {
    const figure = rateFigure('intake', scenario.name, scenario.results);
    const floor = floorFigures.get(scenario.connections);
    return floor ? comparedTo(figure, floor) : figure;
  };
  const others = [several, ...(await besidesDeliveries(bench))].map(compared);
  return [...floorFigures.values(), compared(alone), ...processorTimes, ...others];
}

/** Through HTTP, and the floors, without deliveries. */
async function withoutWorker(bench: Bench) {
  const { scratch, load, receiverUrl: webhookUrl } = bench;
  bench.tell('intake, without a worker');
  const { api, url, pid } = await scratch.serve('http');
  const form = await publishSample(api, TWELVE_FIELDS, { webhookUrl });
  const targets = targetsOf(url, [form]);
  const rows = { connection: scratch.connection(), submissions: await sampleRows(bench, form) };
  const alone: Scenario = {
    name: `${MOST} connections, no worker (ROLES=http)`,
    connections: MOST,
    results: [],
    run: (seconds) => load.run('submit', { targets, connections: MOST, seconds }),
  };
  const floors = LEVELS.map(
    (concurrency): Scenario => ({
      name: `floor: the same insert without HTTP, ${concurrency} at a time`,
      connections: concurrency,
      results: [],
      run: (seconds) => load.run('insert', { ...rows, concurrency, seconds }),
    }),
  );
  const all = await runRounds(bench, [[alone], floors]);
  const watched: LoadResult[] = [];
  const runWatched = async (seconds: number) => {
    const result = await alone.run(seconds);
    watched.push(result);
    return result;
  };
  const processorTimes = [
    await processorTime(bench, 'service', () => [pid], runWatched),
    await processorTime(bench, 'database', () => databasePids(scratch), runWatched),
  ];
  await checkStored(bench, [form], [...all, ...watched], null);
  await forgetDeliveries(scratch.db());
  return { alone, floors, processorTimes };
}

async function asSeveralProcesses(bench: Bench): Promise<Scenario> {
  const { scratch, load, receiverUrl: webhookUrl } = bench;
  bench.tell('intake, several processes');
  const { api, url } = await scratch.serve('http', PROCESSES);
  const form = await publishSample(api, TWELVE_FIELDS, { webhookUrl });
  const targets = targetsOf(url, [form]);
  const scenario: Scenario = {
    name: `${MOST} connections, no worker, ${PROCESSES} processes`,
    connections: MOST,
    results: [],
    run: (seconds) => load.run('submit', { targets, connections: MOST, seconds }),
  };
  await checkStored(bench, [form], await runRounds(bench, [[scenario]]), null);
  await forgetDeliveries(scratch.db());
  return scenario;
}

async function besidesDeliveries(bench: Bench): Promise<Scenario[]> {
  const { scratch, load } = bench;
  bench.tell('intake, webhooks going out meanwhile');
  const { api, url } = await scratch.serve('http,worker');
  const { forms, loads } = await prepareLoads(bench, api, url);
  await load.run('forgetArrivals', null);
  let acknowledged = 0;
  const scenarios = loads.map(
    ({ name, ...input }): Scenario => ({
      name,
      connections: input.connections,
      results: [],
      async run(seconds) {
        const result = await load.run('submit', { ...input, seconds });
        acknowledged += result.acknowledged;
        // Every round begins with an empty outbox, so none pays for the one before.
        await awaitDelivered(bench, acknowledged);
        return result;
      },
    }),
  );
  const all = await runRounds(bench, [scenarios]);
  await checkStored(bench, forms, all, await countDeliveries(scratch.db(), 'delivered'));
  return scenarios;
}

/**
 * Runs all loads in turn, round by round, after one uncounted warm-up of each kind at its highest level.
 * @returns every result
 */
async function runRounds({ settings }: Bench, kinds: Scenario[][]): Promise<LoadResult[]> {
  const all: LoadResult[] = [];
  for (const kind of kinds) {
    const warmUp = kind.find(({ connections }) => connections === MOST);
    if (warmUp) all.push(await warmUp.run(settings.seconds * WARM_UP_ROUNDS));
  }
  const scenarios = kinds.flat();
  for (let round = 0; round < settings.rounds; round++)
    for (const { run, results } of scenarios) results.push(await run(settings.seconds));
  return [...all, ...scenarios.flatMap(({ results }) => results)];
}

async function prepareLoads({ receiverUrl: webhookUrl }: Bench, api: Api, url: string) {
  const plain = await publishSample(api, TWELVE_FIELDS, { webhookUrl });
  const capped = await publishSample(api, TWELVE_FIELDS, { webhookUrl, cap: CAP });
  const seated = await publishSample(api, withPlaces(TWELVE_FIELDS, CAP), { webhookUrl });
  const many: PublishedSample[] = [];
  for (let count = 0; count < MANY_FORMS; count++)
    many.push(await publishSample(api, TWELVE_FIELDS, { webhookUrl }));
  const targets = targetsOf(url, [plain]);
  const loads = [
    ...LEVELS.map((connections) => ({ name: connectionsText(connections), targets, connections })),
    { name: `${MOST}, each with an Idempotency-Key`, targets, connections: MOST, isKeyed: true },
    { name: `${MOST}, a form with a cap`, targets: targetsOf(url, [capped]), connections: MOST },
    { name: `${MOST}, options with places`, targets: targetsOf(url, [seated]), connections: MOST },
    { name: `${MOST}, over ${MANY_FORMS} forms`, targets: targetsOf(url, many), connections: MOST },
  ];
  return { forms: [plain, capped, seated, ...many], loads };
}

function connectionsText(count: number): string {
  return count === 1 ? '1 connection' : `${count} connections`;
}

/** Where and what to submit. */
export function targetsOf(url: string, forms: PublishedSample[]): Target[] {
  const bodies = TWELVE_FIELDS.answers(SAMPLES).map((answers) => JSON.stringify(answers));
  return forms.map(({ answerPath }) => ({ url: url + answerPath, bodies }));
}

/** The rows that the service hands to its intake for the same submissions. */
export async function sampleRows({ scratch }: Bench, { slug }: PublishedSample): Promise<NewSubmission[]> {
  const form = await createPublishedForms(scratch.db(), serverEngines, {
    baseUrl: () => 'http://127.0.0.1',
    secrets: createSecretBox(randomBytes(32)),
    config: readConfig({}),
  }).find(slug);
  if (!form) throw new CommandError('The form of the benchmark is gone.');
  return TWELVE_FIELDS.answers(SAMPLES).map((sample) => {
    const answers = sample as Answers;
    const publicId = randomUUID();
    return {
      formId: form.id,
      formRevision: form.revision,
      publicId,
      data: JSON.stringify(answers),
      attribution: null,
      completionTime: null,
      idempotency: null,
      takesPlaces: false,
      ending: null,
      deliveries: scheduleDeliveries(form, { publicId, answers, attribution: null, ending: null }),
    };
  });
}

/** @throws CommandError unless exactly the acknowledged submissions are stored, and delivered where a worker ran */
async function checkStored(
  { scratch, counts }: Bench,
  forms: PublishedSample[],
  results: LoadResult[],
  delivered: number | null,
): Promise<void> {
  const acknowledged = results.reduce((sum, result) => sum + result.acknowledged, 0);
  const stored = await countExactly(scratch, forms, acknowledged);
  if (delivered !== null && delivered !== stored)
    throw new CommandError(`${stored} submissions are stored, but ${delivered} were delivered.`);
  counts.push({ group: 'intake', acknowledged, stored, delivered });
}

/** @throws CommandError unless exactly `count` submissions of these forms are stored */
export async function countExactly(
  scratch: Scratch,
  forms: PublishedSample[],
  acknowledged: number,
): Promise<number> {
  const formIds = forms.map(({ id }) => id);
  const stored = await countStored(scratch.db(), formIds);
  if (stored !== acknowledged)
    throw new CommandError(`${acknowledged} submissions were acknowledged, but ${stored} are stored.`);
  return stored;
}
