import { stringList } from '../../fields/block-options/options.ts';
import type { Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { classes } from '../lib/classes.ts';
import { formatNumber } from '../lib/format.ts';
import { formatShare } from './figures.tsx';
import type { FieldFigures } from './queries.ts';
import { Bars } from './shares.tsx';
import { shownNames, wholeNames } from './whole-names.ts';

/** Most columns that fit on a phone, or into a card beside another. */
const MAX_NARROW_COLUMNS = 3;
/** Percent of the accent color behind a cell, from a small share upwards: strong enough to be seen, weak enough for text. */
const TINT_LEAST = 4;
const TINT_MOST = 22;
/** Keeps the names of rows in place while columns scroll. */
const ROW_NAME = 'sticky inset-s-0 z-1 min-w-24 bg-surface';

/** Whether a matrix needs the width of two cards. */
export function isWideMatrix(property: Property): boolean {
  return (
    canonicalTypeName(property.type) === 'matrix' && stringList(property.columns).length > MAX_NARROW_COLUMNS
  );
}

/** How often each column was chosen in each row; former rows and columns come last. */
export function Cells({
  property,
  cells,
}: {
  property: Property;
  cells: NonNullable<FieldFigures['cells']>;
}) {
  const [ownRows, ownColumns] = [stringList(property.rows), stringList(property.columns)];
  const [rowOf, columnOf] = [wholeNames(ownRows), wholeNames(ownColumns)];
  const chosen = cells.map(({ row, column, count }) => ({
    row: rowOf(row),
    column: columnOf(column),
    count,
  }));
  const rows = [...new Set([...shownNames(ownRows), ...chosen.map(({ row }) => row)])];
  const columns = [...new Set([...shownNames(ownColumns), ...chosen.map(({ column }) => column)])];
  const counts = new Map(chosen.map(({ row, column, count }) => [JSON.stringify([row, column]), count]));
  const counted = rows.map((row) => {
    const inRow = columns.map((name) => ({ name, count: counts.get(JSON.stringify([row, name])) ?? 0 }));
    return { row, inRow, whole: inRow.reduce((sum, { count }) => sum + count, 0) };
  });
  const isWide = columns.length > MAX_NARROW_COLUMNS;
  return (
    <>
      {isWide && (
        <div className="grid grid-cols-1 gap-4 sm:hidden">
          {counted.map(({ row, inRow, whole }) => (
            <section key={row} aria-label={row}>
              <p className="mb-1 wrap-anywhere text-muted">
                <bdi>{row}</bdi>
              </p>
              <Bars shares={inRow} unit="responses" whole={whole} />
            </section>
          ))}
        </div>
      )}
      <section
        aria-label={property.name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
        tabIndex={0}
        className={classes('relative max-h-176 overflow-auto', isWide && 'hidden sm:block')}
      >
        <table className="w-full border-collapse">
          <thead>
            <tr>
              <td className={ROW_NAME} />
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className="min-w-20 px-2 pb-2 text-end align-bottom text-xs font-medium wrap-anywhere text-muted"
                >
                  <bdi>{column}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {counted.map(({ row, inRow, whole }) => (
              <tr key={row} className="border-t border-line">
                <th scope="row" className={`${ROW_NAME} py-2 pe-2 text-start font-normal wrap-anywhere`}>
                  <bdi>{row}</bdi>
                </th>
                {inRow.map(({ name, count }) => (
                  <td
                    key={name}
                    className="px-2 py-1.5 text-end whitespace-nowrap tabular-nums"
                    style={{ background: tint(count, whole) }}
                  >
                    {formatNumber(count)}{' '}
                    <span className="block text-xs text-muted">{formatShare(count, whole)}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** The larger its share of the row, the stronger the color. */
function tint(count: number, whole: number): string | undefined {
  if (count === 0) return undefined;
  const percent = Math.round(TINT_LEAST + (TINT_MOST - TINT_LEAST) * (count / whole));
  return `color-mix(in srgb, var(--accent) ${percent}%, transparent)`;
}
