/**
 * A strict reader of RFC 4180 with `\n` line ends, independent of the library the tests also use.
 * @throws Error where the text breaks the grammar
 */
export function parseRfc4180(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] === '"') {
      const end = endOfQuoted(text, at + 1);
      record.push(text.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 1;
    } else {
      const cell = /^[^",\r\n]*/.exec(text.slice(at, at + 200_000))?.[0] ?? '';
      record.push(cell);
      at += cell.length;
    }
    const separator = text[at];
    at += 1;
    if (separator === ',') {
      if (at === text.length) throw new Error('The last line has no end.');
      if (text[at] === '\n') {
        record.push('');
        at += 1;
      } else continue;
    } else if (separator !== '\n') throw new Error(`Unexpected ${JSON.stringify(separator)} at ${at - 1}.`);
    records.push(record);
    record = [];
  }
  return records;
}

function endOfQuoted(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) throw new Error('A quote is never closed.');
    if (text[at + 1] !== '"') return at;
  }
}
