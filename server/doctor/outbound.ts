import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { createOutbound } from '../outbound/request.ts';
import { resolveHost } from '../outbound/resolve-host.ts';
import { databaseHosts, everyAddress, hostOf, isPublic, isThisMachine } from './addresses.ts';
import { type Check, fail, ok, REQUEST_LIMIT_MS, type Verdict, warn } from './finding.ts';

/** Checks where webhooks may go, whether DNS knows the names in the settings, and whether captcha services answer. */
export function outboundChecks(config: Config): Check[] {
  return [
    {
      name: 'webhook networks',
      mend: 'Correct WEBHOOK_ALLOWED_NETWORKS.',
      examine: () => networks(config),
    },
    ...namesOf(config).map((name) => ({
      name: 'host name',
      mend: `Check that ${name} is spelled right and that the name servers of this machine answer.`,
      async examine() {
        const addresses = await resolveHost(name);
        return ok(`${name} has ${addresses.length === 1 ? '1 address' : `${addresses.length} addresses`}`);
      },
    })),
    ...Object.values(config.captcha).flatMap((keys) =>
      keys === null ? [] : [captchaCheck(config, keys.verifyUrl)],
    ),
  ];
}

/** Applies the rules for checking a captcha answer there; sends nothing. */
function captchaCheck({ webhookAllowedNetworks }: Config, verifyUrl: string): Check {
  const mend =
    'Let this machine reach it, or set …_VERIFY_URL to a mirror: until then forms with this captcha refuse answers.';
  return {
    name: 'captcha',
    mend,
    async examine() {
      const outbound = createOutbound({ allowedNetworks: webhookAllowedNetworks });
      const request = { url: verifyUrl, method: 'GET', headers: {}, timeoutMs: REQUEST_LIMIT_MS } as const;
      const result = await outbound.request(request).finally(() => outbound.close());
      const { host } = new URL(verifyUrl);
      return result.ok ? ok(`${host} answers`) : fail(`${host}: ${result.detail}`, mend);
    },
  };
}

function networks({ webhookAllowedNetworks: { cidrs, list }, baseUrl }: Config): Verdict {
  const all = everyAddress(cidrs);
  if (all.length > 0) {
    const mend = 'List the networks of the receivers alone in WEBHOOK_ALLOWED_NETWORKS.';
    return warn(`${all.join(', ')}: webhooks reach everything this machine reaches`, mend);
  }
  if (baseUrl !== null && isPublic(hostOf(new URL(baseUrl))) && list.check('127.0.0.1')) {
    const mend = 'Set WEBHOOK_ALLOWED_NETWORKS to an empty text, or to the networks of the receivers alone.';
    return warn('webhooks of everybody who has an account reach the programs of this machine', mend);
  }
  return ok(['public addresses', ...cidrs].join(', '));
}

/** Hosts in the settings that DNS has to know, each once. */
function namesOf({ baseUrl, databaseUrl, smtpUrl, s3Server, singleSignOn, captcha }: Config): string[] {
  const urls = [
    baseUrl,
    smtpUrl,
    s3Server.endpoint,
    singleSignOn?.issuer,
    ...Object.values(captcha).map((keys) => keys?.verifyUrl),
  ];
  const named = urls.flatMap((url) => (url ? [hostOf(new URL(url))] : []));
  const hosts = [...named, ...databaseHosts(databaseUrl)];
  // A path is a Unix socket.
  const isName = (host: string) =>
    host !== '' && isIP(host) === 0 && !host.startsWith('/') && !isThisMachine(host);
  return [...new Set(hosts.filter(isName))];
}
