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
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { Plus, X } from 'lucide-react';
import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Input } from '../../ui/input.tsx';
import { MoveHandle } from '../../ui/move-handle.tsx';
import { announcementsFor } from '../blocks/announcements.ts';
import { isGiven, useLines } from './use-lines.ts';

const POINTER = { activationConstraint: { distance: 4 } }; // pixels
const KEYS = { coordinateGetter: sortableKeyboardCoordinates };

interface Item {
  key: string;
  name: string;
  /** Shown below the name. */
  more?: ReactNode;
  /** Shown behind the name. */
  aside?: ReactNode;
  /** Whether it has more than a name. */
  isFilled?: boolean;
}

export interface ItemListProps {
  label: string;
  /** The word for an item: `Option`. */
  word: string;
  items: readonly Item[];
  onRename(index: number, name: string): void;
  /** Inserts a new item with a default name. */
  onAdd(at: number): void;
  /** Inserts names at a place and removes others in one step; the line pasted into is the one before that place. */
  onPaste(at: number, names: readonly string[], dropped: ReadonlySet<number>): void;
  onRemove(index: number): void;
  onMove(from: number, to: number): void;
  refusal: string | null;
  /** Most items. */
  most?: number;
}

/** Names below each other: Enter begins the next line, several pasted lines become several items. */
export function ItemList(props: ItemListProps) {
  const { label, word, items, onRename, onMove, refusal, most = Number.POSITIVE_INFINITY } = props;
  const { list, add, remove, onKeyDown, onPaste } = useLines(props);
  const sensors = useSensors(useSensor(PointerSensor, POINTER), useSensor(KeyboardSensor, KEYS));
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const from = items.findIndex(({ key }) => key === active.id);
    const to = items.findIndex(({ key }) => key === over?.id);
    if (from >= 0 && to >= 0 && from !== to) onMove(from, to);
  };
  const nameOf = (id: string | number) => items.find(({ key }) => key === id)?.name ?? '';
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">{label}</legend>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{ announcements: announcementsFor(nameOf) }}
        onDragEnd={onDragEnd}
      >
        <SortableContext items={items.map(({ key }) => key)} strategy={verticalListSortingStrategy}>
          <ul ref={list} className="grid gap-1.5">
            {items.map((item, index) => (
              <Line
                key={item.key}
                item={item}
                place={index}
                count={items.length}
                word={word}
                refusal={refusal}
                onRename={(name) => onRename(index, name)}
                onRemove={() => remove(index)}
                onMove={(to) => onMove(index, to)}
                onKeyDown={(event) => onKeyDown(event, index)}
                onPaste={(event) => onPaste(event, index)}
              />
            ))}
          </ul>
        </SortableContext>
      </DndContext>
      <Button
        size="sm"
        look="quiet"
        className="justify-self-start"
        icon={<Plus className="size-4" />}
        disabledReason={refusal ?? (items.length < most ? null : `There may be ${most}.`)}
        onClick={() => add(items.length)}
      >
        Add {word.toLowerCase()}
      </Button>
    </fieldset>
  );
}

interface LineProps {
  item: Item;
  /** From 0. */
  place: number;
  count: number;
  word: string;
  refusal: string | null;
  onRename(name: string): void;
  onRemove(): void;
  onMove(to: number): void;
  onKeyDown(event: KeyboardEvent): void;
  onPaste(event: ClipboardEvent<HTMLInputElement>): void;
}

function Line(props: LineProps) {
  const { item, place, count, word, refusal, onRename, onRemove, onMove, onKeyDown, onPaste } = props;
  const number = place + 1;
  const sortable = useSortable({ id: item.key, disabled: refusal !== null });
  const { setNodeRef, transform, transition } = sortable;
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className="grid gap-1.5"
    >
      <div className="flex items-center gap-1">
        <MoveHandle
          label={`Move ${word.toLowerCase()} ${number}`}
          sortable={sortable}
          place={place}
          count={count}
          onMove={onMove}
          isOff={refusal !== null}
          className="size-7"
        />
        <Input
          data-name
          aria-label={`${word} ${number}`}
          aria-invalid={item.name.trim() === '' || undefined}
          readOnly={refusal !== null}
          value={item.name}
          onChange={(event) => onRename(event.target.value)}
          onClick={({ currentTarget: input }) => isGiven(item.name, word) && input.select()}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {item.aside}
        <IconButton
          size="sm"
          label={`Remove ${word.toLowerCase()} ${number}`}
          disabledReason={refusal}
          onClick={onRemove}
        >
          <X className="size-4" />
        </IconButton>
      </div>
      {item.more && <div className="ps-8 pe-8">{item.more}</div>}
    </li>
  );
}
