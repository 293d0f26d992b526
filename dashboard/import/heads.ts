import { withoutGuard } from '../../fields/as-text/formula-guard.ts';

/**
 * The rows above the responses: one row of names; two rows as in SurveyMonkey, with questions above options, rows of grids, or a
 * word for an answer; or Qualtrics' variables, their questions, and perhaps their ids.
 */
export type Heads = 'names' | 'questions-and-options' | 'variables-and-questions';

interface Head {
  /** Names of the columns; '' for none. */
  names: string[];
  /** In rows. */
  height: number;
  /** Time zone of the file, if given. */
  zone: string | null;
}

/** SurveyMonkey's word above the only answer of a question. */
const ONLY_ANSWER = /^(?:open-ended )?response$/i;
/** Marks the third row of Qualtrics. */
const IMPORT_ID = /^\{"ImportId":/;
/** Qualtrics' columns about a response; only these names are the same in all languages. */
const QUALTRICS = new Set([
  ...['StartDate', 'EndDate', 'Status', 'IPAddress', 'Progress', 'Duration (in seconds)', 'Finished'],
  ...['RecordedDate', 'ResponseId', 'DistributionChannel', 'UserLanguage'],
]);

/** @param lines some lines, from the first with a non-empty cell */
export function findHeads(lines: readonly string[][]): Heads {
  const [first = [], second = [], third = []] = lines;
  const rows = lines.slice(2);
  const responseId = first.indexOf('ResponseId');
  const isQualtrics = isImportIds(third) || (responseId >= 0 && textAt(second, responseId) === 'Response ID');
  if (isQualtrics) return 'variables-and-questions';
  const saysAnswer = (cells: string[]) => cells.some((cell) => ONLY_ANSWER.test(cell.trim()));
  if (saysAnswer(second) && !saysAnswer(first)) return 'questions-and-options';
  // Several options follow below one question, but nothing below the id of a response.
  const isIdColumn = textAt(first, 0) !== '' && textAt(second, 0) === '';
  const goesOn = second.some((cell, at) => cell.trim() !== '' && textAt(first, at) === '');
  const hasIds = rows.length > 0 && rows.every((cells) => textAt(cells, 0) !== '');
  return isIdColumn && goesOn && hasIds ? 'questions-and-options' : 'names';
}

/** @param lines all lines, from the first with a non-empty cell */
export function readHead(lines: readonly string[][], heads: Heads): Head {
  const [first = [], second = [], third = []] = lines;
  const places = Array.from({ length: Math.max(first.length, second.length) }, (_, at) => at);
  switch (heads) {
    case 'names':
      return { names: first.map((_, at) => textAt(first, at)), height: 1, zone: null };
    case 'questions-and-options':
      return { names: places.map((at) => optionName(first, second, at)), height: 2, zone: null };
    case 'variables-and-questions': {
      const hasIds = isImportIds(third);
      const names = places.map((at) => {
        const variable = textAt(first, at);
        return QUALTRICS.has(variable) ? variable : textAt(second, at) || variable;
      });
      return { names, height: hasIds ? 3 : 2, zone: hasIds ? zoneIn(third) : null };
    }
  }
}

/** `Question [Option]`; a column without a question belongs to the one on its left. */
function optionName(questions: readonly string[], options: readonly string[], at: number): string {
  const option = textAt(options, at);
  const own = textAt(questions, at);
  if (option === '' || ONLY_ANSWER.test(option)) return own;
  const question =
    own ||
    textAt(
      questions,
      questions.findLastIndex((cell, from) => from < at && cell.trim() !== ''),
    );
  return question === '' ? option : `${question} [${option}]`;
}

function isImportIds(cells: readonly string[]): boolean {
  const first = cells.find((cell) => cell.trim() !== '');
  return first !== undefined && IMPORT_ID.test(first.trim());
}

/** An IANA name, which the browser may not know. */
function zoneIn(cells: readonly string[]): string | null {
  const [, named] = /"timeZone":\s*"([^"]+)"/.exec(cells.join('\n')) ?? [];
  if (named === undefined) return null;
  const zone = named === 'Z' ? 'UTC' : named;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

function textAt(cells: readonly string[], at: number): string {
  return withoutGuard(cells[at] ?? '').trim();
}
