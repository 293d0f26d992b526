const WEB = /^https?:\/\/[^\s/\\]/i;
/** A path on this host: a second slash, or a backslash that browsers read as one, would name another host. */
const OWN = /^\/(?![/\\])/;
/** Browsers remove these before they read an address. */
const INVISIBLE = /\p{Cc}/u;

/** A web address or a path on this host, safe for `src` and `href`; null for anything else. */
export function safeUrl(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const url = value.trim();
  return (WEB.test(url) || OWN.test(url)) && !INVISIBLE.test(url) ? url : null;
}
