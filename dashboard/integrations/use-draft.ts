import { type ReactNode, useContext, useEffect, useState } from 'react';
import { useLeaving } from '../shell/use-leaving.tsx';
import { HoldContext } from '../ui/hold.ts';

interface Drafting<Draft> {
  draft: Draft;
  change(part: Partial<Draft>): void;
  /** Shown when leaving with unsaved changes. */
  question: ReactNode;
}

export interface Kept<Draft> {
  /** What was last saved here; null if nothing was. */
  saved?: Draft | null;
  /** Whether it was added: then nothing of it is unsaved. */
  isAdded?: boolean;
  /** Called with whether the draft differs from what is stored. */
  onDirty?: (isDirty: boolean) => void;
}

/** An integration being edited. What is changed while it is being saved stays a change; nothing is while it is being added. */
export function useDraft<Draft extends object>(
  start: Draft,
  { saved = null, isAdded = false, onDirty }: Kept<Draft>,
): Drafting<Draft> {
  const [first] = useState(start);
  const [draft, setDraft] = useState(start);
  const { isHeld } = useContext(HoldContext);
  const isDirty = !isAdded && JSON.stringify(draft) !== JSON.stringify(saved ?? first);
  const { question } = useLeaving(isDirty, 'What you changed of this integration would be lost.', {
    bySearch: true,
  });
  useEffect(() => {
    onDirty?.(isDirty);
    return () => onDirty?.(false);
  }, [isDirty, onDirty]);
  return { draft, change: (part) => !isHeld && setDraft((now) => ({ ...now, ...part })), question };
}
