import Type from 'typebox';

/** Something other than white space. */
export const NOT_BLANK = '\\S';

/** A text that is not blank. White space around it does not count: whoever takes it trims it. */
export function RequiredText(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, pattern: NOT_BLANK });
}
