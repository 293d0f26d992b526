import { optionNames } from '../../fields/choices.ts';
import { stringList } from '../../fields/options.ts';
import type { Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { ratingMax } from '../../fields/types/rating.ts';
import { scaleSteps } from '../../fields/types/stepped.ts';
import type { presentAnswers } from '../statistics/present-answers.ts';

type AnswerFigures = ReturnType<typeof presentAnswers>['fields'][number];

/** How often one thing was chosen. */
export interface Share {
  /** As it is stored; null for answers that respondents wrote themselves, which nobody else is shown. */
  name: string | null;
  count: number;
  /** Of rankings: its average place. */
  average?: number;
}

/** What is shown of one question. */
export interface FigureOfQuestion {
  id: string;
  answered: number;
  average: number | null;
  /** One group, or of a matrix one for each row that enough people answered. */
  groups: { row: string | null; answered: number; shares: Share[] }[];
}

/** Scales with more steps are told by their average. */
const MAX_STEPS = 21;

/**
 * What may be shown of a question's answers: what the form itself offers, never what somebody wrote, no lowest and no highest
 * number, and nothing that fewer than `least` people answered.
 */
export function figureOf(question: Property, figures: AnswerFigures, least: number): FigureOfQuestion | null {
  const { answered } = figures;
  if (answered < least) return null;
  const average = 'numbers' in figures ? (figures.numbers?.mean ?? null) : null;
  const one = (shares: Share[]) => (shares.length > 0 ? [{ row: null, answered, shares }] : []);
  const base = { id: question.id, answered, average };
  if ('ranking' in figures) {
    const known = new Set(optionNames(question, 'ranking'));
    const ranks = figures.ranking.filter(({ value }) => known.has(value));
    return {
      ...base,
      groups: one(ranks.map(({ value, count, mean }) => ({ name: value, count, average: mean }))),
    };
  }
  if ('cells' in figures) return { ...base, groups: rowsOf(question, figures.cells, least) };
  if ('values' in figures) return { ...base, groups: one(sharesOf(question, figures)) };
  return { ...base, groups: [] };
}

function sharesOf(
  question: Property,
  { values, other }: { values: { value: string; count: number }[]; other: number },
): Share[] {
  const counts = new Map(values.map(({ value, count }) => [value, count]));
  const offered = offeredBy(question);
  const shares: Share[] = offered.map((name) => ({ name, count: counts.get(name) ?? 0 }));
  const known = new Set(offered);
  const rest = values.reduce((sum, { value, count }) => (known.has(value) ? sum : sum + count), other);
  return rest > 0 && offered.length > 0 ? [...shares, { name: null, count: rest }] : shares;
}

/** What one can choose, as it is counted. */
function offeredBy(question: Property): string[] {
  const type = canonicalTypeName(question.type);
  switch (type) {
    case 'checkbox':
      return ['true', 'false'];
    case 'rating':
      return upTo(1, ratingMax(question), 1);
    case 'scale': {
      const { min, max, step } = scaleSteps(question);
      return upTo(min, max, step);
    }
    default:
      return [...new Set(optionNames(question, type))];
  }
}

function upTo(min: number, max: number, step: number): string[] {
  const count = Math.floor((max - min) / step + 1e-6) + 1;
  if (!(count <= MAX_STEPS)) return [];
  return Array.from({ length: count }, (_, index) => String(Number((min + index * step).toPrecision(12))));
}

function rowsOf(
  question: Property,
  cells: readonly { row: string; column: string; count: number }[],
  least: number,
) {
  return stringList(question.rows).flatMap((row) => {
    const counts = new Map(
      cells.filter((cell) => cell.row === row).map(({ column, count }) => [column, count]),
    );
    const shares = stringList(question.columns).map((name) => ({ name, count: counts.get(name) ?? 0 }));
    const answered = shares.reduce((sum, { count }) => sum + count, 0);
    return answered < least ? [] : [{ row, answered, shares }];
  });
}
