import type { Config } from '../../config.ts';

/** A network that contains all addresses; `formstead doctor` warns of it. */
const EVERYBODY = /\/0+$/;

/** The proxies of TRUST_PROXY as Fastify reads them: networks, or false without any. */
export function trustedProxies({ trustProxy }: Pick<Config, 'trustProxy'>): string[] | false {
  const networks = trustProxy.flatMap((cidr) => (EVERYBODY.test(cidr) ? halvesOfAll(cidr) : [cidr]));
  return networks.length > 0 && networks;
}

/** Fastify refuses a network of all addresses, but accepts its two halves. */
function halvesOfAll(cidr: string): string[] {
  return cidr.includes(':') ? ['::/1', '8000::/1'] : ['0.0.0.0/1', '128.0.0.0/1'];
}
