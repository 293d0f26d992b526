import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../context.ts';
import { spendChallenge } from './queries.ts';

/**
 * The captcha for a browser without scripts: a small sum. It stops programs that fill in any form they find, not those
 * written for this one. So it is accepted only from the form's page, once, for an hour, and not within the first seconds.
 */
const LIFETIME_MS = 60 * 60_000;
/** Nobody reads a page and answers faster. */
const SHORTEST_MS = 2_000;
/** Largest number to be added. */
const LARGEST = 9;
const PURPOSE = 'captcha-question';
const TOKEN = /^q\.(\d{13})\.([0-9a-f]{16})\.([0-9a-f]{64}) +(\d{1,3})$/;

interface CaptchaQuestion {
  a: number;
  b: number;
  /** Comes back followed by a space and the answer. */
  token: string;
}

export function newQuestion({ secrets }: Context, formId: number, now: Date): CaptchaQuestion {
  const [a, b] = [randomInt(1, LARGEST + 1), randomInt(1, LARGEST + 1)];
  const salt = randomInt(2 ** 47)
    .toString(16)
    .padStart(16, '0');
  const asked = String(now.getTime());
  return {
    a,
    b,
    token: `q.${asked}.${salt}.${secrets.sign(`${formId}:${asked}:${salt}:${a + b}`, PURPOSE)}`,
  };
}

/**
 * Whether the token was made for this form and the answer is right. Uses the token up.
 * @param text the token, a space, the answer
 */
export async function answersQuestion(
  { db, secrets }: Context,
  formId: number,
  text: string,
  now: Date,
): Promise<boolean> {
  const [, asked = '', salt = '', checksum = '', answer = ''] = TOKEN.exec(text.trim()) ?? [];
  const age = now.getTime() - Number(asked);
  if (checksum === '' || age < SHORTEST_MS || age > LIFETIME_MS) return false;
  const wanted = secrets.sign(`${formId}:${asked}:${salt}:${Number(answer)}`, PURPOSE);
  if (!timingSafeEqual(Buffer.from(wanted), Buffer.from(checksum))) return false;
  const hash = createHash('sha256').update(checksum).digest();
  return spendChallenge(db, hash, new Date(Number(asked) + LIFETIME_MS));
}
