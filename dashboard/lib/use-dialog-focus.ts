import { useRef } from 'react';

/**
 * Where the focus goes when a dialog opens, and back when it closes: to what had it, or to the content of the screen when
 * that is gone; unless something else has it by then.
 * @param toInput into the first input, as whoever opens the dialog wants to fill it in
 */
export function useDialogFocus(toInput: boolean) {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus(event: Event) {
      opener.current = document.activeElement;
      if (!toInput) return;
      event.preventDefault();
      const content = event.currentTarget as HTMLElement;
      const input = content.querySelector<HTMLElement>('input:not([type=hidden]), textarea, select');
      (input ?? content).focus();
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault();
      // What closed it may have put the focus where one goes on.
      if (document.activeElement !== null && document.activeElement !== document.body) return;
      const { current } = opener;
      const target = current instanceof HTMLElement && current.isConnected ? current : null;
      (target ?? document.getElementById('content'))?.focus();
    },
  };
}
