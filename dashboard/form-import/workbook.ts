import { unzipSync } from 'fflate';
import { UnreadableForm } from './imported.ts';
import type { Workbook } from './xlsform-sheets.ts';
import { attributeOf, piecesOf } from './xml.ts';

/** Bytes of what is unpacked, all parts together: forms have some hundred kilobytes. */
const MAX_UNPACKED = 20 * 1024 * 1024;
/** Of one sheet. */
const MAX_ROWS = 50_000;
const MAX_COLUMNS = 200;
const NEEDED = /^xl\/(workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|worksheets\/[^/]+\.xml)$/i;
const TOO_LARGE = 'The workbook is too large for a form.';

/**
 * The cells of a workbook as texts.
 * @throws UnreadableForm
 */
export function readWorkbook(bytes: Uint8Array): Workbook {
  const parts = unpacked(bytes);
  const book = parts.get('xl/workbook.xml');
  if (book === undefined)
    throw new UnreadableForm('This is no Excel workbook. Choose an .xlsx file, or a .json file.');
  const shared = sharedTexts(parts.get('xl/sharedstrings.xml') ?? '');
  const paths = pathsOf(parts.get('xl/_rels/workbook.xml.rels') ?? '');
  const sheets = new Map<string, string[][]>();
  for (const piece of piecesOf(book)) {
    if (piece.kind !== 'open' || piece.name !== 'sheet') continue;
    const content = parts.get(paths.get(attributeOf(piece, '[\\w-]+:id'))?.toLowerCase() ?? '');
    if (content !== undefined) sheets.set(attributeOf(piece, 'name'), rowsOf(content, shared));
  }
  return sheets;
}

/** The parts that are read. No part becomes larger than it says, and all together only so large. */
function unpacked(bytes: Uint8Array): Map<string, string> {
  let size = 0;
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!NEEDED.test(name)) return false;
        size += originalSize;
        if (size > MAX_UNPACKED) throw new UnreadableForm(TOO_LARGE);
        return true;
      },
    });
    const texts = Object.entries(files).map(
      ([path, part]) => [path.toLowerCase(), new TextDecoder().decode(part)] as const,
    );
    return new Map(texts);
  } catch (error) {
    if (error instanceof UnreadableForm) throw error;
    throw new UnreadableForm('The workbook cannot be read. Save it as .xlsx anew, and choose that.');
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

/** The table of texts; pieces of one may look different, and how it is spoken is not its own. */
function sharedTexts(xml: string): string[] {
  const texts: string[] = [];
  let text = '';
  let within = '';
  let isSpoken = false;
  for (const piece of piecesOf(xml)) {
    if (piece.kind === 'text') {
      if (within === 't' && !isSpoken) text += piece.text;
      continue;
    }
    const isOpen = piece.kind === 'open';
    within = isOpen ? piece.name : '';
    if (piece.name === 'rPh') isSpoken = isOpen;
    if (piece.name === 'si') {
      if (!isOpen) texts.push(text);
      text = '';
    }
  }
  return texts;
}

function rowsOf(xml: string, shared: readonly string[]): string[][] {
  const rows: string[][] = [];
  let column = 0;
  let type = '';
  let text = '';
  let within = '';
  for (const piece of piecesOf(xml)) {
    const isOpen = piece.kind === 'open';
    if (piece.kind === 'text') {
      if (within === 'v' || within === 't') text += piece.text;
      continue;
    }
    within = isOpen ? piece.name : '';
    if (piece.name === 'row' && isOpen) {
      if (rows.length >= MAX_ROWS) throw new UnreadableForm(TOO_LARGE);
      rows.push([]);
    } else if (piece.name === 'c') {
      const row = rows.at(-1) ?? [];
      if (isOpen) {
        column = columnOf(attributeOf(piece, 'r')) ?? row.length;
        type = attributeOf(piece, 't');
        text = '';
      } else if (column < MAX_COLUMNS) {
        while (row.length < column) row.push('');
        row[column] = cellText(type, text, shared);
      }
    }
  }
  return rows;
}

/** 0 of `A7`, 27 of `AB7`. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function cellText(type: string, text: string, shared: readonly string[]): string {
  if (type === 's') return shared[Number(text)] ?? '';
  if (type === 'b') return text === '1' ? 'true' : 'false';
  return type === 'e' ? '' : text;
}
