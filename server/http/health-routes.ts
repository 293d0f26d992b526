import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { App } from './app-type.ts';
import { unavailable } from './errors.ts';

/** The answer of `/readyz` is kept this long, so that asking often costs the database nothing. */
const READINESS_TTL_MS = 1_000;

export function registerHealthRoutes(app: App, context: Context): void {
  let checkedAt = 0;
  let readiness: Promise<boolean> = Promise.resolve(false);

  app.get('/livez', { config: { access: { kind: 'public' } }, schema: { hide: true } }, async () => ({
    status: 'ok',
  }));

  app.get('/readyz', { config: { access: { kind: 'public' } }, schema: { hide: true } }, async () => {
    if (Date.now() - checkedAt > READINESS_TTL_MS) {
      checkedAt = Date.now();
      readiness = databaseAnswers(context);
    }
    if (!(await readiness)) throw unavailable();
    return { status: 'ok' };
  });

  app.get(
    '/metrics',
    { config: { access: { kind: 'public' } }, schema: { hide: true } },
    async (_request, reply) => {
      return reply.type(context.metrics.contentType).send(await context.metrics.text());
    },
  );
}

function databaseAnswers(context: Context): Promise<boolean> {
  return sql`select 1`.execute(context.db).then(
    () => true,
    () => false,
  );
}
