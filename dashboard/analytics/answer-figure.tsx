import { Link } from '@tanstack/react-router';
import { optionNames } from '../../fields/choices/choices.ts';
import { countedName } from '../../fields/choices/counted-name.ts';
import type { Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { formatCount, formatFigure, formatNumber } from '../lib/format.ts';
import { Cells } from './cells.tsx';
import { ColumnChart } from './column-chart.tsx';
import { binColumns, type Column, dateColumns, sliderColumns, stepColumns } from './columns.ts';
import { formatShare } from './figures.tsx';
import { type NetPromoter, netPromoterOf } from './net-promoter.ts';
import { PaymentSums } from './payment-sums.tsx';
import type { FieldFigures } from './queries.ts';
import { Ranks } from './ranks.tsx';
import { RenameAnswers } from './rename-answers.tsx';
import { Bars, type Share } from './shares.tsx';
import { shownNames, wholeNames } from './whole-names.ts';

interface AnswerFigureProps {
  workspaceId: string;
  formId: string;
  property: Property;
  figures: FieldFigures;
  /** Responses or entries with or without an answer. */
  whole: number;
  /** What the answers are counted in. */
  unit: 'responses' | 'entries';
}

interface NumberFigureProps {
  property: Property;
  numbers: NonNullable<FieldFigures['numbers']>;
  values: FieldFigures['values'];
}

/** The answers to one question, shown as suits its type. */
export function AnswerFigure({ workspaceId, formId, property, figures, whole, unit }: AnswerFigureProps) {
  const { numbers, values, months, cells, ranking, files, payments = [] } = figures;
  if (payments.length > 0) return <PaymentSums payments={payments} />;
  if (numbers) return <NumberFigure property={property} numbers={numbers} values={values} />;
  if (values) {
    const options = optionNames(property, canonicalTypeName(property.type));
    const shares = choiceShares(property, figures).map((share) =>
      isFormerOption(share, options)
        ? {
            ...share,
            action: <RenameAnswers {...{ formId, options }} propertyId={property.id} from={share.name} />,
          }
        : share,
    );
    return <Bars shares={shares} unit={unit} whole={figures.answered} />;
  }
  if (months && months.length > 0) return <Columns columns={dateColumns(months)} />;
  if (ranking) return <Ranks property={property} ranking={ranking} />;
  if (cells) return <Cells property={property} cells={cells} />;
  if (files !== undefined) return <p>{formatCount(files, 'file')}</p>;
  return (
    <>
      <div aria-hidden="true" className="mb-3 h-2 overflow-hidden rounded-full bg-sunken">
        <div className="drawn h-full bg-accent" style={{ width: `${(figures.answered / whole) * 100}%` }} />
      </div>
      {unit === 'responses' && (
        <Link
          to="/workspaces/$workspaceId/forms/$formId/responses"
          params={{ workspaceId, formId }}
          className="font-medium text-accent-strong hover:underline"
        >
          Read the answers
        </Link>
      )}
    </>
  );
}

function NumberFigure({ property, numbers, values }: NumberFigureProps) {
  const promoter = values ? netPromoterOf(property, values) : null;
  const isSlider = canonicalTypeName(property.type) === 'slider';
  const bins = isSlider ? sliderColumns(property, numbers) : binColumns(numbers);
  return (
    <>
      {promoter && <Promoters promoter={promoter} />}
      <dl className="mb-3 flex flex-wrap gap-x-6 gap-y-1">
        <Fact name="Mean" number={tidy(numbers.mean)} />
        <Fact name="Lowest" number={numbers.min} />
        <Fact name="Highest" number={numbers.max} />
        {!values && <Fact name="Sum" number={numbers.sum} />}
      </dl>
      <Columns columns={values ? stepColumns(property, values) : bins} />
    </>
  );
}

/** Rounds to two decimals, or small numbers to three digits. */
export function tidy(number: number): number {
  return Math.abs(number) >= 1 ? Math.round(number * 100) / 100 : Number(number.toPrecision(3));
}

export function Fact({
  name,
  number,
  isSigned = false,
}: {
  name: string;
  number: number;
  isSigned?: boolean;
}) {
  return (
    <div className="flex items-baseline gap-2">
      <dt className="text-muted">{name}</dt>
      <dd className="font-semibold tabular-nums">
        {isSigned && number > 0 && '+'}
        {formatFigure(number)}
      </dd>
    </div>
  );
}

/** The score, and the numbers it is made of. */
function Promoters({ promoter: { score, promoters, passives, detractors, all } }: { promoter: NetPromoter }) {
  const shares = [
    ['Promoters', '9 – 10', promoters],
    ['Passives', '7 – 8', passives],
    ['Detractors', '0 – 6', detractors],
  ] as const;
  return (
    <dl className="mb-1 flex flex-wrap gap-x-6 gap-y-1">
      <Fact name="Net Promoter Score" number={score} isSigned />
      {shares.map(([name, steps, count]) => (
        <div key={name} className="flex items-baseline gap-2">
          <dt className="text-muted">
            {name} ({steps})
          </dt>
          <dd className="font-semibold tabular-nums">{formatShare(count, all)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Columns({ columns }: { columns: Column[] }) {
  const words = columns
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${name}: ${formatNumber(count)}`);
  return (
    <div role="img" aria-label={words.join('; ')} dir="ltr" className="h-36 min-w-0 overflow-hidden">
      <ColumnChart columns={columns} />
    </div>
  );
}

/** Whether it was chosen but is no present option. Statistics know only the beginning of a long name. */
function isFormerOption({ name, isOurs }: Share, options: readonly string[]): boolean {
  return !isOurs && options.length > 0 && !options.includes(name) && countedName(`${name}…`) !== name;
}

/** Shares of the chosen options, the most frequent first, then options that nobody chose. */
function choiceShares(property: Property, { type, values = [], other = 0 }: FieldFigures): Share[] {
  const typeName = canonicalTypeName(type);
  const rest = other > 0 ? [{ name: 'Others', count: other, isOurs: true }] : [];
  if (typeName === 'checkbox')
    return ['true', 'false'].map((answer) => ({
      name: answer === 'true' ? 'Yes' : 'No',
      count: values.find(({ value }) => value === answer)?.count ?? 0,
      isOurs: true,
    }));
  const options = optionNames(property, typeName);
  const wholeOf = wholeNames(options);
  const chosen = values.map(({ value, count }) => ({ name: wholeOf(value), count }));
  const isChosen = new Set(chosen.map(({ name }) => name));
  const unchosen = rest.length > 0 ? [] : shownNames(options).filter((name) => !isChosen.has(name));
  return [...chosen, ...unchosen.map((name) => ({ name, count: 0 })), ...rest];
}
