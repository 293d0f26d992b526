import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../server/config.ts';
import { ConfigError } from '../server/settings/values.ts';

const BUCKET = { S3_BUCKET: 'b' };
const PASSWORD = 'never-repeated';
const SIGN_ON = {
  OIDC_ISSUER: 'https://login.example.org',
  OIDC_CLIENT_ID: 'formstead',
  OIDC_CLIENT_SECRET: PASSWORD,
};

const BAD: [why: string, env: Record<string, string>, names: string][] = [
  ['half of the keys of a bucket', { ...BUCKET, S3_ACCESS_KEY_ID: 'id' }, 'S3_SECRET_ACCESS_KEY'],
  ['the other half', { ...BUCKET, S3_SECRET_ACCESS_KEY: PASSWORD }, 'S3_ACCESS_KEY_ID'],
  ['the address of a bucket', { S3_BUCKET: 'https://s3.example.org/forms' }, 'S3_BUCKET'],
  ['a bucket with a space', { S3_BUCKET: 'my forms' }, 'S3_BUCKET'],
  ['another address of a captcha without keys', { HCAPTCHA_VERIFY_URL: 'https://a.b' }, 'HCAPTCHA_SITE_KEY'],
  ['a region without a bucket', { S3_REGION: 'eu-west-1' }, 'S3_BUCKET'],
  ['an endpoint without a bucket', { S3_ENDPOINT: 'https://s3.example.org' }, 'S3_BUCKET'],
  ['keys without a bucket', { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: PASSWORD }, 'S3_BUCKET'],
  ['a public address with a query', { BASE_URL: 'https://forms.example.org?a=1' }, 'BASE_URL'],
  ['a public address with an empty query', { BASE_URL: 'https://forms.example.org/?' }, 'BASE_URL'],
  ['a public address with a fragment', { BASE_URL: 'https://forms.example.org/#top' }, 'BASE_URL'],
  ['a public address with a user', { BASE_URL: `https://ada:${PASSWORD}@forms.example.org` }, 'BASE_URL'],
  ['a public address with a path', { BASE_URL: 'https://example.org/forms/' }, 'BASE_URL'],
  ['a public address with a space', { BASE_URL: 'https://forms.example.org/a b' }, 'BASE_URL'],
  ['a public address with a star', { BASE_URL: 'https://*.example.org' }, 'BASE_URL'],
  ['a public address without //', { BASE_URL: 'https:forms.example.org' }, 'BASE_URL'],
  ['a public address without a host', { BASE_URL: 'https:///forms' }, 'BASE_URL'],
  ['a domain of forms with a scheme', { FORM_DOMAINS: 'https://a.example.org' }, 'FORM_DOMAINS'],
  ['a domain of forms with a port', { FORM_DOMAINS: 'a.example.org:3000' }, 'FORM_DOMAINS'],
  ['all domains of a country', { FORM_DOMAINS: '*.org' }, 'FORM_DOMAINS'],
  ['a star within a domain', { FORM_DOMAINS: 'a.*.example.org' }, 'FORM_DOMAINS'],
  [
    'the public address as a domain of forms',
    { BASE_URL: 'https://forms.example.org', FORM_DOMAINS: 'a.example.org,Forms.Example.Org' },
    'FORM_DOMAINS',
  ],
  ['a mail server without a host', { SMTP_URL: 'smtp://' }, 'SMTP_URL'],
  ['a mail server without //', { SMTP_URL: 'smtp:mail.example.org' }, 'SMTP_URL'],
  ['a mail server whose password has a stray %', { SMTP_URL: `smtp://ada:${PASSWORD}%@h` }, 'SMTP_URL'],
  ['a sender that is no address', { MAIL_FROM: 'not an address <<' }, 'MAIL_FROM'],
  ['a name alone', { MAIL_FROM: 'Formstead' }, 'MAIL_FROM'],
  ['two senders', { MAIL_FROM: 'a@b.c, d@e.f' }, 'MAIL_FROM'],
  ['two senders with a name', { MAIL_FROM: 'A <a@b.c>, D <d@e.f>' }, 'MAIL_FROM'],
  ['a provider alone', { OIDC_ISSUER: SIGN_ON.OIDC_ISSUER }, 'OIDC_CLIENT_ID'],
  ['a provider without its secret', { ...SIGN_ON, OIDC_CLIENT_SECRET: '' }, 'OIDC_CLIENT_SECRET'],
  ['a client without its provider', { ...SIGN_ON, OIDC_ISSUER: '' }, 'OIDC_ISSUER'],
  ['the name of no provider', { OIDC_NAME: 'Acme' }, 'OIDC_ISSUER'],
  ['a provider that is no address', { ...SIGN_ON, OIDC_ISSUER: 'login.example.org' }, 'OIDC_ISSUER'],
  ['a provider with a query', { ...SIGN_ON, OIDC_ISSUER: 'https://login.example.org/?a' }, 'OIDC_ISSUER'],
  [
    'the document of a provider',
    { ...SIGN_ON, OIDC_ISSUER: 'https://login.example.org/.well-known/openid-configuration' },
    'OIDC_ISSUER',
  ],
  ['a long name of a provider', { ...SIGN_ON, OIDC_NAME: 'a'.repeat(41) }, 'OIDC_NAME'],
  ['a misspelt parameter of the database', { DATABASE_URL: `postgres://db/f?sslmod=${PASSWORD}` }, 'sslmode'],
  ['a time limit of the database', { DATABASE_URL: 'postgres://db/f?statement_timeout=9' }, 'DATABASE_URL'],
  ['an unknown sslmode', { DATABASE_URL: `postgres://db/f?sslmode=${PASSWORD}` }, 'verify-full'],
  ['a sender with a line break', { MAIL_FROM: 'A\nBcc: d@e.f <a@b.c>' }, 'MAIL_FROM'],
  ['a backup in no folder of a bucket', { BACKUP_TO: 's3://backups' }, 'BACKUP_TO'],
  ['a backup at no time', { BACKUP_TO: 'x', BACKUP_AT: '24:00' }, 'BACKUP_AT'],
  ['a time of backups that go nowhere', { BACKUP_AT: '03:15' }, 'BACKUP_TO'],
  ['no backup kept', { BACKUP_TO: 'x', BACKUP_KEEP: '0' }, 'BACKUP_KEEP'],
  ['a key somewhere else', { BACKUP_TO: 'x', BACKUP_KEY: 'yes' }, 'BACKUP_KEY'],
];

test.each(BAD)('%s ends the start with one line that names the setting', (_why, env, name) => {
  const read = () => readConfig(env);
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(new RegExp(`^[^\n]*\\b${name}\\b[^\n]*$`));
  expect(read).not.toThrow(PASSWORD);
});

const CIDR = 'write it as CIDR, for example 10.0.0.0/8 or fd00::/8';
test.each([
  ['PORT', 'abc', 'PORT must be a whole number from 0 to 65535, not "abc".'],
  ['PORT', '-1', 'PORT must be a whole number from 0 to 65535, not "-1".'],
  ['PORT', '65536', 'PORT must be a whole number from 0 to 65535, not "65536".'],
  ['PORT', '3000.5', 'PORT must be a whole number from 0 to 65535, not "3000.5".'],
  ['WORKER_PORT', '65536', 'WORKER_PORT must be a whole number from 0 to 65535, not "65536".'],
  ['BASE_URL', 'forms.example.org', 'BASE_URL must be an address like https://forms.example.org.'],
  ['BASE_URL', 'ftp://forms.example.org', 'BASE_URL must be an address like https://forms.example.org.'],
  ['SMTP_URL', 'mail.example.org', 'SMTP_URL must be an address like smtp://user:password@host:587.'],
  ['ROLES', 'web', 'ROLES must be `http`, `worker` or `http,worker`.'],
  ['ROLES', 'http,web', 'ROLES must be `http`, `worker` or `http,worker`.'],
  ['EXPORT_SYNC_LIMIT', '-1', 'EXPORT_SYNC_LIMIT must be a whole number from 0 to 1000000, not "-1".'],
  ['EXPORT_SYNC_LIMIT', '1e9', 'EXPORT_SYNC_LIMIT must be a whole number from 0 to 1000000, not "1e9".'],
  ['WEBHOOK_ALLOWED_NETWORKS', 'lan', `WEBHOOK_ALLOWED_NETWORKS: "lan" is not a network: ${CIDR}`],
  ['TRUST_PROXY', '10.0.0.0/40', `TRUST_PROXY: "10.0.0.0/40" is not a network: ${CIDR}`],
  ['RATE_LIMITS', 'no', 'RATE_LIMITS must be one of on, off, not "no".'],
  ['REGISTRATION', 'maybe', 'REGISTRATION must be one of first, open, closed, not "maybe".'],
  [
    'LOG_LEVEL',
    'INFO',
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "INFO".',
  ],
])('%s=%s says what to write', (name, value, message) => {
  expect(() => readConfig({ [name]: value })).toThrow(new ConfigError(message));
});

test('a database that is no PostgreSQL is told how its address looks', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://db/forms' })).toThrow(
    /^DATABASE_URL must be an address like postgres:\/\/user:password@host:5432\/formstead;/,
  );
});

test('nothing has to be set, and an empty value is none', () => {
  const defaults = {
    host: '127.0.0.1',
    port: 3000,
    baseUrl: null,
    databaseUrl: null,
    dataDir: resolve('data'),
    s3: null,
    backup: null,
    smtpUrl: null,
    mailFrom: null,
    exportSyncLimit: 1000,
    rateLimits: true,
    trustProxy: [],
    registration: 'first',
    roles: new Set(['http', 'worker']),
    logLevel: 'info',
  };
  expect(readConfig({})).toMatchObject(defaults);
  const empty = { HOST: '', PORT: '', BASE_URL: '', ROLES: '', RATE_LIMITS: '', TRUST_PROXY: '' };
  expect(readConfig(empty)).toMatchObject(defaults);
});

test('backups go every night to a directory or a folder of a bucket, whose server needs no bucket for files', () => {
  expect(readConfig({ BACKUP_TO: 'nightly' }).backup).toEqual({
    to: `${resolve('nightly')}/`,
    at: 195,
    keep: 7,
    withKey: true,
  });
  const { s3, backup } = readConfig({
    BACKUP_TO: 's3://vault/forms/',
    BACKUP_AT: '23:59',
    BACKUP_KEEP: '30',
    BACKUP_KEY: 'left-out',
    S3_ENDPOINT: 'https://s3.example.org',
  });
  expect(s3).toBeNull();
  expect(backup).toEqual({ to: 's3://vault/forms/', at: 1439, keep: 30, withKey: false });
});

test('webhooks reach this machine where only this machine reaches the service, unless networks are named', () => {
  const networks = (env: Record<string, string>) => readConfig(env).webhookAllowedNetworks.cidrs;
  for (const env of [{ HOST: '0.0.0.0' }, { WEBHOOK_ALLOWED_NETWORKS: '' }])
    expect(networks(env)).toEqual([]);
  for (const HOST of ['127.0.0.1', '::1', 'localhost'])
    expect(networks({ HOST })).toEqual(['127.0.0.0/8', '::1/128']);
  expect(networks({ WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8,fd00::/8' })).toEqual(['10.0.0.0/8', 'fd00::/8']);
});

test('domains of forms: one by one, or all of one label, but never the public address', () => {
  const { formDomains } = readConfig({
    BASE_URL: 'https://forms.example.org',
    FORM_DOMAINS: ' Answers.example.net\n*.example.org,, ',
  });
  const names = ['answers.example.net', 'a.example.org', 'b-2.example.org'];
  const others = ['forms.example.org', 'example.org', 'a.b.example.org', 'a.answers.example.net', 'net', ''];
  expect(names.filter(formDomains.has)).toEqual(names);
  expect(others.filter(formDomains.has)).toEqual([]);
  expect(readConfig({}).formDomains.names).toEqual([]);
});

test.each([
  ['postgres://db/forms?sslmode=require&port=1', 'postgres://db/forms?sslmode=verify-full&port=1'],
  ['postgres://db/forms?port=1&sslmode=verify-ca', 'postgres://db/forms?port=1&sslmode=verify-full'],
  ['postgres://db/forms?sslmode=no-verify', 'postgres://db/forms?sslmode=no-verify'],
  [
    'postgres://db/forms?sslmode=require&uselibpqcompat=true',
    'postgres://db/forms?sslmode=require&uselibpqcompat=true',
  ],
])('DATABASE_URL=%s is handed on as the driver understands it', (DATABASE_URL, taken) =>
  expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(taken),
);

test.each([
  ['https://forms.example.org/', 'https://forms.example.org'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['HTTP://localhost', 'http://localhost'],
  ['HTTPS://Forms.Example.org:443/', 'https://forms.example.org'],
  ['https://forms.example.org:', 'https://forms.example.org'],
  ['https://例え.example', 'https://xn--r8jz45g.example'],
])('BASE_URL=%s is taken', (BASE_URL, taken) => expect(readConfig({ BASE_URL }).baseUrl).toBe(taken));

test.each([
  'forms@example.org',
  'formstead@localhost',
  'Forms <forms@example.org>',
  '<forms@example.org>',
  '"Forms, Inc." <forms@example.org>',
  'Fürs Büro <büro@example.org>',
])('MAIL_FROM=%s is taken', (MAIL_FROM) => expect(readConfig({ MAIL_FROM }).mailFrom).toBe(MAIL_FROM));

test.each([
  'smtp://mail.example.org',
  'smtps://ada:a%20b@mail.example.org:465',
  'smtp://ada:50%25@localhost',
  'smtp://localhost:25?x=1',
])('SMTP_URL=%s is taken', (SMTP_URL) => expect(readConfig({ SMTP_URL }).smtpUrl).toBe(SMTP_URL));

test('a bucket is taken with both keys and with none', () => {
  expect(readConfig(BUCKET).s3).toMatchObject({ bucket: 'b', region: 'us-east-1', accessKeyId: null });
  const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: PASSWORD };
  expect(readConfig({ ...BUCKET, ...keys }).s3).toMatchObject({ secretAccessKey: PASSWORD });
});

test('a provider of single sign-on is taken, with a name of its own or without', () => {
  const taken = { issuer: SIGN_ON.OIDC_ISSUER, clientId: 'formstead', clientSecret: PASSWORD };
  expect(readConfig({}).singleSignOn).toBeNull();
  expect(readConfig(SIGN_ON).singleSignOn).toEqual({ ...taken, name: 'single sign-on' });
  expect(readConfig({ ...SIGN_ON, OIDC_NAME: ' Büro ' }).singleSignOn).toMatchObject({ name: 'Büro' });
});
