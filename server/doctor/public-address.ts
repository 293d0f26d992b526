import type { Config } from '../config.ts';
import { baseUnder } from '../forms/address/form-address.ts';
import {
  everyAddress,
  hostOf,
  isThisMachine,
  isWildcard,
  listeningUrl,
  publicUrl,
  shown,
} from './addresses.ts';
import { type Check, fail, ok, type Verdict, warn } from './finding.ts';
import { askLiveness } from './liveness.ts';
import { proxyHeaders } from './proxy-headers.ts';

/** Checks whether the service answers, locally and at its public address, and what stands between the two. */
export function publicAddressChecks(config: Config): Check[] {
  const checks = [
    { name: 'service', mend: 'Start the service.', examine: () => atHome(config) },
    { name: 'public address', mend: 'Correct BASE_URL.', examine: () => inPublic(config) },
    { name: 'FORM_DOMAINS', mend: 'Correct FORM_DOMAINS.', examine: () => domains(config) },
    { name: 'TRUST_PROXY', mend: 'Set TRUST_PROXY to the proxy.', examine: () => proxy(config) },
    { name: 'proxy headers', mend: 'Correct the proxy.', examine: () => proxyHeaders(config) },
  ];
  return checks.filter(
    ({ name }) =>
      (name !== 'service' || config.roles.has('http')) &&
      (name !== 'FORM_DOMAINS' || config.formDomains.names.length > 0) &&
      (!['public address', 'proxy headers'].includes(name) || config.baseUrl !== null),
  );
}

async function atHome(config: Config): Promise<Verdict> {
  const url = listeningUrl(config);
  if (url === null) return ok('PORT=0: where it listens only its ready line says');
  const problem = await problemAt(url);
  if (problem === null) return ok(`answers at ${shown(url)}`);
  const mend = 'Start it, or give this command the HOST and PORT of the service.';
  return warn(`does not answer at ${shown(url)}: ${problem}`, mend);
}

async function inPublic(config: Config): Promise<Verdict> {
  const url = publicUrl(config);
  const home = listeningUrl(config);
  // Both at once, to stay within the time of a check.
  const [problem, problemAtHome] = await Promise.all([problemAt(url), home && problemAt(home)]);
  if (problem === null) return ok(`${shown(url)} answers`);
  const found = `${shown(url)}/livez: ${problem}`;
  if (home === null || problemAtHome !== null) return warn(found, 'Start the service, then ask again.');
  return fail(
    found,
    `Correct BASE_URL, or point that address to ${shown(home)} (proxy, DNS, firewall, certificate).`,
  );
}

/** For a wildcard name nobody knows which names are asked for. */
async function domains(config: Config): Promise<Verdict> {
  const { names } = config.formDomains;
  const urls = names
    .filter((name) => !name.startsWith('*'))
    .map((name) => new URL(baseUnder(publicUrl(config), name)));
  const problems = await Promise.all(urls.map(problemAt));
  const found = urls.flatMap((url, index) =>
    problems[index] ? `${shown(url)}/livez: ${problems[index]}` : [],
  );
  if (found.length === 0) return ok(names.join(', '));
  return warn(
    found.join('; '),
    'Lead these names here, as that of BASE_URL (proxy, DNS, certificate), or take them out.',
  );
}

/** null when the service itself answers there, else what answered instead. */
async function problemAt(url: URL): Promise<string | null> {
  return (await askLiveness(url)).problem;
}

function proxy(config: Config): Verdict {
  const { trustProxy } = config;
  const everybody = everyAddress(trustProxy);
  if (everybody.length > 0)
    return warn(
      `${everybody.join(', ')}: every visitor can claim any address`,
      'List the address of the proxy alone.',
    );
  if (trustProxy.length > 0) return ok(trustProxy.join(', '));
  if (isReachedDirectly(config)) return ok('not set, and BASE_URL is where the service listens');
  return warn(
    'not set, but BASE_URL is not where the service listens: behind a proxy all visitors count as one',
    'Set TRUST_PROXY to the address of the proxy, such as 127.0.0.1/32, if there is one.',
  );
}

/** The service itself has no TLS, so with https: something stands in front of it. */
function isReachedDirectly(config: Config): boolean {
  const { baseUrl, host, port } = config;
  if (baseUrl === null) return true;
  const url = publicUrl(config);
  if (url.protocol === 'https:') return false;
  const named = hostOf(url);
  const isThere = isWildcard(host) || named === host || (isThisMachine(named) && isThisMachine(host));
  return isThere && (port === 0 || Number(url.port || 80) === port);
}
