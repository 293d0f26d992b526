/** Scheme, account (user and password), hosts, rest. */
const PARTS = /^(postgres(?:ql)?:\/\/)(?:(.*)@)?([^/?#@]*)(.*)$/s;
/** Tells PostgreSQL's own library which server to choose. Formstead always looks for the one that takes writes. */
const TARGET = 'target_session_attrs';
const OPTIONS = 'options';
const NAME = 'application_name';
/**
 * Parameters allowed behind the `?`. The driver would silently ignore any other parameter, such as a misspelt `sslmode`, or let it
 * replace what the service sets itself.
 */
export const PARAMETERS = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'ssl',
  'sslnegotiation',
  'uselibpqcompat',
  OPTIONS,
  NAME,
  TARGET,
  'host',
  'port',
  'user',
  'password',
];
/**
 * Hosting providers put these into the addresses they show. They have no effect: certificates are checked, which a binding of
 * channels would add nothing to, and the service has its own limits for connecting.
 */
const WITHOUT_EFFECT = ['channel_binding', 'connect_timeout', 'gssencmode', 'keepalives'];
export const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
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

/**
 * The same with a host, if only a parameter names one, as PostgreSQL's own library allows:
 * `postgres://user:password@/formstead?host=/run/postgresql`. An address with a user and without a host is none.
 */
export function withHost(databaseUrl: string): string {
  const [, scheme, account, hosts, rest] = PARTS.exec(databaseUrl) ?? [];
  if (account === undefined || hosts !== '' || !parametersOf(databaseUrl).get('host')) return databaseUrl;
  return `${scheme}${account}@localhost${rest}`;
}

/** Whether all its servers are valid addresses, and it does not ask for a server that takes no writes. */
export function isDatabaseUrl(databaseUrl: string): boolean {
  return serversOf(databaseUrl).every((server) => URL.canParse(server)) && asksForWritable(databaseUrl);
}

function asksForWritable(databaseUrl: string): boolean {
  const target = parametersOf(databaseUrl).get(TARGET);
  return target === null || WRITABLE.has(target);
}

/** Whether all parameters behind its `?` are known. */
export function hasKnownParameters(databaseUrl: string): boolean {
  const parameters = parametersOf(databaseUrl);
  const mode = parameters.get('sslmode');
  return (
    [...parameters.keys()].every((name) => PARAMETERS.includes(name) || WITHOUT_EFFECT.includes(name)) &&
    (!mode || SSL_MODES.includes(mode))
  );
}

/**
 * Separates a URL from its `options` (settings of each session, as for `postgres -c`) and its `application_name`: the driver would
 * let them replace ours.
 */
export function apartFromSession(url: string): { url: string; options: string; name: string } {
  const parameters = parametersOf(url);
  return {
    url: without(NAME, without(OPTIONS, url)),
    options: parameters.get(OPTIONS) ?? '',
    name: parameters.get(NAME) ?? '',
  };
}

function parametersOf(databaseUrl: string): URLSearchParams {
  const [, query = ''] = databaseUrl.split('?');
  return new URLSearchParams(query);
}

function without(name: string, url: string): string {
  const [path = '', query] = url.split('?');
  if (query === undefined) return url;
  const kept = query.split('&').filter((parameter) => !parameter.startsWith(`${name}=`));
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}
