import type { FastifyInstance, onResponseHookHandler } from 'fastify';
import type pg from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Context } from '../context.ts';
import { NOT_IMPLEMENTED } from './errors.ts';
import { withFirst } from './route-hooks.ts';

/** Metrics for Prometheus. Labels are route templates and fixed words, never ids or texts of users. */
export interface Metrics {
  contentType: string;
  /** All metrics in the Prometheus text format. */
  text(): Promise<string>;
  /** Makes the counter of one route, to be called for every answer. */
  requestsOf(method: string, route: string): (statusCode: number, durationMs: number) => void;
  /** Counts a batch of submissions that was committed. */
  intakeFlushed(batchSize: number, durationMs: number): void;
  /** Counts an attempt to deliver. @param outcome a fixed word, such as `delivered` or `failed` */
  deliveryFinished(outcome: string, durationMs: number): void;
  /** Counts an export that ended. @param outcome a fixed word, such as `completed` or `failed` */
  exportFinished(outcome: string): void;
  observePool(pool: pg.Pool): void;
  /** @param measure asks the database; called at most every five seconds */
  observeOutbox(measure: () => Promise<OutboxSize>): void;
  /** @param measure asks the database for the seconds since the last backup, null without any; called at most once a minute */
  observeBackups(measure: () => Promise<number | null>): void;
}

export interface OutboxSize {
  /** Deliveries that wait to be sent. */
  depth: number;
  /** 0 when there are none. */
  oldestAgeSeconds: number;
}

/** Seconds. The answer endpoint takes about one millisecond, a webhook up to fifteen seconds. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const OUTBOX_TTL_MS = 5_000;
const BACKUPS_TTL_MS = 60_000;
const UNMATCHED = 'unmatched';

/** Each service has its own registry, so that several can live in one process. */
export function createMetrics(): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const requests = new Histogram({
    name: 'formstead_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const batches = new Histogram({
    name: 'formstead_intake_batch_size',
    help: 'Submissions stored by one statement.',
    buckets: BATCH_BUCKETS,
    registers,
  });
  const flushes = new Histogram({
    name: 'formstead_intake_flush_duration_seconds',
    help: 'Time to store one batch of submissions.',
    buckets: DURATION_BUCKETS,
    registers,
  });
  const deliveries = new Histogram({
    name: 'formstead_delivery_attempt_duration_seconds',
    help: 'Time of one attempt to deliver a webhook.',
    labelNames: ['outcome'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const exports = new Counter({
    name: 'formstead_exports_total',
    help: 'Exports that ended.',
    labelNames: ['outcome'],
    registers,
  });

  return {
    contentType: register.contentType,
    text: () => register.metrics(),
    requestsOf: (method, route) => requestCounter(requests, method, route),
    intakeFlushed(batchSize, durationMs) {
      batches.observe(batchSize);
      flushes.observe(durationMs / 1000);
    },
    deliveryFinished: attemptCounter(deliveries),
    exportFinished: (outcome) => exports.inc({ outcome }),
    observePool: (pool) => addPoolGauge(register, pool),
    observeOutbox: (measure) => addOutboxGauges(register, measure),
    observeBackups: (measure) => addBackupGauge(register, measure),
  };
}

/** Counts every answer, those of unknown addresses too. */
export function installMetrics(app: FastifyInstance, { metrics }: Context): void {
  const countUnmatched = metrics.requestsOf('any', UNMATCHED);
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) countUnmatched(reply.statusCode, reply.elapsedTime);
    done();
  });
  app.addHook('onRoute', (route) => {
    const count = metrics.requestsOf(String(route.method), route.url);
    const countAnswer: onResponseHookHandler = (_request, reply, done) => {
      count(reply.statusCode, reply.elapsedTime);
      done();
    };
    route.onResponse = withFirst(countAnswer, route.onResponse);
  });
}

/** Resolves the labels once per status class instead of with every request. */
function requestCounter(histogram: Histogram<'method' | 'route' | 'status'>, method: string, route: string) {
  const byClass: Histogram.Internal<'method' | 'route' | 'status'>[] = [];
  return (statusCode: number, durationMs: number) => {
    // Apart from its class, as alarms watch the rate of failures.
    const isApart = statusCode === NOT_IMPLEMENTED;
    const statusClass = isApart ? statusCode : Math.trunc(statusCode / 100);
    const status = isApart ? `${statusCode}` : `${statusClass}xx`;
    byClass[statusClass] ??= histogram.labels({ method, route, status });
    byClass[statusClass].observe(durationMs / 1000);
  };
}

/** Resolves the labels once per outcome. */
function attemptCounter(histogram: Histogram<'outcome'>) {
  const byOutcome = new Map<string, Histogram.Internal<'outcome'>>();
  return (outcome: string, durationMs: number) => {
    const counter = byOutcome.get(outcome) ?? histogram.labels({ outcome });
    byOutcome.set(outcome, counter);
    counter.observe(durationMs / 1000);
  };
}

function addPoolGauge(register: Registry, pool: pg.Pool): void {
  new Gauge({
    name: 'formstead_database_connections',
    help: 'Connections of the pool, and requests that wait for one.',
    labelNames: ['state'],
    registers: [register],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
}

function addOutboxGauges(register: Registry, measure: () => Promise<OutboxSize>): void {
  const size = kept(measure, OUTBOX_TTL_MS);
  new Gauge({
    name: 'formstead_outbox_pending',
    help: 'Deliveries that still have to be sent; NaN while the database does not answer.',
    registers: [register],
    async collect() {
      this.set((await size())?.depth ?? Number.NaN);
    },
  });
  new Gauge({
    name: 'formstead_outbox_oldest_age_seconds',
    help: 'Age of the oldest delivery that still has to be sent; NaN while the database does not answer.',
    registers: [register],
    async collect() {
      this.set((await size())?.oldestAgeSeconds ?? Number.NaN);
    },
  });
}

function addBackupGauge(register: Registry, measure: () => Promise<number | null>): void {
  const age = kept(measure, BACKUPS_TTL_MS);
  new Gauge({
    name: 'formstead_last_backup_age_seconds',
    help: 'Age of the last backup by formstead backup or BACKUP_TO, up to a minute ago; NaN if there is none.',
    registers: [register],
    async collect() {
      this.set((await age()) ?? Number.NaN);
    },
  });
}

/** The value of `measure`, asked for at most once in `ttlMs`; null when it failed. */
function kept<T>(measure: () => Promise<T>, ttlMs: number): () => Promise<T | null> {
  let measuredAt = Number.NEGATIVE_INFINITY;
  let value: Promise<T | null> = Promise.resolve(null);
  return () => {
    if (performance.now() - measuredAt > ttlMs) {
      measuredAt = performance.now();
      value = measure().catch(() => null);
    }
    return value;
  };
}
