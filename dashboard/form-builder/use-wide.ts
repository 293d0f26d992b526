import { useMedia } from '../lib/use-media.ts';

/** Tailwind's `xl`: from this width the builder has three columns. */
const WIDE = '(min-width: 80rem)';

export function useIsWide(): boolean {
  return useMedia(WIDE);
}
