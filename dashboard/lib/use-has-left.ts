import { type RefObject, useEffect, useRef } from 'react';

/** Whether the screen or dialog that calls this is gone: what is answered late must not lead anybody back to it. */
export function useHasLeft(): Readonly<RefObject<boolean>> {
  const hasLeft = useRef(false);
  useEffect(() => {
    hasLeft.current = false;
    return () => {
      hasLeft.current = true;
    };
  }, []);
  return hasLeft;
}
