import { type Choice, choicesOf } from '../../fields/choices/choices.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { wholeUnits } from '../../fields/payment.ts';
import type { Property } from '../../fields/property.ts';
import { questionsOf } from '../../fields/repeated-questions.ts';
import type { AnswerCount } from './answer-queries.ts';
import type { PaymentSum } from './payment-queries.ts';
import type { DayRange } from './range.ts';

/** The numbers of one field by kind. */
type Counts = ReadonlyMap<string, readonly AnswerCount[]>;

/** The fields that the form has now, each with figures that fit its type; what was paid is figured by `withPayments`. */
export function presentAnswers(blocks: Property[], range: DayRange, status: string, rows: AnswerCount[]) {
  const byField = Map.groupBy(rows, ({ field }) => field);
  const countsOf = (field: string): Counts => Map.groupBy(byField.get(field) ?? [], ({ kind }) => kind);
  const submissions = countsOf('');
  return {
    ...range,
    status,
    submissions: total(submissions, 'answered'),
    uncounted: total(submissions, 'uncounted'),
    fields: blocks
      .filter(({ type }) => fieldTypeOf(type).kind === 'input')
      .map((field) => ({
        ...figuresOf(field, countsOf(field.id)),
        ...(fieldTypeOf(field.type).name === 'repeat' && {
          entries: entryFiguresOf(countsOf(field.id)),
          questions: questionsOf(field).map((question) =>
            figuresOf(question, countsOf(`${field.id} ${question.id}`)),
          ),
        }),
      })),
  };
}

/** The same with what was paid, at the block that asks for it. @param asked id of that block */
export function withPayments(
  answers: ReturnType<typeof presentAnswers>,
  asked: string,
  sums: readonly PaymentSum[],
) {
  const payments = sums.map(({ count, mode, ...sum }) => ({
    amount: wholeUnits(sum),
    currency: sum.currency,
    mode,
    count,
  }));
  return {
    ...answers,
    fields: answers.fields.map((field) => (field.id === asked ? { ...field, payments } : field)),
  };
}

function figuresOf(field: Property, counts: Counts) {
  const { id, name, type } = field;
  return { id, name, type, ...answersOf(field, counts) };
}

function answersOf(field: Property, counts: Counts) {
  const answered = total(counts, 'answered');
  const typeName = fieldTypeOf(field.type).name;
  switch (typeName) {
    case 'select':
    case 'multi_select':
    case 'checkbox':
      return { answered, ...valuesOf(counts.get('choice'), byCountIn(choicesOf(field, typeName))) };
    case 'rating':
    case 'scale':
      return { answered, ...valuesOf(counts.get('number'), byNumber), numbers: numbersOf(counts) };
    case 'number':
    case 'slider':
      return { answered, numbers: numbersOf(counts) };
    case 'date':
      return { answered, months: monthsOf(counts.get('choice')) };
    case 'matrix':
      return { answered, ...cellsOf(counts.get('choice')) };
    case 'ranking':
      return { answered, ranking: ranksOf(counts) };
    case 'files':
      return { answered, files: total(counts, 'files') };
    default:
      return { answered };
  }
}

type Value = { value: string; count: number };

function valuesOf(rows: readonly AnswerCount[] = [], order = byCount) {
  const values = rows.flatMap(({ place, count }) => (place === null ? [] : [{ value: place, count }]));
  return { values: values.sort(order), other: otherOf(rows) };
}

function byCount(one: Value, other: Value): number {
  return other.count - one.count || (one.value < other.value ? -1 : 1);
}

/** Most frequent first; equally frequent ones in the order of the form, before those that are not its options. */
function byCountIn(choices: readonly Choice[]): typeof byCount {
  const places = new Map(choices.map(({ name }, place) => [name, place]));
  const placeOf = ({ value }: Value) => places.get(value) ?? places.size;
  return (one, other) => other.count - one.count || placeOf(one) - placeOf(other) || byCount(one, other);
}

function byNumber(one: Value, other: Value): number {
  return Number(one.value) - Number(other.value);
}

function numbersOf(counts: Counts) {
  const count = total(counts, 'number');
  if (count === 0) return null;
  const sum = total(counts, 'sum');
  return {
    sum: finite(sum),
    mean: finite(sum / count),
    min: finite(total(counts, 'low')),
    max: finite(total(counts, 'high')),
    histogram: histogramOf(counts.get('bin') ?? [], total(counts, 'step')),
  };
}

/** The number of entries in all answers, and the numbers of answers by number of entries. */
function entryFiguresOf(counts: Counts) {
  const numbers = numbersOf(counts);
  if (numbers === null) return null;
  const { sum, mean, min, max } = numbers;
  const answers = valuesOf(counts.get('number'), byNumber).values;
  return {
    total: sum,
    mean,
    min,
    max,
    answers: answers.map(({ value, count }) => ({ entries: Number(value), count })),
  };
}

/** Bins from the first to the last non-empty one, including empty ones between. */
function histogramOf(bins: readonly AnswerCount[], step: number) {
  const counts = new Map(bins.map(({ place, count }) => [Math.round(Number(place) / step), count]));
  const first = Math.min(...counts.keys());
  return Array.from({ length: Math.max(...counts.keys()) - first + 1 }, (_, index) => ({
    from: tidy((first + index) * step),
    to: tidy((first + index + 1) * step),
    count: counts.get(first + index) ?? 0,
  }));
}

/** Rounded off the last digits, where 3 * 0.1 is not 0.3. */
function tidy(number: number): number {
  return finite(Number(number.toPrecision(12)));
}

/** JSON has no infinity, which sums of the largest numbers may reach. */
function finite(number: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, number));
}

/** An answer from before the question asked for a date may begin like a month that does not exist. */
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

function monthsOf(rows: readonly AnswerCount[] = []) {
  return valuesOf(rows)
    .values.filter(({ value }) => MONTH.test(value))
    .map(({ value, count }) => ({ month: value, count }))
    .sort((one, other) => (one.month < other.month ? -1 : 1));
}

function cellsOf(rows: readonly AnswerCount[] = []) {
  const { values, other } = valuesOf(rows);
  return {
    cells: values.flatMap(({ value, count }) => {
      const [row, column] = JSON.parse(value) as [string, string | null];
      // Where the field once took any JSON, a row may hold null: nothing was chosen there.
      return column === null ? [] : [{ row, column, count }];
    }),
    other,
  };
}

/** All ranked options, best first. */
function ranksOf(counts: Counts) {
  const countOf = (kind: AnswerCount['kind'], option: string | null) =>
    counts.get(kind)?.find(({ place }) => place === option)?.count ?? 0;
  const ranks = (counts.get('ranked') ?? []).flatMap(({ place: value, count }) =>
    value === null
      ? []
      : [{ value, mean: countOf('places', value) / count, first: countOf('first', value), count }],
  );
  return ranks.sort((one, other) => one.mean - other.mean || other.first - one.first || byCount(one, other));
}

function otherOf(rows: readonly AnswerCount[]): number {
  return rows.find(({ place }) => place === null)?.count ?? 0;
}

function total(counts: Counts, kind: AnswerCount['kind']): number {
  return (counts.get(kind) ?? []).reduce((sum, { count }) => sum + count, 0);
}
