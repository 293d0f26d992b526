import { useSyncExternalStore } from 'react';

/** Tailwind's `xl`: from there on the builder has a column for each of its parts. */
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
