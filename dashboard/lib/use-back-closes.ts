import { useEffect, useRef } from 'react';

/** What closes each open dialog, the topmost last. */
const open: (() => void)[] = [];

/** While a dialog is open, lets the browser's Back close it instead of leaving the screen below. Where `close` refuses, Back does nothing. */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!isOpen) return;
    const entry = () => latest.current();
    open.push(entry);
    return () => void open.splice(open.indexOf(entry), 1);
  }, [isOpen]);
}

/** @returns whether there was one */
export function closeTopmost(): boolean {
  const close = open.at(-1);
  close?.();
  return close !== undefined;
}
