const PARTS = ['link', 'personal', 'embed', 'prefill', 'html', 'curl'];

/** The way of sharing in the address. */
export function readShareSearch({ part }: Record<string, unknown>): { part?: string } {
  return typeof part === 'string' && PARTS.includes(part) ? { part } : {};
}
