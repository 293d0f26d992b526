import type { Dispatch } from 'react';
import { useHotkeys } from '../lib/use-hotkeys.ts';
import type { Edit } from './edits.ts';

/** Undo and redo by keyboard; in a dialog the keys belong to its inputs, not to the form behind it. */
export function useStepKeys(edit: Dispatch<Edit>, isOff: boolean): void {
  useHotkeys(
    {
      'mod+z': () => !isOff && edit({ do: 'undo' }),
      'mod+shift+z': () => !isOff && edit({ do: 'redo' }),
      'mod+y': () => !isOff && edit({ do: 'redo' }),
      escape: () => edit({ do: 'select', id: null }),
    },
    { isBehind: true },
  );
}
