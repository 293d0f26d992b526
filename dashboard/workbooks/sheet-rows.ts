import type { CellReader } from './cell-texts.ts';
import { attributeOf, piecesOf } from './xml.ts';

/** Most rows of a sheet (ECMA-376). */
const LAST_ROW = 1_048_576;

/** The rows of a worksheet from the first one; cells as text, missing ones as ''. */
export function* rowsOf(
  xml: string,
  { columns }: { columns: number },
  read: CellReader,
): Generator<string[]> {
  let row: string[] | null = null;
  let passed = 0;
  let column = 0;
  let cell = { type: '', style: 0 };
  let text = '';
  let within = '';
  let isSpoken = false;
  for (const piece of piecesOf(xml)) {
    const isOpen = piece.kind === 'open';
    if (piece.kind === 'text') {
      if (within === 'v' || (within === 't' && !isSpoken)) text += piece.text;
      continue;
    }
    within = isOpen ? piece.name : '';
    if (piece.name === 'rPh') isSpoken = isOpen;
    else if (piece.name === 'row') {
      if (isOpen) {
        const place = Number(attributeOf(piece, 'r')) || passed + 1;
        for (; passed < Math.min(place, LAST_ROW) - 1; passed++) yield [];
        row = [];
      } else if (row) {
        passed += 1;
        yield row;
        row = null;
      }
    } else if (piece.name === 'c' && row) {
      if (isOpen) {
        column = columnOf(attributeOf(piece, 'r')) ?? row.length;
        cell = { type: attributeOf(piece, 't'), style: Number(attributeOf(piece, 's')) };
        text = '';
      } else if (column < columns) {
        while (row.length < column) row.push('');
        row[column] = read(cell, text);
      }
    }
  }
}

/** Index of a column: 0 for `A7`, 27 for `AB7`. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
