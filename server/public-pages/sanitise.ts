import { serverEngines } from '../../fields/server-engines.ts';
import { SizedCache } from '../../fields/sized-cache.ts';

/** Characters of all texts remembered, as written and as they became. */
const MAX_REMEMBERED = 20_000_000;
/** What even a short one takes, in the same: 5,000 of them are remembered at most. */
const LEAST_REMEMBERED = 4_000;
const safe = new SizedCache<string, string>(MAX_REMEMBERED);

/** As the engine does, once per text: a page shows the same texts thousands of times. */
export function sanitiseHtml(html: string): string {
  const known = safe.get(html);
  if (known !== undefined) return known;
  const text = serverEngines.sanitiseHtml(html);
  safe.set(html, text, Math.max(LEAST_REMEMBERED, html.length + text.length));
  return text;
}
