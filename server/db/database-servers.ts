/** Scheme, account (user and password), hosts, rest. */
const PARTS = /^(postgres(?:ql)?:\/\/)(?:(.*)@)?([^/?#@]*)(.*)$/s;
/** Tells PostgreSQL's own library which server to choose. Formstead always looks for the one that takes writes. */
const TARGET = 'target_session_attrs';
const OPTIONS = 'options';
const WRITABLE = new Set(['read-write', 'primary', 'any']);

/**
 * One URL for each server of a DATABASE_URL, which may name several: `postgres://user:password@a:5432,b:5432/formstead`
 * (PostgreSQL manual, 34.1.1.2). None for the embedded database.
 */
export function serversOf(databaseUrl: string | null): string[] {
  if (databaseUrl === null) return [];
  const [, scheme = '', account, hosts = '', rest = ''] = PARTS.exec(databaseUrl) ?? [];
  if (!hosts.includes(',')) return [databaseUrl];
  const before = account === undefined ? scheme : `${scheme}${account}@`;
  return hosts.split(',').map((host) => before + host + without(TARGET, rest));
}

/** Whether all its servers are valid addresses, and it does not ask for a server that takes no writes. */
export function isDatabaseUrl(databaseUrl: string): boolean {
  return serversOf(databaseUrl).every((server) => URL.canParse(server)) && asksForWritable(databaseUrl);
}

function asksForWritable(databaseUrl: string): boolean {
  const [, query = ''] = databaseUrl.split('?');
  const target = new URLSearchParams(query).get(TARGET);
  return target === null || WRITABLE.has(target);
}

/** Separates a URL from its `options` (settings of each session, as for `postgres -c`): the driver would let them replace ours. */
export function apartFromOptions(url: string): { url: string; options: string } {
  const [, query] = url.split('?');
  return { url: without(OPTIONS, url), options: new URLSearchParams(query).get(OPTIONS) ?? '' };
}

function without(name: string, url: string): string {
  const [path = '', query] = url.split('?');
  if (query === undefined) return url;
  const kept = query.split('&').filter((parameter) => !parameter.startsWith(`${name}=`));
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}
