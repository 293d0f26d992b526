const WEB = /^https?:\/\/[^\s/\\]/i;
/** On this host: a second slash, or what browsers read as one, would name another. */
const OWN = /^\/(?![/\\])/;
/** Browsers leave these out before they read an address. */
const INVISIBLE = /\p{Cc}/u;

/** A web address or a path of this host that may stand in `src` and `href`; null for everything else. */
export function safeUrl(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const url = value.trim();
  return (WEB.test(url) || OWN.test(url)) && !INVISIBLE.test(url) ? url : null;
}
