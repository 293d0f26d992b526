import { Download } from 'lucide-react';
import { unparse } from 'papaparse';
import { guardFormula, withoutGuard } from '../../fields/as-text/formula-guard.ts';
import { formatNumber } from '../lib/format.ts';
import { saveFile } from '../lib/save-file.ts';
import { Button } from '../ui/button.tsx';
import { Cell, HeadCell, Row, Table } from '../ui/table.tsx';
import type { SourceTable } from './read-table.ts';
import type { Refused } from './send-batches.ts';

/** Most rows shown; the file has all of them. */
const SHOWN = 50;
/** Byte order mark, which tells spreadsheets the encoding. */
const MARK = '\ufeff';

/** The rows that do not fit with the reasons, also as a file to correct. */
export function RefusedRows({ table, refused }: { table: SourceTable; refused: readonly Refused[] }) {
  if (refused.length === 0) return null;
  const more = refused.length - SHOWN;
  return (
    <div className="grid grid-cols-1 gap-2">
      <Table label="Rows that do not fit" className="max-h-64 overflow-y-auto">
        <thead>
          <tr>
            <HeadCell>Row</HeadCell>
            <HeadCell>Reason</HeadCell>
          </tr>
        </thead>
        <tbody>
          {refused.slice(0, SHOWN).map(({ row, reasons }) => (
            <Row key={row.number}>
              <Cell className="tabular-nums">{formatNumber(row.number)}</Cell>
              <Cell className="w-full wrap-anywhere" dir="auto">
                {reasons.join(' ')}
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-[0.8125rem] text-muted">
          {more > 0 && `And ${formatNumber(more)} more. `}Mend the file and import it: only what is new is
          stored.
        </p>
        <Button
          size="sm"
          icon={<Download className="size-3.5" />}
          onClick={() =>
            saveFile(new Blob([refusedCsv(table, refused)], { type: 'text/csv' }), nameOf(table))
          }
        >
          Download these rows
        </Button>
      </div>
    </div>
  );
}

/** The original rows followed by the reason. Formulas are guarded, as in every export. */
function refusedCsv({ columns }: SourceTable, refused: readonly Refused[]): string {
  const rows = refused.map(({ row, reasons }) => [
    ...columns.map((_, index) => withoutGuard(row.cells[index] ?? '')),
    reasons.join(' '),
  ]);
  return MARK + unparse([[...columns, 'Reason'], ...rows].map((cells) => cells.map(guardFormula)));
}

function nameOf({ file }: SourceTable): string {
  return `${file.name.replace(/\.[^.]*$/, '')}-refused.csv`;
}
