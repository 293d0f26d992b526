import { type FormEvent, useEffect, useRef } from 'react';
import { noteUnsaved } from './unsaved.ts';

/**
 * Notices what is typed into an element, and notes it as unsaved while it is there. A search is nothing to lose, and a password or
 * a code is soon typed again.
 */
export function useTyped(isOpen: boolean) {
  const fields = useRef(new Set<Element>());
  const isTyped = useRef(() =>
    [...fields.current].some((field) => field.isConnected && textOf(field) !== ''),
  );
  useEffect(() => {
    if (!isOpen) return;
    const takeBack = noteUnsaved(isTyped.current);
    return () => {
      takeBack();
      fields.current.clear();
    };
  }, [isOpen]);
  return {
    isTyped: isTyped.current,
    /** For the element; what is typed into a dialog opened from it counts there. */
    onInput({ currentTarget, target }: FormEvent<HTMLElement>) {
      if (target instanceof Element && currentTarget.contains(target)) fields.current.add(target);
    },
  };
}

const NOT_TYPED = new Set(['search', 'password', 'checkbox', 'radio', 'file', 'color', 'range']);

function textOf(field: Element): string {
  if (field instanceof HTMLInputElement)
    return NOT_TYPED.has(field.type) || field.autocomplete === 'one-time-code' ? '' : field.value;
  if (field instanceof HTMLTextAreaElement) return field.value;
  return field instanceof HTMLElement && field.isContentEditable ? field.innerText.trim() : '';
}
