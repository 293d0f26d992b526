import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import {
  keyFileIn,
  keyPlace,
  openSecretBox,
  readKeyFile,
  type SecretBox,
  UnusableKeyError,
} from '../secret-box.ts';
import { finishRotation } from './key-files.ts';
import { insertKeyInForce, learnKeyInForce } from './queries.ts';
import { countSealed } from './sealed-rows.ts';

/**
 * Opens the key of this database. With another key a process would encrypt values that no other process can read, so it
 * does not start.
 * @throws UnusableKeyError
 */
export async function openSecrets(db: Db, config: Config): Promise<SecretBox> {
  await finishRotation(db, config);
  await refuseMissingKey(db, config);
  const secrets = await openSecretBox(config.secretKey, config.dataDir);
  const inForce = (await learnKeyInForce(db)) ?? (await noteFirstKey(db, secrets));
  if (inForce === secrets.fingerprint) return secrets;
  throw new UnusableKeyError(
    `The key in ${keyPlace(config)} is not the one this database was encrypted with. Put the right key there; if it is lost, see docs/security.md, Changing the key.`,
  );
}

/** A new key would be of no use to a database that has one. */
async function refuseMissingKey(db: Db, { secretKey, dataDir }: Config): Promise<void> {
  // In this order: the first start makes the file before it records the key.
  if (secretKey !== null || (await learnKeyInForce(db)) === null) return;
  const path = keyFileIn(dataDir);
  if ((await readKeyFile(path)) !== null) return;
  throw new UnusableKeyError(
    `There is no key in ${path}, but this database was encrypted with one. Put it there, or set SECRET_KEY to it; if it is lost, see docs/security.md, Changing the key.`,
  );
}

/**
 * Records the key of the first process to start, unless encrypted values belong to another one.
 * @returns the key of the database, perhaps recorded by a process that started at the same moment; null when unknown
 */
async function noteFirstKey(db: Db, secrets: SecretBox): Promise<string | null> {
  const { readable, unreadable } = await countSealed(db, secrets);
  if (readable > 0 || unreadable === 0) await insertKeyInForce(db, secrets.fingerprint);
  return learnKeyInForce(db);
}
