import { FORM_LANGUAGES, languageName } from '../../translations/languages.ts';
import { UnreadableForm } from '../imported.ts';
import { tableOf } from '../json.ts';
import { cellOf, type Row } from '../rows.ts';
import { languageCode, type Words } from '../words.ts';

/** The sheets of a workbook by name, each as rows of cells. */
type Workbook = ReadonlyMap<string, readonly (readonly string[])[]>;

export interface XlsForm {
  survey: Row[];
  choices: Row[];
  settings: Row;
}

/** Reads a workbook as an XLSForm. @throws UnreadableForm */
export function readXlsForm(workbook: Workbook): XlsForm {
  const sheet = (name: string) => {
    const found = [...workbook].find(([key]) => key.trim().toLowerCase() === name);
    return rowsOf(found?.[1] ?? []);
  };
  const survey = sheet('survey');
  if (survey.length === 0 || !survey.some((row) => row.has('type')))
    throw new UnreadableForm(
      'This workbook is not an XLSForm: it has no sheet “survey” with a column “type”.',
    );
  return { survey, choices: sheet('choices'), settings: sheet('settings')[0] ?? new Map() };
}

function rowsOf(cells: readonly (readonly string[])[]): Row[] {
  const from = cells.findIndex((row) => row.some((cell) => cell.trim() !== ''));
  const [head = [], ...rows] = from < 0 ? [] : cells.slice(from);
  const columns = head.map(columnName);
  return rows
    .map(
      (row) =>
        new Map(columns.flatMap((name, at) => (name && row[at]?.trim() ? [[name, row[at].trim()]] : []))),
    )
    .filter((row) => row.size > 0);
}

/** Writes `Label :: English (en)` as `label::English (en)`; older forms use one colon. */
function columnName(text: string): string {
  const [name = '', ...rest] = text.trim().split(/\s*::?\s*/);
  const key = name.toLowerCase().replaceAll(' ', '_');
  return [COLUMNS[key] ?? key, ...rest].join('::');
}

const COLUMNS = tableOf<string>({
  list_name: 'list_name',
  listname: 'list_name',
  caption: 'label',
  command: 'type',
  relevance: 'relevant',
  readonly: 'read_only',
  value: 'name',
  label_column: 'label',
});

const byName = new Map(FORM_LANGUAGES.map((code) => [languageName(code).toLowerCase(), code]));

/** The languages of a form: its own, and the codes of those named by columns. */
export interface Languages {
  own: string | null;
  /** Codes by the text after the colons; null if it is unknown. */
  codes: ReadonlyMap<string, string | null>;
  /** The text after the colons for the form's own language. */
  ownColumn: string;
}

export function languagesOf({ survey, choices, settings }: XlsForm): Languages {
  const named = new Set<string>();
  for (const row of [...survey, ...choices])
    for (const column of row.keys()) {
      const [name, language] = column.split('::');
      if (/^(label|hint|constraint_message)$/.test(name ?? '') && language) named.add(language);
    }
  const codes = new Map([...named].map((name) => [name, codeOf(name)]));
  const wanted = cellOf(settings, 'default_language');
  const isPlain = survey.some((row) => row.has('label'));
  const known = [...named].find(
    (name) => name === wanted || (wanted !== '' && codes.get(name) === codeOf(wanted)),
  );
  const ownColumn = known ?? (isPlain ? '' : ([...named][0] ?? ''));
  return { own: codes.get(ownColumn) ?? codeOf(wanted), codes, ownColumn };
}

/** `fr` from `French (fr)`, `Français (fr)`, `French` and `fr`. */
function codeOf(name: string): string | null {
  const inParentheses = /\(([^()]+)\)\s*$/.exec(name)?.[1];
  if (inParentheses !== undefined) return languageCode(inParentheses);
  return byName.get(name.trim().toLowerCase()) ?? languageCode(name);
}

/** The text of a column in all languages. */
export function wordsIn(row: Row, column: string, { own, codes, ownColumn }: Languages): Words {
  const text = row.get(`${column}::${ownColumn}`) ?? row.get(column) ?? '';
  const others: Record<string, string> = {};
  let first = text;
  for (const [name, code] of codes) {
    const said = row.get(`${column}::${name}`);
    if (said === undefined || name === ownColumn) continue;
    if (first === '') first = said;
    if (code !== null && code !== own) others[code] = said;
  }
  return { text: first, others };
}
