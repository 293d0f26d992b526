import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import { fetch, Response } from 'undici';
import type { SingleSignOnConfig } from '../config.ts';

/** Per request, below the limit of a check of `formstead doctor`. */
const TIMEOUT_SECONDS = 4;
/** Documents of a provider have a few kilobytes. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** The members needed from a provider's document. */
const NEEDED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

export interface Client {
  library: typeof import('openid-client');
  configuration: Configuration;
}

/** Requests the provider's document. @throws errors of network and library, or an Error that names what is missing */
export async function discover({ issuer, clientId, clientSecret }: SingleSignOnConfig): Promise<Client> {
  const library = await import('openid-client');
  const { allowInsecureRequests, customFetch, enableNonRepudiationChecks } = library;
  const isPlain = issuer.toLowerCase().startsWith('http:');
  const configuration = await library.discovery(
    new URL(issuer),
    clientId,
    undefined,
    authenticationOf(library, clientSecret),
    {
      [customFetch]: boundedFetch,
      timeout: TIMEOUT_SECONDS,
      // Signatures are checked on every path of a token.
      execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
    },
  );
  const metadata = configuration.serverMetadata();
  const missing = NEEDED.find((name) => typeof metadata[name] !== 'string');
  if (missing) throw new Error(`The document of the provider names no ${missing}.`);
  return { library, configuration };
}

/** In the body when the provider says so, else in the header (OpenID Connect Discovery 1.0, 3). */
function authenticationOf(
  { ClientSecretBasic, ClientSecretPost }: Client['library'],
  secret: string,
): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const inBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false;
    (inBody ? post : basic)(server, ...rest);
  };
}

/** The library passes a time limit. Its types are the platform's, which differ from undici’s only in name. */
const boundedFetch: CustomFetch = async (url, options) => {
  const answer = await fetch(url, { ...options, redirect: 'manual' } as never);
  return new Response(await bodyOf(answer), answer) as never;
};

/** Counted after decompression: a few kilobytes can contain gigabytes. */
async function bodyOf({ body }: Response): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('The provider answers more than anybody reads.');
    chunks.push(chunk);
  }
  return bytes > 0 ? Buffer.concat(chunks) : null;
}
