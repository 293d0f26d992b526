import {
  type CollisionDetection,
  closestCenter,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type DragStartEvent,
  KeyboardSensor,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { sortableKeyboardCoordinates } from '@dnd-kit/sortable';
import { type ReactNode, useState } from 'react';
import type { Property } from '../../../fields/property.ts';
import { useBuilder } from '../builder-context.ts';
import { FIRST_PAGE, pageIndexOf, pagesOf } from '../pages/pages.ts';
import { announcementsFor } from './announcements.ts';
import { END } from './block-list.tsx';
import { KindIcon } from './kind-icon.tsx';
import { type Kind, kindOf } from './kinds.ts';

interface DragAreaProps {
  blocks: readonly Property[];
  onAdd(kind: Kind, at: number): void;
  children: ReactNode;
}

interface Dragged {
  name: string;
  kind: string | undefined;
  isPage: boolean;
}

/** Data of a dragged item. */
interface DragData {
  /** Kind of a new block. */
  kind?: Kind;
  name?: string;
  /** A page with all its blocks. */
  isPage?: boolean;
}

// Constants, because new objects would render every card on each key press. Pixels and milliseconds.
const MOUSE = { activationConstraint: { distance: 5 } };
const TOUCH = { activationConstraint: { delay: 200, tolerance: 8 } };
const KEYS = { coordinateGetter: sortableKeyboardCoordinates };

const INSTRUCTIONS = {
  draggable:
    'To move it, press Space, then the arrows, then Space again; Escape leaves it. Or press Alt and the arrows.',
};

/** New blocks are dragged in from the palette, existing ones to another place. */
export function DragArea({ blocks, onAdd, children }: DragAreaProps) {
  const { edit, pages: tools } = useBuilder();
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const sensors = useSensors(
    useSensor(MouseSensor, MOUSE),
    useSensor(TouchSensor, TOUCH),
    useSensor(KeyboardSensor, KEYS),
  );
  const indexOf = (id: unknown) => blocks.findIndex((block) => block.id === id);
  const onDragStart = ({ active }: DragStartEvent) => {
    const { kind, name, isPage } = active.data.current as DragData;
    const block = blocks[indexOf(active.id)];
    setDragged(
      kind
        ? { name: kind.label, kind: kind.key, isPage: false }
        : { name: name ?? '', kind: block && kindOf(block)?.key, isPage: isPage ?? false },
    );
    // Deselected, the dragged block is one line like the others.
    if (!kind) edit({ do: 'select', id: null });
  };
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    setDragged(null);
    if (!over) return;
    const { kind, isPage } = active.data.current as DragData;
    if (isPage) return edit({ do: 'move-page', from: pageOf(active.id), to: pageOf(over.id) });
    const to = over.id === END ? blocks.length : over.id === FIRST_PAGE ? 0 : indexOf(over.id);
    if (to < 0) return;
    if (kind) return onAdd(kind, to);
    edit({ do: 'move', id: String(active.id), to });
    tools.reveal(String(active.id));
  };
  const pages = pagesOf(blocks);
  const pageOf = (id: string | number) => (id === END ? pages.length - 1 : pageIndexOf(pages, id));
  const nameOf = (id: string | number) => {
    if (id === FIRST_PAGE) return 'Page 1';
    return blocks[indexOf(id)]?.name ?? (id === END ? END : String(id).replace(/^new /, 'New '));
  };
  const placeOf = (id: string | number) => {
    if (dragged?.isPage) return `page ${pageOf(id) + 1} of ${pages.length}`;
    if (id === FIRST_PAGE) return 'the beginning of the form';
    return id === END ? 'the end of the form' : `place ${indexOf(id) + 1} of ${blocks.length}`;
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={collisions}
      accessibility={{
        announcements: announcementsFor(nameOf, placeOf),
        screenReaderInstructions: INSTRUCTIONS,
      }}
      onDragStart={onDragStart}
      onDragEnd={onDragEnd}
      onDragCancel={() => setDragged(null)}
    >
      {children}
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <div className="flex h-11 cursor-grabbing items-center gap-2 rounded-xl border border-accent bg-raised px-3 shadow-lg">
            <KindIcon kind={dragged.kind} className="text-muted" />
            <span className="truncate font-medium">{dragged.name}</span>
          </div>
        )}
      </DragOverlay>
    </DndContext>
  );
}

/** New blocks are dropped only under the pointer, existing ones at the nearest place. */
const collisions: CollisionDetection = (given) => {
  if (given.active.data.current?.kind !== undefined) return pointerWithin(given);
  return closestCenter(given);
};
