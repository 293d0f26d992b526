import { randomUUID } from 'node:crypto';
import { type HttpConnection, openConnection, writeRequest } from './http-connection.ts';
import type { Receiver } from './receiver.ts';
import { type Latency, latencyOf } from './statistics.ts';

/** One form and the answers to send to it, in turn. */
export interface Target {
  /** Address of the answer endpoint. */
  url: string;
  bodies: string[];
}

interface SubmitLoad {
  targets: Target[];
  connections: number;
  /** Ends by time or by number, whichever comes first. */
  seconds: number;
  maxCount?: number;
  /** Gives every request its own Idempotency-Key. */
  isKeyed?: boolean;
}

export interface LoadResult {
  /** Submissions answered 200. */
  acknowledged: number;
  seconds: number;
  latency: Latency;
}

const MAX_COUNT = 10_000_000;
/** More than the given paces need, unless the service stalls. */
const PACED_CONNECTIONS = 16;
/** Replaced by the number of the submission, to find it again in its webhook. */
export const PROBE = 'probe-00000000';

/** Sends as many requests as the service answers; each connection sends the next as soon as the last is answered. */
export async function submitLoad(load: SubmitLoad): Promise<LoadResult> {
  const next = requests(load.targets, load);
  const connections = await openConnections(load.targets, load.connections);
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1000;
  let left = load.maxCount ?? MAX_COUNT;

  async function keepSending(connection: HttpConnection): Promise<void> {
    for (let sentAt = performance.now(); sentAt < endsAt && left > 0; ) {
      left--;
      await submit(connection, next());
      const answeredAt = performance.now();
      latencies.push(answeredAt - sentAt);
      sentAt = answeredAt;
    }
  }

  try {
    await Promise.all(connections.map(keepSending));
    const seconds = (performance.now() - startedAt) / 1000;
    return { acknowledged: latencies.length, seconds, latency: latencyOf(latencies) };
  } finally {
    for (const connection of connections) connection.close();
  }
}

export interface PacedLoad {
  target: Target;
  perSecond: number;
  seconds: number;
  /** Time limit for the last webhook. */
  limitMs: number;
}

/**
 * Sends a fixed number of submissions per second, whether or not earlier ones have been answered. Latency lasts from the
 * moment a submission is due until its webhook arrives, so one clock sees both.
 */
export async function pacedLoad(load: PacedLoad, receiver: Receiver): Promise<LoadResult> {
  const connections = await openConnections([load.target], PACED_CONNECTIONS);
  /** The connections in turn; one is free when its request has been answered. */
  const free = connections.map((connection) => Promise.resolve(connection));
  const dueAt: number[] = [];
  const latencies: number[] = [];
  const underWay: Promise<void>[] = [];
  const next = requests([load.target]);
  const count = Math.ceil(load.perSecond * load.seconds);
  const allArrived = Promise.withResolvers<void>();
  receiver.forget();
  receiver.watch((body, arrivedAt) => {
    const due = dueAt[Number(/probe-(\d{8})/.exec(body)?.[1]) - 1];
    // Earlier requests with the number 0 may still be on their way.
    if (due === undefined) return;
    latencies.push(arrivedAt - due);
    if (latencies.length === count) allArrived.resolve();
  });

  async function sendOne(): Promise<void> {
    const number = dueAt.push(performance.now());
    const request = next().replace(PROBE, `probe-${String(number).padStart(8, '0')}`);
    const turn = number % PACED_CONNECTIONS;
    const answered = free[turn]?.then(async (connection) => {
      await submit(connection, request);
      return connection;
    });
    if (answered) free[turn] = answered;
    await answered;
  }

  try {
    const startedAt = performance.now();
    for (let sent = 0; sent < count; ) {
      const due = Math.min(count, ((performance.now() - startedAt) / 1000) * load.perSecond);
      for (; sent < due; sent++) {
        const one = sendOne();
        // Its error is checked at the end.
        one.catch(() => {});
        underWay.push(one);
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(underWay);
    const seconds = (performance.now() - startedAt) / 1000;
    await withinLimit(allArrived.promise, load.limitMs);
    return { acknowledged: count, seconds, latency: latencyOf(latencies) };
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function withinLimit(work: Promise<void>, limitMs: number): Promise<void> {
  const timer = Promise.withResolvers<never>();
  const late = () => timer.reject(new Error(`Not all webhooks arrived within ${limitMs / 1000} s.`));
  const timeout = setTimeout(late, limitMs);
  await Promise.race([work, timer.promise]).finally(() => clearTimeout(timeout));
}

/** Every counted submission was accepted: a refusal ends the benchmark instead of speeding it up. */
async function submit(connection: HttpConnection, request: string): Promise<void> {
  const { status, body } = await connection.send(request);
  if (status !== 200) throw new Error(`A submission was answered ${status}: ${body}`);
}

function openConnections([target]: Target[], count: number): Promise<HttpConnection[]> {
  if (!target) throw new Error('There is no form to submit to.');
  return Promise.all(Array.from({ length: count }, () => openConnection(target.url)));
}

/** The requests, one form after the other; everything but the key is written once. */
function requests(targets: Target[], { isKeyed = false }: Pick<SubmitLoad, 'isKeyed'> = {}): () => string {
  const longest = Math.max(...targets.map(({ bodies }) => bodies.length));
  const written: string[] = [];
  for (let index = 0; index < longest; index++)
    for (const { url, bodies } of targets) {
      const body = bodies[index % bodies.length] ?? '{}';
      written.push(
        writeRequest('POST', url, { body, ...(isKeyed && { headers: { 'Idempotency-Key': KEY } }) }),
      );
    }
  const prefix = randomUUID();
  let sent = 0;
  return () => {
    const request = written[sent++ % written.length] ?? '';
    return isKeyed ? request.replace(KEY, `${prefix}-${sent}`) : request;
  };
}

const KEY = '{key}';
