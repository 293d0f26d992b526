import type { Property } from '../../../fields/property.ts';
import { kindOfGone, shownName } from '../../calculations/fields.ts';

/** A zero-width space that gives the caret a place after a mention at the end of a line. */
const CARET = '\u200b';
const CARETS = /\u200b/g;

/** Styles of mentions in an editor; classes of its box. */
export const CHIPS =
  '[&_[mention-field-id]]:rounded [&_[mention-field-id]]:bg-accent-soft [&_[mention-field-id]]:px-1 [&_[mention-field-id]]:py-0.5 [&_[mention-field-id]]:text-accent-strong';

/** Makes mentions uneditable units, labelled with the present names of their fields. */
export function asChips<Root extends ParentNode>(root: Root, fields: readonly Property[]): Root {
  for (const chip of root.querySelectorAll<HTMLElement>('[mention-field-id]')) {
    const id = chip.getAttribute('mention-field-id') ?? '';
    const field = fields.find((one) => one.id === id);
    chip.contentEditable = 'false';
    chip.textContent = field ? shownName(field) : `A deleted ${kindOfGone(id)}`;
    chip.after(CARET);
  }
  return root;
}

/** A mention that is new. */
export function newChip(field: Property): HTMLElement {
  const chip = document.createElement('span');
  chip.setAttribute('mention', 'true');
  chip.setAttribute('mention-field-id', field.id);
  chip.setAttribute('mention-fallback', '');
  chip.contentEditable = 'false';
  chip.textContent = shownName(field);
  return chip;
}

/** Inserts a node at the caret's former place in the box, or at its end, and puts the caret after it. */
export function insertAt(box: HTMLElement, range: Range | null, chip: HTMLElement): void {
  const place = range ?? document.createRange();
  if (range === null) place.selectNodeContents(lastBlock(box));
  if (range === null) place.collapse(false);
  place.deleteContents();
  const behind = document.createTextNode(CARET);
  place.insertNode(behind);
  place.insertNode(chip);
  box.focus();
  getSelection()?.collapse(behind, behind.length);
}

/** The selection, if it is within the box. */
export function rangeIn(box: HTMLElement | null): Range | null {
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  return box?.contains(range.commonAncestorContainer) ? range.cloneRange() : null;
}

export function withoutCarets(text: string): string {
  return text.replace(CARETS, '');
}

/** The last paragraph, where text added at the end belongs. */
function lastBlock(box: HTMLElement): HTMLElement {
  const last = box.lastChild;
  return last instanceof HTMLElement && /^(P|DIV|H1|H2)$/.test(last.tagName) ? last : box;
}
