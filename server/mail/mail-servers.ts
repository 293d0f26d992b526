import { isIPv4 } from 'node:net';
import type { AllowedNetworks } from '../outbound/address.ts';
import { isAllowedAddress, isPublicAddress } from '../outbound/address.ts';
import { createGuardedConnector, type ResolveHost } from '../outbound/guarded-connector.ts';
import { resolveHost } from '../outbound/resolve-host.ts';
import type { SecretBox } from '../secret-box.ts';
import { type Mailer, sendOver, TRANSPORT_OPTIONS } from './mailer.ts';

/** How a connection is encrypted: from the start, as soon as both have greeted, never. */
export const SECURITIES = ['tls', 'starttls', 'none'] as const;

/** A workspace's own mail server. */
export interface MailServer {
  workspaceId: number;
  host: string;
  port: number;
  security: (typeof SECURITIES)[number];
  userName: string | null;
  /** Encrypted, in base64. */
  password: string | null;
  senderAddress: string;
  senderName: string | null;
}

/** A mailer through a workspace's server; through the installation's without one. */
export type MailerOf = (server: MailServer | null) => Mailer;

/** The ports on which mail is taken in; those from 2465 on are for networks that close the others. */
export const MAIL_PORTS: readonly number[] = [25, 465, 587, 2465, 2525, 2587];

/** Bytes of one reply of the server. */
const MAX_REPLY = 16 * 1024;

interface Parts {
  /** The installation's. */
  mailer: Mailer;
  secrets: SecretBox;
  allowedNetworks: AllowedNetworks;
  baseUrl(): string;
  /** Replaces DNS in tests. */
  lookup?: ResolveHost;
}

/** The purpose that the password of a workspace's server is encrypted for. */
export function passwordPurpose(workspaceId: number): string {
  return `mail-server ${workspaceId}`;
}

export function createMailerOf(parts: Parts): MailerOf {
  const connector = connectorFor(parts);
  return (server) => (server === null ? parts.mailer : openMailerOf(server, parts, connector));
}

type Connector = ReturnType<typeof createGuardedConnector>;

/**
 * Connections to servers that others choose. Other ports than those of mail are reached only in networks that the operator opened, so that
 * nobody can try those of other people's machines.
 */
function connectorFor({ allowedNetworks, lookup = resolveHost }: Parts): (port: number) => Connector {
  const isAllowed = (address: string) => isAllowedAddress(address, allowedNetworks);
  const anywhere = createGuardedConnector(isAllowed, lookup);
  const inside = createGuardedConnector((address) => isAllowed(address) && !isPublicAddress(address), lookup);
  return (port) => (MAIL_PORTS.includes(port) ? anywhere : inside);
}

function openMailerOf(
  server: MailServer,
  { secrets, baseUrl }: Parts,
  connector: (port: number) => Connector,
): Mailer {
  const { workspaceId, host, port, security, userName, senderAddress, senderName } = server;
  return {
    workspaceId,
    isConfigured: true,
    async send(mail) {
      const password = passwordOf(server, secrets);
      const { hostname } = new URL(baseUrl());
      // See `openMailer`.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        ...TRANSPORT_OPTIONS,
        host,
        port,
        // Else the name of this machine, which is nobody's business.
        name: greetingName(hostname),
        secure: security === 'tls',
        requireTLS: security === 'starttls',
        ignoreTLS: security === 'none',
        maxResponseSize: MAX_REPLY,
        ...(userName !== null && password !== null && { auth: { user: userName, pass: password } }),
        // A server that takes no sign-in is not the one that was meant.
        ...(userName !== null && { forceAuth: true }),
        getSocket: (_options, callback) =>
          connector(port)({ hostname: host, port: String(port), protocol: 'http:' }, (error, connection) =>
            error ? callback(error) : callback(null, { connection }),
          ),
      });
      const from = { name: senderName ?? '', address: senderAddress };
      try {
        return await sendOver(transport, from, hostname, mail);
      } catch (error) {
        throw password === null ? error : withoutPassword(error, `${userName}`, password);
      }
    },
    close() {},
  };
}

/** How the service introduces itself: an address is written in brackets (RFC 5321 section 4.1.3). */
function greetingName(hostname: string): string {
  if (isIPv4(hostname)) return `[${hostname}]`;
  return hostname.replace(/^\[/, '[IPv6:');
}

/** @throws Error when the key does not open it */
function passwordOf({ workspaceId, password }: MailServer, secrets: SecretBox): string | null {
  if (password === null) return null;
  const opened = secrets.decrypt(Buffer.from(password, 'base64'), passwordPurpose(workspaceId));
  if (opened === null)
    throw new Error('The password cannot be read with the key of this service. Set it again.');
  return opened;
}

/** What a server says is shown and stored, and it may repeat what it was sent. */
function withoutPassword(error: unknown, userName: string, password: string): unknown {
  const said = error as { message: string; response?: string };
  // As written, and as AUTH LOGIN and AUTH PLAIN send it (RFC 4616).
  const sent = [password, `\0${userName}\0${password}`].map((text) => Buffer.from(text).toString('base64'));
  const clean = (text: string) =>
    [password, ...sent].reduce((rest, secret) => rest.replaceAll(secret, '********'), text);
  said.message = clean(said.message);
  if (said.response !== undefined) said.response = clean(said.response);
  return said;
}
