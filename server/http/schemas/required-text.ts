import Type from 'typebox';

export const NOT_BLANK = '\\S';

/** The schema of a text that is not blank. White space around it is left for the reader to trim. */
export function RequiredText(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, pattern: NOT_BLANK });
}
