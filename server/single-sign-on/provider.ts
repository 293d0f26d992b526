import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import { isVisible } from '../../fields/texts/visible.ts';
import { accountAddress } from '../accounts/email.ts';
import type { SingleSignOnConfig } from '../config.ts';
import { type Client, discover } from './discover.ts';
import { SignOnProblem } from './problem.ts';

/** `email` gives the address of the account, `profile` the name. */
const SCOPE = 'openid email profile';
/** Age at which the document is requested again; the library renews keys itself. */
const DOCUMENT_MAX_AGE_MS = 60 * 60 * 1000;
const NAME_MAX_LENGTH = 255;
/** OpenID Connect Core 1.0, 2. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** Values that the provider's answer has to match, stored by the browser that began. */
export interface Checks {
  state: string;
  nonce: string;
  verifier: string;
}

/** A person's identity at the provider. */
export interface Identity {
  issuer: string;
  subject: string;
}

export interface Arrival extends Identity {
  /** Data for a new account; `email` is null unless the provider has verified it. */
  profile(): Promise<{ name: string; email: string | null }>;
}

/** The one provider of an installation. It is contacted only when somebody comes, so it may be away until then. */
export interface Provider {
  /** @returns the address to send the browser to @throws SignOnProblem */
  begin(): Promise<{ address: string; checks: Checks }>;
  /** @param query the query that the browser returned with, including `?` @throws SignOnProblem */
  finish(query: string, checks: Checks): Promise<Arrival>;
}

/** The redirect URI to register at the provider. */
export function redirectUri(baseUrl: string): string {
  return new URL(`${baseUrl}/auth/oidc/callback`).href;
}

type Claims = Partial<Record<'email' | 'email_verified' | 'name' | 'preferred_username', unknown>>;
type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

export function createProvider(config: SingleSignOnConfig, baseUrl: () => string): Provider {
  let known: Promise<Client> | null = null;
  let askedAt = 0;
  return {
    begin: () => explained(begin),
    finish: (query, checks) => explained(() => finish(query, checks)),
  };

  async function begin() {
    const { library, configuration } = await client();
    const checks = {
      state: library.randomState(),
      nonce: library.randomNonce(),
      verifier: library.randomPKCECodeVerifier(),
    };
    const address = library.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri(baseUrl()),
      scope: SCOPE,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    });
    return { address: address.href, checks };
  }

  async function finish(query: string, { state, nonce, verifier }: Checks): Promise<Arrival> {
    const { library, configuration } = await client();
    const tokens = await library.authorizationCodeGrant(
      configuration,
      new URL(redirectUri(baseUrl()) + query),
      {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      },
    );
    const { iss: issuer, sub: subject } = tokens.claims() ?? {};
    if (issuer === undefined || subject === undefined || !SUBJECT.test(subject))
      throw new Error('The subject is none.');
    return { issuer, subject, profile: () => explained(() => profileOf(tokens, subject)) };
  }

  /** From the ID token, or from the userinfo endpoint when the token has no address. */
  async function profileOf(tokens: Tokens, subject: string) {
    const { library, configuration } = await client();
    const claims = tokens.claims();
    const isTold = claims?.email !== undefined && claims.email_verified !== undefined;
    const { email, email_verified, name, preferred_username } = (
      !isTold && configuration.serverMetadata().userinfo_endpoint !== undefined
        ? await library.fetchUserInfo(configuration, tokens.access_token, subject)
        : (claims ?? {})
    ) as Claims;
    const address = email_verified === true && typeof email === 'string' ? accountAddress(email) : null;
    return { email: address, name: nameFrom(name, preferred_username, address) };
  }

  /** Simultaneous callers share one request; after a failure the next caller tries again. */
  function client(): Promise<Client> {
    if (known && performance.now() - askedAt < DOCUMENT_MAX_AGE_MS) return known;
    const answer = discover(config);
    known = answer;
    askedAt = performance.now();
    answer.catch(() => {
      if (known === answer) known = null;
    });
    return answer;
  }
}

function nameFrom(...candidates: unknown[]): string {
  const names = candidates.flatMap((one) =>
    typeof one === 'string' ? [one.replace(/\p{C}/gu, '').trim()] : [],
  );
  return [...(names.find(isVisible) ?? 'Unnamed')].slice(0, NAME_MAX_LENGTH).join('');
}

async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw problemOf(error);
  }
}

/** The library marks its own errors by `code`, answers of the provider by `error` (RFC 6749, 4.1.2.1). */
function problemOf(failure: unknown): SignOnProblem {
  const { code, error, cause } = failure as Failure;
  if (error === 'access_denied') return new SignOnProblem('denied', failure);
  const isAway =
    code === 'OAUTH_TIMEOUT' ||
    error === 'temporarily_unavailable' ||
    error === 'server_error' ||
    (cause?.status ?? 0) >= 500 ||
    (failure instanceof TypeError && cause?.code !== undefined);
  return new SignOnProblem(isAway ? 'unreachable' : 'failed', failure);
}

interface Failure {
  code?: string;
  error?: string;
  /** A network error, or the answer that does not fit. */
  cause?: { code?: string; status?: number };
}
