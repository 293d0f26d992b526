/*
 * A form in a dialog of the site around it: opened by a link, by the site, or by itself.
 */

import { openByItself } from './embed-by-itself.ts';

export interface FormDialog {
  close(): void;
  /** The form says that it can be filled in; one that is closed never does. */
  onReady(): void;
  onSent(): void;
}

/**
 * Makes the dialog, and whatever opens it.
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
  // A link or button cannot hold it.
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
  /** Not by its method, which would take the focus away from what the visitor is doing. */
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
  // A modal one does it by itself; done twice, the key would close the dialog below it too.
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

/** The link or button that the site has for it, or a new one. @param words of a new one; none where there are none */
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

/** Tells the site what has happened to its form. */
export function tell(host: HTMLElement, event: string, detail: object): void {
  host.dispatchEvent(new CustomEvent(`formstead:${event}`, { bubbles: true, detail }));
}
