import { type ClipboardEvent, type KeyboardEvent, type RefObject, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { ItemListProps } from './item-list.tsx';
import { linesOf, pastedItems } from './pasted-items.ts';

interface Lines {
  list: RefObject<HTMLUListElement | null>;
  /** Adds an item at this place, if there may be one more. */
  add(at: number): void;
  remove(index: number): void;
  onKeyDown(event: KeyboardEvent, index: number): void;
  onPaste(event: ClipboardEvent<HTMLInputElement>, index: number): void;
}

/** What keys and pasted text do on the lines of a list; the focus follows. */
export function useLines({
  word,
  items,
  onAdd,
  onPaste,
  onRemove,
  onMove,
  refusal,
  most = Number.POSITIVE_INFINITY,
}: ItemListProps): Lines {
  const list = useRef<HTMLUListElement>(null);
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
    const lines = linesOf(event.clipboardData.getData('text'));
    if (lines.length < 2 || refusal) return;
    event.preventDefault();
    const pasted = pastedItems(lines, event.currentTarget, { items, index, word, most });
    if (pasted === null) return;
    const { names, dropped } = pasted;
    const last = index - [...dropped].filter((at) => at <= index).length + names.length;
    thenFocus(last, () => onPaste(index + 1, names, dropped));
  };
  return { list, add, remove, onKeyDown, onPaste: paste };
}

/** Whether it is a default name, such as `Option 4`. */
export function isGiven(name: string, word: string): boolean {
  return name.startsWith(`${word} `) && /^\d+$/.test(name.slice(word.length + 1));
}
