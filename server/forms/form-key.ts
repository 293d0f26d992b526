import { parseId, parseUuid } from '../http/schemas/ids.ts';
import { isSlug } from './address/slug.ts';

export type FormKey = { column: 'id'; value: number } | { column: 'uuid' | 'slug'; value: string };

/** Reads a reference to a form: digits are its numeric id, otherwise it is a UUID or a slug; null if it is none of these. */
export function formKey(ref: string): FormKey | null {
  if (/^[0-9]+$/.test(ref)) {
    const id = parseId(ref);
    return id === null ? null : { column: 'id', value: id };
  }
  const uuid = parseUuid(ref);
  if (uuid !== null) return { column: 'uuid', value: uuid };
  return isSlug(ref) ? { column: 'slug', value: ref } : null;
}

/** Like `formKey`, for public addresses, which never use numeric ids. */
export function publicFormKey(ref: string): FormKey | null {
  const key = formKey(ref);
  return key?.column === 'id' ? null : key;
}
