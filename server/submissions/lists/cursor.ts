import { readMoment } from '../../http/schemas/moments.ts';

/** A place in a sorted list: right after a submission, or right before it. */
export interface ListCursor {
  /** `created_at`, `updated_at` or the id of a field. */
  sort: string;
  order: 'asc' | 'desc';
  /** Whether the page after that place is meant, or the page before it. */
  towards: 'next' | 'prev';
  /** The value that the submission is sorted by, as text; null where it has no answer. */
  key: string | null;
  id: number;
}

const MAX_LENGTH = 2_000; // characters

/** Whether PostgreSQL can compare moments with it, as `momentText` writes them: anybody may have written a cursor. */
export function isMomentText(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(text) && readMoment(text) !== null;
}

/** An opaque text, which clients send back unchanged. */
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
