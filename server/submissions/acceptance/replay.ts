import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { invalid, isRefusal } from '../../http/errors.ts';
import { linkHolderOf } from '../../recipients/personal-link.ts';
import type { PublishedForm } from '../published-form/published-form.ts';
import { findUsedKey } from '../store-queries.ts';
import { type Acknowledgement, acknowledge } from './acknowledgement.ts';

/** An Idempotency-Key with the fingerprint of the body it came with (Idempotency-Key HTTP header, IETF draft 07). */
export interface Idempotency {
  key: string;
  bodyHash: Buffer;
  /** The personal link of an anonymous form, which the hash leaves out; null for all other forms. */
  unproven: { personalCode: unknown } | null;
}

/** Pauses before each look for what the same request, sent twice at once, may have stored meanwhile. */
const REPLAY_PAUSES_MS = [50, 150, 400, 900];
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/**
 * @param body what must be the same when the key comes again
 * @throws HttpError 422 on `Idempotency-Key`
 */
export function readIdempotencyKey(
  key: string | undefined,
  body: () => string,
  { unproven }: Pick<Idempotency, 'unproven'>,
): Idempotency | null {
  if (key === undefined) return null;
  if (!VISIBLE_ASCII.test(key))
    throw invalid({ 'Idempotency-Key': ['The Idempotency-Key must be 1 to 255 visible ASCII characters.'] });
  return { key, bodyHash: createHash('sha256').update(body()).digest(), unproven };
}

/** The acknowledgement of the first request with this key, or null. @throws HttpError 422 when that request had another body */
export async function findReplay(
  context: Context,
  form: PublishedForm,
  idempotency: Idempotency | null,
): Promise<Acknowledgement | null> {
  if (!idempotency) return null;
  const { key, bodyHash, unproven } = idempotency;
  const used = await findUsedKey(context.db, form.id, key);
  if (!used) return null;
  const isSame =
    used.bodyHash.equals(bodyHash) &&
    (unproven === null || used.wasPartial || (await mayHaveAnswered(context, form, unproven)));
  if (!isSame) throw invalid({ 'Idempotency-Key': ['This Idempotency-Key was used with another body.'] });
  return acknowledge(context, form, {
    publicId: used.submissionPublicId,
    isPartial: used.wasPartial,
    isFirst: used.wasFirst,
    isReplay: true,
  });
}

/**
 * Whether the holder of this link may have sent what was stored. Who has not answered yet has not: acknowledging their request as a
 * replay would lose their answers.
 */
async function mayHaveAnswered(
  context: Context,
  form: PublishedForm,
  { personalCode }: { personalCode: unknown },
): Promise<boolean> {
  const holder = await linkHolderOf(context, form, personalCode);
  return holder?.hasAnswered ?? form.personalLinks?.required !== true;
}

/**
 * When a request is sent twice at once, the other one may have used up the captcha's solution and may still be being stored.
 * @throws the refusal, when nothing has been stored under the key after 1.5 seconds
 */
export async function awaitReplay(
  context: Context,
  form: PublishedForm,
  idempotency: Idempotency | null,
  refusal: unknown,
): Promise<Acknowledgement | null> {
  for (const pause of isRefusal(refusal) && idempotency ? REPLAY_PAUSES_MS : []) {
    await sleep(pause);
    const replay = await findReplay(context, form, idempotency);
    if (replay) return replay;
  }
  throw refusal;
}
