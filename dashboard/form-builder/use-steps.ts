import type { Dispatch } from 'react';
import { useHotkeys } from '../lib/use-hotkeys.ts';
import type { BuilderState, Edit } from './edits.ts';

interface Steps {
  undo(): void;
  redo(): void;
}

/** Undo and redo, also by keyboard; in a dialog the keys belong to its inputs, not to the form behind it. */
export function useSteps(
  { past, future }: Pick<BuilderState, 'past' | 'future'>,
  edit: Dispatch<Edit>,
  announce: (text: string) => void,
  isOff: boolean,
): Steps {
  const undo = () => {
    if (isOff || past.length === 0) return;
    edit({ do: 'undo' });
    announce('Undone.');
  };
  const redo = () => {
    if (isOff || future.length === 0) return;
    edit({ do: 'redo' });
    announce('Redone.');
  };
  useHotkeys(
    { 'mod+z': undo, 'mod+shift+z': redo, 'mod+y': redo, escape: () => edit({ do: 'select', id: null }) },
    { isBehind: true },
  );
  return { undo, redo };
}
