import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, readConfig } from '../config.ts';
import type { Db, Transaction } from '../db/database.ts';
import { boxOf, finishRotation, putInForce } from '../key-rotation/key-files.ts';
import { countOtherConnections } from '../key-rotation/queries.ts';
import { replaceLostKey, rotateKey } from '../key-rotation/rotate-key.ts';
import {
  keyFileIn,
  keyPlace,
  makeKeyFile,
  nextKeyFileIn,
  openSecretBox,
  readKeyFile,
  readNextKeyFile,
} from '../secret-box.ts';
import { CommandError, type CommandIo, UsageError } from './command.ts';
import { withDatabase } from './open-database.ts';
import { readOptions } from './options.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES['rotate-key'].usage;
const OPTIONS = { 'old-key-lost': { type: 'boolean' } } as const;
const IF_LOST = 'if it is lost, see docs/security.md, Changing the key.';
/** Time for connections of ended commands to close. */
const QUIET_LIMIT_MS = 3_000;
const QUIET_POLL_MS = 100;

/**
 * Encrypts everything with a new key: NEW_SECRET_KEY replacing SECRET_KEY, or a new key file. Run it again after an
 * interruption.
 */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values } = readOptions(args, OPTIONS, USAGE);
  const config = readConfig();
  if (values['old-key-lost']) return replaceLost(config, io);
  const { secretKey, newSecretKey, dataDir } = config;
  if (secretKey === null && newSecretKey !== null)
    throw new UsageError(
      `The key is in ${keyFileIn(dataDir)}, and the new one will be too: unset NEW_SECRET_KEY.`,
    );
  if (secretKey !== null && newSecretKey === null)
    throw new UsageError(
      'Set NEW_SECRET_KEY to the new key: 64 digits as `openssl rand -hex 32` prints them.',
    );
  if (secretKey !== null && secretKey.toLowerCase() === newSecretKey?.toLowerCase())
    throw new UsageError('NEW_SECRET_KEY is the same key as SECRET_KEY.');

  const rotation = await withDatabase(async (db) => {
    await requireQuiet(db);
    const oldKey = secretKey ?? (await readKeyFile(keyFileIn(dataDir)));
    if (oldKey === null)
      throw new CommandError(
        `There is no key in ${keyFileIn(dataDir)}. Put the key of this database there; ${IF_LOST}`,
      );
    // After an interrupted rotation the new key exists, and the database may belong to it already.
    const waiting = newSecretKey ?? (await readNextKeyFile(dataDir));
    const newKey = waiting ?? (await makeKeyFile(dataDir, nextKeyFileIn(dataDir)));
    const done = await rotateKey(db, boxOf(oldKey), boxOf(newKey), refuseOthers);
    if (done.outcome === 'foreign' && waiting === null) await rm(nextKeyFileIn(dataDir));
    return done;
  });
  if (rotation.outcome === 'foreign')
    throw new CommandError(
      `The database was encrypted with another key than the one in ${keyPlace(config)}. Nothing was changed. Put the right key there; ${IF_LOST}`,
    );
  // A service that waited for the end of the rotation may have done it already.
  if (secretKey === null && (await readNextKeyFile(dataDir)) !== null) await putInForce(dataDir);

  if (rotation.outcome === 'rotated') io.out(`Encrypted anew: ${rotation.encrypted}.`);
  else io.out('The database belongs to the new key already.');
  if (rotation.outcome === 'rotated' && rotation.unreadable > 0)
    io.out(`Left as they were, because the old key does not open them: ${rotation.unreadable}.`);
  io.out(
    secretKey === null
      ? `The new key is in ${keyFileIn(dataDir)}. Keep a copy with your backups.`
      : 'Set SECRET_KEY to the new key, unset NEW_SECRET_KEY, and start the service.',
  );
  return 0;
}

/** Replaces a lost key by the present one, or a new one; nothing can be decrypted to be encrypted again. */
async function replaceLost(config: Config, io: CommandIo): Promise<number> {
  if (config.newSecretKey !== null)
    throw new UsageError('The key that is here takes the place of the lost one: unset NEW_SECRET_KEY.');
  const { unreadable, disconnected } = await withDatabase(async (db) => {
    await requireQuiet(db);
    await finishRotation(db, config);
    const secrets = await openSecretBox(config.secretKey, config.dataDir);
    return replaceLostKey(db, secrets, refuseOthers);
  });
  io.out(`The database belongs to the key in ${keyPlace(config)}.`);
  if (disconnected > 0)
    io.out(
      `Accounts for payments disconnected, because it does not open their keys: ${disconnected}. Admins can connect them again.`,
    );
  if (unreadable > 0) io.out(`Values that it does not open have to be entered again: ${unreadable}.`);
  return 0;
}

/** A running service would go on encrypting with the old key. */
async function requireQuiet(db: Db): Promise<void> {
  for (const deadline = Date.now() + QUIET_LIMIT_MS; ; await sleep(QUIET_POLL_MS)) {
    if ((await db.transaction().execute(countOtherConnections)) === 0) return;
    if (Date.now() > deadline) throw notQuiet();
  }
}

/** A service that has come since the first look may know the old key; one that comes later waits to learn the key. */
async function refuseOthers(trx: Transaction): Promise<void> {
  if ((await countOtherConnections(trx)) > 0) throw notQuiet();
}

function notQuiet(): CommandError {
  return new CommandError(
    'Something else is connected to the database. Stop every process of Formstead first.',
  );
}
