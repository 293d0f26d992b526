import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** Limits for wrong guesses. */
export interface Patience {
  /** Wrong guesses without a pause: people mistype. */
  free: number;
  /** Counting restarts after this time without a wrong guess. */
  forgottenAfterSeconds: number;
}

/** The pause doubles with every further wrong guess, from 1 second up to this. */
const LONGEST_PAUSE_SECONDS = 15 * 60;

/** Seconds until the pause of a row ends, by the database's clock; below zero when it has ended. */
function secondsLeft({ free }: Patience) {
  return sql<number>`ceil(extract(epoch from last_failed_at - now())
    + least(${LONGEST_PAUSE_SECONDS}, power(2, least(failures - ${free}, 30))))::int`;
}

/** Whole seconds by the database's clock, 0 = now. */
export async function secondsUntilNextGuess(
  db: Db,
  subject: string,
  address: string,
  patience: Patience,
): Promise<number> {
  const found = await db
    .selectFrom('failed_guesses')
    .select(secondsLeft(patience).as('seconds'))
    .where('subject', '=', subject)
    .where('address', '=', address)
    .where('failures', '>=', patience.free)
    .executeTakeFirst();
  return Math.max(0, found?.seconds ?? 0);
}

/** Every address that has to wait for a subject, with the seconds left, rounded up. */
export async function listPausedAddresses(db: Db, subject: string, patience: Patience, limit: number) {
  const paused = await db
    .selectFrom('failed_guesses')
    .select(['address', secondsLeft(patience).as('seconds')])
    .where('subject', '=', subject)
    .where('failures', '>=', patience.free)
    .where('last_failed_at', '>', sql<Date>`now() - make_interval(secs => ${LONGEST_PAUSE_SECONDS})`)
    .orderBy('last_failed_at', 'desc')
    .limit(limit)
    .execute();
  return paused.filter(({ seconds }) => seconds > 0);
}

/** @returns the seconds to wait */
export async function insertFailedGuess(
  db: Db,
  subject: string,
  address: string,
  patience: Patience,
): Promise<number> {
  const { failures } = await db
    .insertInto('failed_guesses')
    .values({ subject, address })
    .onConflict((conflict) =>
      conflict.columns(['subject', 'address']).doUpdateSet({
        failures: sql`case when failed_guesses.last_failed_at
          < now() - make_interval(secs => ${patience.forgottenAfterSeconds}) then 1 else failed_guesses.failures + 1 end`,
        last_failed_at: sql`now()`,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow();
  return failures < patience.free ? 0 : Math.min(LONGEST_PAUSE_SECONDS, 2 ** (failures - patience.free));
}

export async function failedGuessesExist(db: Db, subject: string, address: string): Promise<boolean> {
  const found = await db
    .selectFrom('failed_guesses')
    .select('failures')
    .where('subject', '=', subject)
    .where('address', '=', address)
    .executeTakeFirst();
  return found !== undefined;
}

/** @param address null for all of them */
export async function deleteFailedGuesses(db: Db, subject: string, address: string | null): Promise<void> {
  await db
    .deleteFrom('failed_guesses')
    .where('subject', '=', subject)
    .$if(address !== null, (query) => query.where('address', '=', address ?? ''))
    .execute();
}
