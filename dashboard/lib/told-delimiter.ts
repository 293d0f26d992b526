/** The line that tells Excel the separator; Excel does not show it as a row. */
const TOLD_DELIMITER = /^\s*"?sep=([^\r\n"])"?(?:\r\n|\r|\n)/i;

/** The separator told by such a line, and the text after it; without such a line, undefined and the whole text. */
export function splitToldDelimiter(text: string): { told: string | undefined; body: string } {
  const [line = '', told] = TOLD_DELIMITER.exec(text) ?? [];
  return { told, body: text.slice(line.length) };
}
