import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Scrolls a row sideways to its current item, and nothing else. */
export function useCurrentInView<Row extends HTMLElement>(current: string): RefObject<Row | null> {
  const row = useRef<Row>(null);
  const seen = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const box = row.current;
    const item = box?.querySelector(current) ?? null;
    if (!box || !item || item === seen.current) return;
    seen.current = item;
    const [outer, inner] = [box.getBoundingClientRect(), item.getBoundingClientRect()];
    if (inner.left >= outer.left && inner.right <= outer.right) return;
    box.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  });
  return row;
}
