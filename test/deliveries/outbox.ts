import { sql } from 'kysely';
import type pg from 'pg';
import { pino } from 'pino';
import { type Db, openDatabase } from '../../server/db/database.ts';
import { createDispatcher, type Dispatcher } from '../../server/deliveries/dispatcher.ts';
import { OUTBOX_SETTINGS } from '../../server/deliveries/outbox-queries.ts';
import { createMetrics } from '../../server/http/metrics.ts';
import { type IntegrationSecrets, sealIntegrationSecrets } from '../../server/integrations/secrets.ts';
import { openMailer } from '../../server/mail/mailer.ts';
import { parseAllowedNetworks } from '../../server/outbound/address.ts';
import { createOutbound, type Outbound } from '../../server/outbound/request.ts';
import { createSecretBox } from '../../server/secret-box.ts';
import { createTestDatabase } from '../setup/test-database.ts';

const noMailer = await openMailer(null, null, () => '');

/** An outbox with its own database, one form, and as many dispatchers as a test starts. */
export interface Outbox {
  db: Db;
  pool: pg.Pool;
  formId: number;
  /** Forms whose cached state was dropped. */
  forgotten: number[];
  addIntegration(url: string, secrets?: Partial<IntegrationSecrets>): Promise<number>;
  setSecrets(integrationId: number, secrets: Partial<IntegrationSecrets>): Promise<void>;
  /** @returns the ids of the new deliveries */
  addDeliveries(integrationId: number, count: number, body?: string): Promise<number[]>;
  startDispatcher(options?: { outbound?: Outbound; isUnderPressure?: boolean; db?: Db }): Dispatcher;
  delivery(id: number): Promise<any>;
  attempts(deliveryId: number): Promise<any[]>;
  /** Makes all deliveries that wait for a later time due now. */
  makeDue(): Promise<void>;
  until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T>;
  close(): Promise<void>;
}

const POLL_MS = 10;
const box = createSecretBox(Buffer.alloc(32, 7));

export async function openOutbox(): Promise<Outbox> {
  const database = await createTestDatabase();
  const opened = openDatabase(database.connection, () => {}, undefined, OUTBOX_SETTINGS);
  const { db, pool, close } = opened;
  const dispatchers: Dispatcher[] = [];
  const outbounds: Outbound[] = [];
  const forgotten: number[] = [];
  const workspace = await db
    .insertInto('workspaces')
    .values({ name: 'W' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: formId } = await db
    .insertInto('forms')
    .values({ workspace_id: workspace.id, slug: 'form', title: 'Form' })
    .returning('id')
    .executeTakeFirstOrThrow();

  function seal(secrets: Partial<IntegrationSecrets>) {
    return sealIntegrationSecrets(box, { webhook_secret: null, webhook_headers: null, ...secrets });
  }

  return {
    db,
    pool,
    formId,
    forgotten,
    async addIntegration(url, secrets = {}) {
      const row = await db
        .insertInto('integrations')
        .values({
          form_id: formId,
          integration_id: 'webhook',
          status: 'active',
          data: JSON.stringify({ webhook_url: url }),
          secrets_encrypted: seal(secrets),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return row.id;
    },
    async setSecrets(integrationId, secrets) {
      await db
        .updateTable('integrations')
        .set({ secrets_encrypted: seal(secrets) })
        .where('id', '=', integrationId)
        .execute();
    },
    async addDeliveries(integrationId, count, body = '{"submission_id":') {
      const { rows } = await sql<{ id: number }>`
        insert into deliveries (form_id, integration_id, submission_id, body)
        select ${formId}, ${integrationId}, n, ${body} || n || '}' from generate_series(1, ${count}::int) n
        returning id`.execute(db);
      return rows.map(({ id }) => id);
    },
    startDispatcher({ outbound = loopbackOutbound(), isUnderPressure = false, db = opened.db } = {}) {
      const dispatcher = createDispatcher(
        {
          db,
          outbox: { ...opened, db },
          isUnderPressure: () => isUnderPressure,
          log: pino({ level: 'silent' }),
          secrets: box,
          outbound,
          mailerOf: () => noMailer,
          metrics: createMetrics(),
          publishedForms: {
            find: async () => null,
            findCurrent: async () => null,
            isCurrent: async () => true,
            forget: (id) => void forgotten.push(id),
          },
        },
        () => 0.5,
      );
      dispatcher.start();
      dispatchers.push(dispatcher);
      outbounds.push(outbound);
      return dispatcher;
    },
    delivery: (id) => db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    attempts: (deliveryId) =>
      db
        .selectFrom('delivery_attempts')
        .selectAll()
        .where('delivery_id', '=', deliveryId)
        .orderBy('attempt')
        .execute(),
    async makeDue() {
      await sql`update deliveries set next_attempt_at = now() where state = 'pending'`.execute(db);
    },
    async until(read, holds) {
      for (;;) {
        const value = await read();
        if (holds(value)) return value;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
    async close() {
      // Stopping ends the connections and with them all hanging requests.
      await Promise.all([...dispatchers.map((one) => one.stop())]);
      await Promise.all(outbounds.map((one) => one.close()));
      await close();
      await database.drop();
    },
  };
}

function loopbackOutbound(): Outbound {
  return createOutbound({ allowedNetworks: parseAllowedNetworks('127.0.0.0/8') });
}
