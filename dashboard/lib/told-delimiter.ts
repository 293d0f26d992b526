/** The line by which Excel tells what stands between cells. It shows it in no row. */
const TOLD_DELIMITER = /^\s*"?sep=([^\r\n"])"?(?:\r\n|\r|\n)/i;

/** What such a line tells, and the text below it; undefined and the whole text where there is none. */
export function splitToldDelimiter(text: string): { told: string | undefined; body: string } {
  const [line = '', told] = TOLD_DELIMITER.exec(text) ?? [];
  return { told, body: text.slice(line.length) };
}
