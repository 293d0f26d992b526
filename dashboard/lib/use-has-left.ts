import { useRouter } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';

/**
 * Tells whether the screen or dialog that calls this is gone, or about to be: what is answered late must not lead anybody back to
 * it.
 */
export function useHasLeft(): () => boolean {
  const router = useRouter();
  const isGone = useRef(false);
  // Until the next screen is loaded, this one is only hidden, which ends layout effects alone.
  useLayoutEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  return () => {
    const { location, resolvedLocation } = router.state;
    return isGone.current || location.pathname !== resolvedLocation?.pathname;
  };
}
