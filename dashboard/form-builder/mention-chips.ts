import type { Property } from '../../fields/property.ts';
import { kindOfGone, shownName } from '../calculations/fields.ts';

/** Keeps a place for the caret after a mention that ends a line. */
const CARET = '\u200b';
const CARETS = /\u200b/g;

/** How mentions look in an editor; a class of the box they stand in. */
export const CHIPS =
  '[&_[mention-field-id]]:rounded [&_[mention-field-id]]:bg-accent-soft [&_[mention-field-id]]:px-1 [&_[mention-field-id]]:py-0.5 [&_[mention-field-id]]:text-accent-strong';

/** Makes mentions what is deleted as a whole, under the names their fields have now. */
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

/** Puts a node where the caret was in the box, or at its end, and the caret behind it. */
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

/** The selection, when it is within the box. */
export function rangeIn(box: HTMLElement | null): Range | null {
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  return box?.contains(range.commonAncestorContainer) ? range.cloneRange() : null;
}

export function withoutCarets(text: string): string {
  return text.replace(CARETS, '');
}

/** What is added at the end belongs into the last paragraph. */
function lastBlock(box: HTMLElement): HTMLElement {
  const last = box.lastChild;
  return last instanceof HTMLElement && /^(P|DIV|H1|H2)$/.test(last.tagName) ? last : box;
}
