import { serverEngines } from '../../../fields/server-engines.ts';
import { SizedCache } from '../../../fields/sized-cache.ts';

/** Total characters of cached texts, before and after sanitising. */
const MAX_REMEMBERED = 20_000_000;
/** Characters that even a short text counts for, so that at most 5,000 are cached. */
const LEAST_REMEMBERED = 4_000;
const safe = new SizedCache<string, string>(MAX_REMEMBERED);

/** Sanitises as the engine does, but each text once: a page shows the same texts thousands of times. */
export function sanitiseHtml(html: string): string {
  const known = safe.get(html);
  if (known !== undefined) return known;
  const text = serverEngines.sanitiseHtml(html);
  safe.set(html, text, Math.max(LEAST_REMEMBERED, html.length + text.length));
  return text;
}
