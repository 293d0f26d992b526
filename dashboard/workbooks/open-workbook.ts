import { unzipSync } from 'fflate';
import { createCellReader } from './cell-texts.ts';
import { rowsOf } from './sheet-rows.ts';
import { attributeOf, piecesOf } from './xml.ts';

/** An Excel file (ECMA-376), read as text. */
export interface Workbook {
  /** Names of its sheets in order, hidden ones last. */
  sheets: readonly string[];
  /**
   * The rows of a sheet from the first one, each up to its last cell; rows missing in the file are empty.
   * @throws UnreadableWorkbook if there are too many
   */
  rowsOf(sheet: string): Iterable<string[]>;
}

/** Limits for reading a workbook. */
export interface WorkbookLimits {
  /** Unpacked bytes of all parts together. */
  unpacked: number;
  /** Most rows of a sheet. */
  rows: number;
  /** Columns read; further ones are left out. */
  columns: number;
}

/** Explains to the user why it cannot be read. */
export class UnreadableWorkbook extends Error {}

const NEEDED =
  /^xl\/(workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|styles\.xml|worksheets\/[^/]+\.xml)$/i;
const TOO_LARGE = 'The workbook is too large.';

/** @throws UnreadableWorkbook */
export function openWorkbook(bytes: Uint8Array, limits: WorkbookLimits): Workbook {
  const parts = unpacked(bytes, limits.unpacked);
  const partAt = (path: string) => parts.get(path.toLowerCase()) ?? '';
  const book = partAt('xl/workbook.xml');
  if (book === '') throw new UnreadableWorkbook('This is no Excel workbook.');
  const paths = pathsOf(partAt('xl/_rels/workbook.xml.rels'));
  const sheets = new Map<string, { path: string; isHidden: boolean }>();
  let startsIn1904 = false;
  for (const piece of piecesOf(book)) {
    if (piece.kind !== 'open') continue;
    if (piece.name === 'workbookPr') startsIn1904 = /^(?:1|true)$/.test(attributeOf(piece, 'date1904'));
    if (piece.name !== 'sheet') continue;
    const path = paths.get(attributeOf(piece, '[\\w-]+:id')) ?? '';
    if (parts.has(path.toLowerCase()))
      sheets.set(attributeOf(piece, 'name'), { path, isHidden: /hidden/i.test(attributeOf(piece, 'state')) });
  }
  const read = createCellReader({
    sharedTexts: partAt('xl/sharedStrings.xml'),
    styles: partAt('xl/styles.xml'),
    startsIn1904,
  });
  const hiddenLast = [...sheets].toSorted(
    ([, one], [, other]) => Number(one.isHidden) - Number(other.isHidden),
  );
  return {
    sheets: hiddenLast.map(([name]) => name),
    *rowsOf(sheet) {
      let count = 0;
      for (const row of rowsOf(partAt(sheets.get(sheet)?.path ?? ''), limits, read)) {
        count += 1;
        if (count > limits.rows) throw new UnreadableWorkbook(TOO_LARGE);
        yield row;
      }
    },
  };
}

/** The needed parts, by path in lower case. No part may become larger than declared, and all together have a limit. */
function unpacked(bytes: Uint8Array, limit: number): Map<string, string> {
  let size = 0;
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!NEEDED.test(name)) return false;
        size += originalSize;
        if (size > limit) throw new UnreadableWorkbook(TOO_LARGE);
        return true;
      },
    });
    const texts = Object.entries(files).map(
      ([path, part]) => [path.toLowerCase(), new TextDecoder().decode(part)] as const,
    );
    return new Map(texts);
  } catch (error) {
    if (error instanceof UnreadableWorkbook) throw error;
    throw new UnreadableWorkbook('The workbook cannot be read. Save it as .xlsx anew, and choose that.');
  }
}

function pathsOf(relations: string): Map<string, string> {
  const paths = new Map<string, string>();
  for (const piece of piecesOf(relations)) {
    if (piece.kind !== 'open' || piece.name !== 'Relationship') continue;
    const target = attributeOf(piece, 'Target');
    paths.set(attributeOf(piece, 'Id'), target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  }
  return paths;
}
