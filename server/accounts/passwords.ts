import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { clientNeighbourhood } from '../http/network/client-network.ts';
import { limitConcurrencyFairly } from '../limit-concurrency.ts';

/**
 * Of the equally strong scrypt settings in the OWASP Password Storage Cheat Sheet, the one with the least memory: 32 MiB
 * and about 0.2 s of one core per password.
 */
const COSTS: Costs = { N: 2 ** 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/**
 * Hashes computed at a time for strangers, and for people who are known. Each takes memory and one of four threads, which files, names
 * and compression need too.
 */
const MAX_AT_ONCE = { strangers: 2, known: 1 };
/** Some seconds of work; further requests are refused rather than kept waiting, first those of whoever sends the most. */
const MAX_WAITING = 30;
/** Memory that the costs in a stored hash may ask for: a damaged row must not exhaust the machine. */
const MEMORY_LIMIT_BYTES = 512 * 1024 * 1024;
const STORED = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/;
/** Used when there is no account, so that an unknown e-mail address takes as long as a known one. */
const DECOY_SALT = Buffer.alloc(SALT_BYTES);

interface Costs {
  N: number;
  r: number;
  p: number;
}

/** How a hash is made of a password. */
interface Recipe {
  salt: Buffer;
  /** Bytes of the hash. */
  length: number;
  costs: Costs;
}

/** Who waits in line: a stranger; or a person who has signed in, or had done so before on the same device. */
export type Asker = { address: string } | { userId: number };

/**
 * `scrypt$N$r$p$salt$hash`, salt and hash in base64url.
 * @param asker null for those who have signed in, and the operator
 */
export async function hashPassword(password: string, asker: Asker | null = null): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, { salt, length: HASH_BYTES, costs: COSTS }, asker);
  return ['scrypt', COSTS.N, COSTS.r, COSTS.p, salt.toString('base64url'), hash.toString('base64url')].join(
    '$',
  );
}

/**
 * Whether the password matches `stored`; null, for an account that does not exist, takes as long.
 * @param asker as for `hashPassword`
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  asker: Asker | null = null,
): Promise<boolean> {
  const [, N, r, p, salt, hash] = STORED.exec(stored ?? '') ?? [];
  if (salt === undefined || hash === undefined) {
    await derive(password, { salt: DECOY_SALT, length: HASH_BYTES, costs: COSTS }, asker);
    return false;
  }
  const expected = Buffer.from(hash, 'base64url');
  const costs = { N: Number(N), r: Number(r), p: Number(p) };
  const recipe = { salt: Buffer.from(salt, 'base64url'), length: expected.length, costs };
  const actual = await derive(password, recipe, asker);
  return timingSafeEqual(actual, expected);
}

/** However many strangers guess from however many places, people who are known have a line of their own. */
const strangers = limitConcurrencyFairly(MAX_AT_ONCE.strangers, MAX_WAITING);
const known = limitConcurrencyFairly(MAX_AT_ONCE.known, MAX_WAITING);

/** @throws HttpError 503 when too many wait */
function derive(password: string, recipe: Recipe, asker: Asker | null): Promise<Buffer> {
  const work = () => runScrypt(password, recipe);
  if (asker !== null && 'address' in asker) return strangers(clientNeighbourhood(asker.address), work);
  return known(`${asker?.userId ?? ''}`, work);
}

function runScrypt(password: string, { salt, length, costs }: Recipe): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, { ...costs, maxmem: MEMORY_LIMIT_BYTES }, (error, hash) => {
      if (error) reject(error);
      else resolve(hash);
    });
  });
}
