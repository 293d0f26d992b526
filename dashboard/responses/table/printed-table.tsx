import { formatCount } from '../../lib/format.ts';
import type { Submission } from '../queries.ts';
import { ResponseCell } from './cell.tsx';
import type { Column } from './columns.ts';

interface PrintedTableProps {
  columns: readonly Column[];
  rows: readonly Submission[];
  /** How many responses there are, also those that are not loaded. */
  total: number;
}

/** The table on paper: all loaded rows, of long texts the beginning, and its head on every page. */
export function PrintedTable({ columns, rows, total }: PrintedTableProps) {
  return (
    <>
      <table className="w-full border-collapse text-start text-xs">
        <thead>
          <tr className="border-b border-edge">
            {columns.map(({ key, label }) => (
              <th key={key} scope="col" dir="auto" className={`${CELL} font-semibold`}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className="border-b border-line">
              {columns.map((column) => (
                <td key={column.key} className={CELL}>
                  <div className="line-clamp-6">
                    <ResponseCell column={column} row={row} />
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length < total && (
        <p className="mt-2 text-muted">
          {formatCount(rows.length, 'response')} of {total}: the others are not loaded. An export has them
          all.
        </p>
      )}
    </>
  );
}

/** Cells of the table on the screen are cut after one line, these after some. */
const CELL =
  'min-w-16 py-1 pe-2 align-top wrap-anywhere [&_span]:overflow-visible [&_span]:whitespace-normal [&_*]:flex-wrap';
