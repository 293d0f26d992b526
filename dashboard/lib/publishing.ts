import type { Form } from '../api/queries.ts';

/**
 * Whether nothing of a form was ever there for people to fill in: what it is to ask may stand in the builder alone, and it
 * goes online from there, never by opening the form.
 */
export function isYetToBePublished({
  visibility,
  properties,
}: Pick<Form, 'visibility' | 'properties'>): boolean {
  return visibility === 'draft' || (visibility === 'closed' && properties.length === 0);
}
