import { useEffect } from 'react';
import { createPlace, type Place, regionOf } from './focus-place.ts';

/** Milliseconds in which a closing dialog returns the focus itself. */
const GRACE_MS = 50;

/**
 * Moves the focus on when the focused element is removed or disabled, because keyboard users would otherwise start at the top of the
 * page: to what is beside its place; where that is in a dialog or a menu that has closed, beside what this was opened from; to the
 * screen's content after a click or on another screen.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    let [inContent, inDialog]: (Place | null)[] = [null, null];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isLost = () =>
      document.activeElement === document.body && last && (!last.isConnected || last.matches(':disabled'));
    const note = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : null;
      const region = last && regionOf(last);
      if (!last || !region) return;
      if (region.id === 'content') [inContent, inDialog] = [createPlace(last), null];
      else inDialog = createPlace(last);
    };
    const moveOn = () => {
      const neighbour = inDialog?.neighbour() ?? inContent?.neighbour();
      if (neighbour) neighbour.focus();
      else document.getElementById('content')?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (!isLost()) return;
      clearTimeout(timer);
      timer = setTimeout(() => isLost() && moveOn(), GRACE_MS);
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
