import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { App } from './app-type.ts';
import { seenByDoctor } from './doctor-probe.ts';
import { unavailable, unknownAddress } from './errors.ts';
import { isProgramOfThisMachine } from './own-machine.ts';

/** The answer of `/readyz` is kept this long, so that asking often costs the database nothing. */
const READINESS_TTL_MS = 1_000;

export function registerHealthRoutes(app: App, context: Context): void {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let readiness: Promise<boolean> = Promise.resolve(false);
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });

  app.get('/livez', { config: { access: { kind: 'public' } }, schema: { hide: true } }, async (request) => {
    const seen = seenByDoctor(request, context.secrets);
    return { status: 'ok', ...(seen && { seen }) };
  });

  app.get('/readyz', { config: { access: { kind: 'public' } }, schema: { hide: true } }, async () => {
    const now = performance.now();
    if (now - checkedAt > READINESS_TTL_MS) {
      checkedAt = now;
      readiness = databaseAnswers(context);
    }
    if (isStopping || !(await readiness)) throw unavailable();
    return { status: 'ok' };
  });

  app.get(
    '/metrics',
    { config: { access: { kind: 'public' } }, schema: { hide: true } },
    async (request, reply) => {
      const { metrics } = context.config;
      if (metrics === 'off' || (metrics === 'loopback' && !isProgramOfThisMachine(request)))
        throw unknownAddress();
      return reply.type(context.metrics.contentType).send(await context.metrics.text());
    },
  );
}

/** One that takes no writes is of no use: whoever asks the service to store something is refused. */
async function databaseAnswers({ db }: Context): Promise<boolean> {
  const state = sql<{ state: string }>`select current_setting('transaction_read_only') as state`;
  return state.execute(db).then(
    ({ rows }) => rows[0]?.state === 'off',
    () => false,
  );
}
