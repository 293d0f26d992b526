import type { ShownColumn } from './use-columns.ts';

/** Pixels */
export const CHECK_WIDTH = 44;

/** Columns of answers share the room that is left, unless somebody has chosen their width. */
export function tracksOf(columns: readonly ShownColumn[]): string {
  const tracks = columns.map(({ width, grows }) => (grows ? `minmax(${width}px, ${width}fr)` : `${width}px`));
  const isFilled = columns.some(({ grows }) => grows);
  return [`${CHECK_WIDTH}px`, ...tracks, ...(isFilled ? [] : ['minmax(0, 1fr)'])].join(' ');
}

/**
 * The widths of the columns before one that have grown. They keep them while it is resized, so that its edge is where the pointer is.
 * @param head of the column
 */
export function widthsBefore(head: Element, columns: readonly ShownColumn[]): Record<string, number> {
  const [, ...heads] = head.parentElement?.children ?? [];
  const widths: Record<string, number> = {};
  for (const [place, { key, width, grows }] of columns.slice(0, heads.indexOf(head)).entries()) {
    const shown = heads[place]?.getBoundingClientRect().width ?? 0;
    if (grows && shown > width) widths[key] = shown;
  }
  return widths;
}
