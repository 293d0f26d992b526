import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { OutboxSize } from '../http/metrics.ts';
import { MAIL_KINDS } from '../mail/mail-kinds.ts';
import { HAS_OWN_SERVER } from '../mail/queries.ts';

/**
 * How many deliveries wait for active integrations, and for how long the oldest has been due. Without `canMail` mails of
 * workspaces without a mail server do not count as due, as they wait for one to be set up.
 */
export async function outboxSize(db: Db, canMail: boolean): Promise<OutboxSize> {
  const isDue = sql`${canMail}::boolean or integrations.integration_id <> all(${MAIL_KINDS}::text[]) or ${sql.raw(HAS_OWN_SERVER)}`;
  const { rows } = await sql<OutboxSize>`
    select count(*) as depth,
      greatest(coalesce(extract(epoch from now() - min(next_attempt_at) filter (where ${isDue})), 0), 0)::float8
        as "oldestAgeSeconds"
    from deliveries join integrations on integrations.id = deliveries.integration_id and integrations.status = 'active'
    where state = 'pending'`.execute(db);
  return rows[0] ?? { depth: 0, oldestAgeSeconds: 0 };
}
