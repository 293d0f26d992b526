import type { Config, SingleSignOnConfig } from '../config.ts';
import { discover } from '../single-sign-on/discover.ts';
import { redirectUri } from '../single-sign-on/provider.ts';
import { hostOf, isThisMachine, publicUrl } from './addresses.ts';
import { type Check, ok, type Verdict, warn } from './finding.ts';

/** Empty without a provider, as in most installations. */
export function singleSignOnChecks(config: Config): Check[] {
  const { singleSignOn } = config;
  if (singleSignOn === null) return [];
  const document = `${singleSignOn.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const mend = `Check OIDC_ISSUER: ${document} must answer, and its issuer must be written the same.`;
  return [{ name: 'single sign-on', mend, examine: () => provider(config, singleSignOn) }];
}

async function provider(config: Config, singleSignOn: SingleSignOnConfig): Promise<Verdict> {
  const { configuration } = await discover(singleSignOn).catch((error: unknown) => {
    throw ownReasonOf(error);
  });
  const methods = configuration.serverMetadata().code_challenge_methods_supported;
  const issuer = new URL(singleSignOn.issuer);
  const registered = `register ${redirectUri(config.baseUrl ?? publicUrl(config).origin)} there as redirect URI`;
  if (methods && !methods.includes('S256'))
    return warn(`${issuer.host} does not announce PKCE with S256; ${registered}`, 'Switch PKCE on there.');
  if (issuer.protocol === 'http:' && !isThisMachine(hostOf(issuer)))
    return warn(
      `${issuer.host} is not https: whoever listens on the way can sign in as anybody; ${registered}`,
      'Set OIDC_ISSUER to an https: address.',
    );
  return ok(`${issuer.host} answers; ${registered}`);
}

/** Network failures are the cause behind `fetch failed`. */
function ownReasonOf(error: unknown): unknown {
  return error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
}
