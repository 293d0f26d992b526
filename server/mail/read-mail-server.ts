import { addError, emptyErrorBag } from '../../fields/property.ts';
import { parseEmail } from '../accounts/email.ts';
import type { Context } from '../context.ts';
import { checkWebhookUrl } from '../deliveries/webhook-url.ts';
import { invalid } from '../http/errors.ts';
import { MAIL_PORTS, type MailServer, passwordPurpose } from './mail-servers.ts';
import type { MailServerBody } from './schemas.ts';

/** A name or an address, without anything that a URL could have before or behind it. */
const HOST = /^(?:[^\s\p{C}/?#@:[\]\\]+|[\da-f:.]*:[\da-f:.]*)$/iu;
/** Line ends of all kinds and other control characters. */
const NOT_IN_A_LINE = /[\p{Cc}\u2028\u2029]/u;

const BAD_HOST = 'The host must be the name or the address of a mail server, and must not be a private one.';
const BAD_PORT = `The port must be one of ${MAIL_PORTS.join(', ')}.`;
const UNENCRYPTED =
  'A user name and password are sent over encrypted connections only: choose one, or leave the user name empty.';
const NO_PASSWORD =
  'The password is required. It is asked for again when host, port, encryption or user name change.';

/**
 * The settings in a request, with the stored password where the request has none: for the same sign-in only, so that nobody can have it
 * sent elsewhere.
 * @throws HttpError 422
 */
export function readMailServer(
  { config, secrets }: Pick<Context, 'config' | 'secrets'>,
  workspaceId: number,
  body: MailServerBody,
  stored: MailServer | null,
): MailServer {
  const { webhookAllowedNetworks: allowedNetworks } = config;
  const errors = emptyErrorBag();
  const { port, security } = body;
  const host = readHost(body.host.trim(), allowedNetworks);
  const [userName, senderName] = [body.user_name, body.sender_name].map((text) => text?.trim() || null);
  const senderAddress = parseEmail(body.sender_address);
  if (host === null) addError(errors, 'host', BAD_HOST);
  if (!MAIL_PORTS.includes(port) && allowedNetworks.cidrs.length === 0) addError(errors, 'port', BAD_PORT);
  if (senderAddress === null)
    addError(errors, 'sender_address', 'The sender address must be a valid email address.');
  for (const key of ['user_name', 'password', 'sender_name'] as const)
    if (NOT_IN_A_LINE.test(body[key] ?? '')) addError(errors, key, 'This must be one line.');
  if (userName && security === 'none') addError(errors, 'user_name', UNENCRYPTED);

  const kept = stored && isSameSignIn(stored, { host, port, security, userName }) ? stored.password : null;
  const sealed = body.password
    ? secrets.encrypt(body.password, passwordPurpose(workspaceId)).toString('base64')
    : kept;
  if (userName && sealed === null) addError(errors, 'password', NO_PASSWORD);
  if (host === null || senderAddress === null || Object.keys(errors).length > 0) throw invalid(errors);
  return {
    workspaceId,
    host,
    port,
    security,
    userName: userName ?? null,
    password: userName ? sealed : null,
    senderAddress,
    senderName: senderName ?? null,
  };
}

interface SignIn extends Pick<MailServer, 'port' | 'security'> {
  host: string | null;
  userName: string | null | undefined;
}

function isSameSignIn(stored: MailServer, { host, port, security, userName }: SignIn): boolean {
  return (
    stored.host === host &&
    stored.port === port &&
    stored.security === security &&
    stored.userName === userName
  );
}

/** As it is stored: an ASCII name in lower case, or an address without brackets. @returns null for one that may not be reached */
function readHost(text: string, allowedNetworks: Context['config']['webhookAllowedNetworks']): string | null {
  if (!HOST.test(text)) return null;
  const checked = checkWebhookUrl(`http://${text.includes(':') ? `[${text}]` : text}/`, allowedNetworks);
  return 'url' in checked ? new URL(checked.url).hostname.replace(/^\[(.*)\]$/, '$1') : null;
}
