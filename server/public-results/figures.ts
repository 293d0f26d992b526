import { createHash } from 'node:crypto';
import { stringList } from '../../fields/block-options/options.ts';
import { optionNames } from '../../fields/choices/choices.ts';
import { countedName } from '../../fields/choices/counted-name.ts';
import { ownMember, type Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { ratingMax } from '../../fields/types/rating.ts';
import { scaleSteps, stepValues } from '../../fields/types/stepped.ts';
import type { presentAnswers } from '../statistics/present-answers.ts';

type AnswerStatistics = ReturnType<typeof presentAnswers>['fields'][number];

/** How often one thing was chosen. */
export interface Share {
  /** The stored option; null for all answers that are not options of the form. */
  name: string | null;
  count: number;
  /** Average place in a ranking. */
  average?: number;
}

/** The published figures of one question. */
export interface QuestionFigure {
  /** Identifies the question, as `askedOf` does. */
  asked: string;
  /** Number of answers and newest submission when these figures were made; the next ones differ by more. */
  answered: number;
  lastId: number;
  /** Number of answers then, for each row of a matrix. */
  rows: Record<string, number>;
  /** Some of these answers were deleted or changed since. */
  mayDiffer: boolean;
  /** Null when too few have answered, or too few since. */
  answers: {
    answered: number;
    average: number | null;
    /** One group; for a matrix one for each row with enough answers. */
    groups: Group[];
  } | null;
}

interface Group {
  row: string | null;
  answered: number;
  shares: Share[];
}

const NEVER_SHOWN = { answered: 0, lastId: 0, rows: {}, mayDiffer: false, answers: null };
/** Longer scales show only their average. */
const MOST_SCORES = 31;
/** Digits by which statistics tell scores apart. */
const COUNTED_DIGITS = 12;

/** Equal for questions that count the same way, whatever their look and language. */
export function askedOf(question: Property): string {
  const type = canonicalTypeName(question.type);
  const { rows, columns } = question;
  const parts = [type, offeredBy(question, type), stringList(rows), stringList(columns)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

/**
 * The figures of a question that may be shown: the form's own options, never text that somebody wrote, no minimum or
 * maximum, and nothing answered by fewer than `least` people.
 * @param now.lastId the newest submission that is counted
 */
export function figureOf(
  question: Property,
  statistics: AnswerStatistics,
  { least, lastId }: { least: number; lastId: number },
): QuestionFigure {
  const asked = askedOf(question);
  const { answered, average } = numbersOf(statistics);
  const common = { asked, answered, lastId, mayDiffer: false };
  if (answered < least) return { ...common, rows: {}, answers: null };
  const groups = groupsOf(question, statistics, answered, least);
  const rows = Object.fromEntries(
    groups.flatMap(({ row, answered }) => (row === null ? [] : [[row, answered]])),
  );
  return { ...common, rows, answers: { answered, average, groups } };
}

/**
 * The figures to show after `earlier`. A visitor who compares the two must not learn what a small group wrote, such as
 * the number of the only one who gave one. So the figures stay until the answers of a whole step of people were added or
 * removed.
 * @param since number of answers since, up to a step; and whether earlier ones were deleted or changed
 */
export function nextFigure(
  fresh: QuestionFigure,
  earlier: QuestionFigure | undefined,
  since: { came: number; hasChanged: boolean },
  step: number,
): QuestionFigure {
  const { asked, answered, answers } = fresh;
  if (!earlier) return answers === null ? { asked, ...NEVER_SHOWN } : fresh;
  const mayDiffer = earlier.mayDiffer || since.hasChanged;
  if (answers === null) return { ...earlier, asked, answers, mayDiffer };
  // Missing answers may have been deleted; surplus ones were incomplete then.
  const moved = since.came + Math.abs(earlier.answered + since.came - answered);
  const isAnother = asked !== earlier.asked;
  const isTheSame = moved === 0 && !mayDiffer;
  if (moved >= step || (isTheSame && isAnother)) return withRows(fresh, earlier, { step, isTheSame });
  return { ...earlier, asked, answers: isAnother ? null : earlier.answers, mayDiffer };
}

/** Decides for each row of a matrix alone, since people may leave rows out. A row that cannot stay as it was is left out. */
function withRows(
  fresh: QuestionFigure,
  earlier: QuestionFigure,
  { step, isTheSame }: { step: number; isTheSame: boolean },
): QuestionFigure {
  if (!fresh.answers) return fresh;
  const isAnother = fresh.asked !== earlier.asked;
  const former = new Map(earlier.answers?.groups.map((group) => [group.row, group]));
  const rows = { ...earlier.rows, ...fresh.rows };
  const groups = fresh.answers.groups.flatMap((group) => {
    const { row, answered } = group;
    const before = row === null ? undefined : ownMember(earlier.rows, row);
    if (row === null || before === undefined || Math.abs(answered - before) >= step) return [group];
    if (isTheSame && answered === before) return [group];
    rows[row] = before;
    const stays = isAnother ? undefined : former.get(row);
    return stays ? [stays] : [];
  });
  return { ...fresh, rows, answers: { ...fresh.answers, groups } };
}

/** An answer from before a change of type counts as an answer, but has no number. */
function numbersOf(statistics: AnswerStatistics): { answered: number; average: number | null } {
  if (!('numbers' in statistics)) return { answered: statistics.answered, average: null };
  const { numbers } = statistics;
  const answered = sumOf(numbers?.histogram ?? []);
  return { answered, average: numbers?.mean ?? null };
}

function groupsOf(
  question: Property,
  statistics: AnswerStatistics,
  answered: number,
  least: number,
): Group[] {
  if ('cells' in statistics) {
    // It is unknown which rows the other answers belong to.
    return statistics.other > 0 ? [] : rowsOf(question, statistics.cells, least);
  }
  const shares =
    'ranking' in statistics
      ? ranksOf(question, statistics.ranking, least)
      : 'values' in statistics
        ? sharesOf(question, statistics)
        : [];
  return shares.length > 0 ? [{ row: null, answered, shares }] : [];
}

function ranksOf(
  question: Property,
  ranking: readonly { value: string; mean: number; count: number }[],
  least: number,
): Share[] {
  const names = namesByCounted(optionNames(question, 'ranking'));
  return ranking.flatMap(({ value, mean, count }) => {
    const name = names.get(value);
    return name === undefined || count < least ? [] : [{ name, count, average: mean }];
  });
}

function sharesOf(
  question: Property,
  { values, other }: { values: { value: string; count: number }[]; other: number },
): Share[] {
  const type = canonicalTypeName(question.type);
  const isScore = type === 'rating' || type === 'scale';
  const keyOf = (text: string) =>
    isScore ? String(Number(Number(text).toPrecision(COUNTED_DIGITS))) : countedName(text);
  const offered = [...new Set(offeredBy(question, type))];
  const shares = new Map(offered.map((name) => [keyOf(name), { name, count: 0 } as Share]));
  let rest = other;
  for (const { value, count } of values) {
    const share = shares.get(keyOf(value));
    if (share) share.count += count;
    else rest += count;
  }
  // Options that statistics cannot tell apart must not be shown as one.
  if (shares.size === 0 || shares.size < offered.length) return [];
  return [...shares.values(), ...(rest > 0 ? [{ name: null, count: rest }] : [])];
}

/** The options, as stored. */
function offeredBy(question: Property, type: string): string[] {
  switch (type) {
    case 'checkbox':
      return ['true', 'false'];
    case 'rating':
      return scores(stepValues({ min: 1, max: ratingMax(question), step: 1 }, MOST_SCORES));
    case 'scale':
      return scores(stepValues(scaleSteps(question), MOST_SCORES));
    default:
      return optionNames(question, type);
  }
}

function scores(values: readonly number[]): string[] {
  return values.map(String);
}

function rowsOf(
  question: Property,
  cells: readonly { row: string; column: string; count: number }[],
  least: number,
) {
  const byRow = Map.groupBy(cells, ({ row }) => row);
  return stringList(question.rows).flatMap((row) => {
    const counts = new Map((byRow.get(countedName(row)) ?? []).map(({ column, count }) => [column, count]));
    const shares = stringList(question.columns).map((name) => ({
      name,
      count: counts.get(countedName(name)) ?? 0,
    }));
    const answered = sumOf(shares);
    return answered < least ? [] : [{ row, answered, shares }];
  });
}

function namesByCounted(names: readonly string[]): Map<string, string> {
  return new Map(names.map((name) => [countedName(name), name]));
}

function sumOf(counts: readonly { count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}
