import { RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Form } from '../../api/queries.ts';
import { formatDay, formatMoment } from '../../lib/format.ts';
import { IconButton } from '../../ui/button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { ActionsHead, Cell, HeadCell, Row, Table } from '../../ui/table.tsx';
import { ResponseDialog } from '../response/response-dialog.tsx';
import { ResponseCell, StatusBadge } from '../table/cell.tsx';
import { type Column, columnsOf } from '../table/columns.ts';
import type { Selection } from '../table/use-selection.ts';
import type { TrashedResponse } from './trash.ts';

/** Answers shown beside the time, enough to recognise a response; opened, it shows all. */
const ANSWERS = 3;

interface TrashTableProps {
  form: Form;
  /** null while loading. */
  rows: TrashedResponse[] | null;
  selection: Selection;
  /** Why no action is possible; null if they are. */
  refusal: string | null;
  onRestore?(id: number): void;
  onDelete?(id: number): void;
}

export function TrashTable({ form, rows, selection, refusal, onRestore, onDelete }: TrashTableProps) {
  const [opened, setOpened] = useState<TrashedResponse | null>(null);
  const answers = columnsOf(form)
    .filter(({ property, isRemoved }) => property && !isRemoved)
    .slice(0, ANSWERS);
  const areAllChosen = rows !== null && rows.length > 0 && rows.every(({ id }) => selection.has(id));
  return (
    <>
      <Table label="Responses in the trash">
        <thead>
          <tr>
            <HeadCell className="w-10">
              <input
                type="checkbox"
                aria-label="Select all on this page"
                className="size-4 align-middle accent-accent"
                checked={areAllChosen}
                onChange={() => selection.set(rows ?? [], !areAllChosen)}
              />
            </HeadCell>
            <HeadCell>Submitted</HeadCell>
            {answers.map((column, place) => (
              <HeadCell key={column.key} className={widthOf(place)}>
                <bdi className="block max-w-48 truncate">{column.label}</bdi>
              </HeadCell>
            ))}
            <HeadCell className="hidden sm:table-cell">Deleted for good on</HeadCell>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {rows === null ? (
            <SkeletonRows rows={6} columns={answers.length + 4} />
          ) : (
            rows.map((row) => (
              <Row key={row.id}>
                <Cell>
                  <input
                    type="checkbox"
                    aria-label={`Select the response of ${formatMoment(row.created_at)}`}
                    className="size-4 align-middle accent-accent"
                    checked={selection.has(row.id)}
                    onChange={() => selection.set([row], !selection.has(row.id))}
                  />
                </Cell>
                <Cell>
                  <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                    <button
                      type="button"
                      className="text-start font-medium hover:underline"
                      onClick={() => setOpened(row)}
                    >
                      {formatMoment(row.created_at)}
                    </button>
                    {row.status === 'partial' && <StatusBadge status={row.status} />}
                  </span>
                </Cell>
                <AnswerCells columns={answers} row={row} />
                <Cell className="hidden whitespace-nowrap text-muted sm:table-cell">
                  {formatDay(row.trash_ends_at)}
                </Cell>
                <Cell className="text-end whitespace-nowrap">
                  <IconButton
                    label="Restore"
                    size="sm"
                    disabledReason={refusal}
                    onClick={() => onRestore?.(row.id)}
                  >
                    <RotateCcw className="size-4" />
                  </IconButton>
                  <IconButton
                    label="Delete for good"
                    size="sm"
                    disabledReason={refusal}
                    onClick={() => onDelete?.(row.id)}
                  >
                    <Trash2 className="size-4" />
                  </IconButton>
                </Cell>
              </Row>
            ))
          )}
        </tbody>
      </Table>
      <ResponseDialog
        form={form}
        response={opened}
        description={({ trash_ends_at }) => `In the trash until ${formatMoment(trash_ends_at)}`}
        onClose={() => setOpened(null)}
      />
    </>
  );
}

function AnswerCells({ columns, row }: { columns: Column[]; row: TrashedResponse }) {
  return columns.map((column, place) => (
    <Cell key={column.key} className={widthOf(place)}>
      <div className="max-w-48 truncate">
        <ResponseCell column={column} row={row} />
      </div>
    </Cell>
  ));
}

/** Phones show only the first answer. */
function widthOf(place: number): string {
  return place > 0 ? 'hidden md:table-cell' : '';
}
