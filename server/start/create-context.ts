import type { Logger } from 'pino';
import { serverEngines } from '../../fields/server-engines.ts';
import { lastBackup } from '../backup/made-backups-queries.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { type Connection, openDatabase, openPool, ROW_BY_ROW } from '../db/database.ts';
import { createDispatcher } from '../deliveries/dispatcher.ts';
import { OUTBOX_SETTINGS } from '../deliveries/outbox-queries.ts';
import { outboxSize } from '../deliveries/outbox-size-queries.ts';
import { openFileStore } from '../files/file-store.ts';
import { createMetrics } from '../http/metrics.ts';
import { openSecrets } from '../key-rotation/open-secrets.ts';
import { createLog } from '../log.ts';
import { createMailerOf } from '../mail/mail-servers.ts';
import { openMailer } from '../mail/mailer.ts';
import { createOutbound } from '../outbound/request.ts';
import { createProvider } from '../single-sign-on/provider.ts';
import { createVisitCounts } from '../statistics/visit-counts.ts';
import { createIntake } from '../submissions/intake/intake.ts';
import { createIntakePressure } from '../submissions/intake/pressure.ts';
import { createPublishedForms } from '../submissions/published-form/cache.ts';

interface OpenContext {
  context: Context;
  /** Closes everything in the context; the last act of a process. */
  close(): Promise<void>;
}

/** One connection claims, one records, one is for anything in between. */
const OUTBOX_POOL_SIZE = 3;
/** A longer flush is answered with 503. */
const FLUSH_TIMEOUT_MS = 5_000;

/** Opens everything that lives as long as the process. `baseUrl` is called when a link is written. */
export async function createContext(
  config: Config,
  connection: Connection,
  baseUrl: () => string,
  log: Logger = createLog(config),
): Promise<OpenContext> {
  const onConnectionError = (error: Error) => log.warn({ err: error }, 'a database connection broke');
  // Steps that may fail come first: an open connection would keep the process from ending.
  const mailer = await openMailer(config.smtpUrl, config.mailFrom, baseUrl);
  const files = await openFileStore(config);
  const { db, pool, close } = openDatabase(connection, onConnectionError);
  const secrets = await openSecrets(db, config).catch(async (error) => {
    await close();
    throw error;
  });
  // The intake has its own connections, one per lane, so it never waits behind other queries.
  const intakePool = openPool(connection, onConnectionError, {
    max: 2,
    // One stays, so that answers are taken also while the server refuses new connections.
    min: 1,
    settings: ROW_BY_ROW,
    statement_timeout: FLUSH_TIMEOUT_MS,
    query_timeout: FLUSH_TIMEOUT_MS + 500,
  });
  const outbox = openDatabase(connection, onConnectionError, OUTBOX_POOL_SIZE, OUTBOX_SETTINGS);
  const metrics = createMetrics();
  const allowedNetworks = config.webhookAllowedNetworks;
  const outbound = createOutbound({ allowedNetworks });
  const mailerOf = createMailerOf({ mailer, secrets, allowedNetworks, baseUrl });
  const publishedForms = createPublishedForms(db, serverEngines, { baseUrl, secrets, config });
  const pressure = createIntakePressure();
  const dispatcher = createDispatcher({
    db,
    outbox,
    log,
    secrets,
    outbound,
    mailerOf,
    metrics,
    publishedForms,
    isUnderPressure: pressure.isHigh,
  });
  const onFlush = (batchSize: number, durationMs: number) => {
    metrics.intakeFlushed(batchSize, durationMs);
    pressure.flushed(batchSize);
  };
  const intake = createIntake(intakePool, onFlush, dispatcher);
  const visits = createVisitCounts(db, log);
  metrics.observePool(pool);
  metrics.observeOutbox(() => outboxSize(db, mailer.isConfigured));
  metrics.observeBackups(async () => (await lastBackup(db))?.ageSeconds ?? null);
  const context: Context = {
    config,
    log,
    db,
    pool,
    connection,
    secrets,
    outbound,
    metrics,
    mailer,
    mailerOf,
    singleSignOn: config.singleSignOn && createProvider(config.singleSignOn, baseUrl),
    files,
    publishedForms,
    intake,
    isUnderPressure: pressure.isHigh,
    dispatcher,
    visits,
    baseUrl,
  };
  return {
    context,
    async close() {
      await intake.drain();
      await visits.stop();
      await outbound.close();
      mailer.close();
      await intakePool.end();
      await outbox.close();
      await close();
    },
  };
}
