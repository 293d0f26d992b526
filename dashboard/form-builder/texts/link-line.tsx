import { type KeyboardEvent, type RefObject, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/input.tsx';
import { rangeIn } from './mention-chips.ts';

/** The link whose address is entered, and the words it is for. */
interface OpenLink {
  range: Range | null;
  address: string;
}

/**
 * Sets and removes links in an editor.
 * @param onChanged called after the browser changed the text
 */
export function useLink(box: RefObject<HTMLElement | null>, onChanged: () => void) {
  const [link, setLink] = useState<OpenLink | null>(null);

  const open = () => {
    const start = getSelection()?.anchorNode;
    const anchor = (start instanceof Element ? start : start?.parentElement)?.closest('a');
    const range = rangeIn(box.current);
    // With the caret in a link, the whole link gets the new address and keeps its words.
    if (anchor && range?.collapsed) range.selectNodeContents(anchor);
    setLink({ range, address: anchor?.getAttribute('href') ?? '' });
  };
  /** Returns to the text with its former selection. */
  const close = () => {
    setLink(null);
    box.current?.focus();
    if (!link?.range) return;
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(link.range);
  };
  const apply = () => {
    const typed = link?.address.trim() ?? '';
    const address = /^(https?:|mailto:|tel:)/i.test(typed) ? typed : `https://${typed}`;
    const hasWords = link?.range?.collapsed === false;
    close();
    if (typed === '') document.execCommand('unlink');
    else document.execCommand(hasWords ? 'createLink' : 'insertText', false, address);
    onChanged();
  };
  return {
    open,
    /** The line to enter the address in; null while closed. */
    line: link && (
      <LinkLine
        address={link.address}
        onType={(address) => setLink({ ...link, address })}
        onApply={apply}
        onClose={close}
      />
    ),
  };
}

interface LinkLineProps {
  address: string;
  onType(address: string): void;
  onApply(): void;
  onClose(): void;
}

/** Not a form element, because the editor may be inside one. */
function LinkLine({ address, onType, onApply, onClose }: LinkLineProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    if (event.key !== 'Enter') return;
    event.preventDefault();
    onApply();
  };
  return (
    <div className="flex gap-2 border-b border-line p-2">
      <Input
        autoFocus
        dir="ltr"
        aria-label="Address of the link"
        placeholder="https://"
        value={address}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Button onClick={onApply}>Set</Button>
    </div>
  );
}
