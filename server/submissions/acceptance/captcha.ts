import { createHash } from 'node:crypto';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge, Solution } from 'altcha-lib/types';
import { CAPTCHA_TOKENS, type CaptchaProvider } from '../../../fields/captcha-tokens.ts';
import { type Answers, isJsonObject } from '../../../fields/property.ts';
import type { CaptchaKeys } from '../../config.ts';
import type { Context } from '../../context.ts';
import { formAddress } from '../../forms/address/form-address.ts';
import { HttpError, invalid } from '../../http/errors.ts';
import type { PublishedForm } from '../published-form/published-form.ts';
import { answersQuestion } from './captcha-question.ts';
import { spendChallenge } from './queries.ts';

/**
 * The captcha of a form is the built-in proof of work, which needs no third party, unless the operator has configured keys for
 * the provider that the form names.
 */
const CHALLENGE_LIFETIME_MS = 10 * 60_000;
/** Rounds of PBKDF2 per try. With the number of tries below, solving takes about a second on a phone. */
const COST = 2_000;
const FEWEST_TRIES = 100;
const MOST_TRIES = 400;
const MAX_PROOF_LENGTH = 4_096;
const PROVIDER_TIMEOUT_MS = 5_000;

/** A fresh challenge for one form, signed, good for ten minutes and one submission. */
function newChallenge(context: Context, formId: number): Promise<Challenge> {
  return createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: COST,
    counter: randomInt(FEWEST_TRIES, MOST_TRIES),
    data: { form: markOf(context, formId) },
    expiresAt: new Date(Date.now() + CHALLENGE_LIFETIME_MS),
    deriveKey,
    ...signing(context),
  });
}

/** Identifies the form that a challenge is for without showing its numeric id, which is not public. */
function markOf({ secrets }: Context, formId: number): string {
  return secrets.sign(String(formId), 'captcha-form');
}

/** The provider a form uses and its public key, or null for the built-in proof of work. */
export function captchaProviderOf(context: Context, form: PublishedForm) {
  const provider = form.captchaProvider as CaptchaProvider;
  const keys = context.config.captcha[provider] ?? null;
  return keys && { provider, keys };
}

/** What the script of a form's page has to solve: a provider's widget, or a built-in challenge. */
export async function captchaTaskOf(context: Context, form: PublishedForm) {
  const external = captchaProviderOf(context, form);
  if (external) return { provider: external.provider, site_key: external.keys.siteKey, challenge: null };
  return {
    provider: 'proof_of_work' as const,
    site_key: null,
    challenge: await newChallenge(context, form.id),
  };
}

/**
 * Checks the captcha of a submission; its token may come under the name that the provider's script uses, or `captcha`. Fails closed:
 * when the provider cannot be asked, the submission gets a 503.
 * @param allowsQuestion accepts the sum that a page without a script asks, too
 * @throws HttpError 422 under `captcha`, or 503
 */
export async function checkCaptcha(
  context: Context,
  form: PublishedForm,
  body: Answers,
  allowsQuestion: boolean,
): Promise<void> {
  const external = captchaProviderOf(context, form);
  const token = external ? (body[CAPTCHA_TOKENS[external.provider]] ?? body.captcha) : body.captcha;
  if (typeof token !== 'string' || token === '') throw refused('Please complete the captcha.');
  const isHuman = external
    ? await askProvider(context, external.keys, form, token)
    : (allowsQuestion && (await answersQuestion(context, form.id, token, new Date()))) ||
      (await checkProof(context, form.id, token));
  if (!isHuman) throw refused("Invalid CAPTCHA. Please prove you're not a bot.");
}

function refused(message: string): HttpError {
  return invalid({ captcha: [message] });
}

async function checkProof(context: Context, formId: number, token: string): Promise<boolean> {
  const proof = readProof(token);
  if (!proof) return false;
  const { challenge, solution } = proof;
  const result = await verifySolution({ challenge, solution, deriveKey, ...signing(context) }).catch(
    () => null,
  );
  if (!result?.verified || challenge.parameters.data?.form !== markOf(context, formId)) return false;
  const hash = createHash('sha256')
    .update(challenge.signature ?? '')
    .digest();
  return spendChallenge(context.db, hash, new Date(Date.now() + CHALLENGE_LIFETIME_MS));
}

/** The solver's answer: base64 of `{"challenge":…,"solution":…}`. */
function readProof(token: string): { challenge: Challenge; solution: Solution } | null {
  if (token.length > MAX_PROOF_LENGTH) return null;
  try {
    const proof = JSON.parse(Buffer.from(token, 'base64').toString('utf8'));
    return isJsonObject(proof?.challenge?.parameters) && isJsonObject(proof.solution) ? proof : null;
  } catch {
    return null;
  }
}

async function askProvider(
  context: Context,
  keys: CaptchaKeys,
  form: PublishedForm,
  token: string,
): Promise<boolean> {
  const result = await context.outbound.request({
    url: keys.verifyUrl,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ secret: keys.secretKey, response: token }).toString(),
    timeoutMs: PROVIDER_TIMEOUT_MS,
  });
  if (!result.ok || result.status !== 200) {
    const reason = result.ok ? result.status : result.reason;
    context.log.warn({ reason }, 'the provider of the captcha could not be asked');
    throw new HttpError(
      503,
      'The captcha cannot be checked right now. Please try again.',
      {},
      { 'retry-after': '5' },
    );
  }
  return saysHuman(result.bodyExcerpt, hostsOf(context, form));
}

/** Hosts where the form can be filled in: a captcha that was solved on another one does not count. */
function hostsOf(context: Context, form: PublishedForm): string[] {
  return [context.baseUrl(), formAddress(context, form)].map((url) => new URL(url).hostname);
}

function saysHuman(text: string, hosts: string[]): boolean {
  try {
    const verdict = JSON.parse(text);
    return verdict.success === true && hosts.includes(verdict.hostname);
  } catch {
    return false;
  }
}

function signing(context: Context) {
  return {
    hmacSignatureSecret: context.secrets.sign('challenge', 'captcha'),
    hmacKeySignatureSecret: context.secrets.sign('key', 'captcha'),
  };
}
