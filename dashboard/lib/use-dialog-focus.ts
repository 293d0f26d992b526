import { useRef } from 'react';

/**
 * Moves the focus when a dialog opens, and back when it closes: to the element that had it, or to the screen's content if that is
 * gone; but not if another element has the focus by then.
 * @param options.toInput to the first input, for dialogs that are filled in
 */
export function useDialogFocus({ toInput }: { toInput: boolean }) {
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
      // The action that closed the dialog may have moved the focus already.
      if (document.activeElement !== null && document.activeElement !== document.body) return;
      const { current } = opener;
      const target = current instanceof HTMLElement && current.isConnected ? current : null;
      (target ?? document.getElementById('content'))?.focus();
    },
  };
}
