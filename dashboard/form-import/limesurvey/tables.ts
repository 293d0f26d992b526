import { piecesOf } from '../../workbooks/xml.ts';
import { cellOf, type Row } from '../rows.ts';
import type { Words } from '../words.ts';

/** The tables of a survey by name, as its database has them. */
export type Tables = ReadonlyMap<string, readonly Row[]>;

/** Depths of elements: `document / questions / rows / row / title`. */
const ROW = 4;
const COLUMN = 5;

/** The kind of document: `Survey`, or `Group` and `Question` for parts of one; '' if it is not from LimeSurvey. */
export function documentKind(xml: string): string {
  return /<LimeSurveyDocType>\s*(?:<!\[CDATA\[)?(\w+)/.exec(xml.slice(0, 2_000))?.[1] ?? '';
}

export function readTables(xml: string): Tables {
  const tables = new Map<string, Row[]>();
  const path: string[] = [];
  let row = new Map<string, string>();
  let text = '';
  for (const piece of piecesOf(xml)) {
    if (piece.kind === 'text') {
      text += piece.text;
      continue;
    }
    if (piece.kind === 'open') {
      path.push(piece.name);
      text = '';
      if (path.length === ROW) row = new Map();
      continue;
    }
    if (path.at(-1) !== piece.name) continue;
    if (path.length === COLUMN) row.set(piece.name, text.trim());
    const [, table = '', within] = path;
    if (path.length === ROW && within === 'rows' && row.size > 0) addTo(tables, table, row);
    path.pop();
  }
  return tables;
}

function addTo(rowsByKey: Map<string, Row[]>, key: string, row: Row): void {
  const same = rowsByKey.get(key);
  if (same) same.push(row);
  else rowsByKey.set(key, [row]);
}

/** The languages of a survey. */
export interface Languages {
  /** LimeSurvey's name of the survey's own language, and its code here. */
  own: string;
  code: string;
  /** Codes by LimeSurvey's names, without the own language. */
  others: ReadonlyMap<string, string>;
  /** Names of languages that have no place here, as another one has the same code. */
  doubled: string[];
}

export function languagesOf(survey: Row): Languages {
  const own = survey.get('language') || 'en';
  const code = codeOf(own);
  const others = new Map<string, string>();
  const doubled: string[] = [];
  for (const name of cellOf(survey, 'additional_languages').split(/\s+/).filter(Boolean)) {
    const other = codeOf(name);
    if (other === code || [...others.values()].includes(other)) doubled.push(name);
    else others.set(name, other);
  }
  return { own, code, others, doubled };
}

/** `de` of `de-informal`, `zh` of `zh-Hant-TW`; `und` of what is no language. */
function codeOf(name: string): string {
  const [first = ''] = name.toLowerCase().split('-');
  return /^[a-z]{2,3}$/.test(first) ? first : 'und';
}

/** Finds the rows with a value in a column; faster than looking for them one by one. */
export function rowsWith(rows: readonly Row[], column: string): (value: string) => readonly Row[] {
  const found = rowsBy(rows, column);
  return (value) => found.get(value) ?? [];
}

/** The rows of a table by the value of a column. */
export function rowsBy(rows: readonly Row[], column: string): ReadonlyMap<string, readonly Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) addTo(found, cellOf(row, column), row);
  return found;
}

/** The text of a column in rows that differ by language; a row without a language is in the survey's own. */
export function wordsIn(
  rows: readonly Row[],
  column: string,
  { own, others }: Languages,
  language = 'language',
): Words {
  let text = '';
  const translated: Record<string, string> = {};
  for (const row of rows) {
    const name = row.get(language) || own;
    const said = cellOf(row, column);
    const code = others.get(name);
    if (name === own) text ||= said;
    else if (code !== undefined && said !== '') translated[code] = said;
  }
  return { text, others: translated };
}
