const PARTS = ['link', 'personal', 'embed', 'prefill', 'html', 'curl'];

/** Which way of sharing the address names. */
export function readShareSearch({ part }: Record<string, unknown>): { part?: string } {
  return typeof part === 'string' && PARTS.includes(part) ? { part } : {};
}
