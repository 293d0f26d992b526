import { useSyncExternalStore } from 'react';

/** Tailwind's `xl`: from this width the builder has three columns. */
const query = matchMedia('(min-width: 80rem)');

export function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => query.matches,
  );
}
