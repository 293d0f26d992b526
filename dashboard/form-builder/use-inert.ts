import { type RefObject, useEffect } from 'react';

/** How Radix marks the page while something modal is open. */
const LOCKED = 'data-scroll-locked';

/**
 * Takes an element out of reach while a dialog is open anywhere. Dialogs hold the focus by themselves, but lose it to
 * frames: what happens in a frame they do not hear of.
 */
export function useInertBehindDialogs(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const follow = () => element.current?.toggleAttribute('inert', document.body.hasAttribute(LOCKED));
    const observer = new MutationObserver(follow);
    observer.observe(document.body, { attributes: true, attributeFilter: [LOCKED] });
    follow();
    return () => observer.disconnect();
  }, [element]);
}
