import { useCallback, useEffect, useRef } from 'react';
import { showToast, type Toast } from '../ui/toasts.tsx';

/** Messages whose "Undo" is a step of the builder: they go with it, as nothing could be taken back elsewhere. */
export function useOwnToasts(): (toast: Toast) => void {
  const removals = useRef<(() => void)[]>([]);
  useEffect(
    () => () => {
      for (const remove of removals.current.splice(0)) remove();
    },
    [],
  );
  return useCallback((toast) => void removals.current.push(showToast(toast)), []);
}
