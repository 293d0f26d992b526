import { useEffect, useRef } from 'react';

/** What Back does to each open dialog, the topmost last; false if it is to leave the screen all the same. */
const open: (() => boolean)[] = [];

/** While a dialog is open, lets the browser's Back close it instead of leaving the screen below. */
export function useBackCloses(isOpen: boolean, close: () => boolean): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!isOpen) return;
    const entry = () => latest.current();
    open.push(entry);
    return () => void open.splice(open.indexOf(entry), 1);
  }, [isOpen]);
}

/** @returns whether Back has done its work with that */
export function closeTopmost(): boolean {
  return open.at(-1)?.() ?? false;
}
