import { useLayoutEffect, useRef, useState } from 'react';
import { Badge } from '../../ui/badge.tsx';

/** Pixels, as the classes below have them. */
const GAP = 4;
const COUNT_WIDTH = 28;

/** What was chosen, of which only what fits whole is seen, and how many more there are. */
export function ChosenCell({ names, text }: { names: readonly string[]; text: string }) {
  const cell = useRef<HTMLSpanElement>(null);
  const [count, setCount] = useState(names.length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other names have other widths
  useLayoutEffect(() => {
    const box = cell.current;
    if (!box) return;
    const measure = () => {
      const widths = [...(box.firstElementChild?.children ?? [])].map(widthOf);
      setCount(fitting(widths, widthOf(box)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [text]);
  const more = Math.max(names.length - count, 0);
  return (
    <span ref={cell} className="flex min-w-0 flex-1 items-center gap-1" title={text}>
      {/* What does not fit is in a line that is cut off; readers of screens have it all. */}
      <span className="flex h-5 min-w-0 flex-wrap gap-1 overflow-hidden print:h-auto">
        {names.map((name) => (
          <Badge key={name}>
            <bdi className="truncate">{name}</bdi>
          </Badge>
        ))}
      </span>
      {more > 0 && (
        <span aria-hidden="true" className="w-7 shrink-0 text-xs text-muted tabular-nums print:hidden">
          +{more}
        </span>
      )}
    </span>
  );
}

/** How many of the first are seen whole. At least one is, if only its beginning. */
function fitting(widths: readonly number[], room: number): number {
  const ends: number[] = [];
  for (const width of widths) ends.push((ends.at(-1) ?? -GAP) + GAP + width);
  if ((ends.at(-1) ?? 0) <= room) return widths.length;
  return Math.max(ends.filter((end) => end + GAP + COUNT_WIDTH <= room).length, 1);
}

function widthOf(element: Element): number {
  return element.getBoundingClientRect().width;
}
