import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** The person signed in at the provider. */
export interface ProviderPerson {
  sub: string;
  email?: string | undefined;
  email_verified?: unknown;
  name?: string;
}

type Path = 'discovery' | 'authorize' | 'token' | 'jwks' | 'userinfo';
type Handler = (response: ServerResponse) => void;

export interface OidcProvider {
  issuer: string;
  /** Settings of a service that uses this provider. */
  env: Record<string, string>;
  clientSecret: string;
  /** With null, the provider refuses everybody. */
  person: ProviderPerson | null;
  /** Whether the ID token contains the claims; otherwise only the UserInfo endpoint gives them. */
  tellsInToken: boolean;
  /** Whether people have to press a link before they are sent back, as at a real provider. */
  asksPeople: boolean;
  /** Changes the claims of ID tokens. */
  claims(claims: JWTPayload): JWTPayload | Promise<JWTPayload>;
  /** Signs ID tokens with a key that is not published. */
  usesForeignKey: boolean;
  /** Handlers that replace the usual ones. */
  instead: Partial<Record<Path, Handler>>;
  /** The paths that were requested, in order. */
  asked: Path[];
  tokenRequests: { form: URLSearchParams; authorization: string | undefined }[];
  reset(): void;
  /** Signs in as `person` would with a browser. @returns the address the browser is redirected to */
  authorize(address: string): Promise<URL>;
  close(): Promise<void>;
}

interface Grant {
  person: ProviderPerson;
  nonce: string | null;
  challenge: string;
  redirectUri: string;
}

const CLIENT_ID = 'formstead';
const CLIENT_SECRET = 'never-in-a-log';
const ALGORITHM = 'RS256';

const ADA: ProviderPerson = {
  sub: 'ada-1',
  email: 'ada@example.com',
  email_verified: true,
  name: 'Ada Lovelace',
};

/** A local OpenID provider with as much of OpenID Connect Core 1.0 as the code flow needs. */
export async function startOidcProvider(host = '127.0.0.1'): Promise<OidcProvider> {
  const [key, foreignKey] = await Promise.all([generateKeyPair(ALGORITHM), generateKeyPair(ALGORITHM)]);
  const jwk = { ...(await exportJWK(key.publicKey)), kid: 'one', alg: ALGORITHM, use: 'sig' };
  const grants = new Map<string, Grant>();
  const bearers = new Map<string, ProviderPerson>();
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;

  const provider: OidcProvider = {
    issuer,
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: 'Acme',
    },
    clientSecret: CLIENT_SECRET,
    ...untouched(),
    asked: [],
    tokenRequests: [],
    reset() {
      Object.assign(provider, untouched());
    },
    async authorize(address) {
      const { headers } = await fetch(address, { redirect: 'manual' });
      return new URL(headers.get('location') ?? 'about:blank');
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return provider;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer);
    const path = PATHS[url.pathname];
    if (!path) return send(response, 404, {});
    provider.asked.push(path);
    const other = provider.instead[path];
    if (other) return other(response);
    if (path === 'discovery') return send(response, 200, documentOf(issuer));
    if (path === 'jwks') return send(response, 200, { keys: [jwk] });
    if (path === 'authorize') return answerAuthorize(url.searchParams, response);
    if (path === 'token') return token(request, response);
    const person = bearers.get(request.headers.authorization ?? '');
    return person ? send(response, 200, person) : send(response, 401, {});
  }

  function answerAuthorize(query: URLSearchParams, response: ServerResponse): void {
    const get = (name: string) => query.get(name) ?? '';
    const fits =
      get('client_id') === CLIENT_ID &&
      get('response_type') === 'code' &&
      get('scope').split(' ').includes('openid') &&
      get('code_challenge_method') === 'S256' &&
      get('state') !== '';
    if (!fits) {
      send(response, 400, { error: 'invalid_request' });
      return;
    }
    const target = new URL(get('redirect_uri'));
    target.searchParams.set('state', get('state'));
    if (provider.person) {
      const code = randomBytes(16).toString('hex');
      grants.set(code, {
        person: provider.person,
        nonce: query.get('nonce'),
        challenge: get('code_challenge'),
        redirectUri: get('redirect_uri'),
      });
      target.searchParams.set('code', code);
    } else target.searchParams.set('error', 'access_denied');
    if (!provider.asksPeople) {
      response.writeHead(302, { location: target.href }).end();
      return;
    }
    const link = target.href.replaceAll('&', '&amp;');
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<a href="${link}">Sign in at Acme</a>`);
  }

  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += chunk;
    const form = new URLSearchParams(text);
    const { authorization } = request.headers;
    provider.tokenRequests.push({ form, authorization });
    if (secretOf(form, authorization) !== CLIENT_SECRET)
      return send(response, 401, { error: 'invalid_client' });
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || grant.challenge !== proof || grant.redirectUri !== form.get('redirect_uri'))
      return send(response, 400, { error: 'invalid_grant', error_description: `no ${code} here` });
    const bearer = randomBytes(16).toString('hex');
    bearers.set(`Bearer ${bearer}`, grant.person);
    send(response, 200, {
      token_type: 'Bearer',
      access_token: bearer,
      expires_in: 60,
      id_token: await idToken(grant),
    });
  }

  async function idToken({ person, nonce }: Grant): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const told = provider.tellsInToken ? person : { sub: person.sub };
    const claims = { iss: issuer, aud: CLIENT_ID, iat: now, exp: now + 60, ...(nonce && { nonce }), ...told };
    const { privateKey } = provider.usesForeignKey ? foreignKey : key;
    return new SignJWT(await provider.claims(claims as JWTPayload))
      .setProtectedHeader({ alg: ALGORITHM, kid: 'one' })
      .sign(privateKey);
  }
}

/** The client secret, sent in either way of RFC 6749, 2.3.1. */
function secretOf(form: URLSearchParams, authorization = ''): string | null {
  const basic = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
  return form.get('client_secret') ?? decodeURIComponent(basic.split(':')[1] ?? '');
}

const PATHS: Record<string, Path> = {
  '/.well-known/openid-configuration': 'discovery',
  '/authorize': 'authorize',
  '/token': 'token',
  '/jwks': 'jwks',
  '/userinfo': 'userinfo',
};

export function documentOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [ALGORITHM],
    code_challenge_methods_supported: ['S256'],
  };
}

function untouched() {
  return {
    person: ADA as ProviderPerson | null,
    tellsInToken: true,
    asksPeople: false,
    claims: (claims: JWTPayload): JWTPayload | Promise<JWTPayload> => claims,
    usesForeignKey: false,
    instead: {} as Partial<Record<Path, Handler>>,
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
