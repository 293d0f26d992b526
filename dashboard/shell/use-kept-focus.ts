import { useEffect } from 'react';

/** Dialogs hand the focus back by themselves, a moment later. */
const GRACE_MS = 50;

/** When what had the focus is gone or can be used no more, the keyboard goes on at the content of the screen, not at its top. */
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
