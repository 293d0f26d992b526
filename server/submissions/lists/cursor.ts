/** A place in a sorted list: between a submission and the next one, or the one before. */
export interface ListCursor {
  /** `created_at`, `updated_at` or the id of a field. */
  sort: string;
  order: 'asc' | 'desc';
  /** Which way the list goes on from there. */
  towards: 'next' | 'prev';
  /** What the submission is sorted by, as text; null where it has no answer. */
  key: string | null;
  id: number;
}

const MAX_LENGTH = 2_000; // characters

/** For a client to hand back as it is. */
export function writeCursor({ sort, order, towards, key, id }: ListCursor): string {
  return Buffer.from(JSON.stringify([sort, order, towards, key, id])).toString('base64url');
}

/** null for a text that is no cursor. */
export function readCursor(text: string): ListCursor | null {
  if (text.length > MAX_LENGTH) return null;
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(parts) || parts.length !== 5) return null;
    const [sort, order, towards, key, id] = parts as unknown[];
    if (typeof sort !== 'string' || (order !== 'asc' && order !== 'desc')) return null;
    if (towards !== 'next' && towards !== 'prev') return null;
    if (key !== null && (typeof key !== 'string' || key.includes('\0'))) return null;
    if (!Number.isSafeInteger(id)) return null;
    return { sort, order, towards, key, id: id as number };
  } catch {
    return null;
  }
}
