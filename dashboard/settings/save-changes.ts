import type { JsonObject } from '../../fields/property.ts';
import { ApiError, api, type Body } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import { isSame as isSameJson } from '../lib/is-same.ts';
import { merged } from '../lib/merged.ts';

export type Patch = Partial<Body<'/open/forms/{form}', 'put'>>;

/** The service replaces these as a whole, though several people may change different members of them. */
const OBJECTS = ['settings', 'seo_meta', 'cover_settings', 'analytics', 'translations'] as const;
/** Likewise lists, whose parts belong together: the later of two lists would silently replace the earlier. */
const LISTS = { endings: 'endings', computed_variables: 'calculations', tags: 'tags' } as const;

/** Members of a form that were changed, as they were before. */
export type Base = Partial<Pick<Form, Merging>>;
type Merging = (typeof OBJECTS)[number] | keyof typeof LISTS;

export const MERGING = [...OBJECTS, ...Object.keys(LISTS)] as readonly Merging[];

/**
 * Saves changed settings. What somebody else has changed meanwhile stays.
 * @param base what the changes began with
 * @param onPresent called with the form as it is when somebody else has changed a list of the patch
 * @throws ApiError 409 when that is so, and as the API does
 */
export async function saveChanges(id: number, patch: Patch, base: Base, onPresent: (form: Form) => void) {
  const path = { form: id };
  const asked = MERGING.filter((key) => key in patch);
  if (asked.length === 0) return api.put('/open/forms/{form}', { path, body: patch });
  const present = await api.get('/open/forms/{form}', { path });
  const overtaken = Object.entries(LISTS).find(
    ([key]) => key in patch && !isSame(present[key as keyof typeof LISTS], base[key as keyof typeof LISTS]),
  );
  if (overtaken) {
    const [key, name] = overtaken;
    const message = `Somebody else changed the ${name} meanwhile. Copy what you have written, discard your changes, and add it to the present ${name}.`;
    onPresent(present);
    throw new ApiError(409, message, { errors: { [key]: [message] } });
  }
  const objects = OBJECTS.filter((key) => key in patch).map((key) => {
    const [before, mine, now] = [base, patch, present].map((one) => (one[key] ?? {}) as JsonObject);
    return [key, merged(before ?? {}, mine ?? {}, now ?? {})];
  });
  return api.put('/open/forms/{form}', { path, body: { ...patch, ...Object.fromEntries(objects) } });
}

/** What changes made while saving began with: of objects what was sent, of lists what is stored. */
export function baseAfter(sent: Patch, stored: Form): Base {
  const began = MERGING.filter((key) => key in sent).map((key) => [
    key,
    key in LISTS ? stored[key] : sent[key],
  ]);
  return Object.fromEntries(began);
}

/** Whether two values of a setting are the same: null is the same as none. */
export function isSame(one: unknown, other: unknown): boolean {
  return isSameJson(one ?? null, other ?? null);
}
