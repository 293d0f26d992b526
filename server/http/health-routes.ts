import { sql } from 'kysely';
import Type from 'typebox';
import type { Context } from '../context.ts';
import type { App } from './app-type.ts';
import { unavailable, unknownAddress } from './errors.ts';
import { seenByDoctor } from './network/doctor-probe.ts';
import { isProgramOfThisMachine } from './network/own-machine.ts';
import { Problem } from './schemas/problem.ts';

/** The answer of `/readyz` is kept for this long, so that frequent requests cost the database nothing. */
const READINESS_TTL_MS = 1_000;

export function registerHealthRoutes(app: App, context: Context): void {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let readiness: Promise<boolean> = Promise.resolve(false);
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });

  const config = { access: { kind: 'public' } } as const;

  app.get('/livez', { config, schema: livenessSchema }, async (request) => {
    const seen = seenByDoctor(request, context.secrets);
    return { status: 'ok', ...(seen && { seen }) };
  });

  app.get('/readyz', { config, schema: readinessSchema }, async () => {
    const now = performance.now();
    if (now - checkedAt > READINESS_TTL_MS) {
      checkedAt = now;
      readiness = databaseAnswers(context);
    }
    if (isStopping || !(await readiness)) throw unavailable();
    return { status: 'ok' };
  });

  app.get('/metrics', { config, schema: metricsSchema }, async (request, reply) => {
    const { metrics } = context.config;
    if (metrics === 'off' || (metrics === 'loopback' && !isProgramOfThisMachine(request)))
      throw unknownAddress();
    return reply.type(context.metrics.contentType).send(await context.metrics.text());
  });
}

const tags = ['Operation'];
const Fine = Type.Object({ status: Type.String() }, { additionalProperties: true });
const livenessSchema = { tags, summary: 'Check that the process answers', response: { 200: Fine } };
const readinessSchema = {
  tags,
  summary: 'Check that the database answers and takes writes',
  description: '503 when it does not, and while the service stops.',
  response: { 200: Fine },
};
const metricsSchema = {
  tags,
  summary: 'Read metrics in the format of Prometheus',
  response: {
    200: { content: { 'text/plain': { schema: Type.String() } } },
    404: Problem('The setting METRICS hides the metrics from the caller.'),
  },
};

/**
 * Whether the database answers and takes writes; without writes the service could store nothing. The intake is asked too, as it has
 * connections of its own, and the server may refuse new ones.
 */
async function databaseAnswers({ db, intake, log }: Context): Promise<boolean> {
  const state = sql<{ state: string }>`select current_setting('transaction_read_only') as state`;
  const answers = [state.execute(db).then(({ rows }) => rows[0]?.state === 'off'), intake.isReady()];
  return Promise.all(answers).then(
    (all) => all.every(Boolean),
    (err) => {
      log.error({ err }, 'the database does not answer');
      return false;
    },
  );
}
