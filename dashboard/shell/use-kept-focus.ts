import { useEffect } from 'react';

/** Milliseconds in which a closing dialog returns the focus itself. */
const GRACE_MS = 50;

/**
 * Moves the focus to the screen's content when the focused element is removed or disabled, because keyboard users would otherwise
 * start at the top.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isLost = () =>
      document.activeElement === document.body && last && (!last.isConnected || last.matches(':disabled'));
    const note = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : null;
    };
    const observer = new MutationObserver(() => {
      if (!isLost()) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (isLost()) document.getElementById('content')?.focus({ preventScroll: true });
      }, GRACE_MS);
    });
    document.addEventListener('focusin', note);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', note);
      observer.disconnect();
      clearTimeout(timer);
    };
  }, []);
}
