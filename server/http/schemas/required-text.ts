import Type from 'typebox';
import { VISIBLE } from '../../../fields/texts/visible.ts';

/** The schema of a text of which something is seen. White space around it is left for the reader to trim. */
export function RequiredText(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, pattern: VISIBLE });
}
