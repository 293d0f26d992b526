import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { limitConcurrency } from '../limit-concurrency.ts';

/**
 * Of the equally strong settings the OWASP Password Storage Cheat Sheet names for scrypt, the one that takes the
 * least memory: 32 MiB and about 0.2 s of one core per password.
 */
const COSTS: Costs = { N: 2 ** 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/**
 * Passwords worked on at the same time: each takes a thread of the four that files, names and compression need too,
 * and its memory.
 */
const MAX_AT_ONCE = 2;
/** Some two seconds of work; whoever comes after them is refused instead of waiting for long. */
const MAX_WAITING = 30;
/** What may be written in a stored hash; more would let a damaged row take the machine's memory. */
const MEMORY_LIMIT_BYTES = 512 * 1024 * 1024;
const STORED = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/;
/** Compared with when there is no account, so that an unknown e-mail address takes as long as a known one. */
const DECOY_SALT = Buffer.alloc(SALT_BYTES);

interface Costs {
  N: number;
  r: number;
  p: number;
}

/** `scrypt$N$r$p$salt$hash`, salt and hash in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, HASH_BYTES, COSTS);
  return ['scrypt', COSTS.N, COSTS.r, COSTS.p, salt.toString('base64url'), hash.toString('base64url')].join(
    '$',
  );
}

/** Whether the password is the one of `stored`; null stands for an account that does not exist and takes as long. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt, hash] = STORED.exec(stored ?? '') ?? [];
  if (salt === undefined || hash === undefined) {
    await derive(password, DECOY_SALT, HASH_BYTES, COSTS);
    return false;
  }
  const expected = Buffer.from(hash, 'base64url');
  const costs = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, 'base64url'), expected.length, costs);
  return timingSafeEqual(actual, expected);
}

const inTurn = limitConcurrency(MAX_AT_ONCE, MAX_WAITING);

/** @throws HttpError 503 when too many wait */
function derive(password: string, salt: Buffer, length: number, costs: Costs): Promise<Buffer> {
  return inTurn(() => runScrypt(password, salt, length, costs));
}

function runScrypt(password: string, salt: Buffer, length: number, costs: Costs): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, { ...costs, maxmem: MEMORY_LIMIT_BYTES }, (error, hash) => {
      if (error) reject(error);
      else resolve(hash);
    });
  });
}
