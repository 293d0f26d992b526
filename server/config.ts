import { resolve } from 'node:path';
import type { CaptchaProvider } from '../fields/captcha-tokens.ts';
import { parseEmail } from './accounts/email.ts';
import { hasKnownParameters, isDatabaseUrl, PARAMETERS, SSL_MODES, withHost } from './db/database-servers.ts';
import { type FormDomains, parseFormDomains } from './forms/address/form-domains.ts';
import { type AllowedNetworks, isLoopback, parseAllowedNetworks } from './outbound/address.ts';
import { type BackupConfig, backup, type S3Config, type S3Server, s3, s3Server } from './settings/storage.ts';
import { ConfigError, integer, oneOf, text, url } from './settings/values.ts';

/** Everything an operator can set, read once from the environment. */
export interface Config {
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** Public address as browsers write an origin; null: `http://HOST:PORT`, once the port is known. */
  baseUrl: string | null;
  /** Further domains under which forms are found. */
  formDomains: FormDomains;
  /** null = the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  /** 32 bytes in hex, shared by all processes of one installation; null = a key file in `dataDir`. */
  secretKey: string | null;
  /** The key that `formstead rotate-key` puts in force; null = it makes a new key file. */
  newSecretKey: string | null;
  metrics: (typeof METRICS)[number];
  /** Where buckets are; its settings without a bucket are only allowed for backups. */
  s3Server: S3Server;
  s3: S3Config | null;
  /** null = no backups by the clock. */
  backup: BackupConfig | null;
  smtpUrl: string | null;
  mailFrom: string | null;
  roles: ReadonlySet<Role>;
  /** Where a process without the role `http` tells its health and metrics; null = nowhere. */
  workerPort: number | null;
  /** Rows above which an export becomes a job. */
  exportSyncLimit: number;
  webhookAllowedNetworks: AllowedNetworks;
  rateLimits: boolean;
  /** CIDR list of proxies whose `X-Forwarded-*` headers are trusted. */
  trustProxy: string[];
  registration: 'first' | 'open' | 'closed';
  singleSignOn: SingleSignOnConfig | null;
  captcha: Record<CaptchaProvider, CaptchaKeys | null>;
  /** Where Stripe is asked, without a trailing slash. */
  stripeApiUrl: string;
  /** Whether code that admins write into forms runs on their pages, in a sandbox. */
  customCode: boolean;
  logLevel: (typeof LOG_LEVELS)[number];
}

export interface SingleSignOnConfig {
  /** Issuer URL of OpenID Connect, exactly as in the provider's document. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Display name. */
  name: string;
}

export interface CaptchaKeys {
  siteKey: string;
  secretKey: string;
  /** Address that checks captcha answers; configurable for mirrors such as recaptcha.net. */
  verifyUrl: string;
}

type Role = 'http' | 'worker';

/** 0 picks a free one. */
const PORTS = { min: 0, max: 65_535 };
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
/** Who may read `/metrics`: programs on this machine, everybody, nobody. */
const METRICS = ['loopback', 'public', 'off'] as const;
/** Short and printable, as it is shown on a button. */
const NAME_OF_PROVIDER = /^\P{C}{1,40}$/u;
const STRIPE_API = 'https://api.stripe.com';
const LOOPBACK_NETWORKS = '127.0.0.0/8, ::1/128';

/** Reads and checks the environment. @throws ConfigError on the first bad value. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const host = text(env, 'HOST') ?? '127.0.0.1';
  return {
    host,
    port: integer(env, 'PORT', { ...PORTS, fallback: 3000 }),
    baseUrl: baseUrl(env),
    formDomains: formDomains(env),
    databaseUrl: databaseUrl(env),
    dataDir: resolve(text(env, 'DATA_DIR') ?? './data'),
    secretKey: secretKey(env, 'SECRET_KEY'),
    newSecretKey: secretKey(env, 'NEW_SECRET_KEY'),
    metrics: oneOf(env, 'METRICS', METRICS, 'loopback'),
    s3Server: s3Server(env),
    s3: s3(env),
    backup: backup(env),
    smtpUrl: url(env, 'SMTP_URL', ['smtp:', 'smtps:'], 'smtp://user:password@host:587'),
    mailFrom: mailFrom(env),
    roles: roles(env),
    workerPort:
      text(env, 'WORKER_PORT') === null ? null : integer(env, 'WORKER_PORT', { ...PORTS, fallback: 0 }),
    exportSyncLimit: integer(env, 'EXPORT_SYNC_LIMIT', { fallback: 1000, min: 0, max: 1_000_000 }),
    webhookAllowedNetworks: webhookNetworks(env, host),
    rateLimits: oneOf(env, 'RATE_LIMITS', ['on', 'off'], 'on') === 'on',
    trustProxy: proxies(env),
    registration: oneOf(env, 'REGISTRATION', ['first', 'open', 'closed'], 'first'),
    singleSignOn: singleSignOn(env),
    captcha: {
      recaptcha: captchaKeys(env, 'RECAPTCHA', 'https://www.google.com/recaptcha/api/siteverify'),
      hcaptcha: captchaKeys(env, 'HCAPTCHA', 'https://api.hcaptcha.com/siteverify'),
      turnstile: captchaKeys(env, 'TURNSTILE', 'https://challenges.cloudflare.com/turnstile/v0/siteverify'),
    },
    stripeApiUrl: stripeApiUrl(env),
    customCode: oneOf(env, 'CUSTOM_CODE', ['on', 'off'], 'off') === 'on',
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
  };
}

/** What `formstead listen` takes from the environment, so that secrets need not stand on the command line. */
export function readListenSettings() {
  return { token: text(process.env, 'FORMSTEAD_TOKEN'), secret: text(process.env, 'WEBHOOK_SECRET') };
}

function webhookNetworks(env: NodeJS.ProcessEnv, host: string): AllowedNetworks {
  const networks = env.WEBHOOK_ALLOWED_NETWORKS ?? (isLoopback(host) ? LOOPBACK_NETWORKS : '');
  try {
    return parseAllowedNetworks(networks);
  } catch (error) {
    throw new ConfigError(`WEBHOOK_ALLOWED_NETWORKS: ${(error as Error).message}`);
  }
}

function baseUrl(env: NodeJS.ProcessEnv): string | null {
  const value = url(env, 'BASE_URL', ['http:', 'https:'], 'https://forms.example.org');
  if (value === null) return null;
  // Paths are appended to it, pages name their parts from the root of the host, and headers take ASCII letters only.
  if (/^\w+:\/\/[^/?#@*\s\\]+\/*$/.test(value)) return new URL(value).origin;
  throw new ConfigError(
    'BASE_URL must be an address like https://forms.example.org, without path, user, query, fragment, star and spaces.',
  );
}

function formDomains(env: NodeJS.ProcessEnv): FormDomains {
  const base = baseUrl(env);
  try {
    return parseFormDomains(text(env, 'FORM_DOMAINS') ?? '', base && new URL(base).hostname);
  } catch (error) {
    throw new ConfigError(`FORM_DOMAINS: ${(error as Error).message}`);
  }
}

function databaseUrl(env: NodeJS.ProcessEnv): string | null {
  const given = text(env, 'DATABASE_URL');
  if (given === null) return null;
  const value = withHost(given);
  const isAddress = /^postgres(ql)?:/.test(value) && isDatabaseUrl(value);
  if (isAddress && hasKnownParameters(value)) return asDriverTakesIt(value);
  // The message never repeats the value, because parts of it may belong to a password.
  if (isAddress)
    throw new ConfigError(
      `DATABASE_URL takes these parameters behind the ? alone: ${PARAMETERS.join(', ')}; sslmode is one of ${SSL_MODES.join(', ')}.`,
    );
  throw new ConfigError(
    'DATABASE_URL must be an address like postgres://user:password@host:5432/formstead; of several hosts (host1:5432,host2:5432) the one that takes writes is used.',
  );
}

/** The driver treats these modes as `verify-full`, with ten lines of warning each time. */
function asDriverTakesIt(url: string): string {
  if (url.includes('uselibpqcompat=true')) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

function secretKey(env: NodeJS.ProcessEnv, name: string): string | null {
  const value = text(env, name);
  if (value === null || /^[0-9a-f]{64}$/i.test(value)) return value;
  throw new ConfigError(`${name} must be 64 hexadecimal digits, as \`openssl rand -hex 32\` prints them.`);
}

function roles(env: NodeJS.ProcessEnv): ReadonlySet<Role> {
  const names = (text(env, 'ROLES') ?? 'http,worker').split(',').map((name) => name.trim());
  if (names.every((name): name is Role => name === 'http' || name === 'worker')) return new Set(names);
  throw new ConfigError('ROLES must be `http`, `worker` or `http,worker`.');
}

/** One address, with or without a name: mail servers want a single sender. */
function mailFrom(env: NodeJS.ProcessEnv): string | null {
  const value = text(env, 'MAIL_FROM');
  if (value === null) return null;
  const [, address = value] = /^(?:"[^"\\\p{C}]*" *|[^"<>@,;\p{C}]*)<([^<>]*)>$/u.exec(value) ?? [];
  if (parseEmail(address) !== null) return value;
  throw new ConfigError('MAIL_FROM must be one address, alone or like Forms <forms@example.org>.');
}

function singleSignOn(env: NodeJS.ProcessEnv): SingleSignOnConfig | null {
  const issuer = url(env, 'OIDC_ISSUER', ['http:', 'https:'], 'https://login.example.org/realms/staff');
  const clientId = text(env, 'OIDC_CLIENT_ID');
  const clientSecret = text(env, 'OIDC_CLIENT_SECRET');
  const name = text(env, 'OIDC_NAME');
  if (issuer === null && clientId === null && clientSecret === null && name === null) return null;
  if (issuer === null || clientId === null || clientSecret === null)
    throw new ConfigError(
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: set all three or none, OIDC_NAME only with them.',
    );
  if (/[?#@\s\\]|\/\.well-known\//.test(issuer))
    throw new ConfigError(
      'OIDC_ISSUER must be the address of the issuer alone, without user, query, fragment and /.well-known/….',
    );
  if (name !== null && !NAME_OF_PROVIDER.test(name))
    throw new ConfigError('OIDC_NAME must be one line of at most 40 characters.');
  return { issuer, clientId, clientSecret, name: name ?? 'single sign-on' };
}

/** An origin alone: paths are appended to it. */
function stripeApiUrl(env: NodeJS.ProcessEnv): string {
  const value = url(env, 'STRIPE_API_URL', ['http:', 'https:'], STRIPE_API);
  if (value === null) return STRIPE_API;
  if (/^\w+:\/\/[^/?#@*\s\\]+\/*$/.test(value)) return new URL(value).origin;
  throw new ConfigError(
    `STRIPE_API_URL must be an address like ${STRIPE_API}, without path, user, query and fragment.`,
  );
}

function captchaKeys(env: NodeJS.ProcessEnv, provider: string, defaultVerifyUrl: string): CaptchaKeys | null {
  const siteKey = text(env, `${provider}_SITE_KEY`);
  const key = text(env, `${provider}_SECRET_KEY`);
  const verifyUrl = url(env, `${provider}_VERIFY_URL`, ['http:', 'https:'], defaultVerifyUrl);
  if (siteKey === null && key === null && verifyUrl === null) return null;
  if (siteKey !== null && key !== null)
    return { siteKey, secretKey: key, verifyUrl: verifyUrl ?? defaultVerifyUrl };
  throw new ConfigError(
    `${provider}_SITE_KEY and ${provider}_SECRET_KEY belong together: set both or neither, ${provider}_VERIFY_URL only with them.`,
  );
}

function proxies(env: NodeJS.ProcessEnv): string[] {
  const value = text(env, 'TRUST_PROXY');
  if (value === null) return [];
  try {
    parseAllowedNetworks(value);
  } catch (error) {
    throw new ConfigError(`TRUST_PROXY: ${(error as Error).message}`);
  }
  return value.split(/[\s,]+/).filter(Boolean);
}
