import { serverEngines } from '../../fields/server-engines.ts';

/** Texts remembered; the least recently added are forgotten first. */
const MAX_TEXTS = 5_000;
const safe = new Map<string, string>();

/** As the engine does, once per text: a page shows the same texts thousands of times. */
export function sanitiseHtml(html: string): string {
  const known = safe.get(html);
  if (known !== undefined) return known;
  const text = serverEngines.sanitiseHtml(html);
  const [oldest] = safe.keys();
  if (safe.size >= MAX_TEXTS && oldest !== undefined) safe.delete(oldest);
  safe.set(html, text);
  return text;
}
