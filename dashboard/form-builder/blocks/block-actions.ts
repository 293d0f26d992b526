import type { Property } from '../../../fields/property.ts';
import { type Builder, useBuilder } from '../builder-context.ts';
import { newId } from '../new-id.ts';
import type { Kind } from './kinds.ts';
import { listedQuestions } from './questions.ts';
import { turnedInto } from './turn-into.ts';

interface BlockActions {
  moveBy(steps: number): void;
  duplicate(): void;
  remove(): void;
}

/** Actions on a whole block, by menu and keyboard. The focus follows. */
export function useBlockActions(id: string): BlockActions {
  const builder = useBuilder();
  return {
    moveBy: (steps) => moveBlock(builder, id, steps),
    duplicate() {
      const copyId = newId();
      const block = builder.blocks().find((one) => one.id === id);
      const questionIds = block ? listedQuestions(block).map(newId) : [];
      builder.edit({ do: 'duplicate', id, copyId, questionIds });
      builder.announce('Duplicated.');
      focusName(copyId);
    },
    remove: () => removeBlock(builder, id),
  };
}

function moveBlock({ edit, blocks, pages, announce }: Builder, id: string, steps: number): void {
  const all = blocks();
  const from = all.findIndex((block) => block.id === id);
  const to = from + steps;
  if (from < 0 || to < 0 || to >= all.length) {
    announce('It cannot be moved further.');
    return;
  }
  const isOnName = document.activeElement?.hasAttribute('data-name-of') ?? false;
  edit({ do: 'move', id, to });
  pages.reveal(id);
  announce(`${all[from]?.name ?? ''} is now ${to + 1} of ${all.length}.`);
  focusMoved(() => elementOf(isOnName ? 'data-name-of' : 'data-handle', id));
}

function removeBlock({ edit, blocks, showToast }: Builder, id: string): void {
  const all = blocks();
  const at = all.findIndex((block) => block.id === id);
  const block = all[at];
  if (!block) return;
  edit({ do: 'remove', id });
  const name = block.name.trim() || 'The block';
  showToast({
    text: `${name.length > 40 ? `${name.slice(0, 40)}…` : name} was deleted.`,
    undo: () => {
      if (!blocks().some((other) => other.id === id)) edit({ do: 'add', blocks: [block], at });
    },
  });
  const next = all[at + 1] ?? all[at - 1];
  requestAnimationFrame(() => (next ? elementOf('data-handle', next.id)?.focus() : undefined));
}

/** Turns a block into another kind of question, and says which settings were lost. */
export function turnBlock({ edit, blocks, announce, showToast }: Builder, block: Property, kind: Kind): void {
  const { id } = block;
  const { members, lost } = turnedInto(block, kind);
  edit({ do: 'turn', id, type: kind.type, members });
  const text = `It is now of the type ${kind.label}.`;
  if (lost.length === 0) {
    announce(text);
    return;
  }
  const before = Object.fromEntries(Object.keys(members).map((key) => [key, block[key]]));
  showToast({
    text: `${text} What does not fit is gone: ${lost.join(', ')}.`,
    undo: () => {
      if (blocks().some((one) => one.id === id)) edit({ do: 'turn', id, type: block.type, members: before });
    },
  });
}

/** Scrolls to a block that was just added, and selects its name, or a text block's text. */
export function focusName(id: string): void {
  requestAnimationFrame(() => {
    const name = elementOf('data-name-of', id) as HTMLTextAreaElement | null;
    const text = elementOf('data-text-of', id);
    (text ?? name)?.focus({ preventScroll: true });
    if (!text) name?.select();
    name?.scrollIntoView({ block: 'center' });
  });
}

/**
 * Restores the focus to an element that lost it by being moved. Done before the next key, and after a closing menu that finds
 * nothing to focus; but not if the focus has moved elsewhere meanwhile.
 * @param find finds the element after React has rendered the edit
 */
export function focusMoved(find: () => HTMLElement | null): void {
  queueMicrotask(() => find()?.focus());
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) find()?.focus();
  });
}

export function elementOf(attribute: string, id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[${attribute}="${CSS.escape(id)}"]`);
}
