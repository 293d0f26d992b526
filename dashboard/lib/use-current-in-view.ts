import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** Scrolls a row sideways to its current item, and to an item that gets the focus, and nothing else. */
export function useCurrentInView<Row extends HTMLElement>(current: string): RefObject<Row | null> {
  const row = useRef<Row>(null);
  const seen = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const item = row.current?.querySelector(current) ?? null;
    if (!row.current || !item || item === seen.current) return;
    seen.current = item;
    scrollTo(row.current, item);
  });
  useEffect(() => {
    const box = row.current;
    // Browsers leave an item where it is if a little of it can be seen.
    const follow = ({ target }: FocusEvent) => box && scrollTo(box, target as Element);
    box?.addEventListener('focusin', follow);
    return () => box?.removeEventListener('focusin', follow);
  }, []);
  return row;
}

function scrollTo(box: HTMLElement, item: Element): void {
  const [outer, inner] = [box.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.left >= outer.left && inner.right <= outer.right) return;
  box.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
}
