import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** Every column of the file, the two header rows included, has this place. */
const HEADER_ROWS = 2;

interface SurveyProperty {
  id: string;
  type: string;
  name: string;
  [option: string]: unknown;
}

/** The body of `POST /open/forms`, without the workspace. */
export interface SurveyForm {
  title: string;
  properties: SurveyProperty[];
}

type Answer = string | number | string[] | Record<string, string>;

export interface Respondent {
  /** RespondentID of the file. */
  id: string;
  /** The 38 cells as they are in the file; '' = not answered. */
  cells: string[];
  /** The same as answers by field id; what was not answered is absent. */
  answers: Record<string, Answer>;
}

/** Where a column of the file belongs in the form: a whole field, or one option or matrix row of it (`part`). */
export interface Column {
  property: SurveyProperty;
  part: string | null;
}

export interface Survey {
  form: SurveyForm;
  columns: Column[];
  respondents: Respondent[];
}

/** Reads the form and the answers that lie beside this file. */
export function readSurvey(): Survey {
  const form: SurveyForm = JSON.parse(readText('form.json'));
  const rows: string[][] = parse(readText('star-wars-survey.csv'));
  const columns = findColumns(form, rows[0] ?? [], rows[1] ?? []);
  const respondents = rows.slice(HEADER_ROWS).map((cells) => {
    return { id: cells[0] ?? '', cells, answers: answersOf(cells, columns) };
  });
  return { form, columns, respondents };
}

function readText(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

/**
 * A column's question is in the first header row, where an empty cell repeats the question on its left; the second
 * row holds the option or matrix row. The six ranks are fields of their own, named by the second row.
 */
function findColumns(form: SurveyForm, questions: string[], details: string[]): Column[] {
  let question = '';
  return details.map((detail, index) => {
    question = questions[index] || question;
    const named = (name: string) => form.properties.find((property) => property.name === name);
    const property = named(question) ?? named(detail);
    if (!property) throw new Error(`The form has no field for column ${index + 1}, "${question}".`);
    return { property, part: hasParts(property) ? detail : null };
  });
}

function hasParts({ type }: SurveyProperty): boolean {
  return type === 'multi_select' || type === 'matrix';
}

function answersOf(cells: string[], columns: Column[]): Record<string, Answer> {
  const answers: Record<string, Answer> = {};
  columns.forEach(({ property: { id, type }, part }, index) => {
    const cell = cells[index] ?? '';
    if (cell === '') return;
    if (type === 'multi_select') answers[id] = [...((answers[id] as string[]) ?? []), cell];
    else if (part !== null) answers[id] = { ...(answers[id] as Record<string, string>), [part]: cell };
    else answers[id] = type === 'number' ? Number(cell) : cell;
  });
  return answers;
}
