/**
 * The keys of the member `columns` in the order of the text. `JSON.parse` moves keys such as "10" to the front, and ids of fields may
 * look like that. So a letter is put before every key first.
 * @param json text that JSON.parse has accepted
 */
export function keysOfColumns(json: string): string[] {
  const marked = json.replace(STRING, (whole, text: string, colon = '') =>
    colon ? `"k${text}"${colon}` : whole,
  );
  const columns: unknown = JSON.parse(marked).kcolumns;
  return columns !== null && typeof columns === 'object'
    ? Object.keys(columns).map((key) => key.slice(1))
    : [];
}

/** A JSON string, and the colon after it when it is a key. */
const STRING = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/g;
