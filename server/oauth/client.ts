import { timingSafeEqual } from 'node:crypto';
import { isJsonObject } from '../../fields/property.ts';
import { storageProblem } from '../../fields/storable.ts';
import { isVisible } from '../../fields/texts/visible.ts';
import { isLoopback } from '../outbound/address.ts';
import type { SecretBox } from '../secret-box.ts';
import { oauthError } from './oauth-error.ts';

/** A program that asks for access, as it describes itself, unverified. */
export interface Client {
  name: string;
  /** The only addresses that people are sent back to. */
  redirectUris: string[];
}

const PURPOSE = 'oauth client';
const MAX_NAME_LENGTH = 100;
const MAX_REDIRECT_URIS = 10;
const MAX_URI_LENGTH = 500;
/** In characters, as the id is part of addresses. */
const MAX_ID_LENGTH = 4_000;
/** The client in base64url, HMAC-SHA256 in hex. */
const ID = /^([A-Za-z0-9_-]+)\.([0-9a-f]{64})$/;
/** Schemes that browsers handle themselves: they would run or show the target, which is not a program's own. */
const BROWSER_SCHEMES =
  /^(?:https?|wss?|ftp|file|data|blob|javascript|vbscript|about|filesystem|view-source|mailto|tel|sms|chrome[a-z-]*|edge|resource|intent):$/;

/**
 * The client that a registration describes (RFC 7591, 2).
 * @throws HttpError 400 `invalid_client_metadata`, `invalid_redirect_uri`
 */
export function readClient(metadata: unknown): Client {
  if (!isJsonObject(metadata)) throw oauthError('invalid_client_metadata', 'The body must be a JSON object.');
  const { redirect_uris: uris, client_name: name } = metadata;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECT_URIS)
    throw oauthError('invalid_redirect_uri', `redirect_uris must list 1 to ${MAX_REDIRECT_URIS} addresses.`);
  const redirectUris = uris.map(readRedirectUri);
  if (name !== undefined && typeof name !== 'string')
    throw oauthError('invalid_client_metadata', 'client_name must be a text.');
  const client = { name: nameOf(name, redirectUris), redirectUris };
  if (storageProblem(client) !== null)
    throw oauthError('invalid_client_metadata', 'client_name cannot be stored.');
  return client;
}

function readRedirectUri(uri: unknown): string {
  if (typeof uri !== 'string' || uri.length > MAX_URI_LENGTH || !URL.canParse(uri))
    throw oauthError('invalid_redirect_uri', 'A redirect URI is not a valid address.');
  const url = new URL(uri);
  const { protocol, hash, username, password } = url;
  if (hash !== '' || uri.endsWith('#') || username !== '' || password !== '')
    throw oauthError('invalid_redirect_uri', 'A redirect URI may have no fragment, name or password.');
  if (protocol === 'https:' || isOnTheirMachine(url)) return uri;
  if (BROWSER_SCHEMES.test(protocol))
    throw oauthError(
      'invalid_redirect_uri',
      'A redirect URI must be https, http on this very machine (localhost), or have a scheme of the program’s own.',
    );
  return uri;
}

function nameOf(name: string | undefined, [uri = '']: string[]): string {
  const words = (name ?? '').replace(/[\p{C}\s]+/gu, ' ').trim();
  return [...(isVisible(words) ? words : placeOf(uri))].slice(0, MAX_NAME_LENGTH).join('');
}

/**
 * The owner of a redirect URI in terms that people can judge: the host of an address, or the scheme of a program on their
 * machine.
 */
export function placeOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1);
}

/** The client itself, signed, is its id: nothing is stored, however many register. */
export function clientId(secrets: SecretBox, client: Client): string {
  const text = Buffer.from(JSON.stringify([client.name, ...client.redirectUris])).toString('base64url');
  const id = `${text}.${secrets.sign(text, PURPOSE)}`;
  if (id.length > MAX_ID_LENGTH) throw oauthError('invalid_client_metadata', 'The registration is too long.');
  return id;
}

/** null for an id that was not issued, or with another key. */
export function clientOf(secrets: SecretBox, id: string): Client | null {
  const [, text = '', signature = ''] = ID.exec(id.slice(0, MAX_ID_LENGTH + 1)) ?? [];
  if (text === '') return null;
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(secrets.sign(text, PURPOSE)))) return null;
  const [name, ...redirectUris] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  return { name, redirectUris };
}

/** Whether people may be sent there. A program on their machine listens on any free port (RFC 8252, 7.3). */
export function isRedirectOf({ redirectUris }: Client, uri: string): boolean {
  if (redirectUris.includes(uri)) return true;
  const asked = withoutLoopbackPort(uri);
  return asked !== null && redirectUris.some((one) => withoutLoopbackPort(one) === asked);
}

function withoutLoopbackPort(uri: string): string | null {
  if (!URL.canParse(uri)) return null;
  const url = new URL(uri);
  if (!isOnTheirMachine(url) || url.username || url.password || url.hash) return null;
  url.port = '';
  return url.href;
}

function isOnTheirMachine({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
