import { expect } from 'vitest';
import { unzip } from './unzip.ts';

/** A cell as it is stored: `t` and `s` of ECMA-376, and the value as text. */
export interface Cell {
  type: string;
  style: number;
  value: string;
}

/** The rows of the submissions, headers first; an absent cell is null. */
export function readWorkbook(bytes: Buffer): (Cell | null)[][] {
  const { rows, xml, width } = sheetOf(bytes, 1);
  expect(xml).toContain(`<autoFilter ref="A1:${columnName(width)}${rows.length}"/>`);
  return rows;
}

/** What the second sheet says of the columns of the first one, headings first. */
export function readColumnList(bytes: Buffer): string[][] {
  return sheetOf(bytes, 2).rows.map((row) => row.map((cell) => cell?.value ?? ''));
}

function sheetOf(bytes: Buffer, number: number) {
  const parts = unzip(bytes);
  expect([...parts.keys()].sort()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
    'xl/worksheets/sheet2.xml',
  ]);
  return readSheet(String(parts.get(`xl/worksheets/sheet${number}.xml`)));
}

/** Only the values, oldest submission first. */
export function valuesOf(rows: (Cell | null)[][]): string[][] {
  const [header = [], ...rest] = rows.map((row) => row.map((cell) => cell?.value ?? ''));
  return [header, ...rest.reverse()];
}

function readSheet(xml: string) {
  const rows: (Cell | null)[][] = [];
  const columns = xml.match(/<col /g)?.length ?? 0;
  // XML allows no other characters, and none of these may be escaped.
  expect(xml).not.toMatch(/[^\t\n\x20-\ufffd]/);
  for (const [, number, inner = ''] of xml.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)) {
    expect(Number(number)).toBe(rows.length + 1);
    const row: (Cell | null)[] = Array.from({ length: columns }, () => null);
    const read = inner.replace(
      /<c r="([A-Z]+)(\d+)"(?: s="(\d)")?(?: t="(\w+)")?>(?:<v>(.*?)<\/v>|<is><t(?: xml:space="preserve")?>(.*?)<\/t><\/is>)<\/c>/gs,
      (_, letters, line, style, type = 'n', plain, inline) => {
        expect(line).toBe(number);
        row[columnIndex(letters)] = { type, style: Number(style ?? 0), value: unescapeText(plain ?? inline) };
        return '';
      },
    );
    expect(read).toBe('');
    rows.push(row);
  }
  return { rows, xml, width: columns };
}

function columnIndex(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function columnName(count: number): string {
  let name = '';
  for (let left = count; left > 0; left = Math.floor((left - 1) / 26))
    name = String.fromCharCode(65 + ((left - 1) % 26)) + name;
  return name;
}

function unescapeText(text: string): string {
  expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/_x([0-9a-fA-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}
