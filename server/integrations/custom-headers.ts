const MAX_HEADERS = 20;
/** Characters of a name, and of a value. */
const MAX_NAME_LENGTH = 255;
const MAX_VALUE_LENGTH = 1024;
/** Characters of a name repeated in a message. */
const SHOWN_NAME_LENGTH = 64;

/** A header name is a token (RFC 9110 section 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VISIBLE_ASCII = /^[\t\x20-\x7e]*$/;

const BLOCKED_NAMES = new Set([
  // Blocked by the specification of the interface.
  'authorization',
  'x-webhook-signature',
  'content-type',
  'content-length',
  'host',
  'cookie',
  'x-csrf-token',
  'x-real-ip',
  // Hop by hop and framing (RFC 9110 section 7.6.1, RFC 9112 section 6): they would change where the request ends.
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
  'content-encoding',
  'accept-encoding',
  'max-forwards',
  // Forwarding and routing: they would speak for another client or reach another handler.
  'forwarded',
  'via',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-host',
  'x-original-host',
  'x-original-url',
  'x-rewrite-url',
  'true-client-ip',
  'cf-connecting-ip',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'cookie2',
  'set-cookie',
  // Cloud metadata services answer only with these.
  'metadata',
  'metadata-flavor',
  'x-google-metadata-request',
  // No real header, and unsafe as the name of a property.
  '__proto__',
]);
const BLOCKED_PREFIXES = ['webhook-', 'x-forwarded-', 'proxy-', 'x-aws-ec2-metadata-'];

/**
 * Checks the custom headers of a webhook, an object of names and values; null and absent are fine. Returns the first
 * problem as a message for `data.webhook_headers`, or null.
 */
export function checkCustomHeaders(headers: unknown): string | null {
  if (headers === null || headers === undefined) return null;
  if (typeof headers !== 'object' || (Array.isArray(headers) && headers.length > 0)) {
    return 'Custom headers must be an object of names and values.';
  }
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) return `Maximum ${MAX_HEADERS} custom headers allowed.`;
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    const problem = checkName(name) ?? checkValue(name, value);
    if (problem !== null) return problem;
    if (seen.has(name.toLowerCase())) return `Header '${shown(name)}' is given more than once.`;
    seen.add(name.toLowerCase());
  }
  return null;
}

function checkName(name: string): string | null {
  if (name.trim() === '') return 'Header names must be non-empty strings.';
  if (name.length > MAX_NAME_LENGTH)
    return `Header name '${shown(name)}' exceeds ${MAX_NAME_LENGTH} characters.`;
  if (isBlocked(name)) return `The '${shown(name)}' header cannot be customized for security reasons.`;
  if (!TOKEN.test(name)) return `Header name '${shown(name)}' contains characters that are not allowed.`;
  return null;
}

function checkValue(name: string, value: unknown): string | null {
  if (typeof value !== 'string') {
    return `Header values must be strings. '${shown(name)}' has invalid value type.`;
  }
  if (value.length > MAX_VALUE_LENGTH) {
    return `Header value for '${shown(name)}' exceeds ${MAX_VALUE_LENGTH} characters.`;
  }
  if (!VISIBLE_ASCII.test(value)) {
    return `Header value for '${shown(name)}' may only contain visible ASCII characters, spaces and tabs.`;
  }
  return null;
}

/** CGI servers read `_` as `-`, so both spellings are the same name. */
function isBlocked(name: string): boolean {
  const lower = name.trim().toLowerCase();
  const canonical = lower.replaceAll('_', '-');
  return (
    BLOCKED_NAMES.has(lower) ||
    BLOCKED_NAMES.has(canonical) ||
    BLOCKED_PREFIXES.some((prefix) => canonical.startsWith(prefix))
  );
}

function shown(name: string): string {
  return name.slice(0, SHOWN_NAME_LENGTH);
}
