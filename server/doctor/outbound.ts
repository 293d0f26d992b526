import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { resolveHost } from '../deliveries/resolve-host.ts';
import { everyAddress, hostOf, isLoopback } from './addresses.ts';
import { type Check, ok, type Verdict, warn } from './finding.ts';

/** Where webhooks may go, and whether the names of the settings are known here. Nobody else is asked for. */
export function outboundChecks(config: Config): Check[] {
  return [
    {
      name: 'webhook networks',
      mend: 'Correct WEBHOOK_ALLOWED_NETWORKS.',
      examine: () => networks(config.webhookAllowedNetworks.cidrs),
    },
    ...namesOf(config).map((name) => ({
      name: 'host name',
      mend: `Check that ${name} is spelled right and that the name servers of this machine answer.`,
      async examine() {
        const addresses = await resolveHost(name);
        return ok(`${name} has ${addresses.length === 1 ? '1 address' : `${addresses.length} addresses`}`);
      },
    })),
  ];
}

function networks(cidrs: readonly string[]): Verdict {
  const all = everyAddress(cidrs);
  if (all.length > 0) {
    const mend = 'List the networks of the receivers alone in WEBHOOK_ALLOWED_NETWORKS.';
    return warn(`${all.join(', ')}: webhooks reach everything this machine reaches`, mend);
  }
  return ok(['public addresses', ...cidrs].join(', '));
}

/** Hosts of the settings that DNS has to know, each once. */
function namesOf({ baseUrl, databaseUrl, smtpUrl, s3, captcha }: Config): string[] {
  const urls = [
    baseUrl,
    databaseUrl,
    smtpUrl,
    s3?.endpoint,
    ...Object.values(captcha).map((keys) => keys?.verifyUrl),
  ];
  const hosts = urls.flatMap((url) => (url ? [hostOf(new URL(url))] : []));
  // A path is a Unix socket.
  const isName = (host: string) =>
    host !== '' && isIP(host) === 0 && !host.startsWith('/') && !isLoopback(host);
  return [...new Set(hosts.filter(isName))];
}
