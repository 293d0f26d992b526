import { type ReactNode, useEffect, useState } from 'react';
import { useLeaving } from '../shell/use-leaving.tsx';

interface Drafting<Draft> {
  draft: Draft;
  change(part: Partial<Draft>): void;
  /** Shown when leaving with unsaved changes. */
  question: ReactNode;
}

/**
 * An integration being edited.
 * @param onDirty called with whether it differs from what is stored
 */
export function useDraft<Draft extends object>(
  start: Draft,
  isSaving: boolean,
  onDirty?: (isDirty: boolean) => void,
): Drafting<Draft> {
  const [stored] = useState(start);
  const [draft, setDraft] = useState(start);
  const isDirty = JSON.stringify(draft) !== JSON.stringify(stored);
  const { question } = useLeaving(isDirty, 'What you changed of this integration would be lost.', {
    bySearch: true,
    isSaving,
  });
  useEffect(() => {
    onDirty?.(isDirty);
    return () => onDirty?.(false);
  }, [isDirty, onDirty]);
  return { draft, change: (part) => setDraft((now) => ({ ...now, ...part })), question };
}
