const ONLY_DIGITS = /^\d+$/;

/**
 * The name of the input for a row of a matrix or an option of a ranking. It says which one, not where it stands: rows may be added
 * or moved while the page is open. Escaped, because browsers change quotes and line breaks in the names of inputs.
 */
export function partName(field: string, part: string): string {
  return `${field}[:${encodeURIComponent(part)}]`;
}

/** The same for people to read, in links and in HTML to be edited by hand; a number alone would mean a place. */
export function plainPartName(field: string, part: string): string {
  return ONLY_DIGITS.test(part) ? partName(field, part) : `${field}[${part}]`;
}
