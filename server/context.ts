import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Connection, Db } from './db/database.ts';
import type { Dispatcher } from './deliveries/dispatcher.ts';
import type { FileStore } from './files/file-store.ts';
import type { Metrics } from './http/metrics.ts';
import type { MailerOf } from './mail/mail-servers.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Outbound } from './outbound/request.ts';
import type { SecretBox } from './secret-box.ts';
import type { Provider } from './single-sign-on/provider.ts';
import type { VisitCounts } from './statistics/visit-counts.ts';
import type { Intake } from './submissions/intake/intake.ts';
import type { PublishedForms } from './submissions/published-form/cache.ts';

/** The few things that live as long as the process, passed by hand. */
export interface Context {
  config: Config;
  log: Logger;
  /** For short queries; each fails after five seconds. */
  db: Db;
  pool: pg.Pool;
  /** For opening separate pools for long statements. */
  connection: Connection;
  secrets: SecretBox;
  outbound: Outbound;
  metrics: Metrics;
  /** The installation's own: for mails about accounts. Those about a workspace's forms go by `mailerOf`. */
  mailer: Mailer;
  mailerOf: MailerOf;
  /** null where no provider is set up. */
  singleSignOn: Provider | null;
  files: FileStore;
  /** Published forms as the answer endpoint needs them: compiled, with their integrations. */
  publishedForms: PublishedForms;
  intake: Intake;
  /** Whether submissions queue up: work that can wait should leave them the processors. */
  isUnderPressure(): boolean;
  dispatcher: Dispatcher;
  /** Visits counted in memory, written once a second. */
  visits: VisitCounts;
  /** The public address without a trailing slash; known once the service listens. */
  baseUrl(): string;
}
