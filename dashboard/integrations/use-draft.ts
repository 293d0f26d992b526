import { type ReactNode, useEffect, useState } from 'react';
import { useLeaving } from '../shell/use-leaving.tsx';

interface Drafting<Draft> {
  draft: Draft;
  change(part: Partial<Draft>): void;
  /** Shown when leaving with unsaved changes. */
  question: ReactNode;
}

interface Kept<Draft> {
  /** What was last saved here; null if nothing was. */
  saved: Draft | null;
  /** Called with whether the draft differs from what is stored. */
  onDirty?: ((isDirty: boolean) => void) | undefined;
}

/** An integration being edited. What is changed while it is being saved stays a change. */
export function useDraft<Draft extends object>(
  start: Draft,
  { saved, onDirty }: Kept<Draft>,
): Drafting<Draft> {
  const [first] = useState(start);
  const [draft, setDraft] = useState(start);
  const isDirty = JSON.stringify(draft) !== JSON.stringify(saved ?? first);
  const { question } = useLeaving(isDirty, 'What you changed of this integration would be lost.', {
    bySearch: true,
  });
  useEffect(() => {
    onDirty?.(isDirty);
    return () => onDirty?.(false);
  }, [isDirty, onDirty]);
  return { draft, change: (part) => setDraft((now) => ({ ...now, ...part })), question };
}
