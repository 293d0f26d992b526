import { fieldTypeOf } from '../../fields/field-types.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';

/** Style sheets a form needs besides the base. */
export function stylesOf({ properties }: PublishedForm): string[] {
  return [...new Set(properties.map(({ type }) => fieldTypeOf(type).name))];
}
