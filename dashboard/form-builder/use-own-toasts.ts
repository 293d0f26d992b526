import { useCallback, useEffect, useRef } from 'react';
import { showToast, type Toast } from '../ui/toasts.tsx';

/** Toasts whose "Undo" changes what is not saved yet: they close with its screen, because they would do nothing elsewhere. */
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
