// biome-ignore-start lint/a11y/useSemanticElements: rows of a table element cannot stand where they are scrolled to
// biome-ignore-start lint/a11y/useFocusableInteractive: in a table the focus goes to what a cell holds
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type RefObject, useEffect, useRef } from 'react';
import { ownMember } from '../../../fields/property.ts';
import { classes } from '../../lib/classes.ts';
import { formatMoment } from '../../lib/format.ts';
import { usePrinting } from '../../lib/use-printing.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { nameOf, type Submission } from '../queries.ts';
import type { ResponsesSearch } from '../search.ts';
import { isNothing, ResponseCell } from './cell.tsx';
import { ColumnHead } from './column-head.tsx';
import { PrintedTable } from './printed-table.tsx';
import { CHECK_WIDTH, tracksOf, widthsBefore } from './tracks.ts';
import type { Columns } from './use-columns.ts';
import type { Selection } from './use-selection.ts';
import { type Staying, useStaying } from './use-staying.ts';

/** Pixels */
const ROW_HEIGHT = 44;
/** Rows rendered beyond the visible ones. */
const OVERSCAN = 12;
/** More rows are loaded when only so many are left. */
const AHEAD = 40;

interface ResponseTableProps {
  formPath: { workspaceId: string; formId: string };
  columns: Columns;
  /** The loaded rows; the first is number `start` of the list. */
  rows: Submission[];
  start: number;
  total: number;
  hasMore: boolean;
  selection: Selection;
  openId: string | undefined;
  filter: ResponsesSearch;
  onSort(sorting: Pick<ResponsesSearch, 'sort' | 'order'>): void;
  scrollRef: RefObject<HTMLDivElement | null>;
  onNeedLater(): void;
  onNeedFormer(): void;
}

/** Renders only visible rows, so a million cost no more than a hundred. */
export function ResponseTable(props: ResponseTableProps) {
  const { formPath, columns, rows, start, total, selection, openId, filter, onSort, scrollRef } = props;
  const { items, height } = useVisibleRows(props);
  const isPrinting = usePrinting();
  const style = { gridTemplateColumns: tracksOf(columns.shown) };
  const width = CHECK_WIDTH + columns.shown.reduce((sum, column) => sum + column.width, 0);
  const stays = useStaying(columns.shown);
  if (isPrinting) return <PrintedTable columns={columns.shown} rows={rows} total={total} />;
  return (
    <div
      ref={scrollRef}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
      tabIndex={0}
      role="table"
      aria-label="Responses"
      // Rows that no longer match stay in place, but are not counted.
      aria-rowcount={Math.max(total, start + rows.length) + 1}
      aria-colcount={columns.shown.length + 1}
      className="relative max-h-[max(24rem,calc(100dvh-19rem))] scroll-ps-(--stays) scroll-pt-10 overflow-auto overscroll-x-contain rounded-xl border border-line bg-surface"
      style={lengths({ '--check': CHECK_WIDTH, '--stays': stays.width, '--row': width })}
    >
      <div role="rowgroup" className="sticky top-0 z-10 min-w-full bg-surface" style={{ width }}>
        <HeadRow
          columns={columns}
          rows={rows}
          selection={selection}
          filter={filter}
          onSort={onSort}
          stays={stays}
          style={style}
        />
      </div>
      <div role="rowgroup" className="relative min-w-full" style={{ height, width }}>
        {items.map(({ index, start: top }) => {
          const row = rows[index - start];
          const place = { ...style, transform: `translateY(${top}px)`, height: ROW_HEIGHT };
          if (!row) return <LoadingRow key={index} index={index} style={place} />;
          return (
            <ResponseRow
              key={row.id}
              row={row}
              index={index}
              isOpen={openId !== undefined && isRow(row, openId)}
              style={place}
              formPath={formPath}
              columns={columns}
              selection={selection}
              stays={stays}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Pixels, by the name of a property. */
function lengths(pixels: Record<string, number>): CSSProperties {
  return Object.fromEntries(Object.entries(pixels).map(([name, value]) => [name, `${value}px`]));
}

/**
 * The rows in sight, and the height of all. More are loaded when the loaded ones come to an end; the open response is scrolled to.
 */
function useVisibleRows(props: ResponseTableProps) {
  const { rows, start, hasMore, openId, scrollRef, onNeedLater, onNeedFormer } = props;
  const end = start + rows.length;
  const virtualizer = useVirtualizer({
    count: hasMore ? end + 1 : end,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? start;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (first < start) onNeedFormer();
    else if (hasMore && last >= end - AHEAD) onNeedLater();
  }, [first, last, start, end, hasMore, onNeedFormer, onNeedLater]);
  const openIndex = openId ? rows.findIndex((row) => isRow(row, openId)) : -1;
  /** Once in sight, it may be scrolled away. */
  const shownId = useRef<string | undefined>(undefined);
  useEffect(() => {
    const isLoading = openId !== undefined && openIndex < 0;
    if (isLoading || shownId.current === openId) return;
    shownId.current = openId;
    if (openId !== undefined) virtualizer.scrollToIndex(start + openIndex, { align: 'auto' });
  }, [openId, openIndex, start, virtualizer]);
  return { items, height: virtualizer.getTotalSize() };
}

interface HeadRowProps
  extends Pick<ResponseTableProps, 'columns' | 'rows' | 'selection' | 'filter' | 'onSort'> {
  stays: Staying;
  style: CSSProperties;
}

function HeadRow({ columns, rows, selection, filter, onSort, stays, style }: HeadRowProps) {
  const areAllChosen = rows.length > 0 && rows.every(({ id }) => selection.has(id));
  return (
    <div role="row" aria-rowindex={1} className="grid h-9 border-b border-line bg-inherit" style={style}>
      <div role="columnheader" className={`z-2 grid place-items-center ${stays.check}`}>
        <input
          type="checkbox"
          aria-label="Select the loaded responses"
          className="size-4 accent-accent"
          checked={areAllChosen}
          onChange={() => selection.set(rows, !areAllChosen)}
        />
      </div>
      {columns.shown.map((column, place) => (
        <ColumnHead
          key={column.key}
          column={column}
          filter={filter}
          className={place === 0 ? `z-1 ${stays.first}` : 'relative'}
          onSort={onSort}
          onResize={(next, head) =>
            columns.setWidths({ ...widthsBefore(head, columns.shown), [column.key]: next })
          }
        />
      ))}
    </div>
  );
}

function LoadingRow({ index, style }: { index: number; style: CSSProperties }) {
  return (
    <div role="row" aria-rowindex={index + 2} className={ROW} style={style}>
      <div role="cell" className="col-span-full flex items-center px-4">
        <Skeleton className="w-64" />
        <span className="sr-only">Loading</span>
      </div>
    </div>
  );
}

interface ResponseRowProps extends Pick<ResponseTableProps, 'formPath' | 'columns' | 'selection'> {
  stays: Staying;
  row: Submission;
  index: number;
  isOpen: boolean;
  style: CSSProperties;
}

function ResponseRow(props: ResponseRowProps) {
  const { row, index, isOpen, style, formPath, columns, selection, stays } = props;
  const isChosen = selection.has(row.id);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes(
        ROW,
        isOpen || isChosen ? 'bg-accent-soft' : 'bg-surface',
        !isChosen && !isOpen && HOVERED,
      )}
      style={style}
    >
      <div role="cell" className={`z-2 grid place-items-center ${stays.check}`}>
        <input
          type="checkbox"
          aria-label={`Select the response of ${formatMoment(row.created_at)}`}
          className="size-4 accent-accent"
          checked={isChosen}
          onChange={() => selection.set([row], !isChosen)}
        />
      </div>
      {columns.shown.map((column, place) => (
        <div
          key={column.key}
          role="cell"
          className={classes(
            'flex min-w-0 items-center px-3 [&>*]:min-w-0',
            place === 0 && `z-1 ${stays.first} ${stays.edge}`,
          )}
        >
          {place === 0 ? (
            <Link
              to="/workspaces/$workspaceId/forms/$formId/responses/$submissionId"
              params={{ ...formPath, submissionId: nameOf(row) }}
              search={(former) => former}
              preload={false}
              data-response={nameOf(row)}
              aria-current={isOpen || undefined}
              // Makes the whole row clickable, of which the cell may be anywhere; the row cuts off the rest.
              className="min-w-0 truncate font-medium after:absolute after:inset-y-0 after:-inset-s-(--check) after:w-[max(100vw,var(--row))] hover:underline"
            >
              <FirstCell column={column} row={row} />
            </Link>
          ) : (
            <ResponseCell column={column} row={row} />
          )}
        </div>
      ))}
    </div>
  );
}

const ROW = 'absolute inset-s-0 top-0 grid w-full overflow-clip border-b border-line';
/** Opaque, because what stays in sight covers what is scrolled. */
const HOVERED = 'hover:bg-[color-mix(in_srgb,var(--hover)_60%,var(--surface))]';

/** The first cell links to the response, so it must never be empty. */
function FirstCell(props: Parameters<typeof ResponseCell>[0]) {
  const { property } = props.column;
  const isEmpty = property && isNothing(property, ownMember(props.row.data, property.id));
  return (!isEmpty && ResponseCell(props)) || <span className="text-muted">No answer</span>;
}

function isRow(row: Submission, id: string): boolean {
  return row.submission_id === id || String(row.id) === id;
}
// biome-ignore-end lint/a11y/useSemanticElements: rows of a table element cannot stand where they are scrolled to
// biome-ignore-end lint/a11y/useFocusableInteractive: in a table the focus goes to what a cell holds
