import { NARROW, useMedia } from '../../lib/use-media.ts';
import { CHECK_WIDTH } from './tracks.ts';
import type { ShownColumn } from './use-columns.ts';

/** Pixels; wider columns do not stay in sight, on phones and on wider screens. */
const MAX_NARROW = 136;
const MAX_WIDE = 320;

/** What stays in sight when the table is scrolled sideways. */
export interface Staying {
  /** Classes of the cell with the checkbox, and of the first cell after it. */
  check: string;
  first: string;
  /** Of that cell in a row; its head has a line of its own. */
  edge: string;
  /** Pixels */
  width: number;
}

/** On phones only the first column stays, and nowhere one that would leave the others no room. */
export function useStaying(columns: readonly ShownColumn[]): Staying {
  const isNarrow = useMedia(NARROW);
  const first = columns[0]?.width ?? 0;
  const check = isNarrow ? 'relative' : `${STAYS} inset-s-0`;
  const checkWidth = isNarrow ? 0 : CHECK_WIDTH;
  if (first > (isNarrow ? MAX_NARROW : MAX_WIDE))
    return { check, first: 'relative', edge: '', width: checkWidth };
  const place = isNarrow ? 'inset-s-0' : 'inset-s-(--check)';
  return { check, first: `${STAYS} ${place}`, edge: 'border-e border-line', width: checkWidth + first };
}

/** Nothing scrolls for what is focused in it: that is in sight. */
const STAYS = 'sticky bg-inherit [&_*]:scroll-ms-[calc(0px-var(--stays))]';
