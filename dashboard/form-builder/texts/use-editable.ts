import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Property } from '../../../fields/property.ts';
import { insertAt, newChip, rangeIn } from './mention-chips.ts';

interface Editable {
  value: string;
  /** What the box shows for a value that was not typed into it. */
  nodesOf(value: string): Node;
  /** Reads the value from the box, undefined when it is empty. */
  valueIn(box: HTMLElement): string | undefined;
  onChange(value: string | undefined): void;
}

interface EditableBox {
  box: RefObject<HTMLDivElement | null>;
  /** Takes over what the box holds now. */
  read(): void;
  /** Keeps the place of the caret while something else has the focus. */
  keepCaret(): void;
  /** Inserts a mention of a field at that place. */
  insert(field: Property): void;
}

/** A text in an element that can be edited. While somebody types the browser changes its nodes; React only reads them. */
export function useEditable({ value, nodesOf, valueIn, onChange }: Editable): EditableBox {
  const box = useRef<HTMLDivElement>(null);
  const written = useRef<string | undefined>(undefined);
  const caret = useRef<Range | null>(null);
  // A layout effect, because a later one would overwrite what was typed meanwhile.
  useLayoutEffect(() => {
    if (!box.current || written.current === value) return;
    written.current = value;
    box.current.replaceChildren(nodesOf(value));
  }, [value, nodesOf]);
  const read = () => {
    if (!box.current) return;
    const next = valueIn(box.current);
    written.current = next ?? '';
    onChange(next);
  };
  return {
    box,
    read,
    keepCaret() {
      caret.current = rangeIn(box.current);
    },
    insert(field) {
      if (!box.current) return;
      insertAt(box.current, caret.current, newChip(field));
      read();
    },
  };
}
