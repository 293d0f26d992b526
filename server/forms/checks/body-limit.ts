/** Bytes of a form that is sent as a whole: more than other bodies may have, as several changes add up to a form that is read and sent back. */
export const FORM_BYTES = 4 * 1024 * 1024;
