// biome-ignore-start lint/a11y/useSemanticElements: see the table; and a rule cannot be moved
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { classes } from '../../lib/classes.ts';
import type { ResponsesSearch } from '../search.ts';
import type { Column } from './columns.ts';
import { MIN_WIDTH, type ShownColumn } from './use-columns.ts';

/** Pixels; a column that has grown beyond it keeps its width until it is made narrower. */
const MAX_WIDTH = 800;
/** Pixels per press of an arrow key. */
const STEP = 16;
/** Pixels; a press that drags nothing leads from one to the next, for people who cannot drag (WCAG 2.2, 2.5.7). */
const WIDTHS = [120, 240, 480];

interface ColumnHeadProps {
  column: ShownColumn;
  filter: ResponsesSearch;
  className: string;
  onSort(sorting: Pick<ResponsesSearch, 'sort' | 'order'>): void;
  onResize(width: number, head: HTMLElement): void;
}

/** The head of a column: a press sorts by it, and a handle changes its width. */
export function ColumnHead({ column, filter, className, onSort, onResize }: ColumnHeadProps) {
  /** Of a column that has grown, once the handle has the focus. */
  const [grown, setGrown] = useState<number | null>(null);
  const sorted = sortingOf(column, filter);
  const sort = () => onSort({ sort: undefined, order: undefined, ...nextSorting(column, sorted) });
  const resize = (head: HTMLElement, before: number, change: number) =>
    onResize(Math.min(before + change, Math.max(before, MAX_WIDTH)), head);
  const follow = (event: PointerEvent<HTMLElement>) => {
    const handle = event.currentTarget;
    const direction = getComputedStyle(handle).direction === 'rtl' ? -1 : 1;
    const { clientX } = event;
    const head = headOf(handle);
    const before = head.offsetWidth;
    handle.setPointerCapture(event.pointerId);
    let hasMoved = false;
    const move = (moved: globalThis.PointerEvent) => {
      hasMoved ||= moved.clientX !== clientX;
      if (hasMoved) resize(head, before, (moved.clientX - clientX) * direction);
    };
    const stop = () => {
      handle.removeEventListener('pointermove', move);
      if (!hasMoved) onResize(WIDTHS.find((width) => width > before) ?? Math.min(...WIDTHS), head);
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('lostpointercapture', stop, { once: true });
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const change = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (change === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const head = headOf(event.currentTarget);
    resize(head, head.offsetWidth, change);
  };
  const width = (column.grows ? grown : null) ?? column.width;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: in a table the focus goes to what a cell holds
    <div
      role="columnheader"
      // Otherwise the width, which its handle says, would be part of its name in every cell.
      aria-label={column.isRemoved ? `${column.label} (removed)` : column.label}
      className={classes('flex min-w-0 items-center px-3 text-xs font-medium text-muted', className)}
      title={column.label}
      aria-sort={sorted ?? (canSort(column) ? 'none' : undefined)}
    >
      {canSort(column) ? (
        <button
          type="button"
          className="-ms-1 flex min-w-0 items-center gap-1 rounded px-1 hover:text-ink"
          onClick={sort}
        >
          <bdi className="truncate">{column.label}</bdi>
          {sorted === 'descending' && <ArrowDown aria-hidden="true" className="size-3.5 shrink-0" />}
          {sorted === 'ascending' && <ArrowUp aria-hidden="true" className="size-3.5 shrink-0" />}
        </button>
      ) : (
        <bdi className="truncate">{column.label}</bdi>
      )}
      {column.isRemoved && <span className="ms-1 shrink-0 font-normal">(removed)</span>}
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label={`Width of ${column.label}`}
        title="Drag it, or press it for the next of three widths"
        aria-valuenow={width}
        aria-valuemin={MIN_WIDTH}
        aria-valuemax={Math.max(width, MAX_WIDTH)}
        tabIndex={0}
        className="absolute inset-y-1.5 inset-e-0 w-2 cursor-col-resize touch-none border-e border-line hover:border-accent focus-visible:border-accent"
        onFocus={(event) => setGrown(headOf(event.currentTarget).offsetWidth)}
        onPointerDown={follow}
        onKeyDown={press}
      />
    </div>
  );
}

function headOf(handle: HTMLElement): HTMLElement {
  return handle.parentElement ?? handle;
}

type Sorting = 'ascending' | 'descending';

function canSort({ kind, name }: Column): boolean {
  return kind === 'field' || name === 'created_at' || name === 'updated_at';
}

function sortingOf(
  { name, kind }: Column,
  { sort = 'created_at', order }: ResponsesSearch,
): Sorting | undefined {
  if (kind === 'attribution' || sort !== name) return undefined;
  return order === 'asc' ? 'ascending' : 'descending';
}

/** Descending, then ascending, then not sorted. */
function nextSorting({ name }: Column, sorted: Sorting | undefined): Pick<ResponsesSearch, 'sort' | 'order'> {
  if (sorted === 'ascending') return {};
  if (sorted === 'descending') return { ...(name !== 'created_at' && { sort: name }), order: 'asc' };
  return name === 'created_at' ? {} : { sort: name };
}
// biome-ignore-end lint/a11y/useSemanticElements: see the table; and a rule cannot be moved
