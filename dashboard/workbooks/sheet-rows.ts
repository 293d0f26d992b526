import type { CellReader } from './cell-texts.ts';
import { writtenText } from './written-text.ts';
import { attributeOf, type Piece, piecesOf, tagOf } from './xml.ts';

/** Most rows of a sheet (ECMA-376). */
const LAST_ROW = 1_048_576;

/** The rows of a worksheet from the first one; cells as text, missing ones as ''. */
export function* rowsOf(
  xml: string,
  { columns }: { columns: number },
  read: CellReader,
): Generator<string[]> {
  const written = writtenText();
  let row: string[] | null = null;
  let passed = 0;
  let cell = { column: 0, type: '', style: 0 };
  for (const piece of piecesOf(xml)) {
    written.read(piece);
    switch (tagOf(piece)) {
      case 'row': {
        const place = Number(attributeOf(piece, 'r')) || passed + 1;
        for (; passed < Math.min(place, LAST_ROW) - 1; passed++) yield [];
        row = [];
        break;
      }
      case '/row':
        if (!row) break;
        passed += 1;
        yield row;
        row = null;
        break;
      case 'c':
        if (!row) break;
        cell = cellFrom(piece, row.length);
        written.begin();
        break;
      case '/c':
        if (row && cell.column < columns) put(row, cell.column, read(cell, written.current()));
    }
  }
}

/** @param next index of the column that follows the cell before, for cells that do not name theirs */
function cellFrom(piece: Piece, next: number) {
  return {
    column: columnOf(attributeOf(piece, 'r')) ?? next,
    type: attributeOf(piece, 't'),
    style: Number(attributeOf(piece, 's')),
  };
}

function put(row: string[], column: number, text: string): void {
  while (row.length < column) row.push('');
  row[column] = text;
}

/** Index of a column: 0 for `A7`, 27 for `AB7`. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
