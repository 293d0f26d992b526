const ENTITY = /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/gi;
const TAG = /<[^<>]*>/g;

/** The characters of a rich text that people see, which are those that count. */
export function visibleText(html: string): string {
  return html.replace(TAG, '').replace(ENTITY, '.');
}
