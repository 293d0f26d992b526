import type { Form } from '../api/queries.ts';

/** Whether a form has never been published: its questions may exist only in the builder, and it must be published from there. */
export function isYetToBePublished({
  visibility,
  properties,
}: Pick<Form, 'visibility' | 'properties'>): boolean {
  return visibility === 'draft' || (visibility === 'closed' && properties.length === 0);
}
