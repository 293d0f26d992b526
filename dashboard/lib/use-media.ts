import { useCallback, useState, useSyncExternalStore } from 'react';

/** Tailwind's `max-sm`, for what its classes cannot say. */
export const NARROW = '(width < 40rem)';

/** Whether a media query holds at the moment. */
export function useMedia(query: string): boolean {
  const [list] = useState(() => matchMedia(query));
  const subscribe = useCallback(
    (listener: () => void) => {
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [list],
  );
  return useSyncExternalStore(subscribe, () => list.matches);
}
