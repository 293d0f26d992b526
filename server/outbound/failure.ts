/** Why an outbound request got no response. These words are stored and shown. */
export type OutboundFailure =
  | 'blocked_address'
  | 'dns_failed'
  | 'connect_timeout'
  | 'connect_failed'
  | 'timeout'
  | 'tls_failed'
  | 'connection_reset'
  | 'invalid_response'
  | 'invalid_url'
  | 'unreadable_secret';

const DETAILS: Record<OutboundFailure, string> = {
  blocked_address: 'The host resolves to an address that may not be reached.',
  dns_failed: 'The host name could not be resolved.',
  connect_timeout: 'The connection was not established in time.',
  connect_failed: 'The connection was refused or the host is unreachable.',
  timeout: 'The receiver did not answer in time.',
  tls_failed: 'The secure connection could not be established.',
  connection_reset: 'The receiver closed the connection before answering.',
  invalid_response: 'The receiver did not answer with a valid HTTP response.',
  invalid_url: 'The request could not be formed from this URL and these headers.',
  unreadable_secret:
    'The secret and the headers cannot be read with the key of this service. Set them again.',
};

/** Codes of the system, the resolver and OpenSSL are constants: safe and useful to show. Those of undici are not useful. */
const SHOWN_CODE = /^(?!UND_)[A-Z][A-Z0-9_]{2,60}$/;

/** A failure with a known reason; `detail` is a sentence that reveals no address and no inner state. */
export class OutboundError extends Error {
  readonly reason: OutboundFailure;
  readonly detail: string;

  constructor(reason: OutboundFailure, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
    const code = errorCode(cause);
    this.detail = SHOWN_CODE.test(code) ? `${DETAILS[reason]} (${code})` : DETAILS[reason];
  }
}

/** Names of errors that undici throws for bytes that are no response, and for requests that cannot be written. */
const INVALID_RESPONSE_ERRORS = [
  'HTTPParserError',
  'HeadersOverflowError',
  'ResponseContentLengthMismatchError',
  // For a status that passes its parser, but no response may have: 000, or 101 without an upgrade.
  'AssertionError',
];
const INVALID_REQUEST_ERRORS = [
  'InvalidArgumentError',
  'NotSupportedError',
  'RequestContentLengthMismatchError',
];

/** Finds the reason of an error of the HTTP client. */
export function explainError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const { name, message } = error instanceof Error ? error : { name: '', message: '' };
  if (INVALID_REQUEST_ERRORS.includes(name)) return new OutboundError('invalid_url');
  const isBadStart = message === 'bad response' || message === 'bad upgrade';
  if (isBadStart || INVALID_RESPONSE_ERRORS.includes(name)) return new OutboundError('invalid_response');
  return new OutboundError('connection_reset', error);
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
