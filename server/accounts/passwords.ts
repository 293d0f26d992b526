import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { clientNeighbourhood } from '../http/client-network.ts';
import { limitConcurrencyFairly } from '../limit-concurrency.ts';

/**
 * Of the equally strong scrypt settings in the OWASP Password Storage Cheat Sheet, the one with the least memory: 32 MiB
 * and about 0.2 s of one core per password.
 */
const COSTS: Costs = { N: 2 ** 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Hashes computed at a time: each takes memory and one of four threads, which files, names and compression need too. */
const MAX_AT_ONCE = 2;
/** About two seconds of work; further requests are refused rather than kept waiting, first those of whoever sends the most. */
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

/**
 * `scrypt$N$r$p$salt$hash`, salt and hash in base64url.
 * @param address of a stranger who asks; null for those who have signed in, and the operator
 */
export async function hashPassword(password: string, address: string | null = null): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, HASH_BYTES, COSTS, address);
  return ['scrypt', COSTS.N, COSTS.r, COSTS.p, salt.toString('base64url'), hash.toString('base64url')].join(
    '$',
  );
}

/**
 * Whether the password matches `stored`; null, for an account that does not exist, takes as long.
 * @param address as for `hashPassword`
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  address: string | null = null,
): Promise<boolean> {
  const [, N, r, p, salt, hash] = STORED.exec(stored ?? '') ?? [];
  if (salt === undefined || hash === undefined) {
    await derive(password, DECOY_SALT, HASH_BYTES, COSTS, address);
    return false;
  }
  const expected = Buffer.from(hash, 'base64url');
  const costs = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, 'base64url'), expected.length, costs, address);
  return timingSafeEqual(actual, expected);
}

const inTurn = limitConcurrencyFairly(MAX_AT_ONCE, MAX_WAITING);

/** @throws HttpError 503 when too many wait */
function derive(
  password: string,
  salt: Buffer,
  length: number,
  costs: Costs,
  address: string | null,
): Promise<Buffer> {
  const key = address === null ? '' : clientNeighbourhood(address);
  return inTurn(key, () => runScrypt(password, salt, length, costs));
}

function runScrypt(password: string, salt: Buffer, length: number, costs: Costs): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, { ...costs, maxmem: MEMORY_LIMIT_BYTES }, (error, hash) => {
      if (error) reject(error);
      else resolve(hash);
    });
  });
}
