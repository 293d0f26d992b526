import { type RefObject, useEffect } from 'react';

/** Set by Radix on the page while a modal is open. */
const LOCKED = 'data-scroll-locked';

/** Makes an element inert while any dialog is open. Dialogs trap the focus, but cannot see events inside frames. */
export function useInertBehindDialogs(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const follow = () => element.current?.toggleAttribute('inert', document.body.hasAttribute(LOCKED));
    const observer = new MutationObserver(follow);
    observer.observe(document.body, { attributes: true, attributeFilter: [LOCKED] });
    follow();
    return () => observer.disconnect();
  }, [element]);
}
