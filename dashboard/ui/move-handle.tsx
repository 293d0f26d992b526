import type { useSortable } from '@dnd-kit/sortable';
import { ArrowDown, ArrowDownToLine, ArrowUp, ArrowUpToLine, GripVertical } from 'lucide-react';
import { type PointerEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { classes } from '../lib/classes.ts';
import { Menu, MenuItem } from './menu.tsx';

interface MoveHandleProps {
  label: string;
  /** Of the item that it moves. */
  sortable: Pick<ReturnType<typeof useSortable>, 'setActivatorNodeRef' | 'attributes' | 'listeners'>;
  /** From 0. */
  place: number;
  count: number;
  onMove(to: number): void;
  isOff?: boolean;
  className?: string;
}

/**
 * Moves an item of a list: it is dragged, moved by keys (space, arrows, space), or pressed for a menu, for people who cannot drag
 * (WCAG 2.2, 2.5.7).
 */
export function MoveHandle({ label, sortable, place, count, onMove, isOff, className }: MoveHandleProps) {
  const [isOpen, setOpen] = useState(false);
  const handle = useRef<HTMLButtonElement | null>(null);
  const { setActivatorNodeRef, attributes, listeners } = sortable;
  const moveTo = (to: number) => {
    flushSync(() => onMove(to));
    // A moved element loses the focus.
    handle.current?.focus();
  };
  const isFirst = place === 0 ? 'It is the first one.' : null;
  const isLast = place === count - 1 ? 'It is the last one.' : null;
  return (
    <Menu
      align="start"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          ref={(button) => {
            handle.current = button;
            setActivatorNodeRef(button);
          }}
          type="button"
          {...attributes}
          {...listeners}
          aria-label={label}
          onPointerDown={(event: PointerEvent) => {
            listeners?.onPointerDown?.(event);
            // Otherwise the menu would open before it is known whether this is a drag.
            event.preventDefault();
          }}
          onClick={() => !isOff && setOpen(true)}
          className={classes(
            'grid shrink-0 cursor-grab touch-none place-items-center rounded-md text-muted hover:bg-hover hover:text-ink',
            className,
          )}
        >
          <GripVertical className="size-4" />
        </button>
      }
    >
      <MenuItem icon={<ArrowUp />} disabledReason={isFirst} onSelect={() => moveTo(place - 1)}>
        Move up
      </MenuItem>
      <MenuItem icon={<ArrowDown />} disabledReason={isLast} onSelect={() => moveTo(place + 1)}>
        Move down
      </MenuItem>
      <MenuItem icon={<ArrowUpToLine />} disabledReason={isFirst} onSelect={() => moveTo(0)}>
        Move to the top
      </MenuItem>
      <MenuItem icon={<ArrowDownToLine />} disabledReason={isLast} onSelect={() => moveTo(count - 1)}>
        Move to the end
      </MenuItem>
    </Menu>
  );
}
