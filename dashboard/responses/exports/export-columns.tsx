import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { MoveHandle } from '../../ui/move-handle.tsx';
import type { Column } from '../table/columns.ts';

/** Pixels after which a press becomes a drag. */
const DRAG_DISTANCE = 4;

interface ExportColumnsProps {
  order: Column[];
  picked: ReadonlySet<string>;
  onMove(order: Column[]): void;
  onPick(key: string, isPicked: boolean): void;
}

/** Columns to select, and to order by pointer or keyboard (space, arrows, space). */
export function ExportColumns({ order, picked, onMove, onPick }: ExportColumnsProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_DISTANCE } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const labels = new Map(order.map(({ key, label }) => [key, label]));
  const placeOf = (key: string | number) => order.findIndex((column) => column.key === key) + 1;
  const drop = ({ active, over }: DragEndEvent) => {
    if (over && over.id !== active.id) onMove(arrayMove(order, placeOf(active.id) - 1, placeOf(over.id) - 1));
  };
  const say = (key: string | number) => `“${labels.get(String(key)) ?? ''}”`;
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{
        screenReaderInstructions: {
          draggable:
            'Press space to take the column, arrow keys to move it, space to drop it, Escape to leave it.',
        },
        announcements: {
          onDragStart: ({ active }) => `${say(active.id)} taken.`,
          onDragOver: ({ active, over }) =>
            over ? `${say(active.id)} is at place ${placeOf(over.id)} of ${order.length}.` : undefined,
          onDragEnd: ({ active, over }) =>
            over ? `${say(active.id)} dropped at place ${placeOf(over.id)}.` : `${say(active.id)} dropped.`,
          onDragCancel: ({ active }) => `${say(active.id)} is where it was.`,
        },
      }}
    >
      <SortableContext items={order.map(({ key }) => key)} strategy={verticalListSortingStrategy}>
        <ul
          aria-label="Columns of the file, in order"
          className="max-h-64 overflow-y-auto rounded-lg border border-line"
        >
          {order.map((column, place) => (
            <Item
              key={column.key}
              column={column}
              place={place}
              count={order.length}
              onMove={(to) => onMove(arrayMove(order, place, to))}
              isPicked={picked.has(column.key)}
              onPick={(isPicked) => onPick(column.key, isPicked)}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

interface ItemProps {
  column: Column;
  /** From 0. */
  place: number;
  count: number;
  onMove(to: number): void;
  isPicked: boolean;
  onPick(isPicked: boolean): void;
}

function Item({ column, place, count, onMove, isPicked, onPick }: ItemProps) {
  const sortable = useSortable({ id: column.key });
  const { setNodeRef, transform, transition, isDragging } = sortable;
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={`flex h-9 items-center gap-2 border-b border-line bg-raised px-2 last:border-b-0 ${isDragging ? 'relative z-10 shadow-md' : ''}`}
    >
      <MoveHandle
        label={`Move ${column.label}`}
        sortable={sortable}
        place={place}
        count={count}
        onMove={onMove}
        className="size-6"
      />
      <label className="flex min-w-0 flex-1 items-center gap-2">
        <input
          type="checkbox"
          className="size-4 shrink-0 accent-accent"
          checked={isPicked}
          onChange={(event) => onPick(event.target.checked)}
        />
        <bdi className="min-w-0 truncate" title={column.label}>
          {column.label}
        </bdi>
        {column.isRemoved && <span className="shrink-0 text-xs text-muted">removed</span>}
      </label>
    </li>
  );
}
