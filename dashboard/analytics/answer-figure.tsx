import { Link } from '@tanstack/react-router';
import { choicesOf } from '../../fields/choices.ts';
import { stringList } from '../../fields/options.ts';
import type { Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { formatCount, formatNumber } from '../lib/format.ts';
import { UserText } from '../ui/user-text.tsx';
import { ColumnChart } from './column-chart.tsx';
import { binColumns, type Column, dateColumns, stepColumns } from './columns.ts';
import { formatShare } from './figures.tsx';
import type { FieldFigures } from './queries.ts';
import { Ranks } from './ranks.tsx';
import { Bars, type Share } from './shares.tsx';

interface AnswerFigureProps {
  workspaceId: string;
  formId: string;
  property: Property;
  figures: FieldFigures;
  /** Answered it or not. */
  submissions: number;
}

/** What was answered to one question, as fits its type. */
export function AnswerFigure({ workspaceId, formId, property, figures, submissions }: AnswerFigureProps) {
  const { numbers, values, months, cells, ranking, files } = figures;
  if (numbers)
    return (
      <>
        <dl className="mb-3 flex flex-wrap gap-x-6 gap-y-1">
          <Fact name="Mean" number={tidy(numbers.mean)} />
          <Fact name="Lowest" number={numbers.min} />
          <Fact name="Highest" number={numbers.max} />
          {!values && <Fact name="Sum" number={numbers.sum} />}
        </dl>
        <Columns columns={values ? stepColumns(property, values) : binColumns(numbers)} />
      </>
    );
  if (values)
    return <Bars shares={choiceShares(property, figures)} unit="responses" whole={figures.answered} />;
  if (months && months.length > 0) return <Columns columns={dateColumns(months)} />;
  if (ranking) return <Ranks property={property} ranking={ranking} />;
  if (cells) return <Cells property={property} cells={cells} />;
  if (files !== undefined) return <p>{formatCount(files, 'file')}</p>;
  return (
    <>
      <div aria-hidden="true" className="mb-3 h-2 overflow-hidden rounded-full bg-sunken">
        <div className="h-full bg-accent" style={{ width: `${(figures.answered / submissions) * 100}%` }} />
      </div>
      <Link
        to="/workspaces/$workspaceId/forms/$formId/responses"
        params={{ workspaceId, formId }}
        className="font-medium text-accent-strong hover:underline"
      >
        Read the answers
      </Link>
    </>
  );
}

/** Two decimals; of small numbers three digits. */
function tidy(number: number): number {
  return Math.abs(number) >= 1 ? Math.round(number * 100) / 100 : Number(number.toPrecision(3));
}

function Fact({ name, number }: { name: string; number: number }) {
  return (
    <div className="flex items-baseline gap-2">
      <dt className="text-muted">{name}</dt>
      <dd className="font-semibold tabular-nums">{formatNumber(number)}</dd>
    </div>
  );
}

function Columns({ columns }: { columns: Column[] }) {
  const words = columns
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${name}: ${formatNumber(count)}`);
  return (
    <div role="img" aria-label={words.join('; ')} dir="ltr" className="h-36 min-w-0 overflow-hidden">
      <ColumnChart columns={columns} />
    </div>
  );
}

/** What was chosen, the most frequent first, and then the options nobody chose. */
function choiceShares(property: Property, { type, values = [], other = 0 }: FieldFigures): Share[] {
  const typeName = canonicalTypeName(type);
  const rest = other > 0 ? [{ name: 'Others', count: other, isOurs: true }] : [];
  if (typeName === 'checkbox')
    return ['true', 'false'].map((answer) => ({
      name: answer === 'true' ? 'Yes' : 'No',
      count: values.find(({ value }) => value === answer)?.count ?? 0,
      isOurs: true,
    }));
  const chosen = new Set(values.map(({ value }) => value));
  const unchosen =
    rest.length > 0 ? [] : choicesOf(property, typeName).filter(({ name }) => !chosen.has(name));
  return [
    ...values.map(({ value, count }) => ({ name: value, count })),
    ...unchosen.map(({ name }) => ({ name, count: 0 })),
    ...rest,
  ];
}

/** How often each column was chosen in each row; rows and columns the form no longer has come last. */
function Cells({ property, cells }: { property: Property; cells: NonNullable<FieldFigures['cells']> }) {
  const rows = [...new Set([...stringList(property.rows), ...cells.map(({ row }) => row)])];
  const columns = [...new Set([...stringList(property.columns), ...cells.map(({ column }) => column)])];
  const counts = new Map(cells.map(({ row, column, count }) => [JSON.stringify([row, column]), count]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
    <section aria-label={property.name} tabIndex={0} className="relative max-h-176 overflow-auto">
      <table className="w-full border-collapse">
        <thead>
          <tr>
            <td />
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="max-w-28 px-2 pb-2 text-end text-xs font-medium text-muted"
              >
                <UserText text={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const inRow = columns.map((column) => counts.get(JSON.stringify([row, column])) ?? 0);
            const whole = inRow.reduce((sum, count) => sum + count, 0);
            return (
              <tr key={row} className="border-t border-line">
                <th scope="row" className="max-w-40 py-2 pe-2 text-start font-normal">
                  <UserText text={row} />
                </th>
                {columns.map((column, at) => (
                  <td key={column} className="px-2 py-1.5 text-end whitespace-nowrap tabular-nums">
                    {formatNumber(inRow[at] ?? 0)}{' '}
                    <span className="block text-xs text-muted">{formatShare(inRow[at] ?? 0, whole)}</span>
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
