/*
 * A form in a dialog on another site, opened by a link, by the site's script, or by itself.
 */

import { openByItself } from './embed-by-itself.ts';

export interface FormDialog {
  close(): void;
  /** The form reports that it can be filled in; a closed form never does. */
  onReady(): void;
  onSent(): void;
}

/**
 * Makes the dialog and the link or button that opens it.
 * @param mode `popup` and `slider` are modal: they trap the focus and give it back; `corner` leaves the page usable
 */
export function showInDialog(
  host: HTMLElement,
  frame: HTMLIFrameElement,
  mode: string,
  address: URL,
): FormDialog {
  const { open: cues, button, close = 'Close' } = host.dataset;
  const dialog = document.createElement('dialog');
  const cross = document.createElement('button');
  const said = document.createElement('p');
  const opener = openerOf(host, button ?? (cues ? '' : frame.title));

  dialog.className = `formstead ${mode}`;
  dialog.ariaLabel = frame.title;
  cross.className = 'formstead-close';
  cross.ariaLabel = close;
  cross.textContent = '×';
  dialog.append(cross, frame);
  said.className = 'formstead-said';
  said.setAttribute('role', 'status');
  // A link or button cannot contain the dialog.
  (opener === host ? document.body : host).append(said, dialog);

  const load = () => {
    frame.src ||= address.href;
  };
  const open = () => {
    if (!dialog.open) {
      load();
      if (mode === 'corner') dialog.show();
      else dialog.showModal();
      tell(host, 'shown', {});
    }
    frame.focus();
  };
  /** Opens without `show()`, which would take the focus away from the visitor. */
  const openAside = () => {
    dialog.open = true;
    said.textContent = frame.title;
    tell(host, 'shown', {});
  };
  const { onReady, remember } = openByItself(host, address, {
    load,
    open: mode === 'corner' ? openAside : open,
  });

  host.addEventListener('formstead:open', open);
  opener?.addEventListener('click', (event) => {
    event.preventDefault();
    open();
  });
  cross.onclick = () => dialog.close();
  dialog.onclick = ({ target }) => {
    if (target === dialog) dialog.close();
  };
  // A modal dialog handles Escape itself; closing here as well would make the key close the dialog below it too.
  if (mode === 'corner')
    dialog.onkeydown = (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      dialog.close();
    };
  dialog.onclose = () => {
    said.textContent = '';
    remember('closed');
    tell(host, 'close', {});
  };
  return {
    close: () => dialog.close(),
    onReady,
    onSent: () => remember('sent'),
  };
}

/**
 * The site's own link or button, or a new one.
 * @param words of a new one; without them none is made
 */
function openerOf(host: HTMLElement, words: string): HTMLElement | null {
  let opener = host.matches('a,button') ? host : host.querySelector<HTMLElement>('a,button');
  if (!opener && words) {
    opener = document.createElement('button');
    opener.textContent = words;
    host.prepend(opener);
  }
  if (opener) opener.ariaHasPopup = 'dialog';
  return opener;
}

/** Tells the site about an event of its form. */
export function tell(host: HTMLElement, event: string, detail: object): void {
  host.dispatchEvent(new CustomEvent(`formstead:${event}`, { bubbles: true, detail }));
}
