import { tableOf } from '../json.ts';
import { cellOf, type Row } from '../rows.ts';
import type { Words } from '../words.ts';
import { type Languages, languagesOf, rowsBy, rowsWith, type Tables, wordsIn } from './tables.ts';
import { shortText } from './texts.ts';

export interface LimeOption {
  code: string;
  words: Words;
}

/** A question, or a part of one: a row, a column or an option. */
export interface LimeQuestion {
  /** Its number in the database, which expressions may use. */
  number: string;
  code: string;
  /** One sign, such as `L` for a list. */
  type: string;
  /** Its text as notes name it, or its code. */
  about: string;
  text: Words;
  help: Words;
  relevance: string;
  /** `Y`; `S` if one is only reminded; else anything. */
  mandatory: string;
  /** A regular expression with its delimiters, or ''. */
  pattern: string;
  hasOther: boolean;
  attributes: ReadonlyMap<string, Words>;
  /** By scale: 0 for rows, 1 for columns. */
  parts: readonly (readonly LimeQuestion[])[];
  options: readonly (readonly LimeOption[])[];
  /** Default values by the code of the part, '' for the whole. */
  defaults: ReadonlyMap<string, string>;
}

export interface LimeGroup {
  name: Words;
  about: string;
  description: Words;
  relevance: string;
  isShuffled: boolean;
  questions: LimeQuestion[];
}

export interface LimeSurvey {
  /** Settings, and texts by their name without `surveyls_`. */
  settings: Row;
  text(name: string): Words;
  languages: Languages;
  groups: LimeGroup[];
  quotas: string[];
}

/** Scales of rows and columns, and of the answers of dual scales. */
const SCALES = [0, 1];
/** Types of versions before 1.90. */
const OLD_TYPES = tableOf<string>({ W: '!', Z: 'L', '^': 'L' });

export function limeSurvey(tables: Tables): LimeSurvey {
  const table = (name: string) => tables.get(name) ?? [];
  const settings = table('surveys')[0] ?? new Map<string, string>();
  const languages = languagesOf(settings);
  const texts = table('surveys_languagesettings');
  const questions = questionsIn(table, languages);
  // Until version 3 there is a row for each language; since then the texts have a table of their own.
  const groupTexts = rowsWith([...table('group_l10ns'), ...table('groups')], 'gid');
  const groups = distinct(table('groups'), 'gid').toSorted(byNumber('group_order'));
  return {
    settings,
    text: (name) => wordsIn(texts, `surveyls_${name}`, languages, 'surveyls_language'),
    languages,
    groups: groups.map((row) => {
      const rows = groupTexts(cellOf(row, 'gid'));
      const name = wordsIn(rows, 'group_name', languages);
      return {
        name,
        about: shortText(name),
        description: wordsIn(rows, 'description', languages),
        relevance: cellOf(row, 'grelevance'),
        isShuffled: cellOf(row, 'randomization_group') !== '',
        questions: questions.get(cellOf(row, 'gid')) ?? [],
      };
    }),
    quotas: distinct(table('quota'), 'id').map((row) => cellOf(row, 'name')),
  };
}

type TableOf = (name: string) => readonly Row[];
/** The rows that belong to a number. */
type RowsOf = (number: string) => readonly Row[];

/** The questions by the number of their group. */
function questionsIn(table: TableOf, languages: Languages): ReadonlyMap<string, LimeQuestion[]> {
  const all = [...table('questions'), ...table('subquestions')];
  const texts = rowsWith([...table('question_l10ns'), ...all], 'qid');
  const parts = rowsWith(distinct(table('subquestions'), 'qid'), 'parent_qid');
  const attributes = rowsWith(table('question_attributes'), 'qid');
  const answers = rowsWith(table('answers'), 'qid');
  const answerTexts = rowsWith(table('answer_l10ns'), 'aid');
  const defaults = rowsWith(table('defaultvalues'), 'qid');
  const defaultTexts = rowsWith(table('defaultvalue_l10ns'), 'dvid');
  const relevances = conditionsOf(table);

  const read = (row: Row): LimeQuestion => {
    const number = cellOf(row, 'qid');
    const type = cellOf(row, 'type');
    const text = wordsIn(texts(number), 'question', languages);
    const within = parts(number).toSorted(byNumber('question_order'));
    const relevance = cellOf(row, 'relevance');
    return {
      number,
      code: cellOf(row, 'title'),
      type: OLD_TYPES[type] ?? type,
      about: shortText(text) || cellOf(row, 'title'),
      text,
      help: wordsIn(texts(number), 'help', languages),
      relevance: /^1?$/.test(relevance) ? (relevances.get(number) ?? '') : relevance,
      mandatory: cellOf(row, 'mandatory'),
      pattern: cellOf(row, 'preg'),
      hasOther: row.get('other') === 'Y',
      attributes: attributesIn(attributes(number), languages),
      parts: SCALES.map((scale) => within.filter((part) => scaleOf(part) === scale).map(read)),
      options: SCALES.map((scale) =>
        optionsIn(
          answers(number).filter((answer) => scaleOf(answer) === scale),
          answerTexts,
          languages,
        ),
      ),
      defaults: defaultsIn(defaults(number), defaultTexts, within, languages),
    };
  };
  const main = distinct(table('questions'), 'qid').filter((row) => /^0?$/.test(cellOf(row, 'parent_qid')));
  const found = new Map<string, LimeQuestion[]>();
  for (const row of main.toSorted(byNumber('question_order'))) {
    const group = cellOf(row, 'gid');
    found.set(group, [...(found.get(group) ?? []), read(row)]);
  }
  return found;
}

function attributesIn(rows: readonly Row[], languages: Languages): ReadonlyMap<string, Words> {
  return new Map(
    [...rowsBy(rows, 'attribute')].map(([name, same]) => [name, wordsIn(same, 'value', languages)]),
  );
}

/** Until version 3 an answer has no number, and a row for each language. */
function optionsIn(rows: readonly Row[], texts: RowsOf, languages: Languages): LimeOption[] {
  const sorted = rows.toSorted(byNumber('sortorder'));
  return [...rowsBy(sorted, 'code')].map(([code, same]) => {
    const translated = texts(same[0]?.get('aid') ?? '');
    return { code, words: wordsIn([...translated, ...same], 'answer', languages) };
  });
}

function defaultsIn(
  rows: readonly Row[],
  texts: RowsOf,
  parts: readonly Row[],
  languages: Languages,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const row of rows) {
    const number = row.get('sqid') ?? '0';
    const part = parts.find((one) => one.get('qid') === number)?.get('title') ?? '';
    const special = cellOf(row, 'specialtype');
    const { text } = wordsIn([...texts(cellOf(row, 'dvid')), row], 'defaultvalue', languages);
    if (special === '' && text !== '' && !found.has(part)) found.set(part, text);
  }
  return found;
}

/** Conditions of versions before 1.92 as expressions, as later versions write them. */
function conditionsOf(table: TableOf): ReadonlyMap<string, string> {
  const expressions = new Map<string, string>();
  for (const [number, rows] of rowsBy(table('conditions'), 'qid')) {
    const scenarios = [...rowsBy(rows, 'scenario').values()].map((scenario) =>
      [...rowsBy(scenario, 'cfieldname').values()]
        .map((same) => `(${same.map(comparisonIn).join(' or ')})`)
        .join(' and '),
    );
    expressions.set(number, scenarios.map((one) => `(${one})`).join(' or '));
  }
  return expressions;
}

function comparisonIn(row: Row): string {
  const name = cellOf(row, 'cfieldname').replace(/^\+/, '');
  const method = row.get('method') || '==';
  const value = cellOf(row, 'value');
  if (method === 'RX') return `regexMatch("${value}", ${name}.NAOK)`;
  return `${name}.NAOK ${method} "${value}"`;
}

function distinct(rows: readonly Row[], column: string): Row[] {
  return [...rowsBy(rows, column).values()].flatMap(([first]) => (first ? [first] : []));
}

function scaleOf(row: Row): number {
  return Number(row.get('scale_id') || 0);
}

function byNumber(column: string): (one: Row, other: Row) => number {
  return (one, other) => Number(one.get(column) || 0) - Number(other.get(column) || 0);
}

/** Codes in a list such as `A1;A2`. */
export function codesIn(list: string): string[] {
  return list.split(/[;,]/).flatMap((code) => code.trim() || []);
}

/** The value of an attribute in the survey's own language. */
export function attribute({ attributes }: LimeQuestion, name: string): string {
  return attributes.get(name)?.text ?? '';
}
