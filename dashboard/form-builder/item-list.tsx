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
import { GripVertical, Plus, X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useRef } from 'react';
import { flushSync } from 'react-dom';
import { Button, IconButton } from '../ui/button.tsx';
import { Input } from '../ui/input.tsx';
import { announcementsFor } from './announcements.ts';

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

interface ItemListProps {
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
export function ItemList({
  label,
  word,
  items,
  onRename,
  onAdd,
  onPaste,
  onRemove,
  onMove,
  refusal,
  most = Number.POSITIVE_INFINITY,
}: ItemListProps) {
  const list = useRef<HTMLUListElement>(null);
  const sensors = useSensors(useSensor(PointerSensor, POINTER), useSensor(KeyboardSensor, KEYS));
  const focus = (index: number) => {
    // Another such list may be nested below a name.
    const inputs = [...(list.current?.querySelectorAll<HTMLInputElement>('input[data-name]') ?? [])];
    const input = inputs.filter((one) => one.closest('ul') === list.current)[index];
    if (!input) return;
    const { value } = input;
    input.focus();
    // A default name is selected, to be typed over; in any other the caret goes to the end.
    input.setSelectionRange(isGiven(value, word) ? 0 : value.length, value.length);
  };
  /** Renders the change at once, because the next key goes to the focused input. */
  const thenFocus = (index: number, change: () => void) => {
    flushSync(change);
    focus(index);
  };
  const add = (at: number) => {
    if (items.length < most) thenFocus(at, () => onAdd(at));
  };
  const remove = (index: number) => thenFocus(Math.max(index - 1, 0), () => onRemove(index));
  const move = (from: number, to: number) => {
    if (to >= 0 && to < items.length) thenFocus(to, () => onMove(from, to));
  };
  /** What a key does on a line; null for nothing but typing. */
  const actionOf = ({ key, altKey, repeat }: KeyboardEvent, index: number): (() => void) | null => {
    if (key === 'Enter') {
      const next = items[index + 1];
      return next && isGiven(next.name, word) ? () => focus(index + 1) : () => add(index + 1);
    }
    if (altKey && key === 'ArrowUp') return () => move(index, index - 1);
    if (altKey && key === 'ArrowDown') return () => move(index, index + 1);
    const isEmpty = items[index]?.name === '' && items.length > 1;
    if (key !== 'Backspace' || !isEmpty) return null;
    // A key held down to empty a name must not go on to remove its line.
    return repeat ? () => {} : () => remove(index);
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (refusal || event.nativeEvent.isComposing) return;
    const act = actionOf(event, index);
    if (act === null) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>, index: number) => {
    const lines = event.clipboardData
      .getData('text')
      .split(/\r?\n/)
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (lines.length < 2 || refusal) return;
    event.preventDefault();
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
    const isReplaced = from < to || value === '';
    // Items with default names are replaced.
    const dropped = new Set(
      items.flatMap(({ name, isFilled }, at) =>
        (at === index && isReplaced) || (name === `${word} ${at + 1}` && !isFilled) ? [at] : [],
      ),
    );
    // Beyond the limit the last pasted lines are dropped.
    const fitting = lines.slice(0, Math.max(0, most - (items.length - dropped.size)));
    if (fitting.length === 0) return;
    // As in any text, the text before and after a replaced selection stays.
    const names = isReplaced
      ? fitting.map((line, at) =>
          [at === 0 && value.slice(0, from), line, at === fitting.length - 1 && value.slice(to)]
            .filter(Boolean)
            .join(''),
        )
      : fitting;
    const last = index - [...dropped].filter((at) => at <= index).length + names.length;
    thenFocus(last, () => onPaste(index + 1, names, dropped));
  };
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
                number={index + 1}
                word={word}
                refusal={refusal}
                onRename={(name) => onRename(index, name)}
                onRemove={() => remove(index)}
                onKeyDown={(event) => onKeyDown(event, index)}
                onPaste={(event) => paste(event, index)}
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

/** Whether it is a default name, such as `Option 4`. */
function isGiven(name: string, word: string): boolean {
  return name.startsWith(`${word} `) && /^\d+$/.test(name.slice(word.length + 1));
}

interface LineProps {
  item: Item;
  number: number;
  word: string;
  refusal: string | null;
  onRename(name: string): void;
  onRemove(): void;
  onKeyDown(event: KeyboardEvent): void;
  onPaste(event: ClipboardEvent<HTMLInputElement>): void;
}

function Line({ item, number, word, refusal, onRename, onRemove, onKeyDown, onPaste }: LineProps) {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition } = useSortable({
    id: item.key,
    disabled: refusal !== null,
  });
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className="grid gap-1.5"
    >
      <div className="flex items-center gap-1">
        <button
          ref={setActivatorNodeRef}
          type="button"
          {...attributes}
          {...listeners}
          aria-label={`Move ${word.toLowerCase()} ${number}`}
          className="grid size-7 shrink-0 touch-none place-items-center rounded-md text-muted hover:bg-hover"
        >
          <GripVertical className="size-4" />
        </button>
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
